"""The round as everyone at the table sees it, and all rules that can be judged from there."""

from __future__ import annotations

from collections.abc import Sequence
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
from tutor.game.cards import NO_CARDS, Card, CardSet
from tutor.game.melds import Arrangement, Meld
from tutor.game.result import Ending, Result
from tutor.game.rules import LastDiscard, RuleSet
from tutor.game.solver import deadwood

HAND = 10
"""Cards dealt to each side."""
LEFT_OVER = 2
"""Cards of the stock that are never drawn."""
NO_BIG_GIN_WORDS = "Big gin is not played under these rules: throw a card and show gin."


@dataclass(frozen=True, slots=True)
class Act:
    """One thing done at the table: who, what (as the other side saw it), and the pile's top card just before.

    ``offer`` tells a taken card from a refused one: it is None when the pile was empty or not on offer.
    """

    seat: Seat
    action: Action
    offer: Card | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicRound:
    """What both sides know of a round, after any number of actions. Start one with ``PublicRound.start``.

    ``pile`` runs from bottom to top; ``stock_count`` counts the undrawn cards; ``held`` are the cards each
    seat is known by all to hold (taken and not thrown, or shown); ``taken`` is the card taken from the pile
    in this turn; ``shown`` is the knocker's hand as shown, ``table`` its melds with lay-offs;
    ``settled`` the defender's hand as shown at the end; ``knock_card`` the knocker's face-down card once known.
    """

    rules: RuleSet
    dealer: Seat
    upcard: Card
    stock_count: int
    pile: tuple[Card, ...]
    out_of_play: CardSet = NO_CARDS
    phase: Phase = Phase.UPCARD
    turn: Seat | None
    acts: tuple[Act, ...] = ()
    held: tuple[CardSet, CardSet] = (NO_CARDS, NO_CARDS)
    taken: Card | None = None
    pile_takes: int = 0
    knocker: Seat | None = None
    shown: Arrangement | None = None
    table: tuple[Meld, ...] = ()
    laid_off: CardSet = NO_CARDS
    settled: Arrangement | None = None
    knock_card: Card | None = None
    ending: Ending | None = None

    @classmethod
    def start(
        cls, rules: RuleSet, dealer: Seat, upcard: Card, out_of_play: CardSet = NO_CARDS, *, misdeal: bool = False
    ) -> PublicRound:
        """The table after the deal. Raises ValueError when too few cards are in play."""
        stock_count = 52 - 2 * HAND - 1 - len(out_of_play)
        if upcard in out_of_play:
            raise ValueError(f"{upcard.symbol} cannot be the upcard and out of play")
        if stock_count <= LEFT_OVER:
            raise ValueError(f"the stock needs at least {LEFT_OVER + 1} cards, not {stock_count}")
        return cls(
            rules=rules,
            dealer=dealer,
            upcard=upcard,
            out_of_play=out_of_play,
            stock_count=stock_count,
            pile=(upcard,),
            phase=Phase.OVER if misdeal else Phase.UPCARD,
            turn=None if misdeal else dealer.other,
            ending=Ending.MISDEAL if misdeal else None,
        )

    @property
    def knock_limit(self) -> int:
        """Points that may be shown this hand."""
        return self.rules.knock_limit_for(self.upcard)

    @property
    def offer(self) -> Card | None:
        """The pile's top card if it may be taken now."""
        if self.phase not in (Phase.UPCARD, Phase.DRAW, Phase.LAST_DISCARD) or self.upcard_refused:
            return None
        return self.pile[-1] if self.pile else None

    @property
    def upcard_refused(self) -> bool:
        """Whether both sides have just refused the upcard."""
        return len(self.acts) == 2 and all(isinstance(act.action, Pass) for act in self.acts)

    @property
    def must_end(self) -> bool:
        """Whether the seat on turn took the last discard and so has to knock."""
        return self.phase is Phase.DISCARD and self.taken is not None and self.stock_count <= LEFT_OVER

    @property
    def gin(self) -> bool:
        """Whether the hand shown is gin or big gin."""
        return self.shown is not None and not self.shown.loose

    @property
    def defender(self) -> Seat | None:
        """The side that did not knock, once somebody has."""
        return None if self.knocker is None else self.knocker.other

    @property
    def visible(self) -> CardSet:
        """All cards whose place everyone knows."""
        bits = self.out_of_play.bits | self.held[0].bits | self.held[1].bits | self.laid_off.bits
        for card in self.pile:
            bits |= 1 << card.index
        if self.knock_card is not None:
            bits |= 1 << self.knock_card.index
        return CardSet(bits)

    @property
    def result(self) -> Result | None:
        """The facts of the round once it is over."""
        if self.ending is None:
            return None
        if self.shown is None or self.settled is None:
            return Result(self.ending, None, None, None, self.upcard)
        return Result(self.ending, self.knocker, self.shown.deadwood, self.settled.deadwood, self.upcard)

    def refusal(self, action: Action) -> IllegalAction | None:
        """Why the seat on turn may not do this, as far as everyone can judge; None when it may.

        A knock, big gin or settlement is judged by its arrangement, which must be given.
        """
        broken = self._broken(action)
        return None if broken is None else IllegalAction(broken[0], action, broken[1])

    def _broken(self, action: Action) -> tuple[Illegality, str] | None:
        wrong_time = self.wrong_time(action)
        if wrong_time is not None:
            return wrong_time
        elsewhere = self._elsewhere(action)
        if elsewhere is not None:
            return elsewhere
        match action:
            case Discard(card) if self.stays(card):
                return Illegality.TAKEN_STAYS, stays_words(card)
            case Discard():
                if self.must_end:
                    return Illegality.MUST_END, "You took the last discard to end the hand: knock now."
            case Knock(card, arrangement):
                return self._bad_knock(card, arrangement)
            case BigGin(arrangement):
                return self._bad_big_gin(arrangement)
            case LayOff(card, meld):
                return self._bad_lay_off(card, meld)
            case Settle(arrangement):
                return self._bad_settlement(arrangement)
        return None

    def wrong_time(self, action: Action) -> tuple[Illegality, str] | None:
        """The rule broken by doing this in this phase, whatever the cards."""
        match self.phase:
            case Phase.OVER:
                return Illegality.ROUND_OVER, "The hand is over. Deal the next one."
            case Phase.LAY_OFF if not isinstance(action, LayOff | Settle):
                words = (
                    "The hand is shown. Settle it."
                    if self.gin
                    else "The hand is shown. Lay off what fits, then settle."
                )
                return Illegality.AFTER_KNOCK, words
            case Phase.UPCARD | Phase.DRAW | Phase.LAST_DISCARD if isinstance(action, Discard | Knock | BigGin):
                return Illegality.DRAW_FIRST, _DRAW_FIRST_WORDS[self.phase]
            case Phase.DISCARD if isinstance(action, Draw | Take | Pass):
                rest = "Knock now." if self.must_end else "Discard, or knock if you can."
                return Illegality.ALREADY_DRAWN, f"You have your card for this turn. {rest}"
        if self.phase is not Phase.LAY_OFF and isinstance(action, LayOff | Settle):
            return Illegality.NO_KNOCK_YET, "Nobody has knocked yet. Lay-offs come after a knock."
        match action:
            case Draw() if self.phase is Phase.UPCARD:
                return Illegality.UPCARD_FIRST, "First take the upcard or pass. The stock opens when both have passed."
            case Draw() if self.phase is Phase.LAST_DISCARD:
                return Illegality.STOCK_CLOSED, "The stock is closed. Take the last discard to end the hand, or pass."
            case Pass() if self.phase is Phase.DRAW:
                return (
                    Illegality.NOTHING_TO_PASS,
                    "There is nothing to pass now. Draw from the stock or the pile.",
                )
            case Take() if self.offer is None:
                return Illegality.UPCARD_REFUSED, "Both sides passed the upcard, so it stays. Draw from the stock."
        return None

    def stays(self, card: Card | None) -> bool:
        """Whether this card may not be thrown in this turn."""
        return card is not None and card == self.taken and self.rules.taken_card_stays

    def _elsewhere(self, action: Action) -> tuple[Illegality, str] | None:
        """A card of the action that everyone sees in another place."""
        match action:
            case Discard(card) | LayOff(card):
                named = CardSet(1 << card.index)
            case Knock(card, arrangement) if arrangement is not None:
                named = arrangement.cards if card is None else arrangement.cards.with_card(card)
            case BigGin(arrangement) | Settle(arrangement) if arrangement is not None:
                named = arrangement.cards
            case _:
                return None
        for card in named & (self.visible - self.held[self.on_turn]):
            return Illegality.NOT_IN_HAND, f"{card.symbol} lies elsewhere, for everyone to see. Choose another card."
        return None

    def _bad_knock(self, card: Card | None, arrangement: Arrangement | None) -> tuple[Illegality, str] | None:
        if card is not None and self.stays(card):
            return Illegality.TAKEN_STAYS, stays_words(card)
        if arrangement is None:
            raise ValueError("a knock is judged by the arrangement it shows")
        hidden = self.held[self.on_turn] - arrangement.cards
        thrown = hidden if card is None else CardSet(1 << card.index)
        if len(arrangement.cards) != HAND or len(hidden) > 1 or not hidden <= thrown or thrown & arrangement.cards:
            return Illegality.NOT_THESE_CARDS, "Show exactly the ten cards that are left after the one you throw."
        if self.taken is not None and self.stays(self.taken) and self.taken in hidden:
            return Illegality.TAKEN_STAYS, stays_words(self.taken)
        if arrangement.deadwood > self.knock_limit:
            return Illegality.OVER_LIMIT, self.over_limit_words(arrangement.deadwood)
        return None

    def over_limit_words(self, count: int, knocks: Sequence[Card] = ()) -> str:
        """Why a hand of this many points may not knock; ``knocks`` are the throws with which it could."""
        why = f"You would show {count}, and the limit is {self.knock_limit}."
        if self.knock_limit == 0:
            why = f"Only gin ends this hand, and {count} would be loose."
        if knocks:
            return f"{why} You can end the hand by throwing {' or '.join(card.symbol for card in knocks)}."
        return f"{why} Discard and play on."

    def not_all_melded_words(self) -> str:
        """Why a hand may not be shown as big gin."""
        return f"Big gin needs all eleven cards in melds. {'Knock' if self.must_end else 'Discard, or knock'} instead."

    def _bad_big_gin(self, arrangement: Arrangement | None) -> tuple[Illegality, str] | None:
        if not self.rules.big_gin:
            return Illegality.NO_BIG_GIN, NO_BIG_GIN_WORDS
        if arrangement is None:
            raise ValueError("big gin is judged by the arrangement it shows")
        if arrangement.loose:
            return Illegality.NOT_ALL_MELDED, self.not_all_melded_words()
        if len(arrangement.cards) != HAND + 1 or not self.held[self.on_turn] <= arrangement.cards:
            return Illegality.NOT_THESE_CARDS, "Show exactly your eleven cards."
        return None

    def _bad_lay_off(self, card: Card, meld: Meld) -> tuple[Illegality, str] | None:
        if self.gin:
            return Illegality.NO_LAY_OFF_AFTER_GIN, "Nothing is laid off on gin. Settle the hand."
        if meld not in self.table:
            return Illegality.NOT_ON_TABLE, "That meld does not lie on the table. Choose one that does."
        if card not in meld.fits:
            return (
                Illegality.DOES_NOT_FIT,
                f"{card.symbol} does not fit the {meld.inline}. Choose another card or meld.",
            )
        return None

    def _bad_settlement(self, arrangement: Arrangement | None) -> tuple[Illegality, str] | None:
        if arrangement is None:
            raise ValueError("a settlement shows the defender's cards")
        left = HAND - len(self.laid_off)
        if len(arrangement.cards) != left or not self.held[self.on_turn] <= arrangement.cards:
            return Illegality.NOT_THESE_CARDS, f"Show exactly the {left} cards that are left."
        least = deadwood(arrangement.cards)
        if arrangement.deadwood != least:
            words = f"These cards can be laid out with {least} loose, not {arrangement.deadwood}."
            return Illegality.NOT_BEST_MELDS, words
        return None

    @property
    def on_turn(self) -> Seat:
        """The seat that has to act; ValueError when the round is over."""
        if self.turn is None:
            raise ValueError("the hand is over: nobody is on turn")
        return self.turn

    def play(self, action: Action, knock_card: Card | None = None) -> PublicRound:
        """The table after the seat on turn did this. Hidden cards in the action are left out of sight.

        ``knock_card`` goes with the settlement: the card the knocker threw face down, where it is known.
        Raises IllegalAction.
        """
        illegal = self.refusal(action)
        if illegal is not None:
            raise illegal
        seat = self.on_turn
        acts = (*self.acts, Act(seat, _as_seen(action), self.offer))
        match action:
            case Pass():
                return self._passed(acts, seat)
            case Take():
                top = self.pile[-1]
                return replace(
                    self,
                    acts=acts,
                    pile=self.pile[:-1],
                    phase=Phase.DISCARD,
                    taken=top,
                    held=self._holding(seat, self.held[seat].with_card(top)),
                    pile_takes=self.pile_takes + 1,
                )
            case Draw():
                return replace(
                    self, acts=acts, stock_count=self.stock_count - 1, phase=Phase.DISCARD, taken=None, pile_takes=0
                )
            case Discard(card):
                return self._discarded(acts, seat, card)
            case Knock(_, arrangement) | BigGin(arrangement):
                return self._ended_by(acts, seat, arrangement)
            case LayOff(card, meld):
                extended = tuple(m.extended(card) if m == meld else m for m in self.table)
                return replace(
                    self,
                    acts=acts,
                    table=extended,
                    laid_off=self.laid_off.with_card(card),
                    held=self._holding(seat, self.held[seat].without(card)),
                )
            case Settle(arrangement):
                return self._settled(acts, seat, arrangement, knock_card)

    def _passed(self, acts: tuple[Act, ...], seat: Seat) -> PublicRound:
        if self.phase is Phase.LAST_DISCARD:
            return replace(self, acts=acts, phase=Phase.OVER, turn=None, ending=Ending.DEAD)
        phase = Phase.DRAW if seat is self.dealer else Phase.UPCARD
        return replace(self, acts=acts, phase=phase, turn=seat.other)

    def _discarded(self, acts: tuple[Act, ...], seat: Seat, card: Card) -> PublicRound:
        after = replace(
            self,
            acts=acts,
            pile=(*self.pile, card),
            held=self._holding(seat, self.held[seat].without(card)),
            taken=None,
            phase=Phase.DRAW,
            turn=seat.other,
        )
        if self.stock_count <= LEFT_OVER:
            if self.rules.last_discard is LastDiscard.TAKE_TO_END:
                return replace(after, phase=Phase.LAST_DISCARD)
            return replace(after, phase=Phase.OVER, turn=None, ending=Ending.DEAD)
        if self.pile_takes >= self.rules.pile_limit:
            return replace(after, phase=Phase.OVER, turn=None, ending=Ending.PILE_LIMIT)
        return after

    def _ended_by(self, acts: tuple[Act, ...], seat: Seat, arrangement: Arrangement | None) -> PublicRound:
        assert arrangement is not None
        hidden = self.held[seat] - arrangement.cards
        return replace(
            self,
            acts=acts,
            phase=Phase.LAY_OFF,
            turn=seat.other,
            taken=None,
            knocker=seat,
            shown=arrangement,
            table=arrangement.melds,
            held=self._holding(seat, arrangement.cards),
            # A card known to be held that is not shown can only be the one lying face down.
            knock_card=next(iter(hidden), None),
        )

    def _settled(
        self, acts: tuple[Act, ...], seat: Seat, arrangement: Arrangement | None, knock_card: Card | None
    ) -> PublicRound:
        assert arrangement is not None
        assert self.shown is not None
        big = len(self.shown.cards) == HAND + 1
        return replace(
            self,
            acts=acts,
            phase=Phase.OVER,
            turn=None,
            settled=arrangement,
            held=self._holding(seat, arrangement.cards),
            knock_card=self.knock_card if knock_card is None else knock_card,
            ending=Ending.BIG_GIN if big else Ending.GIN if self.gin else Ending.KNOCK,
        )

    def _holding(self, seat: Seat, cards: CardSet) -> tuple[CardSet, CardSet]:
        return (cards, self.held[1]) if seat is Seat.SOUTH else (self.held[0], cards)


def _as_seen(action: Action) -> Action:
    """The action as the other side sees it."""
    match action:
        case Draw():
            return Draw()
        case Knock(_, arrangement):
            return Knock(None, arrangement)
    return action


def stays_words(card: Card) -> str:
    """Why a card just taken may not be thrown."""
    return f"You took the {card.symbol} this turn, so it stays in your hand until your next turn. Choose another card."


_DRAW_FIRST_WORDS = {
    Phase.UPCARD: "Take the upcard or pass first.",
    Phase.DRAW: "Draw a card first, from the stock or the pile.",
    Phase.LAST_DISCARD: "Take the last discard first, or pass.",
}
