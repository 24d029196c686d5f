"""Fresh deals as states of the kernel, many at once."""

from __future__ import annotations

import numpy as np

from tutor.engine.kernel import playout as kernel
from tutor.engine.kernel.bits import to_place
from tutor.engine.states import Ints
from tutor.game.actions import Seat


def dealt_states(count: int, seed: int, dealer: Seat | None = None) -> Ints:
    """``count`` fresh deals as states, int64 (count, len(STATE)); seat 0 deals the even ones unless told."""
    generator = np.random.default_rng(seed)
    places = np.array([to_place(index) for index in range(52)], dtype=np.int64)
    decks = generator.permuted(np.tile(np.int64(1) << places, (count, 1)), axis=1)
    rows = np.zeros((count, len(kernel.STATE)), dtype=np.int64)
    rows[:, kernel.HAND0] = decks[:, :10].sum(axis=1)
    rows[:, kernel.HAND1] = decks[:, 10:20].sum(axis=1)
    rows[:, kernel.PILE] = rows[:, kernel.TOP] = decks[:, 20]
    rows[:, kernel.OFFERED] = 1
    rows[:, kernel.DEALER] = np.arange(count) % 2 if dealer is None else int(dealer)
    rows[:, kernel.TURN] = 1 - rows[:, kernel.DEALER]
    rows[:, kernel.STOCK] = 31
    rows[:, kernel.SETS] = rows[:, kernel.RUNS] = -1
    return rows


def swapped(rows: Ints) -> Ints:
    """The same states with the seats exchanged."""
    other = rows.copy()
    for first, second in (
        (kernel.HAND0, kernel.HAND1),
        (kernel.KNOWN0, kernel.KNOWN1),
        (kernel.THROWN0, kernel.THROWN1),
        (kernel.POLICY0, kernel.POLICY1),
    ):
        other[:, [first, second]] = rows[:, [second, first]]
    other[:, kernel.TURN] = 1 - rows[:, kernel.TURN]
    other[:, kernel.DEALER] = 1 - rows[:, kernel.DEALER]
    return other
