"""Replay: your games and imported records, step by step."""

from concurrent.futures import Future

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from tutor.app import replaying, state, widgets
from tutor.app.panel import coach_panel
from tutor.app.server import ROOT
from tutor.app.table import card_table


def show(place: DeltaGenerator, columns: list, name: str) -> Future | None:
    """One hand at one ply, with the way through it; the coach's answer that is still awaited."""
    session = replaying.prepared(state.recall("replay"), name)
    hands = [f"Hand {number}" for number in range(1, len(session.hands) + 1)]
    seats = session.current.seats
    may = session.current.finished and len(seats) == 2
    chosen = columns[0].selectbox("Hand", hands, index=session.hand - 1)
    if hands.index(chosen) + 1 != session.hand:
        session = session.to(hands.index(chosen) + 1, 0)
    seat = columns[1].selectbox("Seen from", seats, seats.index(session.seat), format_func=session.names.__getitem__)
    every = columns[2].toggle("All cards", session.open_cards and may, disabled=not may, help="Once a hand is over.")
    session = session.seen_from(seat, open_cards=every)
    state.remember("replay", session)
    st.query_params["at"] = session.at
    state.remember("replay-at", session.at)
    answer = replaying.awaited(session, name)
    with place:
        board, beside = st.columns([2.4, 1], gap="medium")
    with board:
        card_table(replaying.model_of(session, name), key="replay-table", on_event=replaying.handle)
    with beside:
        panel = replaying.coach_model(session, name)
        coach_panel(panel, key="coach", on_event=lambda event: replaying.handle_coach(event, name))
    replaying.curve(session, name)
    forward, download = st.columns(2)
    if forward.button("Next showdown"):
        state.remember("replay", session.step("showdown"))
        st.rerun()
    record = state.recall("replay-text")
    if record is not None:
        download.download_button("Download as .gin", record, file_name=f"{name}.gin", mime="text/plain")
    return answer


tried = state.recall("go-play")
if tried is not None:
    state.remember("go-play", None)
    st.switch_page(ROOT / "pages" / "play.py", query_params={"game": str(tried)})
known = replaying.titles()
if not known:
    st.header("Replay")
    st.markdown("Nothing to replay yet. Play a hand, or add a record.")
    replaying.add_record()
    st.stop()
wanted = next((f"{kind}-{st.query_params[kind]}" for kind in ("game", "record") if kind in st.query_params), None)
if wanted is not None and wanted not in known:
    st.markdown(":orange[That game or record is not here.]")
# The table stands first on the page, though the choices below it come first in the script.
table = st.container()
first, *columns = st.columns([2.2, 1, 1.2, 1], vertical_alignment="bottom")
places = list(known)
name = first.selectbox("Game", places, places.index(wanted) if wanted in known else 0, format_func=known.get)
replaying.open_source(name, st.query_params.get("at", "1/0") if wanted == name else "1/0")
if wanted != name:
    kind, number = name.split("-")
    st.query_params.from_dict({kind: number})
if state.recall("replay").hands:
    awaited = show(table, columns, name)
    replaying.together()
    replaying.add_record()
    widgets.wait_for(awaited)
else:
    st.markdown("This record holds no hands.")
    replaying.add_record()
