"""Simple: the baseline player of the EAAI 2021 gin rummy challenge."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tutor.engine.players.base import best_end, defend, fits_a_meld, need_turn, take_if, throw_least
from tutor.game.actions import Action, Phase
from tutor.game.view import View


@dataclass(frozen=True, slots=True)
class Simple:
    """A yardstick, after the SimpleGinRummyPlayer of the EAAI 2021 undergraduate research challenge (T. Neller).

    The last discard, which that challenge does not offer, is taken by the same rule where it ends the hand.
    """

    name: str = "Simple"
    policy: str = (
        "Takes the face-up card exactly when it lies in some meld of the new hand. Throws at random among the cards "
        "that leave least deadwood. Knocks as soon as it can. Defends exactly."
    )

    def choose(self, view: View, seed: int) -> Action:
        """See ``Player``."""
        need_turn(view)
        match view.public.phase:
            case Phase.UPCARD | Phase.DRAW | Phase.LAST_DISCARD:
                offer = view.public.offer
                return take_if(view, offer is not None and fits_a_meld(view.hand, offer))
            case Phase.DISCARD:
                return best_end(view) or throw_least(view, Random(seed))
            case _:
                return defend(view)
