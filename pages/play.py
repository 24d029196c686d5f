"""Play: a game against an opponent."""

import streamlit as st

from tutor.app import playing, state, widgets
from tutor.app.server import ROOT
from tutor.app.table import card_table
from tutor.game.rules import PRESETS, RuleError

FIRST = ("Casual", "Classic", "Standard", "Oklahoma")


def choose_game() -> None:
    """The form that begins a game."""
    kept = state.settings()
    st.header("A new game")
    opponent, can_play = widgets.choose_opponent(kept["opponent"])
    names = list(PRESETS) if st.toggle("More rule sets") else list(FIRST)
    chosen = st.radio(
        "Rules", names, index=names.index(kept["rules"]) if kept["rules"] in names else 0, horizontal=True
    )
    rules = playing.alone(chosen)
    with st.expander("Change single rules"):
        values = {}
        for knob, choices in playing.KNOBS.items():
            now = rules.value_text(knob)
            options = choices if now in choices else (now, *choices)
            values[knob] = st.selectbox(
                knob.replace("_", " ").capitalize(), options, options.index(now), key=f"{chosen}-{knob}"
            )
    try:
        rules = rules.with_values(values)
    except RuleError as error:
        st.markdown(f":orange[{str(error).capitalize()}.]")
        return
    practice = st.toggle("Practice: you may take back your last decision", kept["practice"])
    if st.button("Deal me in", type="primary", disabled=not can_play):
        state.save(opponent=opponent, rules=chosen, practice=practice)
        game_id = playing.start(opponent, rules, practice=practice)
        st.switch_page(ROOT / "pages" / "play.py", query_params={"game": str(game_id)})
    with st.expander("These rules in words"):
        st.markdown("\n".join(f"- {sentence}" for sentence in rules.sentences().values()))


def show_game(session: playing.PlaySession) -> None:
    """The table, then the opponent's turn."""
    session.follow()
    if not session.dealt:
        playing.handle(session, {"kind": "next"})
    card_table(playing.model_of(session), key="table", on_event=lambda event: playing.handle(session, event))
    with st.expander("A fair deal"):
        st.markdown(f"{playing.FAIR}\n\n`{session.committed}`")
    if st.button("Another game", type="tertiary"):
        st.switch_page(ROOT / "pages" / "play.py", query_params={"game": "new"})
    widgets.engine_line()
    playing.let_opponent_play(session)


go = state.recall("go")
state.remember("go", None)
wanted = st.query_params.get("game", "")
if go == "again":
    finished = state.play_session(int(wanted)) if wanted.isdecimal() and len(wanted) < 10 else None
    wanted = playing.quick_game() if finished is None else playing.again(finished)
number = int(wanted) if wanted.isdecimal() and len(wanted) < 10 else None
current = number if wanted else state.library().unfinished(state.profile().id)
session = None if current is None else state.play_session(current)
if session is not None and go == "replay":
    place = f"{len(session.rounds)}/0"
    st.switch_page(ROOT / "pages" / "replay.py", query_params={"game": str(session.game_id), "at": place})
if session is None:
    if wanted.isdecimal():
        st.markdown(f":orange[There is no game {wanted} of yours here.]")
    choose_game()
else:
    st.query_params["game"] = str(session.game_id)
    show_game(session)
