"""A page with every block of the coach's panel, for the browser tests. Run by Streamlit, never imported."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from tutor.app.panel import coach_panel

st.set_page_config(page_title="Panel", layout="wide")
state = st.session_state
state.setdefault("events", [])
state.setdefault("ack", 0)
state.setdefault("at", 0)
state.setdefault("open", False)
state.setdefault("hints", 1)


def card(name: str) -> dict[str, str]:
    return {"card": name}


def acted(event: dict[str, Any]) -> None:
    state.events.append(event)
    if event["kind"] == "deaf":  # an event whose answer gets lost
        return
    state.ack += 1
    if event["kind"] == "grid":
        state.open = not state.open
    if event["kind"] == "hint":
        state.hints = min(3, state.hints + 1)
    if event["kind"] == "moment":
        state.at = [one["ply"] for one in MOMENTS].index(event["ply"])


def verdict(grade: str, over: list[Any], title: str, *lines: list[Any], **more: Any) -> dict[str, Any]:
    empty = {"more": [], "candidates": [], "note": "", "buttons": []}
    return {"kind": "verdict", "grade": grade, "over": over, "title": [title], "lines": list(lines)} | empty | more


def cell(name: str, level: str) -> dict[str, Any]:
    percent = {"known": 100, "likely": 62, "unlikely": 12, "impossible": 0}[level]
    figure = level if level in ("known", "impossible") else f"{level}, {percent} of 100"
    return {"card": name, "level": level, "percent": percent, "say": f"{name}: {figure}"}


def grid() -> dict[str, Any]:
    block: dict[str, Any] = {"kind": "grid", "title": "What they may hold", "note": "", "open": state.open, "rows": []}
    block["button"] = {"do": "grid", "label": ["Close" if state.open else "What they may hold"]}
    marks = {"s": "uulu---uulu-u", "h": "-uu-u-uu-luuu", "d": "u-luulll-klu-", "c": "uu-lll-u-l-uu"}
    level = {"u": "unlikely", "l": "likely", "k": "known", "-": "impossible"}
    if state.open:
        block["rows"] = [
            {
                "suit": suit,
                "cells": [cell(rank + suit, level[one]) for rank, one in zip("A23456789TJQK", row, strict=True)],
            }
            for suit, row in marks.items()
        ]
        block["note"] = "Looked at: this is marked in the record."
    return block


BEST = verdict(
    "best",
    ["Turn 3 · you threw ", card("8h")],
    "Among the best",
    [card("Jc"), " was just as good."],
    [card("8h"), " fits 4 melds they could still make, ", card("Jc"), " fits 5."],
    more=[["With ", card("9d"), " it waits for 2 cards: ", card("8d"), " ", card("Jd"), "."]],
    candidates=[
        {"words": [card("8h")], "cost": "best", "note": "", "played": True},
        {"words": [card("Jc")], "cost": "as good", "note": "", "played": False},
        {"words": ["Knocking, throwing ", card("4h")], "cost": "−2.1 ± 0.4", "note": "", "played": False},
    ],
)
GRADES = [
    verdict("good", ["Turn 2 · you threw ", card("Kd")], "Good", ["A third of a point from the best."]),
    verdict(
        "inaccuracy",
        ["Turn 5 · you drew from the stock"],
        "Inaccuracy: about 1 point",
        ["Taking ", card("6d"), " made a run at once."],
    ),
    verdict(
        "mistake",
        ["Turn 1 · you threw ", card("Td")],
        "Mistake: about 2 points",
        ["With ", card("9d"), " it waits for 2 cards: ", card("8d"), " ", card("Jd"), "."],
        buttons=[{"do": "try", "label": ["Try that turn again"], "at": 7}],
        note="Steady took it at once.",
    ),
    verdict(
        "blunder",
        ["Turn 8 · you threw ", card("5c")],
        "Blunder: about 6 points",
        ["They knock first more often: 41 of 100, not 18."],
    ),
    verdict(
        "depends",
        ["Turn 6 · you threw ", card("Qh")],
        "Depends on the opponent",
        ["Best against a careful player; 1 point worse against one who feeds you."],
    ),
    verdict(
        "costly", ["Turn 9 · you threw ", card("2s")], "This cost about 4 points", ["Wrong move, got away with it."]
    ),
    verdict("waiting", ["Turn 4 · you threw ", card("Ts")], "The coach is looking."),
]
WARNING = {
    "kind": "warning",
    "grade": "blunder",
    "title": [card("5c"), " may cost about 6 points"],
    "words": ["It is not played yet. Steady waits."],
    "buttons": [
        {"do": "rethink", "label": ["Rethink"], "primary": True},
        {"do": "hint", "label": ["Hint"]},
        {"do": "anyway", "label": ["Play ", card("5c"), " anyway"], "far": True},
    ],
}
STEPS = [
    {"label": "Where to look", "words": ["What did they take on turn 1?"]},
    {"label": "Which cards", "words": [card("Td"), " ", card("Jc"), " ", card("8h")]},
    {"label": "The move", "words": ["Throw ", card("Jc"), "."]},
]


def hint() -> dict[str, Any]:
    following = {"do": "hint", "label": [f"Hint {state.hints + 1} of 3"]} if state.hints < 3 else None
    return {
        "kind": "hint",
        "title": ["Turn 4 · your choice"],
        "words": [],
        "steps": STEPS[: state.hints],
        "next": following,
        "buttons": [{"do": "deaf", "label": ["Undo draw"]}],
        "note": "Hints are marked in the record.",
    }


def parts(*all_parts: tuple[str, int, str]) -> list[dict[str, Any]]:
    return [{"outcome": outcome, "share": share, "name": name} for outcome, share, name in all_parts]


BARS = {
    "kind": "bars",
    "title": ["Knock now +13; undercut 1 in 12. Wait one turn +8."],
    "rows": [
        {
            "label": "Knock now",
            "value": "+13",
            "parts": parts(("win_knock", 92, "You win the knock"), ("undercut", 8, "Undercut")),
        },
        {
            "label": "Wait",
            "value": "+8",
            "parts": parts(
                ("win_gin", 12, "You gin"),
                ("win_knock", 45, "You knock"),
                ("dead", 3, "Dead hand"),
                ("win_undercut", 8, "You undercut"),
                ("undercut", 5, "Undercut"),
                ("lose_knock", 20, "They knock"),
                ("lose_gin", 7, "They gin"),
            ),
        },
    ],
    "note": "Out of 100 hands they could hold; average points of this hand.",
}
MOMENTS = [
    {
        "ply": 12,
        "grade": "blunder",
        "over": ["Turn 3 · you threw ", card("5c")],
        "title": ["Blunder: about 6 points"],
        "ledger": ["Their knock came at once: no luck in it."],
        "cost": "6.0",
    },
    {
        "ply": 4,
        "grade": "mistake",
        "over": ["Turn 1 · you threw ", card("Td")],
        "title": [card("Kd"), " was better"],
        "ledger": ["Steady took it at once."],
        "cost": "2.1",
    },
    {
        "ply": 20,
        "grade": "inaccuracy",
        "over": ["Turn 5 · you drew from the stock"],
        "title": ["Inaccuracy: about 1 point"],
        "ledger": [],
        "cost": "0.8",
    },
]
LEDGER = {
    "kind": "ledger",
    "title": ["Where your 12 points came from"],
    "rows": [
        {"label": "Your cards", "value": "+12", "error": "± 3", "words": ["A better deal than most."]},
        {"label": "Your play", "value": "−8", "error": "± 1", "words": ["Mostly ", card("5c"), " on turn 3."]},
        {"label": "The stock", "value": "+8", "error": "", "words": []},
    ],
    "note": "Points of this hand, give or take.",
}
BOX = {
    "kind": "box",
    "title": ["Try again"],
    "lines": [["Same hand, same opponent <b>&</b> same stock."]],
    "buttons": [
        {"do": "again", "label": ["Play this hand again"], "primary": True},
        {"do": "back", "label": ["Back to the game"]},
    ],
}

st.title("Panel")
left, right = st.columns([2.4, 1], gap="medium")
moments = {
    "kind": "moments",
    "title": ["Moments to look at"],
    "tally": ["3 of 14 decisions cost something."],
    "items": MOMENTS,
    "at": state.at,
    "all": False,
}
with right:
    shown = [BEST, hint(), grid()]
    coach_panel({"ack": state.ack, "ply": 9, "blocks": shown}, key="coach", on_event=acted)
    coach_panel({"ack": state.ack, "ply": None, "blocks": [WARNING, moments, BARS]}, key="small", on_event=acted)
with left:
    coach_panel({"ack": state.ack, "ply": 9, "blocks": [*GRADES, WARNING, LEDGER, BOX]}, key="large", on_event=acted)
coach_panel({"ack": state.ack, "ply": 9, "blocks": [BARS]}, key="wide", on_event=acted)
st.button("Run again")
st.text("events " + json.dumps(state.events))
