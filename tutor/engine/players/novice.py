"""Novice: plays what lies on the surface."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tutor.engine.players.base import best_end, helps, lay_off_loose, need_turn, take_if
from tutor.game.actions import Action, Discard, Phase
from tutor.game.layoffs import best_arrangement
from tutor.game.solver import best_discards
from tutor.game.view import View


@dataclass(frozen=True, slots=True)
class Novice:
    """Takes only what completes a meld, throws the highest loose card, knocks at once."""

    name: str = "Novice"
    policy: str = (
        "Takes a card from the pile only when it completes a meld. Throws the highest loose card. "
        "Knocks as soon as it can. Lays off loose cards that fit, and never breaks a meld to do it."
    )

    def choose(self, view: View, seed: int) -> Action:
        """See ``Player``."""
        need_turn(view)
        match view.public.phase:
            case Phase.UPCARD | Phase.DRAW | Phase.LAST_DISCARD:
                return _draw(view)
            case Phase.DISCARD:
                return best_end(view) or _throw(view, Random(seed))
            case _:
                return lay_off_loose(view)


def _draw(view: View) -> Action:
    offer = view.public.offer
    return take_if(view, offer is not None and helps(view.hand, offer))


def _throw(view: View, random: Random) -> Action:
    keep = view.drawn if view.drawn is not None and view.public.stays(view.drawn) else None
    loose = [card for card in best_arrangement(view.hand).loose if card != keep]
    if not loose:
        loose = list(best_discards(view.hand, keep).cards)
    highest = max(card.pips for card in loose)
    return Discard(random.choice([card for card in loose if card.pips == highest]))
