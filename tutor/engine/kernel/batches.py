"""Counting many hands in one call."""

from __future__ import annotations

from typing import Any

from tutor.engine.kernel.compiling import driver
from tutor.engine.kernel.deadwood import after_throw, deadwood


@driver
def deadwood_all(hands: Any, times: int, points: Any) -> None:
    """Write the least deadwood of each hand into ``points`` (both int64, one shape), ``times`` over."""
    for _ in range(times):
        for place in range(hands.shape[0]):
            points[place] = deadwood(hands[place])


@driver
def after_throw_all(hands: Any, times: int, points: Any) -> None:
    """Write the least deadwood after the best throw of each hand of eleven into ``points``, ``times`` over."""
    for _ in range(times):
        for place in range(hands.shape[0]):
            points[place] = after_throw(hands[place], 0)
