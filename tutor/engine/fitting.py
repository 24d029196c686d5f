"""Fitting the belief: positions from rounds between styles of the kernel, and maximum likelihood by chains of swaps.

The gradient of the likelihood of an exponential family is the features of the true hand less their mean under the
model; persistent chains, moved by a few swaps each step, stand for that mean (Tieleman, 2008).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tutor.engine.belief import BURN, CHAIN, GET, REFUSE, TAKE, THIN, THROW, Deed, chain_seeds, signs_of
from tutor.engine.kernel import beliefs
from tutor.engine.kernel import playout as kernel
from tutor.engine.kernel.bits import ALL, to_place
from tutor.engine.states import dealt_states

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_ROOM = 160
"""Actions of a round that are looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Positions of seat 0 before its own action, with the true hand of seat 1. Arrays of one length, int64.

    ``signs`` (positions, MOST_SIGNS, 2); ``turns`` classes of turn; ``discards`` of both sides so far; ``known``,
    ``pools``, ``lives`` and ``truth`` masks of the kernel; ``styles`` the row that played seat 1.
    """

    signs: Ints
    turns: Ints
    discards: Ints
    known: Ints
    pools: Ints
    lives: Ints
    truth: Ints
    styles: Ints

    def __len__(self) -> int:
        return len(self.turns)

    def where(self, chosen: NDArray[np.bool_]) -> Positions:
        """Only the chosen ones."""
        return Positions(*(getattr(self, name)[chosen] for name in self.__slots__))


def played(rows: Floats, shares: Floats, rounds: int, seed: int, rules: Ints, each: int = 3) -> Positions:
    """Positions from rounds between styles drawn by their shares, up to ``each`` a round at random."""
    generator = np.random.default_rng(seed)
    states = dealt_states(rounds, seed)
    drawn = generator.choice(len(rows), size=(rounds, 2), p=shares / shares.sum())
    states[:, kernel.POLICY0], states[:, kernel.POLICY1] = drawn[:, 0], drawn[:, 1]
    stocks = _stocks(states, generator)
    traces = np.full((rounds, _ROOM), kernel.NO_ACTION, dtype=np.int64)
    kernel.play_all(
        states, np.array([kernel.NO_ACTION]), rows, rules, stocks, np.arange(rounds, dtype=np.uint64),
        np.zeros((rounds, 1), np.int32), np.zeros((rounds, 1), np.int8), traces,
    )  # fmt: skip
    found = []
    for at in range(rounds):
        seen = list(_positions(states[at], traces[at]))
        found += [(*seen[place], int(drawn[at, 1])) for place in generator.permutation(len(seen))[:each]]
    columns = list(zip(*found, strict=True))
    return Positions(np.array(columns[0]), *(np.array(column, dtype=np.int64) for column in columns[1:]))


def _stocks(states: Ints, generator: np.random.Generator) -> NDArray[np.int8]:
    places = [to_place(index) for index in range(52)]
    stocks = np.zeros((len(states), 31), dtype=np.int8)
    for at, state in enumerate(states):
        gone = int(state[kernel.HAND0] | state[kernel.HAND1] | state[kernel.PILE])
        stocks[at] = generator.permutation([place for place in places if not gone >> place & 1])
    return stocks


def _positions(state: Ints, trace: Ints) -> Iterator[tuple[Ints, int, int, int, int, int, int]]:
    """What seat 0 knew before each of its choices to draw or to throw, with the other's true hand."""
    hands = [int(state[kernel.HAND0]), int(state[kernel.HAND1])]
    known = [0, 0]
    pile, top = int(state[kernel.PILE]), int(state[kernel.TOP])
    turn, dealer = int(state[kernel.TURN]), int(state[kernel.DEALER])
    deeds: list[Deed] = []
    discards = passes = 0
    offered = True
    for code in (int(code) for code in trace):
        if code == kernel.NO_ACTION or code == kernel.BIG:
            return
        if turn == 0 and code >= 0:
            signs, own = signs_of(deeds, known[1])
            pool = ALL & ~(hands[0] | pile | known[1])
            live = ALL & ~(pile | known[0])
            yield signs, beliefs.turn_class(own), discards, known[1], pool, live, hands[1]
        place = top.bit_length() - 1
        if code == kernel.PASS:
            if turn == 1:
                deeds.append((REFUSE, place))
            passes += 1
            offered = turn != dealer
            turn = 1 - turn
        elif code == kernel.TAKE:
            hands[turn] |= top
            known[turn] |= top
            pile &= ~top
            if turn == 1:
                deeds.append((TAKE, place))
        elif code >= kernel.DRAW_CODE:
            if turn == 1:
                if offered:
                    deeds.append((REFUSE, place))
                deeds.append((GET, -1))
            hands[turn] |= 1 << code - kernel.DRAW_CODE
        elif code >= kernel.KNOCK_CODE:
            return
        else:
            top = 1 << code
            hands[turn] ^= top
            known[turn] &= ~top
            pile |= top
            if turn == 1:
                deeds.append((THROW, code))
            discards += 1
            offered = True
            turn = 1 - turn


def fit(positions: Positions, *, steps: int, swaps: int, seed: int, start: Floats | None = None) -> Floats:
    """The weights of greatest likelihood, averaged over the last half of the steps: float64 (WEIGHTS,).

    Adam (Kingma and Ba, 2015) with a falling rate and a slight pull to 0, so that what was never seen stays mild.
    """
    weights = np.zeros(beliefs.WEIGHTS) if start is None else start.copy()
    chains = np.array(positions.truth)
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    mean = np.zeros_like(weights)
    for step in range(steps):
        gradient = np.zeros_like(weights)
        word = np.uint64((seed * 1_000_003 + step) * 0x9E37_79B9 + 1)
        beliefs.fit_pass(
            weights, positions.signs, positions.turns, positions.known, positions.pools, positions.lives,
            positions.truth, chains, swaps, word, gradient,
        )  # fmt: skip
        gradient = gradient / len(positions) - 2e-5 * weights
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient**2
        size = 0.05 * min(1.0, 2.0 * (1 - step / steps))
        weights += size * first / (1 - 0.9 ** (step + 1)) / (np.sqrt(second / (1 - 0.99 ** (step + 1))) + 1e-4)
        if step >= steps // 2:
            mean += weights
    return mean / (steps - steps // 2)


def beliefs_of(positions: Positions, weights: Floats, *, hands: int, seed: int) -> Floats:
    """The believed share of each card place in seat 1's hand: float64 (positions, 64)."""
    shares = np.zeros((len(positions), 64))
    drawn = np.zeros((-(-hands // CHAIN), CHAIN), dtype=np.int64)
    for at in range(len(positions)):
        unknown = int(positions.truth[at] & ~positions.known[at]).bit_count()
        beliefs.sample_hands(
            weights, positions.signs[at], positions.turns[at], positions.known[at], positions.pools[at], unknown,
            positions.lives[at], chain_seeds(seed + at, 0, len(drawn)), BURN, THIN, drawn,
        )  # fmt: skip
        shares[at] = (drawn.reshape(-1, 1) >> np.arange(64) & 1).mean(axis=0)
    return shares


def brier(positions: Positions, shares: Floats) -> float:
    """Mean squared error over the unseen cards of the believed shares against the true hands."""
    places = np.arange(64)
    unseen = positions.pools[:, None] >> places & 1
    held = positions.truth[:, None] >> places & 1
    return float((unseen * (shares - held) ** 2).sum() / unseen.sum())
