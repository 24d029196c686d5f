"""What a player is, and the small judgements that simple players share."""

from __future__ import annotations

from typing import Protocol

from tutor.game.actions import Action, BigGin, Knock, LayOff, Settle
from tutor.game.cards import Card, CardSet
from tutor.game.layoffs import best_defence
from tutor.game.solver import deadwood
from tutor.game.view import View


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


def best_end(view: View) -> Action | None:
    """Big gin, else the knock that shows least; None when the hand cannot be ended now."""
    ends = [action for action in view.legal_actions() if isinstance(action, Knock | BigGin)]
    return min(ends, key=lambda action: _shown(view, action), default=None)


def _shown(view: View, action: Action) -> int:
    """Deadwood an ending shows; big gin counts as less than gin."""
    if isinstance(action, Knock) and action.card is not None:
        return deadwood(view.hand.without(action.card))
    return -1


def defend(view: View) -> Action:
    """The next lay-off of the best defence, or the settlement when nothing more helps."""
    melds = () if view.public.gin else view.public.table
    plan = best_defence(view.hand, melds)
    return LayOff(*plan.lay_offs[0]) if plan.lay_offs else Settle()
