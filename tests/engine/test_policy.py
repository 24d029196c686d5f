"""What the policy's words promise, whatever its parameters: suits are alike, danger counts melds, ends are chosen."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from numba import njit

from tests import naive
from tests.differential.test_naive import plain
from tests.engine.brute import lanes
from tests.helpers import rich_hand
from tutor.engine import styles
from tutor.engine.kernel import policy as kernel
from tutor.engine.kernel.policy import PARAMETERS, row
from tutor.game.cards import DECK, Card, CardSet
from tutor.game.solver import arrangements, best_discards, deadwood


@njit(cache=True)
def thrown(
    policy: Any, hands: Any, keeps: Any, seen: Any, known: Any, theirs: Any, turns: Any, seed: Any, cards: Any
) -> None:
    for at in range(hands.size):
        cards[at], _ = kernel.throws(policy, hands[at], keeps[at], seen[at], known[at], theirs[at], turns[at], seed)


@njit(cache=True)
def dangers(policy: Any, cards: Any, places: Any, available: Any, known: Any, found: Any) -> None:
    for at in range(cards.size):
        found[at] = kernel._danger(policy, cards[at], places[at], available[at], known[at])


@njit(cache=True)
def taken(policy: Any, hands: Any, offers: Any, turns: Any, stays: Any, found: Any) -> None:
    for at in range(hands.size):
        found[at] = kernel.takes(policy, hands[at], offers[at], turns[at], stays)


@njit(cache=True)
def ended(policy: Any, shown: Any, points: Any, turns: Any, stock: Any, found: Any) -> None:
    for at in range(shown.size):
        found[at] = kernel.wants_to_end(policy, shown[at], points[at], 0, turns[at], stock, True)


def melds_of_three(card: Card) -> list[set[Card]]:
    """The other two cards of every meld of three with this card."""
    rest = [other for other in DECK if other != card]
    close = [c for c in rest if c.rank == card.rank or (c.suit == card.suit and abs(c.rank - card.rank) <= 2)]
    found = []
    for one, two in combinations(close, 2):
        if naive.is_meld(plain(CardSet.of([card, one, two]))):
            found.append({one, two})
    return found


@pytest.mark.parametrize("card", DECK, ids=str)
def test_danger_counts_the_melds_of_three_the_card_could_complete(card: Card) -> None:
    random_ = random.Random(card.index)
    rest = [other for other in DECK if other != card]
    available = [CardSet.of(random_.sample(rest, random_.randint(5, 51))) for _ in range(40)] + [CardSet()]
    known = [CardSet.of(random_.sample(list(cards), min(len(cards), random_.randint(0, 9)))) for cards in available]
    weights = row(danger=1.0, danger_known=100.0, danger_both=10_000.0)
    found = np.zeros(len(available))
    one, place = lanes(CardSet.of([card])), lanes(CardSet.of([card])).bit_length() - 1
    dangers(
        weights, np.full(len(available), one), np.full(len(available), place), np.array([lanes(c) for c in available]),
        np.array([lanes(c) for c in known]), found,
    )  # fmt: skip
    for at, value in enumerate(found):
        possible = [pair for pair in melds_of_three(card) if all(other in available[at] for other in pair)]
        held = [sum(other in known[at] for other in pair) for pair in possible]
        assert value == len(held) + 100 * sum(n >= 1 for n in held) + 10_000 * sum(n == 2 for n in held)


def some_throws(count: int) -> dict[str, list[CardSet]]:
    """Hands of eleven, cards that may not be thrown, seen cards, cards they hold, cards they threw."""
    random_ = random.Random(3)
    columns: dict[str, list[CardSet]] = {name: [] for name in ("hands", "keeps", "seen", "known", "theirs")}
    for _ in range(count):
        hand = rich_hand(random_, 11)
        rest = [card for card in DECK if card not in hand]
        random_.shuffle(rest)
        columns["hands"].append(hand)
        columns["keeps"].append(CardSet.of(random_.sample(list(hand), random_.randint(0, 1))))
        columns["known"].append(CardSet.of(rest[:3]))
        columns["seen"].append(CardSet.of(rest[3:15]))
        columns["theirs"].append(CardSet.of(rest[3:9]))
    return columns


def masks(cards: list[CardSet]) -> Any:
    return np.array([lanes(one) for one in cards])


@pytest.mark.parametrize("style", styles.NAMES)
def test_a_throw_is_a_loose_card_and_never_the_kept_one(style: str) -> None:
    """Of a hand with loose cards that may be thrown none in a meld of its best arrangement goes."""
    columns = some_throws(600)
    cards = np.zeros(600, np.int64)
    thrown(styles.STYLES[style].row, *map(masks, columns.values()), np.arange(600) % 20, np.uint64(7), cards)
    for hand, keep, card in zip(columns["hands"], columns["keeps"], cards, strict=True):
        choice = next(one for one in hand if lanes(CardSet.of([one])) == card)
        assert choice not in keep
        kept = next(iter(keep), None)
        if styles.STYLES[style].row[PARAMETERS.index("wander")] == 0:
            least = best_discards(hand, kept).deadwood
            # Loose: the rest does with the points of the whole less its own; else nothing better was to be had.
            loose = deadwood(hand.without(choice)) == deadwood(hand) - choice.pips
            assert loose or deadwood(hand.without(choice)) == least


def test_suits_are_alike() -> None:
    """Cards of other suits throughout: the same throw in the other suit, where no lot is drawn."""
    weights = row(
        outs_0=1.31, outs_1=1.17, outs_2=0.77, outs_3=0.61, points_0=1.0, points_1=1.07, near=0.137, danger=0.731,
        danger_known=1.517, danger_both=2.911, safe=0.413, danger_turn=0.0173,
    )  # fmt: skip
    columns = some_throws(3_000)
    turns = np.arange(3_000) % 20
    here = np.zeros((20, 3_000), np.int64)
    for seed, cards in enumerate(here):
        thrown(weights, *map(masks, columns.values()), turns, np.uint64(seed), cards)
    # Which of several best arrangements is kept whole may depend on the suit.
    plain_hands = [len({way.joined() for way in arrangements(hand)}) == 1 for hand in columns["hands"]]
    sure = (here == here[0]).all(axis=0) & np.array(plain_hands)
    lane = 0x1FFF
    for order in ([1, 0, 2, 3], [3, 0, 1, 2], [2, 3, 0, 1]):
        turned = [
            sum((column >> 16 * suit & lane) << 16 * order[suit] for suit in range(4))
            for column in map(masks, columns.values())
        ]
        there = np.zeros(3_000, np.int64)
        thrown(weights, *turned, turns, np.uint64(3), there)
        expected = sum((here[0] >> 16 * suit & lane) << 16 * order[suit] for suit in range(4))
        assert (there[sure] == expected[sure]).all()
    assert sure.mean() > 0.5


@pytest.mark.parametrize("stays", [True, False])
def test_taking_is_by_points_and_melds(stays: bool) -> None:
    """The naive reading of the parameters for taking."""
    random_ = random.Random(5)
    hands = [rich_hand(random_, 10) for _ in range(800)]
    offers = [random_.choice([card for card in DECK if card not in hand]) for hand in hands]
    turns = np.array([random_.randint(0, 20) for _ in hands])
    columns = masks(hands), masks([CardSet.of([card]) for card in offers]), turns
    weights = {"take_least": 2.5, "take_meld": 3.0, "take_turn": 0.3}
    found, any_meld = np.zeros(800, np.int64), np.zeros(800, np.int64)
    taken(row(**weights), *columns, stays, found)
    taken(row(take_any_meld=1.0), *columns, stays, any_meld)
    for at, (hand, offer) in enumerate(zip(hands, offers, strict=True)):
        whole = hand.with_card(offer)
        after = best_discards(whole, offer if stays else None).deadwood
        melds = any(all(other in hand for other in pair) for pair in melds_of_three(offer))
        worth = deadwood(hand) - after + 3.0 * melds
        assert found[at] == (after == 0 or worth > 2.5 + 0.3 * min(int(turns[at]), 12)), (hand, offer)
        assert any_meld[at] == melds
    assert 50 < found.sum() < 750


def test_ending_is_by_turn_and_count() -> None:
    turns, points = (column.reshape(-1) for column in np.meshgrid(np.arange(20), np.arange(11)))
    shown = np.zeros(220, np.int64)
    weights = row(knock=3.0, knock_turn=-0.5, knock_count=0.25, knock_late=2.0, knock_next=1.0, knock_until=15.0)
    for stock, late in ((20, 0.0), (4, 1.0), (2, 2.0)):
        found = np.zeros(220, np.int64)
        ended(weights, shown, points, turns, stock, found)
        wish = 3.0 - 0.5 * turns + 0.25 * points + late
        assert (found == ((points == 0) | ((turns < 15) & (wish > 0)))).all()


def test_a_row_is_made_from_names() -> None:
    made = row(knock=2.5, safe=-1.0)
    assert made[PARAMETERS.index("knock")] == 2.5
    assert made[PARAMETERS.index("safe")] == -1.0
    assert made[PARAMETERS.index("points_0")] == 1.0
    with pytest.raises(KeyError):
        row(knocks=1.0)
