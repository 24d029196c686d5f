"""The compiled counting against a compiled brute force, which is itself held to the naive solver."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numba import njit

from tests import naive
from tests.differential.test_naive import plain
from tests.engine import brute
from tests.engine.brute import cards_in, lanes, many, one_of, some_hands
from tutor.engine.kernel import bits, playout, tables
from tutor.game.cards import CardSet

NAMES = ("deadwood", "after_throw", "after_throw with a kept card", "best_sets", "outs", "gin_outs")


@pytest.mark.parametrize("size", [10, 11])
def test_the_brute_force_is_the_naive_solver(size: int, times: int) -> None:
    cards = some_hands(150 * times, size, seed=size)
    hands = np.array([lanes(hand) for hand in cards])
    keeps = one_of(hands, seed=1) * (np.arange(hands.size) % 3 > 0)
    counts, throws = np.zeros(hands.size, np.int64), np.zeros(hands.size, np.int64)
    brute.brute(hands, keeps, counts, throws)
    for at, hand in enumerate(cards):
        fewest, _, after = naive.judged(plain(hand))
        kept = plain(cards_in(int(keeps[at])))
        assert counts[at] == fewest, hand
        assert throws[at] == min(points for card, points in after.items() if card not in kept), hand


@pytest.mark.parametrize(("maker", "full"), [("random", 1_000_000), ("rich", 300_000)])
@pytest.mark.parametrize("size", [10, 11])
def test_counting(maker: str, full: int, size: int, times: int) -> None:
    wrong = np.zeros(len(NAMES), np.int64)
    judged = 0
    for block in many(maker, size, 20_000 if times == 1 else full, seed=times):
        lives = np.random.default_rng(judged).integers(0, 1 << 62, block.size)
        brute.disagreements(block, one_of(block, seed=judged), lives, wrong)
        judged += block.size
    assert judged == (20_000 if times == 1 else full)
    assert dict(zip(NAMES, wrong.tolist(), strict=True)) == dict.fromkeys(NAMES, 0)


def test_a_wrong_count_would_be_seen() -> None:
    """The kernel's deadwood of ten cards taken for that after a throw: the brute force must not agree."""
    (hands,) = many("rich", 11, 2_000, seed=3)
    keeps = np.zeros_like(hands)
    counts, throws = np.zeros_like(hands), np.zeros_like(hands)
    brute.brute(hands, keeps, counts, throws)
    mine, after = np.zeros_like(hands), np.zeros_like(hands)
    brute.kernel_counts(hands & hands - 1, keeps, mine, after)
    assert (mine != counts).sum() > 200
    assert (mine != throws).sum() > 200


def test_every_holding_of_a_suit() -> None:
    points, loose, covered = (np.zeros(8192, np.int64) for _ in range(3))
    brute.one_suit(points, loose, covered)
    left: list[int] = []
    for mask in range(8192):
        cards = frozenset((rank + 1, 3) for rank in range(13) if mask >> rank & 1)
        left.append(naive.least(cards))
        assert points[mask] == tables.POINTS[mask] == naive.points(cards)
        assert loose[mask] == tables.LOOSE_POINTS[mask] == left[mask]
        in_runs = {card for card in cards if naive_run(card, cards)}
        assert covered[mask] == sum(1 << rank - 1 for rank, _ in in_runs)
        after = [left[mask] - left[mask ^ 1 << rank - 1] for rank, _ in cards]
        assert tables.THROW_GAIN[mask] == max(after, default=-128)


def naive_run(card: tuple[int, int], cards: naive.Cards) -> bool:
    rank, suit = card
    threes = ({(rank + step + more, suit) for more in range(3)} for step in (-2, -1, 0))
    return any(three <= cards for three in threes)


def test_the_tables_of_single_cards() -> None:
    deck = [(rank, suit) for rank in range(1, 14) for suit in range(4)]
    for place in range(64):
        card = (place % 16 + 1, place // 16)
        near: set[tuple[int, int]] = {other for other in deck if other[0] == card[0]}
        for low in range(1, 12):
            run = {(low + step, card[1]) for step in range(3)}
            near |= run if card in run else set()
        assert tables.NEAR[place] == sum(1 << (rank - 1) + 16 * suit for rank, suit in near - {card}), card
        assert tables.PIPS[place] == (naive.points([card]) if card in deck else 0)


@given(st.integers(0, (1 << 52) - 1))
def test_lanes_keep_every_card(word: int) -> None:
    hand = bits.to_lanes(word)
    assert hand == lanes(CardSet(word))
    assert bits.from_lanes(hand) == word
    assert hand & ~bits.ALL == 0
    assert [bits.from_place(bits.to_place(index)) for index in range(52)] == list(range(52))


@njit(cache=True)
def shuffles(cards: Any, seeds: Any, stocks: Any) -> None:
    for at in range(seeds.size):
        playout._shuffled(cards, stocks[at], seeds[at])


@njit(cache=True)
def numbers(seed: Any, limit: Any, found: Any, parts: Any) -> None:
    state = seed
    for at in range(found.size):
        state = bits.next_state(state)
        word = bits.shuffle_word(state)
        found[at] = bits.below(word, limit)
        parts[at] = bits.unit(word)


SHUFFLES = 40_000


@pytest.mark.parametrize("size", [2, 12, 31])
def test_a_shuffle_is_a_fair_permutation(size: int) -> None:
    places = brute.PLACES[np.random.default_rng(size).permutation(52)[:size]]
    stocks = np.zeros((SHUFFLES, size), np.int8)
    shuffles((np.int64(1) << places).sum(), np.arange(SHUFFLES, dtype=np.uint64), stocks)
    assert (np.sort(stocks, axis=1) == np.sort(places)).all()
    counts = np.array([[(stocks[:, at] == place).sum() for place in places] for at in range(size)])
    expected = SHUFFLES / size
    chi_square = ((counts - expected) ** 2 / expected).sum()
    freedom = (size - 1) ** 2
    # Five standard deviations of chi-square either way: shuffles may be neither uneven nor too even.
    assert abs(chi_square - freedom) < 5 * np.sqrt(2 * freedom) + 8
    if size > 2:
        pairs = Counter(zip(stocks[:, 0].tolist(), stocks[:, 1].tolist(), strict=True))
        expected = SHUFFLES / (size * (size - 1))
        assert len(pairs) == size * (size - 1)
        freedom = len(pairs) - 1
        chi_square = sum((count - expected) ** 2 / expected for count in pairs.values())
        assert abs(chi_square - freedom) < 5 * np.sqrt(2 * freedom)


def test_splitmix_is_the_published_generator() -> None:
    """The first words from seed 1234567, as in the reference implementation."""
    words = []
    state = np.uint64(1234567)
    with np.errstate(over="ignore"):
        for _ in range(5):
            state = bits.next_state.py_func(state)
            words.append(int(bits.shuffle_word.py_func(state)))
    assert words == [
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
    ]  # fmt: skip


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 52])
def test_numbers_below_a_limit(limit: int) -> None:
    found, parts = np.zeros(100_000, np.int64), np.zeros(100_000)
    numbers(np.uint64(99), limit, found, parts)
    assert parts.min() >= 0
    assert parts.max() < 1
    assert abs(parts.mean() - 0.5) < 0.005
    counts = np.bincount(found, minlength=limit)
    assert len(counts) == limit
    chi_square = ((counts - found.size / limit) ** 2 / (found.size / limit)).sum()
    assert chi_square < limit - 1 + 5 * np.sqrt(2 * limit)
