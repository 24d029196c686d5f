"""The coach's panel: one component for verdicts, warnings, hints, bars and lists. Words go in, wishes come out."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import streamlit as st

_HERE = files(__package__)
_FACES = files("tutor.app.table") / "faces.js"


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


_PANEL = st.components.v2.component(
    "gin_coach_panel",
    html=_text("panel.html"),
    css=_text("panel.css"),
    js=_FACES.read_text(encoding="utf-8") + _text("panel.js"),
)


def coach_panel(model: dict[str, Any], *, key: str, on_event: Callable[[dict[str, Any]], None]) -> None:
    """Show what the coach says. ``on_event`` is called before the page runs again, with what the learner asked for.

    ``model`` has ``blocks``, shown one under the other, and ``ack``, which changes with every event that was
    answered: until then further clicks are ignored. ``ply`` comes back with every event; ``look`` is that of the table.
    """

    def acted() -> None:
        event = st.session_state[key].action
        if event:
            on_event(dict(event))

    _PANEL(key=key, data=model, on_action_change=acted)
