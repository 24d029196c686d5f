"""The round as one seat knows it: the only thing that players, the coach and the screen are given."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tutor.game.actions import (
    Action,
    BigGin,
    Discard,
    Draw,
    IllegalAction,
    Illegality,
    Knock,
    LayOff,
    Pass,
    Phase,
    Seat,
    Settle,
    Take,
)
from tutor.game.cards import ALL_CARDS, Card, CardSet
from tutor.game.layoffs import best_arrangement
from tutor.game.melds import Arrangement
from tutor.game.public import HAND, NO_BIG_GIN_WORDS, PublicRound, stays_words
from tutor.game.result import LEVEL, Standing
from tutor.game.solver import deadwood


@dataclass(frozen=True, slots=True)
class View:
    """What one seat knows: the public round, its own cards, the standing of the game.

    ``drawn`` is the card this seat drew or took in this turn; ``knock_card`` the card it threw face down.
    Holds values only, so two views of equal knowledge are equal.
    """

    public: PublicRound
    seat: Seat
    hand: CardSet
    drawn: Card | None = None
    standing: Standing = LEVEL
    knock_card: Card | None = None

    @classmethod
    def start(
        cls,
        public: PublicRound,
        seat: Seat,
        hand: CardSet,
        standing: Standing = LEVEL,
    ) -> View:
        """A seat's view right after the deal. Raises ValueError when the cards cannot be right."""
        if len(hand) != HAND:
            raise ValueError(f"a dealt hand has {HAND} cards, not {len(hand)}")
        double = hand & public.visible
        if double:
            raise ValueError(f"{next(iter(double)).symbol} cannot be dealt and lie on the table or out of play")
        return cls(public, seat, hand, None, standing)

    @property
    def unseen(self) -> CardSet:
        """The cards this seat cannot place: the stock and what the other side holds unknown to it."""
        bits = self.public.visible.bits | self.hand.bits
        if self.knock_card is not None:
            bits |= 1 << self.knock_card.index
        return CardSet(ALL_CARDS.bits & ~bits)

    @property
    def known_theirs(self) -> CardSet:
        """The cards this seat knows the other side to hold."""
        return self.public.held[self.seat.other]

    @property
    def theirs(self) -> CardSet:
        """The cards the other side may hold: the unseen ones and those it is known to hold."""
        return self.unseen | self.known_theirs

    @property
    def unknown_theirs(self) -> int:
        """How many of the other side's cards this seat does not know, a face-down knock card included."""
        public = self.public
        other = self.seat.other
        if public.knocker is other:
            return 1 if public.knock_card is None and len(public.held[other]) == HAND else 0
        if public.settled is not None:
            return 0
        drawing = public.turn is other and public.phase is Phase.DISCARD
        laid = len(public.laid_off) if public.knocker is self.seat else 0
        return HAND + drawing - laid - len(public.held[other])

    @property
    def my_turn(self) -> bool:
        """Whether this seat has to act."""
        return self.public.turn is self.seat

    def legal_actions(self) -> tuple[Action, ...]:
        """Everything this seat may do now; a knock once a card, with the proposed arrangement."""
        if not self.my_turn:
            return ()
        public = self.public
        match public.phase:
            case Phase.UPCARD:
                return Take(), Pass()
            case Phase.DRAW:
                return (Draw(),) if public.offer is None else (Draw(), Take())
            case Phase.LAST_DISCARD:
                return (Take(), Pass()) if self._could_end_with(public.pile[-1]) else (Pass(),)
            case Phase.DISCARD:
                return self._throws()
            case _:
                return *self._lay_offs(), Settle()

    def _throws(self) -> tuple[Action, ...]:
        throwable = [card for card in self.hand if not self.public.stays(card)]
        discards = () if self.public.must_end else tuple(Discard(card) for card in throwable)
        limit = self.public.knock_limit
        knocks = tuple(Knock(card) for card in throwable if deadwood(self.hand.without(card)) <= limit)
        big = (BigGin(),) if self.public.rules.big_gin and deadwood(self.hand) == 0 else ()
        return *discards, *knocks, *big

    def _lay_offs(self) -> tuple[Action, ...]:
        if self.public.gin:
            return ()
        return tuple(LayOff(card, meld) for meld in self.public.table for card in meld.fits & self.hand)

    def _could_end_with(self, card: Card) -> bool:
        hand = self.hand.with_card(card)
        if self.public.rules.big_gin and deadwood(hand) == 0:
            return True
        keep = card if self.public.rules.taken_card_stays else None
        limit = self.public.knock_limit
        return any(deadwood(hand.without(thrown)) <= limit for thrown in hand if thrown != keep)

    def check(self, action: Action) -> Illegality | None:
        """The rule this action would break, or None when this seat may do it now."""
        refusal = self.refusal(action)
        return None if refusal is None else refusal.why

    def refusal(self, action: Action) -> IllegalAction | None:
        """The same as ``check``, with words a player can act on."""
        if self.public.turn is not None and not self.my_turn:
            message = f"It is {self.public.turn.label}'s turn. Wait for it to end."
            return IllegalAction(Illegality.NOT_YOUR_TURN, action, message)
        wrong_time = self.public.wrong_time(action)
        broken = self._broken(action) if wrong_time is None else wrong_time
        if broken is not None:
            return IllegalAction(broken[0], action, broken[1])
        if isinstance(action, Knock | BigGin | Settle) and action.arrangement is None:
            return None
        return self.public.refusal(action)

    def _broken(self, action: Action) -> tuple[Illegality, str] | None:
        """The rule broken as far as it takes this seat's cards to see it."""
        match action:
            case Take() if self.public.phase is Phase.LAST_DISCARD and not self._could_end_with(self.public.pile[-1]):
                return Illegality.CANNOT_END, "You could not end the hand with the last discard. Pass."
            case Draw(card) if card is not None and card not in self.unseen:
                return Illegality.NOT_NEXT_CARD, f"{card.symbol} cannot come from the stock."
            case Knock(None):
                return Illegality.NOT_IN_HAND, "Choose the card you throw face down."
            case Discard(card) | Knock(card) | LayOff(card) if card is not None and card not in self.hand:
                return Illegality.NOT_IN_HAND, f"{card.symbol} is not in your hand. Choose one of your cards."
            case Knock(card) if card is not None and self.public.stays(card):
                return Illegality.TAKEN_STAYS, stays_words(card)
            case Knock(card, None) if card is not None:
                return self._over_limit(deadwood(self.hand.without(card)))
            case Knock(card, arrangement) if card is not None and arrangement is not None:
                wrong = self._not_these(arrangement.cards, self.hand.without(card))
                return wrong or self._over_limit(arrangement.deadwood)
            case BigGin(None) if not self.public.rules.big_gin:
                return Illegality.NO_BIG_GIN, NO_BIG_GIN_WORDS
            case BigGin(None) if deadwood(self.hand):
                return Illegality.NOT_ALL_MELDED, self.public.not_all_melded_words()
            case BigGin(arrangement) | Settle(arrangement) if arrangement is not None:
                return self._not_these(arrangement.cards, self.hand)
        return None

    def _over_limit(self, count: int) -> tuple[Illegality, str] | None:
        """A refusal of a count above the limit; it names the throws that would do."""
        if count <= self.public.knock_limit:
            return None
        knocks = [action.card for action in self._throws() if isinstance(action, Knock) and action.card is not None]
        return Illegality.OVER_LIMIT, self.public.over_limit_words(count, knocks)

    def _not_these(self, shown: CardSet, hand: CardSet) -> tuple[Illegality, str] | None:
        if shown == hand:
            return None
        for card in shown - hand:
            return Illegality.NOT_THESE_CARDS, f"{card.symbol} is not yours to show. Show exactly your own cards."
        missing = next(iter(hand - shown))
        return Illegality.NOT_THESE_CARDS, f"The {missing.symbol} is missing. Show exactly your own cards."

    def proposed(self, cards: CardSet) -> Arrangement:
        """How the table would lay out these cards: least deadwood, then least exposed to the other side."""
        return best_arrangement(cards, self.theirs, self.known_theirs)

    def completed(self, action: Action) -> Action:
        """The action with the proposed arrangement filled in where none was chosen."""
        match action:
            case Knock(card, None) if card is not None:
                return Knock(card, self.proposed(self.hand.without(card)))
            case BigGin(None):
                return BigGin(self.proposed(self.hand))
            case Settle(None):
                return Settle(self.proposed(self.hand))
        return action

    def after(self, action: Action, knock_card: Card | None = None) -> View:
        """This seat's view once the seat on turn did this, so that a hand known from one seat can be replayed.

        An own draw must name its card; of the other side only what was seen counts. ``knock_card`` goes with a
        settlement: the face-down card, where it became known. Raises IllegalAction.
        """
        if self.public.turn is self.seat:
            return self._after_mine(action, knock_card)
        refusal = self._impossible(action)
        if refusal is not None:
            raise refusal
        return replace(self, public=self.public.play(action, knock_card or self.knock_card))

    def _after_mine(self, action: Action, knock_card: Card | None) -> View:
        refusal = self.refusal(action)
        if refusal is not None:
            raise refusal
        action = self.completed(action)
        match action:
            case Draw(None):
                raise ValueError("which card was drawn has to be told")
            case Take():
                card = self.public.pile[-1]
                return replace(self, public=self.public.play(action), hand=self.hand.with_card(card), drawn=card)
            case Draw(card) if card is not None:
                return replace(self, public=self.public.play(action), hand=self.hand.with_card(card), drawn=card)
            case Discard(card) | LayOff(card):
                return replace(self, public=self.public.play(action), hand=self.hand.without(card), drawn=None)
            case Knock(card) if card is not None:
                public = self.public.play(action)
                return replace(self, public=public, hand=self.hand.without(card), drawn=None, knock_card=card)
        return replace(self, public=self.public.play(action, knock_card), drawn=None)

    def _impossible(self, action: Action) -> IllegalAction | None:
        """Why the other side cannot have done this, as far as this seat knows."""
        match action:
            case Draw(card) if card is not None:
                message = "Only they see which card they drew."
                return IllegalAction(Illegality.NOT_NEXT_CARD, action, message)
            case Discard(card) | LayOff(card):
                named = CardSet(1 << card.index)
            case Knock(card, arrangement) if arrangement is not None:
                named = arrangement.cards if card is None else arrangement.cards.with_card(card)
            case BigGin(arrangement) | Settle(arrangement) if arrangement is not None:
                named = arrangement.cards
            case Knock() | BigGin() | Settle():
                message = "The cards they showed have to be told."
                return IllegalAction(Illegality.NOT_THESE_CARDS, action, message)
            case _:
                return None
        for card in named - self.theirs:
            message = f"{card.symbol} cannot be in their hand: its place is known."
            return IllegalAction(Illegality.NOT_IN_HAND, action, message)
        if len(named - self.known_theirs) > self.unknown_theirs:
            message = "They cannot hold these cards beside those they are known to hold."
            return IllegalAction(Illegality.NOT_THESE_CARDS, action, message)
        return None
