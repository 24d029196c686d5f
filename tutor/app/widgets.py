"""Small parts that several pages show."""

from __future__ import annotations

import streamlit as st

from tutor.app import warmup
from tutor.app.warmup import Engine, Stage
from tutor.engine.players import PLAYERS

LOOK_AGAIN = 1.0
"""Seconds between two looks at an engine that is warming up."""


def engine_line() -> None:
    """How far the engine is. While it warms up the line looks again, and runs the page once when that has ended."""
    seen = warmup.engine()
    if seen.stage is Stage.WARMING:
        st.fragment(_look_again, run_every=LOOK_AGAIN)(seen)
    else:
        st.markdown(f":gray[{seen.words}]")


def _look_again(seen: Engine) -> None:
    if warmup.engine() != seen:
        st.rerun()
    st.markdown(f":gray[{seen.words}]")


def choose_opponent(before: str) -> tuple[str, bool]:
    """The opponents, weakest first, with what each one does; the one chosen, and whether it can play."""
    engine, names = warmup.engine(), list(PLAYERS)
    captions = [engine.about(name) for name in names]
    chosen = st.radio(
        "Opponent", names, names.index(before), horizontal=True, captions=captions if any(captions) else None
    )
    st.markdown(f":gray[{PLAYERS[chosen].policy}]")
    return chosen, engine.can_play(chosen)
