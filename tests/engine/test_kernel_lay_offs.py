"""Lay-offs and what to show, counted by the kernel, against the naive solver and the game."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from tests import naive
from tests.differential.test_naive import near, plain, shown_melds
from tests.engine import brute
from tests.engine.brute import cards_in, lanes
from tests.helpers import random_hand, rich_hand
from tutor.engine.states import arrangement_of, shown_masks
from tutor.game.cards import DECK, NO_CARDS, CardSet
from tutor.game.layoffs import best_arrangement, exposed
from tutor.game.melds import Arrangement, Meld, MeldKind

Pair = tuple[CardSet, tuple[Meld, ...]]


def melds_of(*texts: str) -> tuple[Meld, ...]:
    return tuple(Meld.of(CardSet.parse(text)) for text in texts)


CHOSEN: dict[str, tuple[str, tuple[str, ...], int]] = {
    "a chain at both ends": ("3h 4h 8h 9h Th Kc Kd Ks Qs 2c", ("5h 6h 7h",), 12),
    "a chain cut for an own meld": ("8h 9h 4s 9c 9d Kc Kd Ks 2c 3d", ("5h 6h 7h",), 9),
    "two runs of a suit that meet": ("5h 6h Kc Kd Ks Qs Qc Qd 2c 9s", ("2h 3h 4h", "7h 8h 9h"), 11),
    "one card between two runs": ("6h Kc Kd Ks Qs Qc Qd 2c 9s 8s", ("3h 4h 5h", "7h 8h 9h"), 19),
    "a fourth card that continues a run": ("7h 8h 9h Kc Kd Ks Qs Qc Qd 2c", ("7c 7d 7s", "4h 5h 6h"), 2),
    "a fourth card kept in an own run": ("7h 8h 9h 4c 4d 4s Kc Kd Ks 2c", ("7c 7d 7s", "Ts Js Qs"), 2),
    "laying off all would cost": ("8c 8d 8h 7h Kc Kd Ks Qc Qd Qs", ("9h Th Jh",), 7),
    "the ace ends below": ("Ah 2h Kc Kd Ks Qs Qc Qd 2c 9s", ("3h 4h 5h",), 11),
    "the king ends above": ("Kh Ac Ad As Qs Qc Qd 2c 2d 9s", ("Th Jh Qh",), 13),
    "nothing goes round the corner": ("Ah 2h 9c 9d 9s 4s 4c 4d 2c 7s", ("Jh Qh Kh",), 12),
}


def left_of(pairs: list[Pair]) -> list[int]:
    hands = np.array([lanes(hand) for hand, _ in pairs])
    masks = [shown_masks(Arrangement(melds)) for _, melds in pairs]
    left = np.zeros(len(pairs), np.int64)
    brute.defended(hands, np.array([sets for sets, _ in masks]), np.array([runs for _, runs in masks]), left)
    return [int(points) for points in left]


@pytest.mark.parametrize("name", CHOSEN)
def test_chosen_defences(name: str) -> None:
    hand, shown, expected = CHOSEN[name]
    cards, melds = CardSet.parse(hand), melds_of(*shown)
    assert len(cards) == 10
    assert naive.best_defence(plain(cards), tuple(plain(meld.cards) for meld in melds)) == expected
    assert left_of([(cards, melds)]) == [expected]


def apart(melds: tuple[Meld, ...]) -> bool:
    """Whether no two runs touch: those would be one run, and are told to the kernel as one."""
    return Arrangement(melds).joined().melds == Arrangement(melds).melds


def meeting(random_: random.Random) -> tuple[Meld, ...]:
    """Two runs of a suit with a gap of one to four cards between them, and at times a set."""
    suit = random_.choice("cdhs")
    gap = random_.randint(1, 4)
    low = random_.randint(0, 13 - 6 - gap)
    letters = "A23456789TJQK"
    runs = [" ".join(rank + suit for rank in letters[start : start + 3]) for start in (low, low + 3 + gap)]
    melds = melds_of(*runs)
    threes = melds_of(*(" ".join(letters[low + 3] + other for other in "cdhs" if other != suit) for _ in range(1)))
    return melds + threes * random_.randint(0, 1)


@pytest.mark.parametrize("kind", ["random", "near", "meeting runs"])
def test_defences(kind: str, times: int) -> None:
    random_ = random.Random(kind)
    pairs: list[Pair] = []
    while len(pairs) < 240 * times:
        melds = meeting(random_) if kind == "meeting runs" else shown_melds(random_)
        if not apart(melds):
            continue
        free = [card for card in DECK if all(card not in meld.cards for meld in melds)]
        hand = CardSet.of(random_.sample(free, 10)) if kind == "random" else near(random_, melds, 10)
        pairs.append((hand, melds))
    helped = 0
    for (hand, melds), left in zip(pairs, left_of(pairs), strict=True):
        assert left == naive.best_defence(plain(hand), tuple(plain(meld.cards) for meld in melds)), (hand, melds)
        helped += left < naive.least(plain(hand))
    assert helped > (40 if kind == "random" else 120) * times


def test_the_arrangement_shown_is_as_good_as_the_one_the_table_proposes(times: int) -> None:
    """Least deadwood, then least exposed to held cards, to possible ones, then fewest melds."""
    random_ = random.Random(5)
    hands, theirs, held = [], [], []
    for number in range(1_500 * times):
        hand = (rich_hand if number % 4 else random_hand)(random_, 10 + number % 2)
        rest = [card for card in DECK if card not in hand]
        random_.shuffle(rest)
        hands.append(hand)
        theirs.append(CardSet.of(rest[: random_.choice([10, 25, len(rest)])]))
        held.append(CardSet.of(list(theirs[-1])[: random_.randint(0, 4)]))
    masks = [np.array([lanes(cards) for cards in column]) for column in (hands, theirs, held)]
    sets, runs = np.zeros(len(hands), np.int64), np.zeros(len(hands), np.int64)
    brute.proposals(*masks, sets, runs)
    met: Counter[str] = Counter()
    for at, hand in enumerate(hands):
        mine = arrangement_of(hand, int(sets[at]), int(runs[at]))
        table = best_arrangement(hand, theirs[at], held[at])

        def order(arrangement: Arrangement, at: int = at) -> tuple[int, int, int, int]:
            sure, maybe = exposed(arrangement, held[at]), exposed(arrangement, theirs[at])
            return arrangement.deadwood, sure.pips, maybe.pips, len(arrangement.joined().melds)

        assert mine.cards == hand
        assert order(mine) == order(table), (hand, theirs[at], held[at])
        met["exposed"] += order(mine)[2] > 0
        met["a choice"] += best_arrangement(hand, NO_CARDS).melds != table.melds
    assert met["exposed"] > 150 * times
    assert met["a choice"] > 10 * times


def test_masks_and_arrangements_are_two_forms_of_one_thing() -> None:
    random_ = random.Random(8)
    for _ in range(500):
        hand = rich_hand(random_, 11)
        arrangement = best_arrangement(hand).joined()
        sets, runs = shown_masks(arrangement)
        in_sets = [meld.cards for meld in arrangement.melds if meld.kind is MeldKind.SET]
        assert cards_in(sets) == CardSet.of(card for cards in in_sets for card in cards)
        assert cards_in(sets | runs) == hand - arrangement.loose
        assert arrangement_of(hand, sets, runs) == arrangement
