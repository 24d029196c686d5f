"""A deliberately naive solver that shares no code with the product: cards are (rank, suit) pairs, and every
way to lay them out is listed one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, pairwise

Cards = frozenset[tuple[int, int]]
Way = tuple[frozenset[Cards], Cards]
"""Melds and loose cards."""


def points(cards: Iterable[tuple[int, int]]) -> int:
    return sum(rank if rank < 10 else 10 for rank, _ in cards)


def is_meld(cards: Cards) -> bool:
    ranks = sorted(rank for rank, _ in cards)
    suits = {suit for _, suit in cards}
    if len(cards) < 3:
        return False
    same_rank = len(set(ranks)) == 1
    in_order = len(suits) == 1 and all(high - low == 1 for low, high in pairwise(ranks))
    return same_rank or in_order


def melds_with(card: tuple[int, int], cards: Cards) -> list[Cards]:
    """All melds that hold this card and otherwise cards of ``cards``."""
    rank, suit = card
    same_rank = [other for other in cards if other[0] == rank and other != card]
    melds = [frozenset((card, *others)) for size in (2, 3) for others in combinations(same_rank, size)]
    for low in range(1, rank + 1):
        for high in range(max(rank, low + 2), 14):
            run = frozenset((r, suit) for r in range(low, high + 1))
            if run <= cards | {card}:
                melds.append(run)
    return melds


def all_ways(cards: Cards) -> Iterator[Way]:
    """Every way to lay out the cards, each once."""
    if not cards:
        yield frozenset(), frozenset()
        return
    card = min(cards)
    rest = cards - {card}
    for melds, loose in all_ways(rest):
        yield melds, loose | {card}
    for meld in melds_with(card, rest):
        for melds, loose in all_ways(rest - meld):
            yield melds | {meld}, loose


def judged(cards: Cards) -> tuple[int, set[Way], dict[tuple[int, int], int]]:
    """The least deadwood, all ways that reach it, and for each card the least after throwing that card.

    A way to lay out the hand without a card is a way to lay out the whole hand in which that card is loose.
    """
    ways = [(points(loose), (melds, loose)) for melds, loose in all_ways(cards)]
    fewest = min(count for count, _ in ways)
    after = dict.fromkeys(cards, 1_000)
    for count, (_, loose) in ways:
        for card in loose:
            after[card] = min(after[card], count - points([card]))
    return fewest, {way for count, way in ways if count == fewest}, after


def least(cards: Cards) -> int:
    """The least deadwood."""
    if not cards:
        return 0
    card = min(cards)
    rest = cards - {card}
    found = points([card]) + least(rest)
    for meld in melds_with(card, rest):
        found = min(found, least(rest - meld))
    return found


def best_defence(cards: Cards, table: tuple[Cards, ...]) -> int:
    """The least deadwood of a defender who lays off one card after another, in every order."""
    seen: set[tuple[Cards, tuple[Cards, ...]]] = set()
    best = 1_000
    waiting = [(cards, table)]
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        hand, melds = state
        best = min(best, least(hand))
        for card in hand:
            for place, meld in enumerate(melds):
                if is_meld(meld | {card}):
                    waiting.append((hand - {card}, (*melds[:place], meld | {card}, *melds[place + 1 :])))
    return best
