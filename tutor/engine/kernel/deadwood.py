"""Least deadwood, the best throw, outs: everything counted from one side's cards.

Runs need no search: without the cards in sets, every block of three or more neighbours is melded whole. So only the
sets are enumerated, and of these only ranks with a card that some run could use; other sets are always melded.
"""

from __future__ import annotations

import numpy as np

from tutor.engine.kernel.bits import ALL, EACH, LANE
from tutor.engine.kernel.compiling import compiled, inlined
from tutor.engine.kernel.tables import LOOSE_POINTS, POINTS, THROW_GAIN


@inlined
def loose_points(hand: int) -> int:
    """Points that runs alone leave loose."""
    return (
        np.int64(LOOSE_POINTS[hand & LANE])
        + np.int64(LOOSE_POINTS[hand >> 16 & LANE])
        + np.int64(LOOSE_POINTS[hand >> 32 & LANE])
        + np.int64(LOOSE_POINTS[hand >> 48 & LANE])
    )


@inlined
def points_of(hand: int) -> int:
    """Points of all cards."""
    return (
        np.int64(POINTS[hand & LANE])
        + np.int64(POINTS[hand >> 16 & LANE])
        + np.int64(POINTS[hand >> 32 & LANE])
        + np.int64(POINTS[hand >> 48 & LANE])
    )


@inlined
def run_cards(hand: int) -> int:
    """The cards of all blocks of three or more neighbours."""
    starts = hand & hand >> 1 & hand >> 2
    return starts | starts << 1 | starts << 2


@inlined
def set_ranks(hand: int) -> int:
    """The ranks held three times or more, as a lane."""
    a, b, c, d = hand & LANE, hand >> 16 & LANE, hand >> 32 & LANE, hand >> 48 & LANE
    return (a & b & (c | d)) | (c & d & (a | b))


@inlined
def four_ranks(hand: int) -> int:
    """The ranks held four times, as a lane."""
    return hand & hand >> 16 & hand >> 32 & hand >> 48 & LANE


@inlined
def fold(hand: int) -> int:
    """The ranks held at all, as a lane."""
    return (hand | hand >> 16 | hand >> 32 | hand >> 48) & LANE


@inlined
def set_choices(ranks: int, four: int) -> int:
    """In how many ways these ranks can be melded as sets or not: two a rank, six where all four are held."""
    count = 1
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        count *= 6 if four & rank else 2
    return count


@inlined
def without_sets(hand: int, ranks: int, four: int, choice: int) -> int:
    """The hand less the sets of one choice, counted from 0: of each rank none, all, or all but one suit (of four)."""
    while ranks:
        rank = ranks & -ranks
        ranks ^= rank
        if four & rank:
            option = choice % 6
            choice //= 6
        else:
            option = choice & 1
            choice >>= 1
        if option:
            stays = rank << 16 * (option - 2) if option > 1 else 0
            hand &= ~(rank * EACH) | stays
    return hand


@compiled
def deadwood(hand: int) -> int:
    """Least deadwood of up to eleven cards, in points."""
    # No question whether there are sets at all: a branch as often wrong as right costs more than this arithmetic.
    ranks = set_ranks(hand)
    contested = ranks & fold(run_cards(hand))
    rest = hand & ~((ranks & ~contested) * EACH)
    best = loose_points(rest)
    if contested:
        four = four_ranks(rest)
        for choice in range(1, set_choices(contested, four)):
            best = min(best, loose_points(without_sets(rest, contested, four, choice)))
    return best


@inlined
def _throw_gain(rest: int, keep: int) -> int:
    """Most points that throwing one of these cards (not ``keep``, a bit or 0) takes off the loose cards."""
    gain = -128
    for suit in range(4):
        lane = rest >> 16 * suit & LANE
        kept = keep >> 16 * suit & LANE
        if kept == 0 or lane & kept == 0:
            gain = max(gain, np.int64(THROW_GAIN[lane]))
        else:
            before = np.int64(LOOSE_POINTS[lane])
            others = lane & ~kept
            while others:
                card = others & -others
                others ^= card
                gain = max(gain, before - np.int64(LOOSE_POINTS[lane ^ card]))
    return gain


@compiled
def after_throw(hand: int, keep: int) -> int:
    """Least deadwood of eleven cards once the best one is thrown; ``keep`` (a bit, or 0) may not be.

    One enumeration for all throws. A rank held four times is not forced: its fourth card may be the throw.
    """
    ranks = set_ranks(hand)
    four = four_ranks(hand)
    contested = ranks & (fold(run_cards(hand)) | four)
    rest = hand & ~((ranks & ~contested) * EACH)
    best = loose_points(rest) - _throw_gain(rest, keep)
    if contested:
        for choice in range(1, set_choices(contested, four)):
            left = without_sets(rest, contested, four, choice)
            best = min(best, loose_points(left) - _throw_gain(left, keep))
    return best


@compiled
def best_sets(hand: int) -> int:
    """The cards in sets of one arrangement with least deadwood."""
    ranks = set_ranks(hand)
    if ranks == 0:
        return 0
    contested = ranks & fold(run_cards(hand))
    rest = hand & ~((ranks & ~contested) * EACH)
    best = rest
    if contested:
        four = four_ranks(rest)
        least = loose_points(rest)
        for choice in range(1, set_choices(contested, four)):
            left = without_sets(rest, contested, four, choice)
            points = loose_points(left)
            if points < least:
                least, best = points, left
    return hand & ~best


@inlined
def loose_cards(hand: int) -> int:
    """The loose cards of one arrangement with least deadwood."""
    rest = hand & ~best_sets(hand)
    return rest & ~run_cards(rest)


@inlined
def outs(hand: int) -> int:
    """The cards not in the hand that would lie in a meld with two or more of it."""
    neighbours = hand & hand << 1
    gaps = hand & hand << 2
    a, b, c, d = hand & LANE, hand >> 16 & LANE, hand >> 32 & LANE, hand >> 48 & LANE
    pairs = (a & b) | (c & d) | ((a | b) & (c | d))
    return (neighbours << 1 | neighbours >> 2 | gaps >> 1 | pairs * EACH) & ALL & ~hand


@compiled
def gin_outs(hand: int, live: int) -> int:
    """How many of the ``live`` cards would make gin with these ten cards."""
    count = 0
    cards = outs(hand) & live
    while cards:
        card = cards & -cards
        cards ^= card
        if after_throw(hand | card, 0) == 0:
            count += 1
    return count
