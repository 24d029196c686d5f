"""Tables over the 8,192 holdings of one suit, and over the 52 cards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tutor.engine.kernel.bits import LANE


def _pips(rank: int) -> int:
    return min(rank + 1, 10)


def _loose(mask: int) -> int:
    """The cards of one suit that no run of this holding can take in: all but the blocks of three and more."""
    starts = mask & mask >> 1 & mask >> 2
    return mask & ~(starts | starts << 1 | starts << 2)


def _points(mask: int) -> int:
    return sum(_pips(rank) for rank in range(13) if mask >> rank & 1)


LOOSE_POINTS: NDArray[np.uint8] = np.array([_points(_loose(mask)) for mask in range(8192)], dtype=np.uint8)
"""Points of a suit's holding that runs leave loose. Shape (8192,), uint8."""
POINTS: NDArray[np.uint8] = np.array([_points(mask) for mask in range(8192)], dtype=np.uint8)
"""Points of a suit's holding. Shape (8192,), uint8."""


def _gain(mask: int) -> int:
    before = int(LOOSE_POINTS[mask])
    return max((before - int(LOOSE_POINTS[mask ^ 1 << rank]) for rank in range(13) if mask >> rank & 1), default=-128)


THROW_GAIN: NDArray[np.int8] = np.array([_gain(mask) for mask in range(8192)], dtype=np.int8)
"""Most points the loose cards of a suit lose when one of its cards is thrown; -128 for a void. Shape (8192,), int8."""

PIPS: NDArray[np.int64] = np.array([_pips(place % 16) if place % 16 < 13 else 0 for place in range(64)], dtype=np.int64)
"""Points of the card at a bit. Shape (64,), int64."""


def _near(place: int) -> int:
    suit, rank = divmod(place, 16)
    if rank > 12:
        return 0
    lane = sum(1 << other for other in range(13) if 0 < abs(other - rank) <= 2)
    mates = sum(1 << 16 * other + rank for other in range(4) if other != suit)
    return (lane & LANE) << 16 * suit | mates


NEAR: NDArray[np.int64] = np.array([_near(place) for place in range(64)], dtype=np.int64)
"""The cards that can lie in a meld of three with the card at a bit. Shape (64,), int64."""
