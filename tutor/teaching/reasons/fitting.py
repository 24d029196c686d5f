"""Counts over hands sampled from the belief: "about 3 in 10 fitting hands take it".

A fitting hand is one the other side may hold after all it was seen to do; the same view, seed and number give the same
hands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from tutor.engine.belief import sampled_hands
from tutor.game.cards import Card, CardSet
from tutor.game.layoffs import best_defence
from tutor.game.melds import Arrangement
from tutor.game.public import LEFT_OVER
from tutor.game.rules import RuleSet, Tie
from tutor.game.solver import deadwood
from tutor.game.view import View
from tutor.teaching.reasons.counts import melds_of_three

SHOWN = 5
"""Fitting hands shown beside a count."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """Which hands are looked at: the seed and how many."""

    seed: int
    hands: int

    def of(self, view: View) -> tuple[CardSet, ...]:
        """The hands, in the order drawn. Raises ValueError for a hand that is shown."""
        return _hands(view, self.seed, self.hands)


@lru_cache(maxsize=32)
def _hands(view: View, seed: int, count: int) -> tuple[CardSet, ...]:
    return tuple(sampled_hands(view, count, seed=seed))


def takes(hand: CardSet, card: Card) -> bool:
    """Whether ten cards take this one: it lies in a meld after their best throw, and they have less loose than before.

    The best throw leaves least deadwood and is never the card itself.
    """
    if not any(rest <= hand for rest in melds_of_three(card)):
        return False
    now = deadwood(hand)
    after = {thrown: deadwood(hand.with_card(card).without(thrown)) for thrown in hand}
    least = min(after.values())
    if least >= now:
        return False
    best = (thrown for thrown, count in after.items() if count == least)
    return any(least < deadwood(hand.without(thrown)) + card.pips for thrown in best)


def ends_with(hand: CardSet, card: Card, rules: RuleSet, limit: int) -> bool:
    """Whether ten cards could end the hand with this one: nobody may take the last discard for less."""
    eleven = hand.with_card(card)
    if rules.big_gin and not deadwood(eleven):
        return True
    throws = hand if rules.taken_card_stays else eleven
    return any(deadwood(eleven.without(thrown)) <= limit for thrown in throws)


def takers(view: View, card: Card, sampling: Sampling) -> Iterator[CardSet]:
    """The fitting hands that take this card, in the order drawn, as often as drawn."""
    public = view.public
    found = (hand for hand in sampling.of(view) if takes(hand, card))
    if public.stock_count > LEFT_OVER:
        return found
    return (hand for hand in found if ends_with(hand, card, public.rules, public.knock_limit))


def punished(view: View, card: Card, sampling: Sampling) -> tuple[int, tuple[CardSet, ...]]:
    """How many of the fitting hands take this card, and the first different ones to show."""
    found = list(takers(view, card, sampling))
    return len(found), tuple(dict.fromkeys(found))[:SHOWN]


def catch(view: View, shown: Arrangement, sampling: Sampling) -> int:
    """How many of the fitting hands would undercut this knock now, lay-offs and ties by the rules included."""
    if not shown.deadwood:
        return 0
    ties = view.public.rules.tie is Tie.UNDERCUT
    limit = shown.deadwood if ties else shown.deadwood - 1
    return sum(best_defence(hand, shown.melds).deadwood <= limit for hand in sampling.of(view))


def theirs_of(view: View, cards: CardSet, sampling: Sampling) -> int:
    """How many of these cards the fitting hands hold, all hands added up."""
    return sum((hand.bits & cards.bits).bit_count() for hand in sampling.of(view))
