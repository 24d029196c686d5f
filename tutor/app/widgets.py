"""Small parts that several pages show."""

from __future__ import annotations

import re
import time
from concurrent.futures import Future
from typing import Any

import streamlit as st

from tutor.app import charts, coached, playing, state, warmup
from tutor.app.sessions.play import PlaySession
from tutor.app.warmup import Engine, Stage
from tutor.engine.players import PLAYERS
from tutor.game.rules import PRESETS, RuleError, RuleSet

FIRST_RULES = ("Casual", "Classic", "Standard", "Oklahoma")
LOOK_SOON = 0.04
"""Seconds between two looks at an answer that is waited for."""
LOOK_AGAIN = 1.0
"""Seconds between two looks at an engine that is warming up."""


def engine_line() -> None:
    """How far the engine is. While it warms up the line looks again, and runs the page once when that has ended."""
    seen = warmup.engine()
    if seen.stage is Stage.WARMING:
        st.fragment(_look_again, run_every=LOOK_AGAIN)(seen)
    else:
        _show(seen)


def _look_again(seen: Engine) -> None:
    if warmup.engine() != seen:
        st.rerun()
    _show(seen)


def _show(seen: Engine) -> None:
    # A reason may name a folder: its signs are no Markdown.
    words = re.sub(r"([\\`*_\[\]$~<])", r"\\\1", seen.words)
    st.markdown(f":small[:gray[{words}]]")


def choose_opponent(before: str) -> tuple[str, bool]:
    """The opponents, weakest first, what the chosen one does, how far the engine is; the choice, and if it can play.

    The list itself stays as it is while the engine warms up: an option with another label would lose the choice.
    """
    names = list(PLAYERS)
    chosen = st.radio("Opponent", names, names.index(before), horizontal=True)
    st.markdown(f":gray[{PLAYERS[chosen].policy}]")
    engine_line()
    return chosen, warmup.engine().can_play(chosen)


def choose_rules(before: str) -> tuple[str, RuleSet | None]:
    """A preset and, on demand, its single rules changed; its name and the rules, None where they contradict."""
    names = list(PRESETS) if st.toggle("More rule sets") else list(FIRST_RULES)
    chosen = st.radio("Rules", names, names.index(before) if before in names else 0, horizontal=True)
    rules = playing.alone(chosen)
    with st.expander("Change single rules"):
        values = {}
        for knob, choices in playing.KNOBS.items():
            now = rules.value_text(knob)
            options = choices if now in choices else (now, *choices)
            label = knob.replace("_", " ").capitalize()
            values[knob] = st.selectbox(label, options, options.index(now), key=f"{chosen}-{knob}")
    try:
        return chosen, rules.with_values(values)
    except RuleError as error:
        st.markdown(f":orange[{str(error).capitalize()}.]")
        return chosen, None


def choose_coach() -> None:
    """How the coach takes part; kept for the profile."""
    names = list(coached.MODES)
    before = state.settings()["coach"]
    chosen = st.selectbox("The coach", names, names.index(before), format_func=coached.MODES.__getitem__)
    if chosen != before:
        state.save(coach=chosen)
        st.rerun()


def wait_for(answer: Future[Any] | None) -> None:
    """After the page is shown: wait for an answer of the coach, if there is one to come, and show the page again."""
    if answer is None:
        return
    tick = st.empty()
    while not answer.done():
        time.sleep(LOOK_SOON)
        # To write anything lets a click of the player interrupt this run.
        tick.empty()
    st.rerun()


def curve_of(session: PlaySession) -> None:
    """The expected result over a finished hand as a chart; a chosen point is the moment that is shown."""
    if not coached.reviews(session):
        return
    from tutor.app import afterwards

    rows = afterwards.curve_of(session)
    chosen = charts.curve(
        rows, playing.moment(session), key=f"curve-{session.game_id}-{len(session.rounds)}-{state.recall('charts', 0)}"
    )
    if chosen is not None:
        afterwards.handle(session, {"kind": "moment", "ply": chosen})
        st.rerun()
