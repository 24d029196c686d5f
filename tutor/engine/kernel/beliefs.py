"""The belief model: how likely a hand of the other side is, its features, and chains of swaps that sample it.

Log-weight of a hand H = sum of weights times features. What is known is given as *signs*: an int64 row of
(kind, card's bit) pairs, see ``SIGN_KINDS``. Features of H:

- for each card thrown or refused, by how many cards its owner has got since (its lag): whether H would meld it, how
  many of its rank and how many of its run neighbours H holds, and how many of these loose;
- for each card taken and kept, by lag: whether it lies in no meld of H;
- deadwood, in classes, by how many discards the side has made; by the same turns how many cards lie in melds, and
  how many live cards would join or make melds of H;
- the ranks held, and those held loose, by early, middle and late turns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tutor.engine.kernel.bits import EACH, below, lowest, next_state, popcount, shuffle_word, unit
from tutor.engine.kernel.compiling import compiled, driver
from tutor.engine.kernel.deadwood import loose_cards, outs, points_of
from tutor.engine.kernel.tables import NEAR

LAGS = 7
"""Classes of lag: 0, 1, 2, 3, 4–5, 6–8, more."""
THROWN, REFUSED, TAKEN = 0, LAGS, 2 * LAGS
SIGN_KINDS = 3 * LAGS
"""Kinds of sign: thrown, refused or taken, times the class of lag."""
TURNS = 12
"""Classes of turn: discards of that side 0 to 8, 9–10, 11–12, more."""
DEADWOODS = 16
"""Classes of deadwood; see ``deadwood_class``."""
STAGES = 3
"""Early (up to two discards), middle, late (from seven)."""

MELD = 0
MATES = MELD + 2 * LAGS
NEIGHBOURS = MATES + 2 * LAGS
LOOSE_MATES = NEIGHBOURS + 2 * LAGS
LOOSE_NEIGHBOURS = LOOSE_MATES + 2 * LAGS
UNMELDED = LOOSE_NEIGHBOURS + 2 * LAGS
DEADWOOD = UNMELDED + LAGS
MELDED = DEADWOOD + TURNS * DEADWOODS
OUTS = MELDED + TURNS * 12
RANKS = OUTS + TURNS
LOOSE_RANKS = RANKS + STAGES * 13
WEIGHTS = LOOSE_RANKS + STAGES * 13
"""How many weights the model has; the names above are where each kind begins."""


def lag_class(lag: int) -> int:
    """The class of a lag: how many cards the side has got since."""
    return lag if lag < 4 else 4 if lag < 6 else 5 if lag < 9 else 6


def turn_class(discards: int) -> int:
    """The class of a turn: how many cards the side has thrown."""
    return discards if discards < 9 else 9 if discards < 11 else 10 if discards < 13 else 11


def deadwood_class(points: int) -> int:
    """The class of a deadwood count: 0, 1–2, 3–4, …, 9–10, then wider."""
    if points <= 10:
        return (points + 1) // 2
    if points <= 34:
        return 6 + (points - 11) // 4
    return 12 if points <= 39 else 13 if points <= 46 else 14 if points <= 55 else 15


DEADWOOD_CLASS = np.array([deadwood_class(points) for points in range(128)], dtype=np.int64)
TURN_STAGE = np.array([0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2], dtype=np.int64)


@compiled
def _prepare(weights: Any, signs: Any, turn: int, cards: Any, loose: Any, melds: Any, taken: Any) -> tuple[int, int]:
    """Fold weights and signs into tables for one view: by card, by loose card, by meld with a sign, by taken card.

    Returns the mask of the signs that ask for melds, and of those taken.
    """
    stage = TURN_STAGE[turn]
    for place in range(64):
        melds[place] = 0.0
        taken[place] = 0.0
        rank = place & 15
        cards[place] = weights[RANKS + stage * 13 + rank] if rank < 13 else 0.0
        loose[place] = weights[LOOSE_RANKS + stage * 13 + rank] if rank < 13 else 0.0
    asks = np.int64(0)
    kept = np.int64(0)
    for at in range(signs.shape[0]):
        kind, place = signs[at, 0], signs[at, 1]
        if kind < 0:
            break
        if kind >= TAKEN:
            taken[place] += weights[UNMELDED + kind - TAKEN]
            kept |= np.int64(1) << place
            continue
        melds[place] += weights[MELD + kind]
        asks |= np.int64(1) << place
        near = NEAR[place]
        mates = near & EACH << (place & 15)
        near &= ~mates
        while mates:
            cards[lowest(mates)] += weights[MATES + kind]
            loose[lowest(mates)] += weights[LOOSE_MATES + kind]
            mates &= mates - 1
        while near:
            cards[lowest(near)] += weights[NEIGHBOURS + kind]
            loose[lowest(near)] += weights[LOOSE_NEIGHBOURS + kind]
            near &= near - 1
    return asks, kept


@compiled
def _whole(
    weights: Any, hand: int, turn: int, live: int, loose: Any, melds: Any, asks: int, taken: Any, kept: int
) -> float:
    """The part of the log-weight that looks at the hand as a whole."""
    made = outs(hand)
    rest = loose_cards(hand)
    value = weights[DEADWOOD + turn * DEADWOODS + DEADWOOD_CLASS[points_of(rest)]]
    value += weights[MELDED + turn * 12 + popcount(hand ^ rest)]
    value += weights[OUTS + turn] * popcount(made & live)
    while rest:
        value += loose[lowest(rest)]
        rest &= rest - 1
    hits = made & asks
    while hits:
        value += melds[lowest(hits)]
        hits &= hits - 1
    while kept:
        card = kept & -kept
        kept ^= card
        if outs(hand ^ card) & card == 0:
            value += taken[lowest(card)]
    return value


@compiled
def _swap_on(
    weights: Any, known: int, hidden: int, pool: int, turn: int, live: int, cards: Any, loose: Any, melds: Any,
    asks: int, taken: Any, kept: int, swaps: int, random: np.uint64,
) -> tuple[int, np.uint64]:  # fmt: skip
    """Metropolis: swap a hidden card of theirs with one of the rest, ``swaps`` times; the hidden cards after it."""
    places = np.empty(64, np.int8)
    size = popcount(hidden)
    at = 0
    bits = hidden
    while bits:
        places[at] = lowest(bits)
        bits &= bits - 1
        at += 1
    bits = pool & ~hidden
    while bits:
        places[at] = lowest(bits)
        bits &= bits - 1
        at += 1
    if size == 0 or at == size:
        return hidden, random
    value = _whole(weights, known | hidden, turn, live, loose, melds, asks, taken, kept)
    for _ in range(swaps):
        random = next_state(random)
        word = shuffle_word(random)
        mine = below(word, size)
        # The lower half of the word picks the other card.
        other = size + below(word << np.uint64(32), at - size)
        tried = hidden ^ (np.int64(1) << places[mine]) ^ (np.int64(1) << places[other])
        gain = cards[places[other]] - cards[places[mine]]
        # Now and then two cards at once: half a meld is worth little, so one by one it is seldom exchanged.
        random = next_state(random)
        word = shuffle_word(random)
        mine2, other2 = mine, other
        if word & np.uint64(3) == np.uint64(0):
            mine2 = below(word, size)
            other2 = size + below(word << np.uint64(32), at - size)
            if mine2 == mine or other2 == other:
                mine2, other2 = mine, other
            else:
                tried ^= (np.int64(1) << places[mine2]) ^ (np.int64(1) << places[other2])
                gain += cards[places[other2]] - cards[places[mine2]]
        new = _whole(weights, known | tried, turn, live, loose, melds, asks, taken, kept)
        gain += new - value
        random = next_state(random)
        if gain >= 0.0 or unit(shuffle_word(random)) < np.exp(gain):
            hidden, value = tried, new
            places[mine], places[other] = places[other], places[mine]
            if mine2 != mine:
                places[mine2], places[other2] = places[other2], places[mine2]
    return hidden, random


@compiled
def _some(pool: int, size: int, random: np.uint64) -> tuple[int, np.uint64]:
    """``size`` cards of the pool at random."""
    places = np.empty(64, np.int8)
    at = 0
    while pool:
        places[at] = lowest(pool)
        pool &= pool - 1
        at += 1
    chosen = np.int64(0)
    for i in range(size):
        random = next_state(random)
        j = i + below(shuffle_word(random), at - i)
        places[i], places[j] = places[j], places[i]
        chosen |= np.int64(1) << places[i]
    return chosen, random


@driver
def sample_hands(
    weights: Any, signs: Any, turn: int, known: int, pool: int, unknown: int, live: int, seeds: Any, burn: int,
    thin: int, hands: Any,
) -> None:  # fmt: skip
    """Write sampled hands of the other side, known cards included, into ``hands`` (int64, a row a chain).

    ``weights`` float64 (WEIGHTS,); ``signs`` int64 (n, 2), ended by a kind below 0; ``turn`` a turn class; ``pool``
    the unseen cards, of which ``unknown`` are theirs; ``live`` those that may still be drawn; ``seeds`` uint64, one a
    chain; ``burn`` swaps before a chain's first hand, ``thin`` between two.
    """
    cards, loose, melds, taken = np.empty(64), np.empty(64), np.empty(64), np.empty(64)
    asks, kept = _prepare(weights, signs, turn, cards, loose, melds, taken)
    for chain in range(hands.shape[0]):
        hidden, random = _some(pool, unknown, seeds[chain])
        for at in range(hands.shape[1]):
            hidden, random = _swap_on(
                weights, known, hidden, pool, turn, live, cards, loose, melds, asks, taken, kept,
                thin if at else burn, random,
            )  # fmt: skip
            hands[chain, at] = known | hidden


@compiled
def _add_features(hand: int, signs: Any, turn: int, live: int, sign: float, gradient: Any) -> None:
    """Add ``sign`` times the features of a hand to the gradient."""
    made = outs(hand)
    rest = loose_cards(hand)
    gradient[DEADWOOD + turn * DEADWOODS + DEADWOOD_CLASS[points_of(rest)]] += sign
    gradient[MELDED + turn * 12 + popcount(hand ^ rest)] += sign
    gradient[OUTS + turn] += sign * popcount(made & live)
    base = TURN_STAGE[turn] * 13
    bits = hand
    while bits:
        gradient[RANKS + base + (lowest(bits) & 15)] += sign
        if bits & -bits & rest:
            gradient[LOOSE_RANKS + base + (lowest(bits) & 15)] += sign
        bits &= bits - 1
    for at in range(signs.shape[0]):
        kind, place = signs[at, 0], signs[at, 1]
        if kind < 0:
            break
        card = np.int64(1) << place
        if kind >= TAKEN:
            if outs(hand ^ card) & card == 0:
                gradient[UNMELDED + kind - TAKEN] += sign
            continue
        if made & card:
            gradient[MELD + kind] += sign
        mates = NEAR[place] & EACH << (place & 15)
        near = NEAR[place] & ~mates
        gradient[MATES + kind] += sign * popcount(mates & hand)
        gradient[NEIGHBOURS + kind] += sign * popcount(near & hand)
        gradient[LOOSE_MATES + kind] += sign * popcount(mates & rest)
        gradient[LOOSE_NEIGHBOURS + kind] += sign * popcount(near & rest)


@driver
def fit_pass(
    weights: Any, signs: Any, turns: Any, known: Any, pools: Any, lives: Any, truth: Any, chains: Any, swaps: int,
    seed: np.uint64, gradient: Any,
) -> None:  # fmt: skip
    """One step of maximum likelihood by persistent chains: move every chain on, add features of truth less chain.

    ``signs`` int64 (positions, n, 2); ``turns``, ``known``, ``pools``, ``lives``, ``truth`` and ``chains`` (moved in
    place) int64 (positions,); ``gradient`` float64 (WEIGHTS,) is added to.
    """
    cards, loose, melds, taken = np.empty(64), np.empty(64), np.empty(64), np.empty(64)
    random = seed
    for at in range(truth.shape[0]):
        asks, kept = _prepare(weights, signs[at], turns[at], cards, loose, melds, taken)
        hidden, random = _swap_on(
            weights, known[at], chains[at] & ~known[at], pools[at], turns[at], lives[at], cards, loose, melds, asks,
            taken, kept, swaps, random,
        )  # fmt: skip
        chains[at] = known[at] | hidden
        _add_features(truth[at], signs[at], turns[at], lives[at], 1.0, gradient)
        _add_features(chains[at], signs[at], turns[at], lives[at], -1.0, gradient)
