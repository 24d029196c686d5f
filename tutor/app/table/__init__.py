"""The card table: one component for every page. What may be done goes in, what the player does comes out."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Any

import streamlit as st

_HERE = files(__package__)


def _text(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


_TABLE = st.components.v2.component(
    "gin_card_table",
    html=_text("table.html"),
    css=_text("table.css"),
    js=_text("faces.js") + _text("table.js"),
)


def card_table(model: dict[str, Any], *, key: str, on_event: Callable[[dict[str, Any]], None]) -> None:
    """Show a table. ``on_event`` is called before the page runs again, with what the player did."""

    def acted() -> None:
        event = st.session_state[key].action
        if event:
            on_event(dict(event))

    _TABLE(key=key, data=model, on_action_change=acted)
