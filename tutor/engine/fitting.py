"""Fitting the belief: positions from rounds between styles of the kernel, and maximum likelihood by chains of swaps.

The gradient of the likelihood of an exponential family is the features of the true hand less their mean under the
model; persistent chains, moved by a few swaps each step, stand for that mean (Tieleman, 2008).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tutor.engine import styles
from tutor.engine.belief import CHAIN, GET, REFUSE, TAKE, THROW, Belief, Deed, Knowledge, Model, family_shares, signs_of
from tutor.engine.deals import dealt_states
from tutor.engine.kernel import beliefs, kernel_hash
from tutor.engine.kernel import playout as kernel
from tutor.engine.kernel.bits import ALL, to_place
from tutor.engine.opponents import LEAST_LIMIT, TURNS, Shown, shifted
from tutor.engine.rollouts import play_on
from tutor.engine.states import rules_row
from tutor.game.cards import DECK
from tutor.game.rules import preset

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_ROOM = 160
"""Actions of a round that are looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class Positions:
    """Positions of seat 0 before its own action, with the true hand of seat 1. Arrays of one length, int64.

    ``signs`` (positions, MOST_SIGNS, 2); ``turns`` classes of turn; ``discards`` of both sides so far; ``known``,
    ``pools``, ``lives`` and ``truth`` masks of the kernel; ``styles`` the row that played seat 1; ``shares`` float64
    (positions, families) what its behaviour so far says of its family.
    """

    signs: Ints
    turns: Ints
    discards: Ints
    known: Ints
    pools: Ints
    lives: Ints
    truth: Ints
    styles: Ints
    shares: Floats

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
    play_on(states, rules, np.arange(rounds, dtype=np.uint64), policies=rows, stocks=stocks, traces=traces)
    found: list[tuple[Any, ...]] = []
    families: list[Floats] = []
    for at in range(rounds):
        deeds, moments = _moments(states[at], traces[at])
        chosen = generator.permutation(len(moments))[:each]
        found += [(*_position(deeds, moments[one]), int(drawn[at, 1])) for one in chosen]
        families += [family_shares(_mix_after(deeds[: moments[one][0]], int(rules[kernel.LIMIT]))) for one in chosen]
    columns = list(zip(*found, strict=True))
    signs, turns, discards, known, pools, lives, truth, played_by = (
        np.array(column, dtype=np.int64) for column in columns
    )
    return Positions(signs, turns, discards, known, pools, lives, truth, played_by, np.array(families))


def _mix_after(deeds: list[Deed], limit: int) -> Floats:
    """The usual mix after what one side did; as ``opponents.usual`` for a view."""
    thrown = tuple(min((place & 15) + 1, 10) for kind, place in deeds if kind == THROW)
    return shifted(styles.MIX, [Shown(thrown)]) if limit >= LEAST_LIMIT else styles.MIX


def _stocks(states: Ints, generator: np.random.Generator) -> NDArray[np.int8]:
    places = [to_place(index) for index in range(52)]
    stocks = np.zeros((len(states), 31), dtype=np.int8)
    for at, state in enumerate(states):
        gone = int(state[kernel.HAND0] | state[kernel.HAND1] | state[kernel.PILE])
        stocks[at] = generator.permutation([place for place in places if not gone >> place & 1])
    return stocks


def _moments(state: Ints, trace: Ints) -> tuple[list[Deed], list[tuple[int, ...]]]:
    """What seat 1 did in a round, and the moments at which seat 0 had to choose.

    A moment is the number of deeds so far, discards of both, what each seat was known to hold, the pile, both hands.
    """
    hands = [int(state[kernel.HAND0]), int(state[kernel.HAND1])]
    known = [0, 0]
    pile, top = int(state[kernel.PILE]), int(state[kernel.TOP])
    turn, dealer = int(state[kernel.TURN]), int(state[kernel.DEALER])
    deeds: list[Deed] = []
    moments: list[tuple[int, ...]] = []
    discards = 0
    offered = True
    for code in trace.tolist():
        if code == kernel.NO_ACTION or code == kernel.BIG:
            break
        if turn == 0:
            moments.append((len(deeds), discards, known[0], known[1], pile, hands[0], hands[1]))
        place = top.bit_length() - 1
        if code == kernel.PASS:
            if turn == 1:
                deeds.append((REFUSE, place))
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
            break
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
    return deeds, moments


def _position(deeds: list[Deed], moment: tuple[int, ...]) -> tuple[Ints, int, int, int, int, int, int]:
    """One moment as a row of ``Positions``, the style aside."""
    count, discards, known0, known1, pile, hand0, hand1 = moment
    signs, own = signs_of(deeds[:count], known1)
    pool = ALL & ~(hand0 | pile | known1)
    return signs, beliefs.turn_class(own), discards, known1, pool, ALL & ~(pile | known0), hand1


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
    """The believed share of each card place in seat 1's hand: float64 (positions, 64).

    ``weights`` float64 (families, WEIGHTS).
    """
    held = np.zeros((len(positions), 64))
    for at in range(len(positions)):
        unknown = int(positions.truth[at] & ~positions.known[at]).bit_count()
        knowledge = Knowledge(
            positions.signs[at], int(positions.turns[at]), int(positions.known[at]), int(positions.pools[at]), unknown,
            int(positions.lives[at]), 0,
        )  # fmt: skip
        drawn = Belief(knowledge, weights, positions.shares[at]).hands(seed + at, 0, -(-hands // CHAIN))
        held[at] = (drawn.reshape(-1, 1) >> np.arange(64) & 1).mean(axis=0)
    return held


def brier(positions: Positions, shares: Floats) -> float:
    """Mean squared error over the unseen cards of the believed shares against the true hands."""
    places = np.arange(64)
    unseen = positions.pools[:, None] >> places & 1
    held = positions.truth[:, None] >> places & 1
    return float((unseen * (shares - held) ** 2).sum() / unseen.sum())


SHARES: dict[str, float] = {
    "sharp": 0.3, "early": 0.15, "waiting": 0.15, "human": 0.15, "simple": 0.1, "camper": 0.1, "gin only": 0.05,
}  # fmt: skip
"""Who plays the rounds a belief is fitted on: early knockers, waiters, gin-only and human-like players, pooled."""


def pooled(limit: int, *, rounds: int, seed: int) -> Positions:
    """Positions from rounds of the pooled styles with this knock limit."""
    rules = rules_row(replace(preset("EAAI"), knock_limit=limit), DECK[9])
    shares = np.array([SHARES[name] for name in styles.NAMES])
    return played(styles.ROWS, shares, rounds, seed, rules)


def late_positions(limit: int, *, rounds: int, seed: int) -> Positions:
    """Pooled positions late in the hand, after twelve discards or more, to measure a belief on."""
    positions = pooled(limit, rounds=rounds, seed=seed)
    return positions.where(positions.discards >= 12)


def fitted_models(limit: int, *, rounds: int, steps: int, seed: int) -> tuple[Model, ...]:
    """A belief a family for hands with this knock limit, fitted on ``rounds`` rounds of the pooled styles."""
    positions = pooled(limit, rounds=rounds, seed=seed)
    models = []
    for family, members in enumerate(styles.MEMBERS):
        own = positions.where(members[positions.styles])
        weights = fit(own, steps=steps, swaps=12, seed=seed)
        names = [name for name, member in zip(styles.NAMES, members, strict=True) if member]
        provenance = (
            ("command", f"gin-tutor fit-belief --limit {limit} --rounds {rounds} --steps {steps} --seed {seed}"),
            ("rules", f"EAAI with a knock limit of {limit}"),
            ("players", ", ".join(f"{name} {SHARES[name]:.0%}" for name in names)),
            ("positions", str(len(own))),
            ("kernel", kernel_hash()),
        )
        models.append(Model(f"limit {limit}, {styles.FAMILIES[family]}", tuple(weights.tolist()), provenance))
    return tuple(models)


@dataclass(frozen=True, slots=True)
class Quality:
    """How good a belief is: Brier score a card of it and of uniform hands, and its calibration.

    ``calibration`` has for each tenth of believed probability: cards, mean belief, share really held.
    """

    positions: int
    brier: float
    uniform: float
    calibration: tuple[tuple[int, float, float], ...]


def quality(positions: Positions, weights: Floats, *, hands: int, seed: int) -> Quality:
    """Measure a belief on positions it was not fitted on."""
    shares = beliefs_of(positions, weights, hands=hands, seed=seed)
    places = np.arange(64)
    unseen = (positions.pools[:, None] >> places & 1).astype(bool)
    held = (positions.truth[:, None] >> places & 1).astype(float)
    share = np.array([int(pool).bit_count() for pool in positions.pools], dtype=float)
    unknown = np.array([int(one).bit_count() for one in positions.truth & ~positions.known], dtype=float)
    even = np.repeat((unknown / share)[:, None], 64, axis=1)
    rows = []
    for low in np.arange(10) / 10:
        chosen = unseen & (shares >= low) & (shares < low + 0.1 + (low > 0.85))
        if chosen.any():
            rows.append((int(chosen.sum()), float(shares[chosen].mean()), float(held[chosen].mean())))
    return Quality(len(positions), brier(positions, shares), brier(positions, even), tuple(rows))


def counted_habits(*, rounds: int, seed: int) -> dict[str, dict[str, list[Any]]]:
    """What each style does on each turn it comes to, against the pooled styles: see ``opponents.habits``.

    By name of the style, a list by turn (discards made before). Turns seldom reached take the last well counted value.
    """
    rules = rules_row(preset("EAAI"), DECK[9])
    shares = np.array([SHARES[name] for name in styles.NAMES])
    told: dict[str, dict[str, list[Any]]] = {"knock": {}, "gin": {}, "throw": {}}
    for place, name in enumerate(styles.NAMES):
        generator = np.random.default_rng(seed + place)
        states = dealt_states(rounds, seed + place)
        states[:, kernel.POLICY0] = generator.choice(len(shares), size=rounds, p=shares)
        states[:, kernel.POLICY1] = place
        traces = np.full((rounds, _ROOM), kernel.NO_ACTION, dtype=np.int64)
        stocks = _stocks(states, generator)
        _, outcomes = play_on(states, rules, np.arange(rounds, dtype=np.uint64), stocks=stocks, traces=traces)
        reached, ended, thrown = np.zeros(TURNS), np.zeros((2, TURNS)), np.full((TURNS, 10), 0.5)
        for at in range(rounds):
            deeds, _ = _moments(states[at], traces[at])
            cards = [place for kind, place in deeds if kind == THROW]
            throws = len(cards)
            for turn, place in enumerate(cards[:TURNS]):
                thrown[turn, min(place & 15, 9)] += 1
            ends = outcomes[at, 0] in (kernel.LOSE_KNOCK, kernel.LOSE_GIN, kernel.WIN_UNDERCUT)
            reached[: min(throws + ends, TURNS)] += 1
            if ends:
                ended[int(outcomes[at, 0] == kernel.LOSE_GIN), min(throws, TURNS - 1)] += 1
        told["knock"][name] = _steady(ended[0] / np.maximum(reached, 1), reached)
        told["gin"][name] = _steady(ended[1] / np.maximum(reached, 1), reached)
        told["throw"][name] = _steady(thrown / thrown.sum(axis=1, keepdims=True), reached)
    return told


def _steady(chances: Floats, reached: Floats) -> list[Any]:
    """Chances by turn, rounded; a turn seldom reached repeats the one before."""
    rows: list[Any] = []
    for turn in range(TURNS):
        rows.append(chances[turn].round(4).tolist() if reached[turn] >= 100 or not rows else rows[-1])
    return rows
