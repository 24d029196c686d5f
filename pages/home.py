"""Home: go on where you left off, or begin."""

import streamlit as st

from tutor.app import playing, state
from tutor.app.server import ROOT
from tutor.app.table import card_table

PLAY = ROOT / "pages" / "play.py"


def band(game_id: int | None) -> playing.Model:
    """The one thing to do, with the hand it is about."""
    model: playing.Model = {"ack": state.acknowledged(), "ply": 0, "hand_id": game_id or 0, "hand": [], "melds": []}
    session = None if game_id is None else state.play_session(game_id)
    if session is None or not session.dealt:
        words = "No account, nothing to set up. You can stop at any card and come back to it."
        acts = [{"kind": "deal", "label": "Deal me in"}]
        return model | {
            "band": {
                "over": "Gin rummy, taught by playing",
                "title": "Ten cards. Let's play.",
                "words": words,
                "acts": acts,
            }
        }
    table = playing.model_of(session)
    head = table["head"]
    todo = "your turn" if table["mine"] else "the hand is over" if "done" in table else f"{head['them'][0]}'s turn"
    lead = (
        "You lead"
        if head["me"][1] > head["them"][1]
        else "You trail"
        if head["me"][1] < head["them"][1]
        else "You are level"
    )
    acts = [{"kind": "go", "label": "Go on playing"}, {"kind": "new", "label": "Start a new game", "link": True}]
    words = f"{lead}, {head['me'][1]} to {head['them'][1]}; {head['game']}."
    text = {
        "over": f"{head['hand']} · {todo}",
        "title": f"Your game against {head['them'][0]}",
        "words": words,
        "acts": acts,
    }
    return model | {"band": text, "hand": table["hand"], "melds": table["melds"], "look": table["look"]}


def handle(event: dict) -> None:
    """Remember where a button leads; pages are switched outside of callbacks."""
    state.remember("home", event.get("kind"))
    state.acknowledge()


unfinished = state.library().unfinished(state.profile().id)
go = state.recall("home")
state.remember("home", None)
if go == "deal":
    st.switch_page(PLAY, query_params={"game": playing.quick_game()})
elif go == "go":
    st.switch_page(PLAY, query_params={"game": str(unfinished)})
elif go == "new":
    st.switch_page(PLAY, query_params={"game": "new"})
card_table(band(unfinished), key="band", on_event=handle)
