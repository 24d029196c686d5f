"""The kernel's driver with its arrays: many states played on by styles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tutor.engine import styles
from tutor.engine.kernel import playout as kernel
from tutor.engine.states import Ints
from tutor.engine.styles import Floats

FIRST: Ints = np.array([kernel.NO_ACTION], dtype=np.int64)
"""No first action: what the style does."""
_NO_STOCKS = np.zeros((0, 0), np.int8)
_NO_TRACES = np.zeros((0, 0), np.int64)


def play_on(
    states: Ints,
    rules: Ints,
    seeds: NDArray[np.uint64],
    *,
    actions: Ints = FIRST,
    policies: Floats = styles.ROWS,
    stocks: NDArray[np.int8] = _NO_STOCKS,
    traces: Ints = _NO_TRACES,
) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
    """Points for seat 0 and outcomes of every state with every first action: int32 and int8, (states, actions).

    The arguments are those of the kernel's ``play_all``; without ``stocks`` the unseen cards are shuffled by each
    state's seed, without ``traces`` nothing is noted.
    """
    points = np.zeros((len(states), len(actions)), np.int32)
    outcomes = np.zeros((len(states), len(actions)), np.int8)
    kernel.play_all(states, actions, policies, rules, stocks, seeds, points, outcomes, traces)
    return points, outcomes


def seeds_for(count: int, seed: int) -> NDArray[np.uint64]:
    """Random seeds of ``count`` states: uint64 (count,)."""
    return np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0xD1342543DE82EF95) + np.uint64(seed)
