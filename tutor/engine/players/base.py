"""What a player is, and the small judgements that simple players share."""

from __future__ import annotations

from random import Random
from typing import Protocol

from tutor.game.actions import Action, BigGin, Discard, Draw, Knock, LayOff, Pass, Settle, Take
from tutor.game.cards import Card, CardSet
from tutor.game.layoffs import best_arrangement, best_defence
from tutor.game.melds import MELDS, Meld
from tutor.game.solver import best_discards, deadwood
from tutor.game.view import View

MELDS_OF_THREE: tuple[tuple[Meld, ...], ...] = tuple(
    tuple(meld for bits, meld in MELDS.items() if len(meld.cards) == 3 and bits >> index & 1) for index in range(52)
)
"""The melds of three that a card can lie in, by the card's index."""


class Player(Protocol):
    """Someone who decides from what one seat knows."""

    @property
    def name(self) -> str:
        """The player's name, as the opponent list shows it."""

    @property
    def policy(self) -> str:
        """How it plays, in words, told before the game."""

    def choose(self, view: View, seed: int) -> Action:
        """A legal action for the seat on turn. Same view and seed, same answer.

        Raises ValueError when the seat is not on turn.
        """


def need_turn(view: View) -> None:
    """Refuse to choose out of turn; ValueError."""
    if not view.my_turn:
        raise ValueError(f"{view.seat.label} is not on turn")


def helps(hand: CardSet, card: Card) -> bool:
    """Whether a card joins the melds of the hand or makes a new one that lowers its deadwood."""
    return deadwood(hand.with_card(card)) < deadwood(hand) + card.pips


def fits_a_meld(hand: CardSet, card: Card) -> bool:
    """Whether a card lies in any meld of the hand with it, in the best arrangement or not.

    Every longer meld has one of three around each of its cards, so those are enough.
    """
    whole = hand.with_card(card)
    return any(meld.cards <= whole for meld in MELDS_OF_THREE[card.index])


def take_if(view: View, wanted: bool) -> Action:
    """Take the face-up card where that is wanted and allowed; else draw, or pass where there is no drawing."""
    legal = view.legal_actions()
    if wanted and Take() in legal:
        return Take()
    return Draw() if Draw() in legal else Pass()


def throw_least(view: View, random: Random) -> Action:
    """A throw at random among those that leave least deadwood."""
    keep = view.drawn if view.public.stays(view.drawn) else None
    return Discard(random.choice(list(best_discards(view.hand, keep).cards)))


def best_end(view: View) -> Action | None:
    """Big gin, else the knock that shows least; None when the hand cannot be ended now."""
    ends = [action for action in view.legal_actions() if isinstance(action, Knock | BigGin)]
    return min(ends, key=lambda action: _shown(view, action), default=None)


def _shown(view: View, action: Action) -> int:
    """Deadwood an ending shows; big gin counts as less than gin."""
    if isinstance(action, Knock) and action.card is not None:
        return deadwood(view.hand.without(action.card))
    return -1


def turns_begun(view: View) -> int:
    """How many turns this seat has begun with a card, the present one included."""
    return sum(act.seat is view.seat and isinstance(act.action, Draw | Take) for act in view.public.acts)


def defend(view: View) -> Action:
    """The next lay-off of the best defence, or the settlement when nothing more helps."""
    melds = () if view.public.gin else view.public.table
    plan = best_defence(view.hand, melds)
    return LayOff(*plan.lay_offs[0]) if plan.lay_offs else Settle()


def lay_off_loose(view: View) -> Action:
    """The next loose card that fits, melds never broken for it; the settlement when none is left."""
    loose = best_arrangement(view.hand).loose
    fitting = (action for action in view.legal_actions() if isinstance(action, LayOff) and action.card in loose)
    return next(fitting, Settle())
