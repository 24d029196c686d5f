"""Casual: plays like many people at a kitchen table, with their faults."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tutor.engine.players.base import MELDS_OF_THREE, best_end, helps, lay_off_loose, need_turn, take_if
from tutor.game.actions import Action, Discard, Phase
from tutor.game.cards import Card, CardSet
from tutor.game.solver import deadwood
from tutor.game.view import View

MEMORY = 6
"""How many of the last discards it remembers."""
HOPE = 1.2
"""Points it gives for each meld of three that a card still seems to be part of with another card of the hand."""
FEAR = 2.0
"""Points for keeping back a card beside the last one you took."""
MISJUDGED = 1
"""Most points by which it misjudges a throw, either way."""


@dataclass(frozen=True, slots=True)
class Casual:
    """A player with human faults rather than random moves; see ``policy``."""

    name: str = "Casual"
    policy: str = (
        "Takes what completes a meld. Keeps pairs and neighbours, throws high cards, and misjudges a throw by up to "
        "a point. Remembers only the last six discards, so it waits for cards that are gone, and minds only the last "
        "card you took. Knocks as soon as it can. Lays off loose cards that fit, and never breaks a meld for it."
    )

    def choose(self, view: View, seed: int) -> Action:
        """See ``Player``."""
        need_turn(view)
        match view.public.phase:
            case Phase.UPCARD | Phase.DRAW | Phase.LAST_DISCARD:
                offer = view.public.offer
                return take_if(view, offer is not None and helps(view.hand, offer))
            case Phase.DISCARD:
                return best_end(view) or _throw(view, Random(seed))
            case _:
                return lay_off_loose(view)


def _throw(view: View, random: Random) -> Action:
    gone = CardSet.of(view.public.pile[-MEMORY:])
    fits = _beside_last_taken(view)
    costs = {
        card: _cost(view.hand, card, gone) + FEAR * (card in fits) + random.uniform(-MISJUDGED, MISJUDGED)
        for card in view.hand
        if not view.public.stays(card)
    }
    return Discard(min(costs, key=lambda card: costs[card]))


def _cost(hand: CardSet, card: Card, gone: CardSet) -> float:
    """What throwing a card costs by this player's lights, in points."""
    rest = hand.without(card)
    hopes = 0
    for meld in MELDS_OF_THREE[card.index]:
        others = meld.cards.without(card)
        hopes += len(others & rest) == 1 and not others & gone
    return deadwood(rest) + HOPE * hopes


def _beside_last_taken(view: View) -> CardSet:
    """The cards that could lie in a meld of three with the last card the other side took and still holds."""
    held = view.known_theirs
    for act in reversed(view.public.acts):
        if act.seat is not view.seat and act.offer is not None and act.offer in held:
            melds = MELDS_OF_THREE[act.offer.index]
            return CardSet.of({card for meld in melds for card in meld.cards})
    return CardSet()
