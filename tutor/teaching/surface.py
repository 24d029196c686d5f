"""What lies on the surface: what someone would do who only counts the points in the own hand."""

from __future__ import annotations

from tutor.engine.players.base import best_end, fits_a_meld
from tutor.game.actions import Action, Discard, Draw, Pass, Phase, Take
from tutor.game.solver import best_discards
from tutor.game.view import View


def surface_actions(view: View) -> frozenset[Action]:
    """The actions of a player who takes what fits a meld, throws for least deadwood, and knocks at once.

    Several throws can be alike. Nothing at the showdown, where counting is all there is.
    """
    match view.public.phase:
        case Phase.UPCARD | Phase.DRAW | Phase.LAST_DISCARD:
            offer = view.public.offer
            legal = view.legal_actions()
            if offer is not None and Take() in legal and fits_a_meld(view.hand, offer):
                return frozenset({Take()})
            return frozenset(action for action in legal if isinstance(action, Draw | Pass))
        case Phase.DISCARD:
            end = best_end(view)
            if end is not None:
                return frozenset({end})
            keep = view.drawn if view.public.stays(view.drawn) else None
            return frozenset(Discard(card) for card in best_discards(view.hand, keep).cards)
    return frozenset()
