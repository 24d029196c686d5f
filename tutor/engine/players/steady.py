"""Steady: counts outs, does not feed what you took, knocks by turn and count."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from tutor.engine.players.base import MELDS_OF_THREE, best_end, defend, helps, need_turn, take_if
from tutor.game.actions import Action, BigGin, Discard, Knock, Phase
from tutor.game.cards import Card, CardSet
from tutor.game.solver import best_discards, deadwood
from tutor.game.view import View

EARLY = 6
"""Discards of both sides up to which any knock is welcome."""
LATE = 10
"""Discards of both sides from which it waits for gin only with a count of four or less."""
OUT_WORTH = 1.0
"""Points one card that helps is worth when throwing."""
FEED_COST = 0.35
"""Points for each meld of three that the thrown card could still complete for the other side."""
TAKEN_COST = 4.0
"""The same where the other side is known to hold one of the other two cards."""


@dataclass(frozen=True, slots=True)
class Steady:
    """A careful player with rules of thumb; see ``policy``."""

    name: str = "Steady"
    policy: str = (
        "Takes from the pile what lowers its deadwood in a meld. Throws the card that leaves few points and many "
        "cards that help, and avoids what fits the cards you took. Knocks at once in the first three turns. Later it "
        "waits when two or more cards make gin, from the sixth turn on only with a count of four or less. "
        "Defends exactly."
    )

    def choose(self, view: View, seed: int) -> Action:
        """See ``Player``."""
        need_turn(view)
        match view.public.phase:
            case Phase.UPCARD | Phase.DRAW | Phase.LAST_DISCARD:
                return _draw(view)
            case Phase.DISCARD:
                return _end_or_throw(view, Random(seed))
            case _:
                return defend(view)


def _draw(view: View) -> Action:
    offer = view.public.offer
    return take_if(view, offer is not None and _lowers(view, offer))


def _lowers(view: View, offer: Card) -> bool:
    if not helps(view.hand, offer):
        return False
    keep = offer if view.public.rules.taken_card_stays else None
    return best_discards(view.hand.with_card(offer), keep).deadwood < deadwood(view.hand)


def _end_or_throw(view: View, random: Random) -> Action:
    end = best_end(view)
    if end is not None and (view.public.must_end or _worth_ending(view, end)):
        return end
    thrown = [action.card for action in view.legal_actions() if isinstance(action, Discard)]
    costs = {card: _cost(view, card) for card in thrown}
    least = min(costs.values())
    return Discard(random.choice([card for card, cost in costs.items() if cost == least]))


def _worth_ending(view: View, end: Action) -> bool:
    if isinstance(end, BigGin) or not isinstance(end, Knock) or end.card is None:
        return True
    rest = view.hand.without(end.card)
    count = deadwood(rest)
    thrown = sum(isinstance(act.action, Discard) for act in view.public.acts)
    if count == 0 or thrown < EARLY or view.public.stock_count <= 4:
        return True
    return gin_outs(rest, view.unseen) < 2 or (thrown >= LATE and count >= 5)


def gin_outs(hand: CardSet, unseen: CardSet) -> int:
    """How many unseen cards would make gin with this hand of ten."""
    return sum(best_discards(hand.with_card(card)).deadwood == 0 for card in unseen)


def _cost(view: View, card: Card) -> float:
    """What throwing a card costs by this player's lights, in points."""
    rest = view.hand.without(card)
    outs = sum(helps(rest, other) for other in view.unseen)
    return deadwood(rest) - OUT_WORTH * outs + _feeding(view, card)


def _feeding(view: View, card: Card) -> float:
    known, possible = view.known_theirs, view.unseen | view.known_theirs
    cost = 0.0
    for meld in MELDS_OF_THREE[card.index]:
        others = meld.cards.without(card)
        if others <= possible:
            cost += TAKEN_COST if others & known else FEED_COST
    return cost
