"""Camper: knocks at once or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tutor.engine.players.base import best_end, defend, fits_a_meld, need_turn, take_if, throw_least, turns_begun
from tutor.game.actions import Action, Knock, Phase
from tutor.game.cards import Card
from tutor.game.solver import best_discards, deadwood
from tutor.game.view import View

KNOCKING_TURNS = 2
"""Own turns in which it knocks with a card loose."""


@dataclass(frozen=True, slots=True)
class Camper:
    """A yardstick that lies in wait for gin."""

    name: str = "Camper"
    policy: str = (
        "Draws and throws like Simple: takes the face-up card exactly when it lies in some meld of the new hand, "
        "throws at random among the cards that leave least deadwood. Knocks only in its first two turns, afterwards "
        "it goes for gin; the last discard it takes only to end the hand that way. Defends exactly."
    )

    def choose(self, view: View, seed: int) -> Action:
        """See ``Player``."""
        need_turn(view)
        offer = view.public.offer
        match view.public.phase:
            case Phase.UPCARD | Phase.DRAW:
                return take_if(view, offer is not None and fits_a_meld(view.hand, offer))
            case Phase.LAST_DISCARD:
                return take_if(view, offer is not None and _may_end_with(view, offer))
            case Phase.DISCARD:
                return _end(view) or throw_least(view, Random(seed))
            case _:
                return defend(view)


def _end(view: View) -> Action | None:
    end = best_end(view)
    if isinstance(end, Knock) and end.card is not None and not view.public.must_end:
        gin = deadwood(view.hand.without(end.card)) == 0
        return end if gin or turns_begun(view) <= KNOCKING_TURNS else None
    return end


def _may_end_with(view: View, last: Card) -> bool:
    """Whether its policy allows the ending that the last discard makes possible."""
    if turns_begun(view) < KNOCKING_TURNS:
        return True
    hand = view.hand.with_card(last)
    keep = last if view.public.rules.taken_card_stays else None
    return best_discards(hand, keep).deadwood == 0 or (view.public.rules.big_gin and deadwood(hand) == 0)
