"""Lay-offs: what a defender does best, what a knocker exposes, which arrangement to show.

A defender chooses own melds and lay-offs together: to keep the least deadwood first and lay off
afterwards can cost points, and so can laying off all that fits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from tutor.game.cards import ALL_CARDS, NO_CARDS, Card, CardSet
from tutor.game.melds import Arrangement, Meld, MeldKind
from tutor.game.solver import arrangements, arrangements_within, least_deadwood


@dataclass(frozen=True, slots=True)
class Defence:
    """A defender's play after a knock: lay-offs in order, then own melds and loose cards."""

    lay_offs: tuple[tuple[Card, Meld], ...]
    kept: Arrangement

    @property
    def deadwood(self) -> int:
        """Points left to the defender."""
        return self.kept.deadwood


def best_defence(hand: CardSet, shown: tuple[Meld, ...]) -> Defence:
    """The defence that leaves least deadwood over own melds and lay-offs together, chains included.

    Where several leave the same, the one with fewest cards laid off. ``shown`` are the melds as they
    lie on the table now; pass none after gin.
    """
    plans: dict[int, tuple[int, ...]] = {0: (0,) * len(shown)}
    for place, meld in enumerate(shown):
        options = _lay_offs_onto(meld, hand)
        for before, plan in list(plans.items()):
            for laid in options:
                if not before & laid:
                    plans.setdefault(before | laid, (*plan[:place], laid, *plan[place + 1 :]))
    best = min(plans, key=lambda laid: (least_deadwood(hand.bits ^ laid), laid.bit_count(), laid))
    lay_offs = [step for meld, laid in zip(shown, plans[best], strict=True) for step in _in_order(meld, CardSet(laid))]
    return Defence(tuple(lay_offs), best_arrangement(CardSet(hand.bits ^ best), NO_CARDS))


def _lay_offs_onto(meld: Meld, hand: CardSet) -> list[int]:
    """The non-empty sets of cards of the hand, as bits, that this meld can take."""
    if meld.kind is MeldKind.SET:
        return [card_set.bits for card_set in (meld.fits & hand,) if card_set]
    below, above = _chain(meld, hand, -1), _chain(meld, hand, 1)
    return [low | high for low in (0, *below) for high in (0, *above) if low | high]


def _chain(run: Meld, cards: CardSet, step: int) -> list[int]:
    """The growing pieces, as bits, that continue a run at one end within ``cards``."""
    ordered = tuple(run.cards)
    card = ordered[0] if step < 0 else ordered[-1]
    pieces: list[int] = []
    piece = 0
    while 1 <= card.rank + step <= 13:
        card = Card(card.index + step)
        if card not in cards:
            break
        piece |= 1 << card.index
        pieces.append(piece)
    return pieces


def _in_order(meld: Meld, laid: CardSet) -> list[tuple[Card, Meld]]:
    """One card at a time, each with the meld as it lies just before."""
    steps = []
    while laid:
        card = next(card for card in laid if card in meld.fits)
        steps.append((card, meld))
        meld = meld.extended(card)
        laid = laid.without(card)
    return steps


def exposed(arrangement: Arrangement, theirs: CardSet = ALL_CARDS) -> CardSet:
    """The cards of ``theirs`` that could be laid off on an arrangement, at once or in a chain."""
    theirs = theirs - arrangement.cards
    bits = 0
    for meld in arrangement.melds:
        for laid in _lay_offs_onto(meld, theirs):
            bits |= laid
    return CardSet(bits)


@lru_cache(maxsize=4096)
def best_arrangement(hand: CardSet, theirs: CardSet = ALL_CARDS, held: CardSet = NO_CARDS) -> Arrangement:
    """The arrangement the table proposes: least deadwood, then least exposed, then fewest melds.

    Exposure is counted as points of the cards that could be laid off: first of those the other side is known to
    hold (``held``), then of those it may hold (``theirs``).
    """

    def order(arrangement: Arrangement) -> tuple[int, int, int, str]:
        sure, open_cards = exposed(arrangement, held), exposed(arrangement, theirs)
        return sure.pips, open_cards.pips, len(arrangement.melds), str(arrangement)

    choices = arrangements(hand)
    return choices[0] if len(choices) == 1 else min(choices, key=order)


def best_shows(
    hand: CardSet, defender: CardSet, limit: int, points: Callable[[int, int], int]
) -> tuple[int, tuple[Arrangement, ...]]:
    """What a knocker who saw the defender's hand would show: the net points and the arrangements.

    ``points(knocker_deadwood, defender_deadwood)`` prices a showdown for the knocker; the defender
    answers with the best defence. Runs are joined: cutting one changes no lay-off.
    Raises ValueError when nothing within the limit can be shown.
    """
    nets: dict[Arrangement, int] = {}
    for arrangement in arrangements_within(hand, limit):
        whole = arrangement.joined()
        if whole not in nets:
            nets[whole] = show_points(whole, defender, points)
    if not nets:
        raise ValueError(f"this hand cannot be shown within {limit} points")
    best = max(nets.values())
    return best, tuple(arrangement for arrangement, net in nets.items() if net == best)


def show_points(arrangement: Arrangement, defender: CardSet, points: Callable[[int, int], int]) -> int:
    """The knocker's net points for one arrangement shown against a known hand, best defence given."""
    melds = arrangement.melds if arrangement.deadwood else ()
    return points(arrangement.deadwood, best_defence(defender, melds).deadwood)
