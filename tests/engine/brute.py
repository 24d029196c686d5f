"""A compiled brute force over all melds that shares no code with the kernel, and loops that hold the kernel to it.

The functions kept in the cache lie in the kernel's folder, so a changed kernel compiles them anew.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

from tests.helpers import random_hand, rich_hand
from tutor.engine.kernel import deadwood as counting
from tutor.engine.kernel import layoffs
from tutor.engine.kernel.bits import popcount
from tutor.game.cards import CardSet

Ints = NDArray[np.int64]


def place_of(rank: int, suit: int) -> int:
    """The bit of a card, ranks and suits from 0."""
    return 16 * suit + rank


def _melds() -> list[int]:
    sets = []
    for rank in range(13):
        four = [1 << place_of(rank, suit) for suit in range(4)]
        sets += [sum(four), *(sum(four) - one for one in four)]
    runs = [
        sum(1 << place_of(rank, suit) for rank in range(low, high))
        for suit in range(4)
        for low in range(11)
        for high in range(low + 3, 14)
    ]
    return sets + runs


MELDS = np.array(_melds(), dtype=np.int64)
PLACES = np.array([place_of(rank, suit) for suit in range(4) for rank in range(13)], dtype=np.int64)
WORTH = np.array([min(place % 16 + 1, 10) for place in range(64)], dtype=np.int64)


@njit
def value(hand: Any) -> Any:
    total = 0
    for place in PLACES:
        if hand >> place & 1:
            total += WORTH[place]
    return total


@njit
def coverings(hand: Any, found: Any) -> Any:
    """Write what is loose in every way to lay out up to eleven cards in melds; how many ways there are."""
    mine = np.empty(400, np.int64)
    size = 0
    for meld in MELDS:
        if meld & ~hand == 0:
            mine[size] = meld
            size += 1
    found[0] = hand
    ways = 1
    for i in range(size):
        one = hand & ~mine[i]
        found[ways] = one
        ways += 1
        for j in range(i):
            if mine[j] & ~one:
                continue
            two = one & ~mine[j]
            found[ways] = two
            ways += 1
            for k in range(j):
                if mine[k] & ~two == 0:
                    found[ways] = two & ~mine[k]
                    ways += 1
    return ways


@njit
def least(hand: Any, found: Any) -> Any:
    best = 1000
    for way in range(coverings(hand, found)):
        best = min(best, value(found[way]))
    return best


@njit
def least_after_throw(hand: Any, keep: Any, found: Any) -> Any:
    """A card that is thrown is loose in some way to lay out all eleven."""
    best = 1000
    for way in range(coverings(hand, found)):
        points = value(found[way])
        for place in PLACES:
            card = np.int64(1) << place
            if found[way] & card & ~keep:
                best = min(best, points - WORTH[place])
    return best


@njit
def joining(hand: Any) -> Any:
    """The cards that would lie in a meld with cards of the hand."""
    made = np.int64(0)
    for place in PLACES:
        card = np.int64(1) << place
        if hand & card == 0:
            for meld in MELDS:
                if meld & card and meld & ~(hand | card) == 0:
                    made |= card
                    break
    return made


@njit
def splits(hand: Any, sets: Any, points: Any) -> Any:
    """Whether these cards lie in sets and the rest, each run whole, leaves these points."""
    if sets & ~hand:
        return False
    for rank in range(13):
        count = 0
        for suit in range(4):
            count += sets >> (16 * suit + rank) & 1
        if count in (1, 2):
            return False
    rest = hand & ~sets
    loose = rest
    for meld in MELDS[65:]:
        if meld & ~rest == 0:
            loose &= ~meld
    return value(loose) == points


@njit(cache=True)
def brute(hands: Any, keeps: Any, counts: Any, throws: Any) -> None:
    """The brute force alone: least deadwood of every hand, and after the best throw."""
    found = np.empty(100_000, np.int64)
    for at in range(hands.size):
        counts[at] = least(hands[at], found)
        throws[at] = least_after_throw(hands[at], keeps[at], found)


@njit(cache=True)
def disagreements(hands: Any, keeps: Any, lives: Any, wrong: Any) -> None:
    """Count the hands in which the kernel is wrong: deadwood, after_throw free and kept, best_sets, outs, gin_outs."""
    found = np.empty(100_000, np.int64)
    for at in range(hands.size):
        hand, keep = hands[at], keeps[at]
        eleven = popcount(hand) == 11
        fewest = least(hand, found)
        wrong[0] += counting.deadwood(hand) != fewest
        wrong[3] += not splits(hand, counting.best_sets(hand), fewest)
        made = joining(hand)
        wrong[4] += counting.outs(hand) != made
        if eleven:
            wrong[1] += counting.after_throw(hand, 0) != least_after_throw(hand, 0, found)
            wrong[2] += counting.after_throw(hand, keep) != least_after_throw(hand, keep, found)
        elif fewest:
            # With ten melded cards every card drawn leaves gin, also those that make no meld.
            gins = 0
            for place in PLACES:
                card = np.int64(1) << place
                if card & lives[at] & ~hand and least_after_throw(hand | card, 0, found) == 0:
                    gins += 1
            wrong[5] += counting.gin_outs(hand, lives[at]) != gins


@njit(cache=True)
def kernel_counts(hands: Any, keeps: Any, counts: Any, throws: Any) -> None:
    for at in range(hands.size):
        counts[at] = counting.deadwood(hands[at])
        throws[at] = counting.after_throw(hands[at], keeps[at])


@njit(cache=True)
def loose_cards(hands: Any, loose: Any) -> None:
    for at in range(hands.size):
        loose[at] = counting.loose_cards(hands[at])


@njit(cache=True)
def one_suit(points: Any, loose: Any, covered: Any) -> None:
    """Every holding of the last suit, the others void: all points, points that runs leave, cards in runs."""
    for mask in range(8192):
        hand = np.int64(mask) << 48
        points[mask] = counting.points_of(hand)
        loose[mask] = counting.deadwood(hand)
        covered[mask] = counting.run_cards(hand) >> 48


@njit(cache=True)
def defended(hands: Any, sets: Any, runs: Any, left: Any) -> None:
    for at in range(hands.size):
        left[at] = layoffs.least_after_lay_offs(hands[at], sets[at], runs[at])


@njit(cache=True)
def proposals(hands: Any, theirs: Any, held: Any, sets: Any, runs: Any) -> None:
    for at in range(hands.size):
        sets[at] = layoffs.shown_sets(hands[at], theirs[at], held[at])
        runs[at] = counting.run_cards(hands[at] & ~sets[at])


def lanes(cards: CardSet) -> int:
    """A card set as the kernel has it."""
    return sum(1 << place_of(card.rank - 1, int(card.suit)) for card in cards)


def cards_in(hand: int) -> CardSet:
    """The card set of a kernel's hand."""
    return CardSet(sum(1 << 13 * (place // 16) + place % 16 for place in range(64) if hand >> place & 1))


def many(maker: str, size: int, count: int, seed: int) -> Iterator[Ints]:
    """Hands in blocks of at most 10,000: from the whole deck, or rich ones from four to six neighbouring ranks."""
    generator = np.random.default_rng([seed, size, maker == "rich"])
    while count > 0:
        block = min(count, 10_000)
        count -= block
        keys = generator.random((block, 52))
        if maker == "rich":
            width = generator.integers(4, 7, (block, 1))
            low = generator.integers(0, 14 - width)
            rank = PLACES % 16
            keys[(rank < low) | (rank >= low + width)] += 2.0
        chosen = PLACES[np.argsort(keys, axis=1)[:, :size]]
        yield (np.int64(1) << chosen).sum(axis=1)


def one_of(hands: Ints, seed: int) -> Ints:
    """A card of each hand at random."""
    generator = np.random.default_rng(seed)
    keys = generator.random((hands.size, 52)) + (hands[:, None] >> PLACES & 1)
    return np.int64(1) << PLACES[np.argmax(keys, axis=1)]


def some_hands(count: int, size: int, seed: int) -> list[CardSet]:
    """Random and rich hands in turn."""
    random_ = random.Random(seed)
    return [(random_hand, rich_hand)[number % 2](random_, size) for number in range(count)]
