"""Values of standings, against an exact recursion, against played games, and against themselves."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from tutor.engine.equity import LARGEST_TARGET, Equity
from tutor.engine.odds import OddsError, RoundOdds
from tutor.engine.odds_files import odds_for
from tutor.game.actions import Seat
from tutor.game.match import Game, next_dealer
from tutor.game.result import NO_SCORE, Score, Standing
from tutor.game.rules import PRESETS, NextDealer, RuleSet, Shutout, Tie

Pair = tuple[int, int]
Exact = dict[tuple[int, int], Fraction]
"""Odds by (box sign of the dealer's side, points); (0, 0) is a round that does not count."""

SHORT: Exact = {
    (1, 1): Fraction(3, 20),
    (1, 2): Fraction(4, 20),
    (1, 6): Fraction(1, 20),
    (-1, 1): Fraction(2, 20),
    (-1, 3): Fraction(5, 20),
    (-1, 4): Fraction(2, 20),
    (0, 0): Fraction(3, 20),
}
TIES: Exact = {
    (1, 0): Fraction(1, 50),
    (1, 2): Fraction(22, 50),
    (-1, 0): Fraction(2, 50),
    (-1, 1): Fraction(15, 50),
    (-1, 3): Fraction(5, 50),
    (0, 0): Fraction(5, 50),
}
KNOBS = [(dealer, shutout) for dealer in NextDealer for shutout in Shutout]
NAMES = [f"{dealer.value}, {shutout.value}" for dealer, shutout in KNOBS]


def odds_of(exact: Exact) -> RoundOdds:
    assert sum(exact.values()) == 1
    size = max(points for _, points in exact) + 1
    sides = [np.array([float(exact.get((sign, points), 0)) for points in range(size)]) for sign in (1, -1)]
    return RoundOdds(sides[0], sides[1], float(exact.get((0, 0), 0)))


def final_game(rules: RuleSet, points: Pair, boxes: Pair) -> Game:
    """A finished game with this standing, so that the tally of the game itself says what it is worth."""
    winner = Seat(points[1] > points[0])
    scores = []
    for seat in (winner.other, winner):
        scores += [Score.won(seat, 0)] * (boxes[seat] - 1)
        scores += [Score.won(seat, points[seat])] * (boxes[seat] > 0)
    game = Game(rules, tuple(scores))
    assert game.over
    assert game.standing == Standing(points, boxes)
    return game


def exact_values(rules: RuleSet, exact: Exact, ties: int) -> Callable[[Pair, Pair, Seat], tuple[Fraction, Fraction]]:
    """Chance and margin of South by plain recursion over whole standings.

    After ``ties`` boxes without points a line is cut off: exact without such boxes, otherwise too low by less than
    their odds to that power.
    """

    @cache
    def final(points: Pair, boxes: Pair) -> tuple[int, int]:
        game = final_game(rules, points, boxes)
        totals = game.tally().totals
        return int(game.winner is Seat.SOUTH), totals[0] - totals[1]

    @cache
    def value(points: Pair, boxes: Pair, dealer: Seat, left: int) -> tuple[Fraction, Fraction]:
        chance = margin = Fraction(0)
        for (sign, won), share in exact.items():
            if sign == 0 or (won == 0 and left == 0):
                continue
            winner = dealer if sign > 0 else dealer.other
            new = Standing(points, boxes).after(Score.won(winner, won))
            after: tuple[Fraction | int, Fraction | int]
            if max(new.points) >= rules.target:
                after = final(new.points, new.boxes)
            else:
                after = value(new.points, new.boxes, next_dealer(rules, dealer, winner), left - (won == 0))
            chance += share * after[0]
            margin += share * after[1]
        other = 1 - exact.get((0, 0), Fraction(0))
        return chance / other, margin / other

    return lambda points, boxes, dealer: value(points, boxes, dealer, ties)


def standings(target: int) -> Iterator[tuple[Pair, Pair]]:
    """Standings with one or two boxes for who has points, and a box without points for who has none."""
    for mine in range(target):
        for theirs in range(target):
            for boxes in ((int(mine > 0), int(theirs > 0)), (2, int(theirs > 0)), (int(mine > 0), 3)):
                yield (mine, theirs), boxes


def small(dealer: NextDealer, shutout: Shutout, target: int) -> RuleSet:
    return RuleSet(target=target, game_bonus=7, box_bonus=3, shutout=shutout, next_dealer=dealer)


@pytest.mark.parametrize(("dealer", "shutout"), KNOBS, ids=NAMES)
@pytest.mark.parametrize(("exact", "target", "ties"), [(SHORT, 5, 0), (TIES, 3, 8)], ids=["points", "ties"])
def test_values_are_those_of_an_exact_recursion(
    dealer: NextDealer, shutout: Shutout, exact: Exact, target: int, ties: int
) -> None:
    rules = small(dealer, shutout, target)
    equity = Equity(rules, odds_of(exact))
    known = exact_values(rules, exact, ties)
    for points, boxes in standings(target):
        for seat in Seat:
            chance, margin = known(points, boxes, seat)
            south = seat is Seat.SOUTH
            assert equity.chance(points, boxes, south) == pytest.approx(float(chance), abs=1e-9), (points, boxes, seat)
            assert equity.margin(points, boxes, south) == pytest.approx(float(margin), abs=2e-7), (points, boxes, seat)


def test_one_round_by_hand() -> None:
    """Target 1, I deal and win 2 points or lose 3; nobody has won before, so each end is a shutout."""
    odds = RoundOdds(np.array([0, 0, 0.3, 0]), np.array([0, 0, 0, 0.6]), 0.1)
    rules = RuleSet(target=1, game_bonus=10, box_bonus=5, shutout=Shutout.EVERYTHING)
    equity = Equity(rules, odds)
    assert equity.chance((0, 0), (0, 0), True) == pytest.approx(1 / 3)
    assert equity.margin((0, 0), (0, 0), True) == pytest.approx((2 * (2 + 5 + 10)) / 3 - 2 * (2 * (3 + 5 + 10)) / 3)
    assert equity.margin((0, 0), (2, 1), True) == pytest.approx(5 + (2 + 5 + 10) / 3 - 2 * (3 + 5 + 10) / 3)


def with_ties(odds: RoundOdds) -> RoundOdds:
    """The same odds with boxes without points among them."""
    dealer, other = odds.dealer * 0.9, odds.non_dealer * 0.9
    dealer[0], other[0] = 0.07, 0.03
    return RoundOdds(dealer, other, odds.uncounted * 0.9)


def uneven(odds: RoundOdds) -> RoundOdds:
    """The same odds with the dealer far ahead, so that who deals next matters."""
    return RoundOdds(
        odds.dealer * 1.3, odds.non_dealer * (1 - 0.3 * odds.dealer.sum() / odds.non_dealer.sum()), odds.uncounted
    )


STANDARD = PRESETS["Standard"]
CASES: dict[str, tuple[RuleSet, RoundOdds]] = {name: (rules, odds_for(rules)) for name, rules in PRESETS.items()}
CASES["ties"] = (replace(STANDARD, tie=Tie.NOTHING), with_ties(odds_for(STANDARD)))
CASES["a hand of ties"] = (
    replace(PRESETS["EAAI"], tie=Tie.NOTHING, target=0, box_bonus=9),
    with_ties(odds_for(STANDARD)),
)
for _dealer, _shutout in KNOBS:
    CASES[f"{_dealer.value}, {_shutout.value}"] = (
        replace(STANDARD, tie=Tie.NOTHING, next_dealer=_dealer, shutout=_shutout, target=60),
        with_ties(uneven(odds_for(STANDARD))),
    )


@cache
def solved(name: str) -> Equity:
    return Equity(*CASES[name])


def places(name: str, count: int) -> Iterator[tuple[Pair, Pair, bool]]:
    """Standings of a case, the first ones of a game and random ones, with who deals."""
    fresh, target = random.Random(name), CASES[name][0].target
    for points, boxes in (((0, 0), (0, 0)), ((0, 0), (1, 0)), ((0, 0), (0, 2)), ((0, 0), (1, 1))):
        if target or boxes == (0, 0):
            yield points, boxes, True
            yield points, boxes, False
    for _ in range(count if target else 0):
        points = (fresh.randrange(target), fresh.choice((0, fresh.randrange(target))))
        yield points, (int(points[0] > 0), 2 * int(points[1] > 0)), fresh.random() < 0.5


@pytest.mark.parametrize("name", CASES)
def test_the_two_sides_share_one_game(name: str) -> None:
    equity = solved(name)
    for points, boxes, deals in places(name, 60):
        chance = equity.chance(points, boxes, deals)
        assert 0 <= chance <= 1
        assert chance + equity.chance(points[::-1], boxes[::-1], not deals) == pytest.approx(1, abs=1e-12)
        margin = equity.margin(points, boxes, deals)
        assert margin + equity.margin(points[::-1], boxes[::-1], not deals) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("name", [name for name, (rules, _) in CASES.items() if rules.target])
def test_points_never_hurt(name: str) -> None:
    chances = solved(name).table[..., 0]
    assert (np.diff(chances, axis=2) >= -1e-12).all()
    assert (np.diff(chances, axis=1) <= 1e-12).all()
    assert chances[0, 0, -1] > chances[0, 0, 0] + 0.1


@pytest.mark.parametrize("name", CASES)
def test_before_a_round_is_the_mean_of_after_it(name: str) -> None:
    equity, odds = solved(name), CASES[name][1]
    reach = odds.most_points
    points = np.arange(reach + 1)
    won, lost, nobody = np.ones(reach + 1, np.int8), -np.ones(reach + 1, np.int8), np.zeros(1, np.int8)
    every, box = np.concatenate([points, -points, [0]]), np.concatenate([won, lost, nobody])
    for seat in Seat:
        for mine, boxes, deals in places(name, 30):
            here = Standing(mine, boxes) if seat is Seat.SOUTH else Standing(mine[::-1], boxes[::-1])
            chances, margins = equity.after(here, seat, seat if deals else seat.other, every, box)
            sides = (odds.dealer, odds.non_dealer) if deals else (odds.non_dealer, odds.dealer)
            shares = np.concatenate([*sides, [odds.uncounted]])
            assert shares @ chances == pytest.approx(equity.chance(mine, boxes, deals), abs=1e-9)
            assert shares @ margins == pytest.approx(equity.margin(mine, boxes, deals), abs=1e-7)


@pytest.mark.parametrize("name", CASES)
def test_played_games_come_out_as_valued(name: str, times: int) -> None:
    """Results drawn from the odds, games counted by ``Game`` and its tally, from several standings."""
    rules, odds = CASES[name]
    equity, fresh = solved(name), random.Random(f"games {name}")
    size = odds.most_points + 1
    results = [(1, points) for points in range(size)] + [(-1, points) for points in range(size)] + [(0, 0)]
    weights = [*odds.dealer.tolist(), *odds.non_dealer.tolist(), odds.uncounted]

    def play(begin: list[Score], dealer: Seat) -> tuple[float, float]:
        scores, standing = list(begin), Standing()
        for score in begin:
            standing = standing.after(score)
        while True:
            ((sign, points),) = fresh.choices(results, cum_weights=sums)
            winner = None if sign == 0 else dealer if sign > 0 else dealer.other
            score = NO_SCORE if winner is None else Score(winner if points else None, points, winner)
            scores.append(score)
            standing = standing.after(score)
            if rules.target == 0 or max(standing.points) >= rules.target:
                break
            dealer = next_dealer(rules, dealer, winner)
        game = Game(rules, tuple(scores))
        assert game.over
        totals = game.tally().totals
        return {Seat.SOUTH: 1.0, Seat.NORTH: 0.0, None: 0.5}[game.winner], totals[0] - totals[1]

    sums = np.cumsum(weights).tolist()
    third = rules.target // 3
    begins: list[list[Score]] = [[]]
    if rules.target:
        begins += [[Score.won(Seat.SOUTH, third), Score.won(Seat.SOUTH, third)], [Score(None, 0, Seat.NORTH)]]
    for begin in begins:
        here = Game(rules, tuple(begin)).standing
        for dealer in Seat:
            found = np.array([play(begin, dealer) for _ in range(400 * times)])
            expected = [
                value(here.points, here.boxes, dealer is Seat.SOUTH) for value in (equity.chance, equity.margin)
            ]
            errors = found.std(axis=0, ddof=1) / math.sqrt(len(found))
            assert (np.abs(found.mean(axis=0) - expected) <= 4 * errors).all(), (begin, dealer, expected, errors)


def test_who_deals_next_matters_when_the_deal_does() -> None:
    """A dealer's advantage goes on where the winner deals again; a dealer who loses keeps it where the loser does."""
    values = [solved(f"{dealer.value}, none").chance((0, 0), (0, 0), True) for dealer in NextDealer]
    winner, loser, alternate = values
    assert winner > loser + 0.005 > alternate + 0.01 > 0.51


def test_a_round_that_ends_the_game_gives_the_final_margin() -> None:
    equity = solved("Standard")
    points, box = np.array([30, -70, 30, 0, 0], np.int64), np.array([1, -1, 1, 0, 1], np.int8)
    chances, margins = equity.after(Standing((80, 0), (3, 0)), Seat.SOUTH, Seat.NORTH, points, box)
    assert chances[[0, 2]].tolist() == [1, 1]
    assert margins[0] == 110 + 4 * 25 + 100 + 110
    assert chances[1] == pytest.approx(equity.chance((80, 70), (3, 1), True))
    assert margins[3] == pytest.approx(equity.margin((80, 0), (3, 0), False))
    assert margins[4] == pytest.approx(equity.margin((80, 0), (4, 0), True))
    chances, margins = equity.after(Standing((80, 40), (3, 1)), Seat.NORTH, Seat.NORTH, -points, -box)
    assert chances[0] == 0
    assert margins[0] == -(110 + 4 * 25 + 100 - 40 - 25)


def test_rounds_without_points_and_no_rounds_at_all() -> None:
    equity = solved("winner, everything doubled")
    here = Standing((40, 0), (2, 0))
    chances, margins = equity.after(here, Seat.SOUTH, Seat.NORTH, np.array([0]), np.array([1], np.int8))
    assert chances[0] == equity.chance((40, 0), (3, 0), True)
    assert margins[0] == pytest.approx(equity.margin((40, 0), (3, 0), True))
    none = equity.after(here, Seat.SOUTH, Seat.NORTH, np.zeros(0, np.int64), np.zeros(0, np.int8))
    assert [array.shape for array in none] == [(0,), (0,)]


def test_more_points_than_the_odds_know_have_a_value() -> None:
    odds = RoundOdds(np.array([0, 0.5]), np.array([0, 0.4]), 0.1)
    equity = Equity(replace(PRESETS["EAAI"], target=20), odds)
    values = equity.values(Standing(), Seat.SOUTH, Seat.SOUTH, 30)
    chances, margins = values.of(np.array([15, 30, -30]), np.array([1, 1, -1], np.int8))
    assert chances[0] == equity.chance((15, 0), (1, 0), False)
    assert chances[1:].tolist() == [1, 0]
    assert margins[1:].tolist() == [30, -30]


def test_a_single_hand_is_the_game() -> None:
    odds = RoundOdds(np.array([0.05, 0, 0.4]), np.array([0, 0.35, 0]), 0.2)
    rules = RuleSet(target=0, game_bonus=30, box_bonus=4, tie=Tie.NOTHING)
    equity = Equity(rules, odds)
    assert equity.chance((0, 0), (0, 0), True) == pytest.approx(0.4 + 0.5 * 0.25)
    assert equity.chance((0, 0), (0, 0), False) == pytest.approx(0.35 + 0.5 * 0.25)
    assert equity.margin((0, 0), (0, 0), True) == pytest.approx(0.4 * 36 - 0.35 * 35 + 0.05 * 4)
    points, box = np.array([7, -9, 0, 0]), np.array([1, -1, 0, -1], np.int8)
    chances, margins = equity.after(Standing(), Seat.NORTH, Seat.NORTH, points, box)
    assert chances.tolist() == [1, 0, 0.5, 0.5]
    assert margins.tolist() == [41, -43, 0, -4]


def test_a_hand_that_is_always_dead_is_nobodys_game() -> None:
    equity = Equity(PRESETS["OpenSpiel"], RoundOdds(np.array([0.0]), np.array([0.0]), 1))
    assert equity.chance((0, 0), (0, 0), True) == 0.5
    assert equity.margin((0, 0), (0, 0), True) == 0


@pytest.mark.parametrize("target", [1, 2, LARGEST_TARGET])
def test_the_shortest_and_the_longest_game(target: int) -> None:
    equity = Equity(replace(PRESETS["Standard"], target=target), odds_for(STANDARD))
    odds = odds_for(STANDARD)
    first = odds.dealer.sum() / (1 - odds.uncounted)
    start = equity.chance((0, 0), (0, 0), True)
    assert start == pytest.approx(first, abs=1e-12) if target == 1 else start == pytest.approx(0.5, abs=0.02)
    assert equity.chance((target - 1, 0), (1, 0), True) >= first - 1e-12


def test_what_makes_no_sense_is_refused() -> None:
    equity = solved("Standard")
    with pytest.raises(ValueError, match="the game is over at 100 to 3"):
        equity.chance((100, 3), (4, 1), True)
    with pytest.raises(ValueError, match="the game is over at 3 to 100"):
        equity.values(Standing((100, 3), (4, 1)), Seat.NORTH, Seat.NORTH, 5)
    with pytest.raises(ValueError, match="cannot be negative"):
        equity.margin((3, -1), (1, 0), True)
    values = equity.values(Standing(), Seat.SOUTH, Seat.SOUTH, 20)
    for points, box in ((5, -1), (5, 0), (-5, 1), (0, 2)):
        with pytest.raises(ValueError, match="the side that won"):
            values.of(np.array([points]), np.array([box], np.int8))
    with pytest.raises(IndexError, match="20 points"):
        values.of(np.array([-21]), np.array([-1], np.int8))
    with pytest.raises(ValueError, match=f"targets up to {LARGEST_TARGET}"):
        Equity(replace(STANDARD, target=LARGEST_TARGET + 1), odds_for(STANDARD))
    with pytest.raises(OddsError, match="no side ever reaches"):
        Equity(STANDARD, RoundOdds(np.array([0.5]), np.array([0.3]), 0.2))
    with pytest.raises(ValueError, match="read-only"):
        equity.table[0, 0, 0, 0] = 1
