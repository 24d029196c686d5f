"""One deal played out with all its cards: the only module that knows what is hidden."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tutor.game.actions import (
    Action,
    Discard,
    Draw,
    IllegalAction,
    Illegality,
    Knock,
    LayOff,
    Seat,
    Take,
)
from tutor.game.cards import ALL_CARDS, NO_CARDS, Card, CardSet
from tutor.game.public import HAND, PublicRound
from tutor.game.result import LEVEL, Result, Standing
from tutor.game.rules import RuleSet
from tutor.game.solver import deadwood
from tutor.game.view import View


class UnknownCard(ValueError):
    """A card was asked for that the deal does not tell."""


@dataclass(frozen=True, slots=True)
class Deal:
    """How the cards lie at the start: both hands (South, North), the upcard, the stock from the top.

    The stock may be told only as far as it was drawn. Raises ValueError that names a card in two places.
    """

    hands: tuple[CardSet, CardSet]
    upcard: Card
    stock: tuple[Card, ...]
    dealer: Seat
    out_of_play: CardSet = NO_CARDS

    def __post_init__(self) -> None:
        for seat in Seat:
            if len(self.hands[seat]) != HAND:
                raise ValueError(f"{seat.label} needs {HAND} cards, not {len(self.hands[seat])}")
        if len(self.stock) > self.stock_size:
            raise ValueError(f"the stock has {self.stock_size} cards, not {len(self.stock)}")
        places = [*self.hands[0], *self.hands[1], self.upcard, *self.stock, *self.out_of_play]
        seen: set[Card] = set()
        for card in places:
            if card in seen:
                raise ValueError(f"{card.symbol} is dealt twice")
            seen.add(card)

    @classmethod
    def from_deck(cls, deck: Sequence[Card], dealer: Seat) -> Deal:
        """Deal a whole deck, first card first: ten each in turn from the non-dealer, then the upcard."""
        first, second = CardSet.of(deck[0:20:2]), CardSet.of(deck[1:20:2])
        hands = (first, second) if dealer is Seat.NORTH else (second, first)
        return cls(hands, deck[20], tuple(deck[21:]), dealer)

    @property
    def stock_size(self) -> int:
        """How many cards the stock has at the start, told or not."""
        return 52 - 2 * HAND - 1 - len(self.out_of_play)

    @property
    def untold(self) -> CardSet:
        """The cards of the stock whose order is not told."""
        told = CardSet.of(self.stock)
        return ALL_CARDS - self.hands[0] - self.hands[1] - told - self.out_of_play.with_card(self.upcard)


def is_misdeal(rules: RuleSet, upcard: Card, hands: Iterable[CardSet]) -> bool:
    """Whether the rules call off the deal because one of these hands could be shown at once."""
    limit = rules.knock_limit_for(upcard)
    return rules.first_turn_misdeal and any(deadwood(hand) <= limit for hand in hands)


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A round under way: the public round and the cards behind it. Start one with ``Round.start``.

    ``stock`` are the told cards not yet drawn, next first. ``actions`` are all actions so far, complete:
    a draw names its card, a knock, big gin and settlement its arrangement.
    """

    deal: Deal
    public: PublicRound
    hands: tuple[CardSet, CardSet]
    stock: tuple[Card, ...]
    drawn: Card | None = None
    knock_card: Card | None = None
    actions: tuple[Action, ...] = ()

    @classmethod
    def start(cls, rules: RuleSet, deal: Deal) -> Round:
        """The round right after the deal, or already over where the rules call a misdeal."""
        misdeal = is_misdeal(rules, deal.upcard, deal.hands)
        public = PublicRound.start(rules, deal.dealer, deal.upcard, deal.out_of_play, misdeal=misdeal)
        return cls(deal=deal, public=public, hands=deal.hands, stock=deal.stock)

    @property
    def result(self) -> Result | None:
        """The facts of the round once it is over."""
        return self.public.result

    def view(self, seat: Seat, standing: Standing = LEVEL) -> View:
        """What this seat knows now, and nothing else."""
        return View(
            public=self.public,
            seat=seat,
            hand=self.hands[seat],
            drawn=self.drawn if self.public.turn is seat else None,
            standing=standing,
            knock_card=self.knock_card if self.public.knocker is seat else None,
        )

    def legal_actions(self) -> tuple[Action, ...]:
        """What the seat on turn may do; nothing when the round is over."""
        turn = self.public.turn
        return () if turn is None else self.view(turn).legal_actions()

    def play(self, action: Action) -> Round:
        """The round after the seat on turn did this.

        Raises IllegalAction, or UnknownCard when the stock is not told that far.
        """
        seat = self.public.turn
        view = self.view(Seat.SOUTH if seat is None else seat)
        refusal = view.refusal(action)
        if refusal is not None:
            raise refusal
        action = view.completed(action)
        if isinstance(action, Draw):
            return self._drawing(view, action)
        public = self.public.play(action, self.knock_card)
        actions = (*self.actions, action)
        match action:
            case Take():
                card = self.public.pile[-1]
                hands = self._with_hand(view.seat, view.hand.with_card(card))
                return replace(self, public=public, actions=actions, hands=hands, drawn=card)
            case Discard(card) | LayOff(card):
                hands = self._with_hand(view.seat, view.hand.without(card))
                return replace(self, public=public, actions=actions, hands=hands, drawn=None)
            case Knock(card) if card is not None:
                hands = self._with_hand(view.seat, view.hand.without(card))
                return replace(self, public=public, actions=actions, hands=hands, drawn=None, knock_card=card)
        return replace(self, public=public, actions=actions, drawn=None)

    def _drawing(self, view: View, action: Draw) -> Round:
        if not self.stock:
            if action.card is None:
                raise UnknownCard("the next card of the stock is not known in this deal")
            raise UnknownCard(f"the stock is not told as far as the {action.card.symbol}")
        card = self.stock[0]
        if action.card not in (None, card):
            message = "That is not the next card of the stock."
            raise IllegalAction(Illegality.NOT_NEXT_CARD, action, message)
        return replace(
            self,
            public=self.public.play(action),
            actions=(*self.actions, Draw(card)),
            hands=self._with_hand(view.seat, view.hand.with_card(card)),
            stock=self.stock[1:],
            drawn=card,
        )

    def _with_hand(self, seat: Seat, hand: CardSet) -> tuple[CardSet, CardSet]:
        return (hand, self.hands[1]) if seat is Seat.SOUTH else (self.hands[0], hand)
