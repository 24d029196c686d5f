"""How well a hand can be played: figures for every legal action from what one seat knows.

Worlds are hands of the other side from the belief, a shuffled stock and a style of the opponent; every action is
played out in the same worlds. Worlds come in blocks, each with its own chain of the belief, and errors are taken over
blocks. A search on one series of blocks cuts actions that are hopeless; then all figures come from fresh blocks, so
that the best of many noisy means is not flattered.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from tutor.engine import styles
from tutor.engine.belief import CHAIN, Floats, Ints, Knowledge, chain_seeds, knowledge, sample, weights_for
from tutor.engine.kernel import playout as kernel
from tutor.engine.states import code_of, rules_row, shown_masks, state_of
from tutor.game.actions import Action, Knock
from tutor.game.view import View

FRESH = 1 << 20
"""The number of the first fresh block; the search uses those below."""


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How the hand ends, as shares that add up to 1. An undercut is told by who is undercut; a tie is one too."""

    win_knock: float
    win_gin: float
    undercut: float
    lose_knock: float
    lose_gin: float
    win_undercut: float
    dead: float


@dataclass(frozen=True, slots=True)
class Line:
    """One action and its figures from the deciding seat's side.

    ``points`` is the expected points of this hand, ``win`` the chance to win the game, each with its standard error;
    ``behind`` how many points it is worth less than the best action, with the standard error of that difference over
    the worlds that both were played in. ``worlds`` is how many worlds its figures come from; 0 means they are exact.
    """

    action: Action
    points: float
    points_se: float
    win: float
    win_se: float
    behind: float
    behind_se: float
    outcomes: Outcomes
    worlds: int


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """What was played of one action: block numbers, and points and outcomes, int (blocks, CHAIN), in that order."""

    blocks: Ints
    points: NDArray[np.int32]
    outcomes: NDArray[np.int8]

    @classmethod
    def empty(cls) -> Sample:
        """Nothing yet."""
        return cls(np.zeros(0, np.int64), np.zeros((0, CHAIN), np.int32), np.zeros((0, CHAIN), np.int8))

    def more(self, other: Sample) -> Sample:
        """Both together; block numbers must differ and grow."""
        return Sample(
            np.concatenate([self.blocks, other.blocks]),
            np.concatenate([self.points, other.points]),
            np.concatenate([self.outcomes, other.outcomes]),
        )

    @property
    def mean(self) -> float:
        """Mean points."""
        return float(self.points.mean())


def _error(blocks: Floats) -> float:
    """The standard error of the mean of block means; infinite for fewer than two."""
    return float(blocks.std(ddof=1)) / math.sqrt(len(blocks)) if len(blocks) > 1 else math.inf


def _apart(first: Sample, second: Sample) -> tuple[float, float]:
    """How much the first is better on the blocks both were played in, and the standard error of that."""
    _, mine, theirs = np.intersect1d(first.blocks, second.blocks, assume_unique=True, return_indices=True)
    gaps = first.points[mine].mean(axis=1) - second.points[theirs].mean(axis=1)
    return float(gaps.mean()), _error(gaps)


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """All that is the same in every world of one decision."""

    state: Ints
    rules: Ints
    known: Knowledge
    belief: Floats
    mix: Floats
    me: int
    seed: int

    def block(self, first: int, count: int) -> tuple[Ints, NDArray[np.uint64]]:
        """The states and seeds of ``count`` blocks from number ``first``: int64 (count * CHAIN, …), uint64."""
        seeds = chain_seeds(self.seed, first, count)
        hands = sample(self.known, self.belief, seeds, CHAIN).reshape(-1)
        states = np.tile(self.state, (len(hands), 1))
        states[:, kernel.HAND1] = hands
        words = (seeds[:, None] + np.arange(1, CHAIN + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)).reshape(-1)
        # A style a world: a low-discrepancy walk through the shares, begun elsewhere in each block.
        walk = ((words >> np.uint64(11)).astype(np.float64) / (1 << 53)).reshape(count, CHAIN)[:, :1]
        walk = (walk + np.arange(CHAIN) * 0.6180339887498949) % 1.0
        states[:, kernel.POLICY0] = self.me
        states[:, kernel.POLICY1] = np.searchsorted(np.cumsum(self.mix), walk.reshape(-1), side="right").clip(
            max=len(self.mix) - 1
        )
        return states, words

    def play(self, actions: Sequence[Action], first: int, count: int) -> list[Sample]:
        """Play blocks ``first`` to ``first + count - 1`` with every action."""
        states, seeds = self.block(first, count)
        plain = [action for action in actions if not _chosen(action)]
        points, outcomes = _run(self, states, seeds, [code_of(action) for action in plain])
        played = {action: (points[:, at], outcomes[:, at]) for at, action in enumerate(plain)}
        for action in actions:
            if action not in played and isinstance(action, Knock) and action.arrangement is not None:
                states[:, [kernel.SETS, kernel.RUNS]] = shown_masks(action.arrangement)
                points, outcomes = _run(self, states, seeds, [code_of(action)])
                played[action] = points[:, 0], outcomes[:, 0]
        blocks = np.arange(first, first + count)
        shape = (count, CHAIN)
        return [Sample(blocks, played[one][0].reshape(shape), played[one][1].reshape(shape)) for one in actions]


def _chosen(action: Action) -> bool:
    return isinstance(action, Knock) and action.arrangement is not None


def _run(
    world: World, states: Ints, seeds: NDArray[np.uint64], codes: list[int]
) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
    points = np.zeros((len(states), len(codes)), np.int32)
    outcomes = np.zeros((len(states), len(codes)), np.int8)
    kernel.play_all(
        states, np.array(codes, dtype=np.int64), styles.ROWS, world.rules, _NO_STOCKS, seeds, points, outcomes, _NO_TRACES
    )
    return points, outcomes


_NO_STOCKS = np.zeros((0, 0), np.int8)
_NO_TRACES = np.zeros((0, 0), np.int64)
