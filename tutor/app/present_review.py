"""A review as models for the coach's panel and the chart. No streamlit here."""

from __future__ import annotations

from typing import Any

from tutor.app.present_coach import Block, Pieces, pieces
from tutor.teaching.history import History, history_lines
from tutor.teaching.ledger import Account
from tutor.teaching.reasons.words import Words, cost, signed
from tutor.teaching.review import Decision, HandReview
from tutor.teaching.summary import both_ledgers, done_well, plain_tally, spoken, tally, to_fix
from tutor.teaching.verdict import BLAMED, Grade

_DONE = {
    "discard": "threw",
    "take": "took",
    "knock": "knocked, throwing",
    "gin": "went gin, throwing",
    "lay": "laid off",
}
_PLAIN = {"draw": "drew from the stock", "pass": "passed", "settle": "settled", "big": "went big gin"}
SHADES = {Grade.BEST: "best", Grade.GOOD: "good", Grade.DEPENDS: "depends"}


def under_way(done: int, total: int) -> Block:
    """A review that is being made."""
    return {
        "kind": "box",
        "title": ["The review"],
        "lines": [[f"Looking at your decisions: {done} of {total}."]],
        "buttons": [],
    }


def review_blocks(review: HandReview, at: int | None, level: str, buttons: list[Block]) -> list[Block]:
    """A hand's review; ``at`` is the chosen moment, as actions played before it, with the buttons it has."""
    plain = level == "beginner"
    chosen = next((one for one in review.decisions if one.ply == at), None)
    if chosen is not None:
        return [moment_block(review, chosen, level, buttons), moments_block(review, at, level)]
    return [_fix(review, plain), *_well(review), moments_block(review, at, level), *_ledger(review.account)]


def did(text: str) -> Words:
    """An action of the notation after "you": ``threw J♣``."""
    verb = text.partition(" ")[0]
    return (_PLAIN[verb],) if verb in _PLAIN else (f"{_DONE[verb]} ", spoken(text)[-1])


def _shade(one: Decision, plain: bool) -> str:
    if plain and one.grade in BLAMED:
        return "costly" if one.grade is not Grade.INACCURACY else "good"
    return SHADES.get(one.grade, one.grade.value)


def _fix(review: HandReview, plain: bool) -> Block:
    found = to_fix(review)
    if found is None:
        return {
            "kind": "box",
            "title": ["Nothing to fix"],
            "lines": [["No move of this hand clearly cost you anything."]],
            "buttons": [],
        }
    one, _ = found
    return {
        "kind": "verdict",
        "grade": _shade(one, plain) if one.grade is not Grade.INACCURACY or not plain else "costly",
        "over": [f"One thing to fix · turn {one.turn}"],
        "title": pieces((*_move(one.played), f" cost {cost(one.loss)}")),
        "lines": [*[pieces(words) for words in one.reasons[:2]]],
        "more": [pieces(words) for words in one.reasons[2:]],
        "candidates": [],
        "note": both_ledgers(review, one) or "",
        "buttons": [{"do": "moment", "ply": one.ply, "label": ["Show that turn"]}],
    }


def _well(review: HandReview) -> list[Block]:
    found = done_well(review)
    if found is None:
        return []
    one, _ = found
    assert one.surface is not None
    well: Block = {
        "kind": "verdict",
        "grade": "best",
        "over": [f"One thing done well · turn {one.turn}"],
        "title": pieces(("You ", *did(one.played))),
        "lines": [pieces((*_capital(spoken(one.surface)), f": {cost(one.surface_loss)} less."))],
        "more": [pieces(words) for words in one.reasons],
        "candidates": [],
        "note": both_ledgers(review, one) or "",
        "buttons": [{"do": "moment", "ply": one.ply, "label": ["Show that turn"]}],
    }
    return [well]


def _move(text: str) -> Words:
    """A move as the subject of a sentence; a throw is only its card."""
    words = spoken(text)
    return words[1:] if text.startswith("discard") else _capital(words)


def _capital(words: Words) -> Words:
    head, *rest = words
    return (head[:1].upper() + head[1:] if isinstance(head, str) else head, *rest)


def moment_block(review: HandReview, one: Decision, level: str, buttons: list[Block]) -> Block:
    """One decision of the review, with what could be done from there."""
    plain = level == "beginner"
    lines: list[Pieces] = [pieces(words) for words in one.reasons[:2]]
    if one.blamed:
        lines.insert(0, pieces((*_capital(spoken(one.best)), " was better.")))
    elif one.equal and one.grade is not Grade.DEPENDS:
        alike = [_move(text) for text in one.equal[:2]]
        lines.insert(
            0, pieces((*alike[0], *((" and ", *alike[1]) if len(alike) > 1 else ()), " had about the same worth."))
        )
    after = both_ledgers(review, one)
    return {
        "kind": "verdict",
        "grade": _shade(one, plain),
        "over": pieces((f"Turn {one.turn} · you ", *did(one.played))),
        "title": [_title(one, plain)],
        "lines": lines,
        "more": [pieces(words) for words in one.reasons[2:]],
        "candidates": [],
        "note": after or "",
        "buttons": buttons,
    }


def _title(one: Decision, plain: bool) -> str:
    if one.forced:
        return "Nothing to decide"
    if plain and one.blamed:
        return f"This cost {cost(one.loss)}"
    name = one.grade.value.capitalize()
    return f"{name}: {cost(one.loss)}" if one.blamed else name


def moments_block(review: HandReview, at: int | None, level: str) -> Block:
    """The tally, and the blamed decisions by what they cost; a beginner gets no such list."""
    plain = level == "beginner"
    words = plain_tally(review) if plain else tally(review)
    items = [
        {
            "ply": one.ply,
            "grade": _shade(one, plain),
            "over": [f"Turn {one.turn}"],
            "title": pieces(("You ", *did(one.played))),
            "ledger": [both_ledgers(review, one) or ""],
            "cost": f"−{one.loss:.1f}",
        }
        for one in review.by_loss
    ]
    return {
        "kind": "moments",
        "title": ["Your decisions"],
        "tally": [words],
        "items": [] if plain else items,
        "all": True,
        "at": next((place for place, item in enumerate(items) if item["ply"] == at), -1),
    }


def _ledger(found: Account | None) -> list[Block]:
    if found is None:
        return []
    rows = (
        ("Your cards", found.cards, found.cards_se, ""),
        ("Your decisions", found.decisions, found.decisions_se, ""),
        ("The rest", found.rest, found.rest_se, "their play and cards, and the showdown"),
        ("Second thoughts", found.drift + found.base, 0.0, "what a later look told otherwise"),
    )
    lines = [
        {"label": label, "value": signed(amount), "error": f"± {max(1, round(1.96 * error))}" if error else "",
         "words": [words] if words else []}
        for label, amount, error, words in rows
    ]  # fmt: skip
    return [
        {
            "kind": "ledger",
            "title": [f"Where the {signed(found.points)} came from"],
            "rows": lines,
            "note": "Points of this hand.",
        }
    ]


def history_block(history: History) -> Block:
    """Several hands together, in lines."""
    first, *lines = history_lines(history)
    return {
        "kind": "box",
        "title": ["This game"],
        "lines": [[first], *([line.strip()] for line in lines)],
        "buttons": [],
    }


def curve(review: HandReview, level: str) -> list[dict[str, Any]]:
    """The expected result over the hand: a row a decision with its ply, points before it and grade; then the end."""
    plain = level == "beginner"
    rows: list[dict[str, Any]] = [
        {
            "ply": one.ply,
            "points": round(one.before, 1),
            "grade": (_shade(one, plain) if plain and one.blamed else one.grade.value) if one.counts else "no decision",
            "what": f"Turn {one.turn}: {_plainly(one)}",
        }
        for one in review.decisions
    ]
    if review.points is not None and rows:
        rows.append(
            {"ply": rows[-1]["ply"] + 1.5, "points": float(review.points), "grade": "the end", "what": "The end"}
        )
    return rows


def _plainly(one: Decision) -> str:
    return "".join(piece if isinstance(piece, str) else piece.symbol for piece in did(one.played))
