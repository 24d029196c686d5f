"""Showing a hand and answering it: the knocker's arrangement, the defender's joint best of melds and lay-offs.

What is shown is two masks: the cards in sets and the cards in runs. Runs that touch are one block, which takes the
same lay-offs.
"""

from __future__ import annotations

import numpy as np

from tutor.engine.kernel.bits import ALL, EACH, popcount
from tutor.engine.kernel.compiling import compiled, inlined
from tutor.engine.kernel.deadwood import (
    deadwood,
    fold,
    four_ranks,
    loose_points,
    points_of,
    run_cards,
    set_choices,
    set_ranks,
    without_sets,
)

_PLANS = 1024
"""Room for ways to lay off: ten cards at six ends of runs and on three sets make fewer."""


@inlined
def _open_sets(sets: int) -> int:
    """The fourth cards of the sets of three."""
    ranks = set_ranks(sets)
    return ranks * EACH & ~sets & ALL


@compiled
def _chains(runs: int, cards: int) -> int:
    """The cards of ``cards`` that continue the runs at either end, one after another."""
    laid = 0
    edge = (runs << 1 | runs >> 1) & cards & ALL
    while edge:
        laid |= edge
        cards &= ~edge
        edge = (edge << 1 | edge >> 1) & cards & ALL
    return laid


@compiled
def exposed(sets: int, runs: int, cards: int) -> int:
    """The cards of ``cards`` that could be laid off, at once or in a chain."""
    return (_open_sets(sets) & cards) | _chains(runs, cards & ~sets)


@compiled
def least_after_lay_offs(hand: int, sets: int, runs: int) -> int:
    """Least deadwood of a defender over own melds and lay-offs together, chains included.

    Every choice of lay-offs is tried: each open set with or without its fourth card, each end of a run with its chain
    cut anywhere.
    """
    fourths = _open_sets(sets) & hand
    chain = _chains(runs, hand)
    if fourths | chain == 0:
        return deadwood(hand)
    best = deadwood(hand)
    plans = np.empty(_PLANS, np.int64)
    plans[0] = 0
    size = 1
    cards = fourths
    while cards:
        card = cards & -cards
        cards ^= card
        for i in range(size):
            plans[size + i] = plans[i] | card
        size *= 2
    for upward in range(2):
        ends = runs & ~(runs >> 1) if upward else runs & ~(runs << 1)
        while ends:
            end = ends & -ends
            ends ^= end
            before = size
            piece = 0
            card = end << 1 if upward else end >> 1
            while card & hand & ALL:
                piece |= card
                for i in range(before):
                    if size < _PLANS:
                        plans[size] = plans[i] | piece
                        size += 1
                card = card << 1 if upward else card >> 1
    for i in range(size):
        best = min(best, deadwood(hand & ~plans[i]))
    return best


@compiled
def shown_sets(hand: int, theirs: int, held: int) -> int:
    """The sets of the arrangement the table proposes for ten or eleven cards; its runs are what is left.

    Least deadwood, then least points exposed to cards they are known to hold, then to those they may hold, then
    fewest melds.
    """
    ranks = set_ranks(hand)
    contested = ranks & fold(run_cards(hand))
    rest = hand & ~((ranks & ~contested) * EACH)
    if contested == 0:
        return hand & ~rest
    four = four_ranks(rest)
    best, best_mask = 1 << 62, 0
    for choice in range(set_choices(contested, four)):
        left = without_sets(rest, contested, four, choice)
        sets = hand & ~left
        runs = run_cards(left)
        sure = points_of(exposed(sets, runs, held & ~hand))
        maybe = points_of(exposed(sets, runs, theirs & ~hand))
        melds = popcount(set_ranks(sets)) + popcount(runs & ~(runs << 1))
        order = ((loose_points(left) * 1024 + sure) * 1024 + maybe) * 16 + melds
        if order < best:
            best, best_mask = order, sets
    return best_mask
