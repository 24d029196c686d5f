"""Hands as 64-bit integers: the layout, bit counting, and random numbers.

A hand is an int64 of four lanes of sixteen bits, one a suit: bit ``16 * suit + rank`` with ranks from 0. The three
bits above each king stay empty, so that a shift by one or two moves all suits at once without mixing them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from tutor.engine.kernel.compiling import inlined

LANE = 0x1FFF
"""The thirteen ranks of one lane."""
EACH = 0x0001000100010001
"""One bit in each lane: a rank times this is that rank in all suits."""
ALL = LANE * EACH
"""All 52 cards."""


@intrinsic
def _popcount(typingctx: Any, word: Any) -> Any:

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


@intrinsic
def _lowest(typingctx: Any, word: Any) -> Any:

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), codegen


popcount = cast(Callable[[int], int], _popcount)
"""How many bits of an int64 are set."""
lowest = cast(Callable[[int], int], _lowest)
"""The place of the lowest set bit of an int64; 64 for 0."""


@inlined
def shuffle_word(state: np.uint64) -> np.uint64:
    """The output of splitmix64 for a counter (Steele, Lea and Flood, 2014)."""
    z = state
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@inlined
def next_state(state: np.uint64) -> np.uint64:
    """The counter's next value."""
    return state + np.uint64(0x9E3779B97F4A7C15)


@inlined
def below(word: np.uint64, limit: int) -> int:
    """A number from 0 to ``limit - 1`` made from the upper half of a random word."""
    return np.int64(((word >> np.uint64(32)) * np.uint64(limit)) >> np.uint64(32))


@inlined
def unit(word: np.uint64) -> float:
    """A number in [0, 1) made from a random word."""
    return np.float64(np.int64(word >> np.uint64(11))) * (1.0 / 9007199254740992.0)


def to_lanes(bits: int) -> int:
    """The kernel's form of a card set given as 52 bits (13 a suit)."""
    return sum((bits >> 13 * suit & LANE) << 16 * suit for suit in range(4))


def from_lanes(hand: int) -> int:
    """The 52 bits of a card set given in the kernel's form."""
    return sum((hand >> 16 * suit & LANE) << 13 * suit for suit in range(4))


def to_place(index: int) -> int:
    """The bit of a card given by its index from 0 to 51."""
    return index + 3 * (index // 13)


def from_place(place: int) -> int:
    """The index from 0 to 51 of the card at a bit."""
    return place - 3 * (place // 16)
