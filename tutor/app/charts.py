"""Charts: what a review shows as a line."""

from __future__ import annotations

from typing import Any

import streamlit as st

from tutor.app import state

GRADE_SHAPES = {
    "among the best": "circle",
    "good": "circle",
    "inaccuracy": "triangle-up",
    "mistake": "square",
    "blunder": "diamond",
    "costly": "square",
    "depends on the opponent": "cross",
    "no decision": "circle",
    "the end": "stroke",
}


def curve(rows: list[dict[str, Any]], at: int | None, *, key: str) -> int | None:
    """A chart of the points to expect after each decision; the ply of a point that was chosen just now."""
    if len(rows) < 2:
        return None
    import altair as alt
    import pandas as pd

    frame = pd.DataFrame(rows)
    frame["chosen"] = frame["ply"] == at
    x = alt.X("ply:Q", title="Actions played", axis=alt.Axis(tickMinStep=1, grid=False))
    y = alt.Y("points:Q", title="Points for you")
    pick = alt.selection_point(name="pick", fields=["ply"], on="click", empty=False)
    tip = [alt.Tooltip("what:N", title="Move"), alt.Tooltip("points:Q", title="To expect"), alt.Tooltip("grade:N")]
    names = list(GRADE_SHAPES)
    points = (
        alt.Chart(frame)
        .mark_point(filled=True, opacity=1)
        .encode(
            x=x,
            y=y,
            shape=alt.Shape("grade:N", scale=alt.Scale(domain=names, range=list(GRADE_SHAPES.values())), legend=None),
            color=alt.Color("grade:N", scale=alt.Scale(domain=names, range=_tones()), legend=None),
            size=alt.condition("datum.chosen", alt.value(320), alt.value(130)),
            tooltip=tip,
        )
        .add_params(pick)
    )
    line = alt.Chart(frame).mark_line(color=_tones()[0]).encode(x=x, y=y)
    zero = alt.Chart(pd.DataFrame({"points": [0]})).mark_rule(opacity=0.4).encode(y="points:Q")
    st.markdown("**Expected result**")
    event: Any = st.altair_chart((zero + line + points).properties(height=220), key=key, on_select="rerun")
    picked = event.selection.get("pick", []) if event else []
    ply = picked[0]["ply"] if picked else None
    if ply == state.recall("picked-" + key):
        return None
    state.remember("picked-" + key, ply)
    # The end stands between plies: there is nothing to decide.
    return int(ply) if ply is not None and ply == int(ply) else None


def _tones() -> list[str]:
    """The grades' colours of the mode the reader sees, in the order of ``GRADE_SHAPES``."""
    light = ["#0B5A88", "#3A6578", "#8A5C00", "#7C2D06", "#7E2468", "#7C2D06", "#555A61", "#7F868B", "#0B5A88"]
    dark = ["#7CC7F2", "#A6C4D2", "#F4D27C", "#F28B50", "#E996D4", "#F28B50", "#B6BCC1", "#B9BDC0", "#7CC7F2"]
    return dark if st.context.theme.type == "dark" else light
