"""The styles of play that the rollouts know, as rows of the kernel's policy.

``SHARP`` was found by the cross-entropy method against Simple, Camper and its own former selves
(``python benchmarks/tune_sharp.py``); the others are it with another rule for ending the hand, or made to resemble
a kind of player.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tutor.engine.kernel.policy import row

Floats = NDArray[np.float64]

SHARP = {
    "take_least": 3.114, "take_meld": 3.271, "take_turn": 0.311, "points_0": -0.092, "points_1": 1.029,
    "points_2": 1.324, "points_3": 1.275, "outs_0": 1.648, "outs_1": 1.223, "outs_2": 1.439, "outs_3": 1.02,
    "outs_low": 0.177, "danger_known": 1.658, "danger_both": 3.712, "danger_turn": -0.002, "safe": 0.456,
    "knock": 4.9, "knock_turn": -0.657, "knock_count": 0.223, "knock_outs": -1.419, "knock_late": 3.85,
    "knock_next": 4.495, "last_take": 5.297,
}  # fmt: skip
"""The tuned parameters by name."""

_AT_ONCE = {"knock": 1000.0, "knock_turn": 0.0, "knock_count": 0.0, "knock_outs": 0.0}


@dataclass(frozen=True, slots=True)
class Style:
    """A way to play: a name, what it is in words, its parameters, its share in the usual mix of opponents.

    ``family`` says whose hands its own resemble: see ``FAMILIES``.
    """

    name: str
    words: str
    parameters: tuple[tuple[str, float], ...]
    share: float = 0.0
    family: int = 0

    @property
    def row(self) -> Floats:
        """The kernel's row, float64 (len(PARAMETERS),)."""
        return row(**dict(self.parameters))


def _style(name: str, words: str, share: float, family: int, *parts: dict[str, float]) -> Style:
    merged: dict[str, float] = {}
    for part in parts:
        merged |= part
    return Style(name, words, tuple(merged.items()), share, family)


STYLES: dict[str, Style] = {
    style.name: style
    for style in (
        _style("sharp", "weighs turn, count and cards for gin before knocking", 0.25, 0, SHARP),
        _style("early", "throws well and knocks at once", 0.15, 0, SHARP, _AT_ONCE),
        _style("waiting", "throws well and waits for gin after its first turns", 0.1, 0, SHARP, _AT_ONCE,
               {"knock_until": 4.0}),
        _style("human", "keeps pairs, misjudges throws by some points, knocks early", 0.15, 1,
               {"take_least": 0.5, "take_meld": 3.0, "outs_0": 0.6, "outs_1": 0.6, "outs_2": 0.6, "outs_3": 0.6,
                "near": 0.2, "danger_known": 1.0,
                "noise": 2.0, "knock": 8.0, "knock_turn": -0.3}),
        _style("simple", "keeps the least deadwood and knocks at once", 0.25, 1, {"take_any_meld": 1.0}),
        _style("camper", "knocks on its first two turns, then only gins", 0.1, 1,
               {"take_any_meld": 1.0, "knock_until": 4.0}),
        _style("gin only", "never knocks", 0.0, 0, SHARP, {"knock_until": 0.0}),
    )
}  # fmt: skip
"""The styles by name; those with a share are the mix of opponents that the evaluator plays against."""
FAMILIES = ("counts cards of use", "counts points")
"""Two ways to keep a hand, which leave hands that look quite different; a belief is fitted for each."""
NAMES = tuple(STYLES)
ROWS: Floats = np.array([style.row for style in STYLES.values()])
"""All rows, float64 (styles, parameters), in the order of ``STYLES``."""
MIX: Floats = np.array([style.share for style in STYLES.values()])
"""The usual mix: shares that add up to 1, in the order of ``STYLES``."""
MEMBERS: NDArray[np.bool_] = np.array(
    [[style.family == family for style in STYLES.values()] for family in range(len(FAMILIES))]
)
"""Which style belongs to which family: bool (families, styles)."""


def only(name: str) -> Floats:
    """A mix of one style; KeyError for a name that is none."""
    place = list(STYLES).index(STYLES[name].name)
    return np.asarray(np.eye(len(STYLES))[place], dtype=np.float64)
