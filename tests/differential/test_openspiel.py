"""Ten-card deadwood against OpenSpiel, where it is installed (the ``oracle`` extra).

Only its ten-card value is a sound oracle: its values for eleven cards, some knocks and ties are known to be
wrong (docs/DESIGN.md).
"""

from __future__ import annotations

import random

from tests.conftest import missing
from tests.helpers import random_hand, rich_hand
from tutor.game.cards import CardSet
from tutor.game.solver import deadwood

HANDS = 20_000
OPENSPIEL_SUITS = "scdh"


def openspiel_numbers(hand: CardSet) -> list[int]:
    return [13 * OPENSPIEL_SUITS.index(card.suit.letter) + card.rank - 1 for card in hand]


def test_deadwood_of_ten_cards() -> None:
    try:
        import pyspiel
    except ImportError:
        missing("open-spiel")
    judge = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    random_ = random.Random(7)
    for number in range(HANDS):
        hand = (random_hand, rich_hand)[number % 2](random_, 10)
        assert deadwood(hand) == judge.min_deadwood(openspiel_numbers(hand)), hand
