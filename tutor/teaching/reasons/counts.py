"""What can be counted at the table from one seat: cards of use, melds still possible, what the other side let go.

Everything here follows from a View; nothing is estimated. Sampled counts are in ``fitting.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tutor.game.actions import Discard, Draw, Pass
from tutor.game.cards import NO_CARDS, Card, CardSet
from tutor.game.melds import MELDS
from tutor.game.public import LEFT_OVER
from tutor.game.rules import LastDiscard
from tutor.game.solver import best_discards, deadwood
from tutor.game.view import View


def outs(hand: CardSet, unseen: CardSet) -> CardSet:
    """The unseen cards of use to ten cards: those that would lie in a meld of the best arrangement."""
    now = deadwood(hand)
    return CardSet.of(card for card in unseen if deadwood(hand.with_card(card)) < now + card.pips)


def new_melds(hand: CardSet, cards: CardSet) -> CardSet:
    """Those of the cards that take loose cards into a meld; the other outs only lengthen one."""
    now = deadwood(hand)
    return CardSet.of(card for card in cards if deadwood(hand.with_card(card)) < now)


def gin_outs(hand: CardSet, unseen: CardSet) -> CardSet:
    """The unseen cards with which ten cards are gin: after some throw nothing is loose."""
    # Ten pips at most are thrown with the eleventh card.
    near = (card for card in unseen if deadwood(hand.with_card(card)) <= 10)
    return CardSet.of(card for card in near if best_discards(hand.with_card(card)).deadwood == 0)


@cache
def melds_of_three(card: Card) -> tuple[CardSet, ...]:
    """The other two cards of every meld of three with this card."""
    melds = (meld.cards for meld in MELDS.values() if len(meld.cards) == 3 and card in meld.cards)
    return tuple(cards.without(card) for cards in melds)


def ways(card: Card, theirs: CardSet) -> int:
    """How many melds of three this card could still make with two of ``theirs``."""
    return sum(rest <= theirs for rest in melds_of_three(card))


def beside(card: Card, known: CardSet, theirs: CardSet) -> CardSet:
    """The cards they are known to hold that could still lie in a meld of three with this card."""
    bits = 0
    for rest in melds_of_three(card):
        if rest <= theirs:
            bits |= rest.bits & known.bits
    return CardSet(bits)


def let_go(view: View) -> CardSet:
    """The cards the other side threw or refused and does not hold now."""
    bits = 0
    for act in view.public.acts:
        if act.seat is view.seat:
            continue
        match act.action:
            case Discard(card):
                bits |= 1 << card.index
            case Pass() | Draw() if act.offer is not None:
                bits |= 1 << act.offer.index
    return CardSet(bits) - view.known_theirs


def of_rank(card: Card, cards: CardSet) -> CardSet:
    """The other cards of this rank among ``cards``."""
    return CardSet.of(other for other in cards if other.rank == card.rank and other != card)


@dataclass(frozen=True, slots=True)
class Safety:
    """How safe a throw is, on the ladder: what it could still feed and what they have shown about it.

    ``ways`` are the melds of three they could still make with it, ``beside`` the cards they took that go with it,
    ``let_go`` the cards of its rank that they threw or refused.
    """

    card: Card
    ways: int
    beside: CardSet
    let_go: CardSet

    @property
    def rung(self) -> int:
        """The step on the ladder, 0 the safest: no way left, one way, a rank they let go, more ways, beside."""
        if not self.ways:
            return 0
        if self.beside:
            return 4
        return 1 if self.ways == 1 else 2 if self.let_go else 3

    @property
    def name(self) -> str:
        """The rung in words."""
        names = ("no way left", "one way left", "a rank they let go", f"{self.ways} ways", "beside a card they took")
        return names[self.rung]


def safety(view: View, card: Card) -> Safety:
    """The ladder's step of a card as a throw, or as an upcard left to them."""
    known, theirs = view.known_theirs, view.theirs.without(card)
    return Safety(card, ways(card, theirs), beside(card, known, theirs), of_rank(card, let_go(view)))


def turns_left(view: View) -> int:
    """How many draws from the stock are left to this seat after a discard, if nobody takes from the pile."""
    return max(0, view.public.stock_count - LEFT_OVER) // 2


def goes_on(view: View) -> bool:
    """Whether the other side has a turn after a discard; else the hand is dead with it."""
    public = view.public
    if public.stock_count <= LEFT_OVER:
        return public.rules.last_discard is LastDiscard.TAKE_TO_END
    return public.pile_takes < public.rules.pile_limit


def after_taking(view: View, card: Card) -> tuple[int, CardSet]:
    """The best ten cards after taking a card: their deadwood and they themselves.

    Of the throws that leave least deadwood the one that leaves most cards of use. The card taken is never thrown:
    nobody takes a card for that.
    """
    eleven = view.hand.with_card(card)
    throws = best_discards(eleven, keep=card)
    tens = [eleven.without(thrown) for thrown in throws.cards]
    return throws.deadwood, max(tens, key=lambda ten: (len(outs(ten, view.unseen)), -ten.bits), default=NO_CARDS)
