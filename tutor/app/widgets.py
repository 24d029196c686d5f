"""Small parts that several pages show."""

from __future__ import annotations

import re

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
