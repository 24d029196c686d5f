"""Play: a game against an opponent."""

import streamlit as st

from tutor.app import coached, playing, state, widgets
from tutor.app.panel import coach_panel
from tutor.app.server import ROOT
from tutor.app.table import card_table


def choose_game() -> None:
    """The form that begins a game."""
    kept = state.settings()
    st.header("A new game")
    opponent, can_play = widgets.choose_opponent(kept["opponent"])
    chosen, rules = widgets.choose_rules(kept["rules"])
    if rules is None:
        return
    practice = st.toggle("Practice: with the coach, hints and taking back", kept["practice"])
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
    answer = coached.begin(session)
    table, beside = st.columns([2.4, 1], gap="medium") if coached.beside(session) else (st.container(), None)
    with table:
        card_table(playing.model_of(session), key="table", on_event=lambda event: playing.handle(session, event))
    if beside is not None:
        with beside:
            coach_panel(coached.model_of(session), key="coach", on_event=lambda event: coached.handle(session, event))
            widgets.choose_coach()
    widgets.curve_of(session)
    with st.expander("A fair deal"):
        st.markdown(f"{playing.FAIR}\n\n`{session.committed}`")
    if st.button("Another game", type="tertiary"):
        st.switch_page(ROOT / "pages" / "play.py", query_params={"game": "new"})
    widgets.engine_line()
    playing.go_on(session, answer)


go = state.recall("go")
state.remember("go", None)
wanted = st.query_params.get("game", "")
if go == "again":
    finished = state.play_session(int(wanted)) if wanted.isdecimal() and len(wanted) < 10 else None
    wanted = playing.quick_game() if finished is None else playing.again(finished)
number = int(wanted) if wanted.isdecimal() and len(wanted) < 10 else None
current = number if wanted else state.library().unfinished(state.profile().id)
session = None if current is None else state.play_session(current)
if isinstance(go, tuple):
    st.switch_page(ROOT / "pages" / "play.py", query_params={"game": str(go[1])})
if session is not None and go in ("replay", "better"):
    place = state.recall("want-better")[1] if go == "better" else f"{len(session.rounds)}/0"
    st.switch_page(ROOT / "pages" / "replay.py", query_params={"game": str(session.game_id), "at": place})
if session is None:
    if wanted.isdecimal():
        st.markdown(f":orange[There is no game {wanted} of yours here.]")
    choose_game()
else:
    st.query_params["game"] = str(session.game_id)
    show_game(session)
