"""Least deadwood, every arrangement that reaches it, and the best cards to throw.

Sets and runs meet only in single cards, so it is enough to try each choice of sets; what is left of a
suit is then covered by runs independently of the other suits, by one look into a table of 8,192 entries.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tutor.game.cards import NO_CARDS, SUIT_MASK, Card, CardSet
from tutor.game.melds import MELDS, Arrangement, Meld


def _suit_deadwood() -> tuple[int, ...]:
    least = [0] * 8192
    for mask in range(1, 8192):
        low = mask & -mask
        best = least[mask ^ low] + min(low.bit_length(), 10)
        run, end = low, low
        length = 1
        while mask & (end << 1):
            end <<= 1
            run |= end
            length += 1
            if length >= 3:
                best = min(best, least[mask ^ run])
        least[mask] = best
    return tuple(least)


SUIT_DEADWOOD: tuple[int, ...] = _suit_deadwood()
"""Points left of a thirteen-bit suit mask after the best cover by runs (8,192 entries)."""


def deadwood(hand: CardSet) -> int:
    """The least points of loose cards over all ways to lay out the hand.

    Made for up to eleven cards; with many ranks held three times the work grows.
    """
    return least_deadwood(hand.bits)


def least_deadwood(bits: int) -> int:
    """``deadwood`` of a hand given as bits, for inner loops."""
    clubs = bits & SUIT_MASK
    diamonds = bits >> 13 & SUIT_MASK
    hearts = bits >> 26 & SUIT_MASK
    spades = bits >> 39
    table = SUIT_DEADWOOD
    least = table[clubs] + table[diamonds] + table[hearts] + table[spades]
    ranks = _ranks_of_three(bits)
    if ranks and least:
        for chosen in _set_choices(bits, ranks):
            left = bits ^ chosen
            points = (
                table[left & SUIT_MASK]
                + table[left >> 13 & SUIT_MASK]
                + table[left >> 26 & SUIT_MASK]
                + table[left >> 39]
            )
            least = min(least, points)
    return least


def _ranks_of_three(bits: int) -> int:
    """The ranks held three or four times, as a thirteen-bit mask."""
    a, b = bits & SUIT_MASK, bits >> 13 & SUIT_MASK
    c, d = bits >> 26 & SUIT_MASK, bits >> 39
    return (a & b & (c | d)) | (c & d & (a | b))


_RANK_COLUMN = 1 | 1 << 13 | 1 << 26 | 1 << 39


def _sets_of_rank(held: int) -> tuple[int, ...]:
    """The sets that three or four cards of one rank can form, as bits."""
    if held.bit_count() == 3:
        return (held,)
    singles = [1 << i for i in range(52) if held >> i & 1]
    return (held, *(held ^ single for single in singles))


def _set_choices(bits: int, ranks: int) -> list[int]:
    """All unions of disjoint sets, none included, as bits."""
    choices = [0]
    while ranks:
        low = ranks & -ranks
        ranks ^= low
        held = bits & (_RANK_COLUMN * low)
        sets = _sets_of_rank(held)
        choices += [choice | one for choice in choices for one in sets]
    return choices


@lru_cache(maxsize=65_536)
def _run_covers(mask: int, spare: int) -> tuple[tuple[tuple[int, ...], int], ...]:
    """Every way to cut runs out of a suit mask leaving at most ``spare`` points loose.

    Each way is (run masks, loose mask). Every cut of a long run is a way of its own.
    """
    if SUIT_DEADWOOD[mask] > spare:
        return ()
    if not mask:
        return (((), 0),)
    low = mask & -mask
    ways: list[tuple[tuple[int, ...], int]] = []
    points = min(low.bit_length(), 10)
    for runs, loose in _run_covers(mask ^ low, spare - points):
        ways.append((runs, loose | low))
    run, end = low, low
    while mask & (end << 1):
        end <<= 1
        run |= end
        if run.bit_count() >= 3:
            ways += [((run, *runs), loose) for runs, loose in _run_covers(mask ^ run, spare)]
    return tuple(ways)


def arrangements_within(hand: CardSet, limit: int) -> Iterator[Arrangement]:
    """Every arrangement whose deadwood is at most ``limit`` points, wasteful ones included."""
    bits = hand.bits
    for chosen in _set_choices(bits, _ranks_of_three(bits)):
        sets = _split_by_rank(chosen)
        left = bits ^ chosen
        yield from _with_runs(sets, left, 0, limit, NO_CARDS)


def _split_by_rank(chosen: int) -> tuple[Meld, ...]:
    columns = (chosen & (_RANK_COLUMN << rank) for rank in range(13))
    return tuple(MELDS[column] for column in columns if column)


def _with_runs(melds: tuple[Meld, ...], left: int, suit: int, spare: int, loose: CardSet) -> Iterator[Arrangement]:
    if suit == 4:
        yield Arrangement(melds, loose)
        return
    shift = 13 * suit
    for runs, rest in _run_covers(left >> shift & SUIT_MASK, spare):
        rest_set = CardSet(rest << shift)
        more = tuple(MELDS[run << shift] for run in runs)
        yield from _with_runs(melds + more, left, suit + 1, spare - rest_set.pips, loose | rest_set)


def arrangements(hand: CardSet) -> tuple[Arrangement, ...]:
    """All arrangements of least deadwood; every cut of a long run counts as one of its own."""
    return tuple(arrangements_within(hand, deadwood(hand)))


@dataclass(frozen=True, slots=True)
class Discards:
    """What the best throw from eleven cards leaves: ``deadwood`` points, by any of ``cards``."""

    deadwood: int
    cards: CardSet


def best_discards(hand: CardSet, keep: Card | None = None) -> Discards:
    """The throws that leave least deadwood. ``keep`` is a card that may not be thrown.

    Raises ValueError when no card may be thrown.
    """
    bits = hand.bits
    least, cards = 10_000, 0
    for card in hand:
        if card == keep:
            continue
        points = least_deadwood(bits ^ 1 << card.index)
        if points < least:
            least, cards = points, 1 << card.index
        elif points == least:
            cards |= 1 << card.index
    if not cards:
        raise ValueError("there is no card to throw")
    return Discards(least, CardSet(cards))
