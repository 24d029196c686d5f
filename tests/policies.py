"""Players for the tests only, made to reach what good players seldom reach."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tutor.engine.players.base import best_end, defend, helps
from tutor.game.actions import Action, BigGin, Discard, Draw, Knock, LayOff, Phase, Settle, Take
from tutor.game.solver import best_discards, deadwood
from tutor.game.view import View


@dataclass(frozen=True)
class AnyLegal:
    """Any legal action, each equally likely."""

    name: str = "any legal"
    policy: str = "any legal action"

    def choose(self, view: View, seed: int) -> Action:
        return Random(seed).choice(view.legal_actions())


def thrown(view: View, random: Random) -> Action:
    """A throw that leaves least deadwood."""
    keep = view.drawn if view.drawn is not None and view.public.stays(view.drawn) else None
    best = best_discards(view.hand, keep).cards
    return Discard(random.choice(list(best)))


def useful_draw(view: View) -> Action:
    legal = view.legal_actions()
    offer = view.public.offer
    if offer is not None and Take() in legal and helps(view.hand, offer):
        return Take()
    return legal[0] if legal[0] != Take() else legal[-1]


@dataclass(frozen=True)
class KnocksAtOnce:
    """Least deadwood, knocks at once, lays off whatever fits in any order."""

    name: str = "knocks at once"
    policy: str = "least deadwood"

    def choose(self, view: View, seed: int) -> Action:
        random = Random(seed)
        match view.public.phase:
            case Phase.DISCARD:
                return best_end(view) or thrown(view, random)
            case Phase.LAY_OFF:
                lay_offs = [action for action in view.legal_actions() if isinstance(action, LayOff)]
                return random.choice(lay_offs) if lay_offs else Settle()
        return useful_draw(view)


@dataclass(frozen=True)
class OnlyGins:
    """Never knocks with a card loose; shows big gin when it has it."""

    name: str = "only gins"
    policy: str = "gin or nothing"

    def choose(self, view: View, seed: int) -> Action:
        match view.public.phase:
            case Phase.DISCARD:
                end = best_end(view)
                if isinstance(end, Knock) and end.card is not None and deadwood(view.hand.without(end.card)):
                    end = end if view.public.must_end else None
                return end or thrown(view, Random(seed))
            case Phase.LAY_OFF:
                return defend(view)
        return useful_draw(view)


@dataclass(frozen=True)
class WaitsForBigGin:
    """Melds as much as it can and goes on drawing until all eleven lie in melds."""

    name: str = "waits for big gin"
    policy: str = "big gin or nothing"

    def choose(self, view: View, seed: int) -> Action:
        legal = view.legal_actions()
        match view.public.phase:
            case Phase.DISCARD:
                if BigGin() in legal:
                    return BigGin()
                end = best_end(view)
                return end if view.public.must_end and end is not None else thrown(view, Random(seed))
            case Phase.LAY_OFF:
                return defend(view)
        return useful_draw(view)


@dataclass(frozen=True)
class TakesThePile:
    """Always takes the pile and never ends the hand."""

    name: str = "takes the pile"
    policy: str = "takes whatever lies open"

    def choose(self, view: View, seed: int) -> Action:
        legal = view.legal_actions()
        match view.public.phase:
            case Phase.DISCARD:
                discards = [action for action in legal if isinstance(action, Discard)]
                return Random(seed).choice(discards or list(legal))
            case Phase.LAY_OFF:
                return Settle()
        return Take() if Take() in legal else legal[-1]


@dataclass(frozen=True)
class NeverKnocks:
    """Draws from the stock to the end, and takes a last discard only when it can end the hand with it."""

    name: str = "never knocks"
    policy: str = "plays to the end of the stock"

    def choose(self, view: View, seed: int) -> Action:
        legal = view.legal_actions()
        match view.public.phase:
            case Phase.DISCARD:
                end = best_end(view)
                return end if view.public.must_end and end is not None else thrown(view, Random(seed))
            case Phase.LAY_OFF:
                return defend(view)
            case Phase.LAST_DISCARD:
                return Take() if Take() in legal else legal[-1]
        return Draw() if Draw() in legal else legal[-1]
