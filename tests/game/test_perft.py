"""How many sequences of actions three fixed small endings have, by depth (a knock counts once a card).

The figures were counted once and written down; any change of the rules of play changes them.
"""

from __future__ import annotations

import pytest

from tutor.game.actions import Seat
from tutor.game.cards import ALL_CARDS, Card, CardSet
from tutor.game.round import Deal, Round
from tutor.game.rules import RuleSet, preset


def ending(rules: RuleSet, south: str, north: str, upcard: str, stock: str) -> Round:
    hands = (CardSet.parse(south), CardSet.parse(north))
    order = tuple(Card.parse(card) for card in stock.split())
    top = Card.parse(upcard)
    out = ALL_CARDS - hands[0] - hands[1] - CardSet.of(order).with_card(top)
    return Round.start(rules, Deal(hands, top, order, Seat.NORTH, out))


ENDINGS = {
    "knocks and lay-offs": (
        ending(
            preset("Standard"),
            "7h 7s Ac 2c 3c Jd Qd Kd 9h 8s",
            "8h 9s Th 4c 5c 4d 4h Ts Js Qs",
            "7d",
            "6h 6s 6c",
        ),
        [2, 14, 35, 248, 422, 2390, 4283],
    ),
    "big gin, and the last discard may be taken": (
        ending(
            preset("Tournament"),
            "7h 7s 7c Ac 2c 3c Jd Qd Kd 4c",
            "Ah 2h 3h 4d 6s 8c Tc Js Qs Kc",
            "7d",
            "9c 9d 9s 5c",
        ),
        [2, 20, 39, 244, 710, 6066, 13646],
    ),
    "the taken card may be thrown back": (
        ending(
            preset("OpenSpiel"),
            "Ac Ad Ah 2c 2d 2h 3c 3d 3h Ks",
            "Qc Qd Qh Jc Jd Jh Tc Td Th As",
            "2s",
            "3s Qs Js Ts",
        ),
        [2, 18, 44, 329, 883, 7481, 18718],
    ),
}  # fmt: skip


def perft(round_: Round, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(perft(round_.play(action), depth - 1) for action in round_.legal_actions())


@pytest.mark.parametrize("name", ENDINGS)
def test_perft(name: str) -> None:
    round_, counts = ENDINGS[name]
    assert [perft(round_, depth) for depth in range(1, len(counts) + 1)] == counts
