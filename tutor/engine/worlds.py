"""Worlds: what may lie behind a view, and how actions fare in them.

A world is a hand of the other side from the belief, a shuffled stock and a style of the opponent. Worlds come in
blocks, each with a chain of the belief of its own, because neighbours in a chain resemble each other: errors are taken
over blocks. A block's number and the seed make it whatever else is played, in whatever order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tutor.engine import styles
from tutor.engine.belief import CHAIN, Belief, Floats, Ints, chain_seeds
from tutor.engine.equity import RoundValues
from tutor.engine.kernel import playout as kernel
from tutor.engine.rollouts import play_on
from tutor.engine.states import BOXES, code_of, shown_masks
from tutor.game.actions import Action, Knock


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """How one action fared, block by block. Arrays in the order in which the blocks were played.

    ``blocks`` int64 their numbers; float64 means of each: ``points`` of this hand, ``chances`` to win the game after
    it, ``margins`` of the game to expect then; ``outcomes`` int64 (blocks, len(OUTCOMES)) how many worlds ended how.
    ``points_by`` and ``chances_by`` float64 (blocks, len(OUTCOMES)): what each outcome brought to the block's mean, the
    chances counted from the chance after a hand that does not score. A row adds up to the mean of its block.
    """

    blocks: Ints
    points: Floats
    chances: Floats
    margins: Floats
    outcomes: Ints
    points_by: Floats
    chances_by: Floats

    @classmethod
    def empty(cls) -> Sample:
        """Nothing yet."""
        ends = np.zeros((0, len(kernel.OUTCOMES)))
        return cls(np.zeros(0, np.int64), np.zeros(0), np.zeros(0), np.zeros(0), ends.astype(np.int64), ends, ends)

    def more(self, other: Sample) -> Sample:
        """Both together; their block numbers must differ."""
        return Sample(
            np.concatenate([self.blocks, other.blocks]),
            np.concatenate([self.points, other.points]),
            np.concatenate([self.chances, other.chances]),
            np.concatenate([self.margins, other.margins]),
            np.concatenate([self.outcomes, other.outcomes]),
            np.concatenate([self.points_by, other.points_by]),
            np.concatenate([self.chances_by, other.chances_by]),
        )

    def of(self, for_points: bool) -> Floats:
        """Points or chances, float64 (blocks,)."""
        return self.points if for_points else self.chances


def error_of(blocks: Floats) -> float:
    """The standard error of the mean of blocks; infinite for fewer than two."""
    size = len(blocks)
    if size < 2:
        return math.inf
    off = blocks - blocks.sum() / size
    return math.sqrt(float(off @ off) / (size * (size - 1)))


def apart(first: Sample, second: Sample, for_points: bool) -> tuple[float, float]:
    """How much the first is better on the blocks both were played in, and the standard error of that.

    Without a common block: 0 and infinite.
    """
    mine, theirs = first.of(for_points), second.of(for_points)
    if not np.array_equal(first.blocks, second.blocks):
        _, here, there = np.intersect1d(first.blocks, second.blocks, assume_unique=True, return_indices=True)
        mine, theirs = mine[here], theirs[there]
    gaps = mine - theirs
    return (float(gaps.sum()) / len(gaps), error_of(gaps)) if len(gaps) else (0.0, math.inf)


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """All worlds of one decision: what is the same in them, and how to make the rest."""

    state: Ints
    rules: Ints
    belief: Belief
    mix: Floats
    me: int
    seed: int
    values: RoundValues

    def block(self, first: int, count: int) -> tuple[Ints, NDArray[np.uint64]]:
        """The states and seeds of ``count`` blocks from number ``first``: int64 (count * CHAIN, …), uint64."""
        seeds = chain_seeds(self.seed, first, count)
        states = np.tile(self.state, (count * CHAIN, 1))
        states[:, kernel.HAND1] = self.belief.hands(self.seed, first, count).reshape(-1)
        # Steps unlike the generator's own, else neighbours would shuffle with the same words, one place further on.
        words = (seeds[:, None] + np.arange(1, CHAIN + 1, dtype=np.uint64) * np.uint64(0xA0761D6478BD642F)).reshape(-1)
        # A style a world, of the block's family: a walk through the shares, begun elsewhere in each block.
        walk = ((words >> np.uint64(11)).astype(np.float64) / (1 << 53)).reshape(count, CHAIN)[:, :1]
        walk = (walk + np.arange(CHAIN) * 0.6180339887498949) % 1.0
        states[:, kernel.POLICY0] = self.me
        families = self.belief.families(self.seed, first, count)
        for family, members in enumerate(styles.MEMBERS):
            at = (np.flatnonzero(families == family)[:, None] * CHAIN + np.arange(CHAIN)).reshape(-1)
            if len(at):
                own = np.flatnonzero(members)
                steps = np.cumsum(self.mix[own])
                chosen = np.searchsorted(steps, walk.reshape(-1)[at] * steps[-1], side="right")
                states[at, kernel.POLICY1] = own[chosen.clip(max=len(own) - 1)]
        return states, words

    def play(self, actions: Sequence[Action], first: int, count: int, pool: Executor | None = None) -> list[Sample]:
        """Play ``count`` blocks from number ``first`` with every action; with a pool, in two halves at once."""
        if pool is None or count < 4:
            return self._play(actions, first, count)
        half = count // 2
        later = pool.submit(self._play, actions, first + half, count - half)
        mine = self._play(actions, first, half)
        # In a pool that is busy, perhaps with this very call, nobody is waited for.
        rest = self._play(actions, first + half, count - half) if later.cancel() else later.result()
        return [one.more(other) for one, other in zip(mine, rest, strict=True)]

    def _play(self, actions: Sequence[Action], first: int, count: int) -> list[Sample]:
        states, seeds = self.block(first, count)
        plain = [action for action in actions if not _chosen(action)]
        points, outcomes = play_on(states, self.rules, seeds, actions=_codes(plain))
        played = {action: (points[:, at], outcomes[:, at]) for at, action in enumerate(plain)}
        for action in actions:
            if action not in played and isinstance(action, Knock) and action.arrangement is not None:
                states[:, [kernel.SETS, kernel.RUNS]] = shown_masks(action.arrangement)
                points, outcomes = play_on(states, self.rules, seeds, actions=_codes([action]))
                played[action] = points[:, 0], outcomes[:, 0]
        return [self._sample(first, count, *played[action]) for action in actions]

    def _sample(self, first: int, count: int, points: NDArray[np.int32], outcomes: NDArray[np.int8]) -> Sample:
        chances, margins = self.values.of(points.astype(np.int64), BOXES[outcomes])
        rows = np.arange(count).repeat(CHAIN) * len(kernel.OUTCOMES) + outcomes
        size = count * len(kernel.OUTCOMES)
        ends = np.bincount(rows, minlength=size).reshape(count, -1)
        points_by, chances_by = (
            np.bincount(rows, weights=worth, minlength=size).reshape(count, -1) / CHAIN
            for worth in (points.astype(np.float64), chances - self.values.void)
        )
        return Sample(
            np.arange(first, first + count),
            points.reshape(count, CHAIN).sum(axis=1) / CHAIN,
            chances.reshape(count, CHAIN).sum(axis=1) / CHAIN,
            margins.reshape(count, CHAIN).sum(axis=1) / CHAIN,
            ends,
            points_by,
            chances_by,
        )


def _chosen(action: Action) -> bool:
    return isinstance(action, Knock) and action.arrangement is not None


def _codes(actions: Sequence[Action]) -> Ints:
    return np.array([code_of(action) for action in actions], dtype=np.int64)
