"""What a standing is worth: the chance to win the game, and the final margin to expect."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tutor.engine.odds import MOST_POINTS, Floats, Ints, OddsError, RoundOdds, Signs
from tutor.game.actions import Seat
from tutor.game.match import next_dealer
from tutor.game.result import Standing
from tutor.game.rules import RuleSet, Shutout

LARGEST_TARGET = 1000
"""The highest target a table is made for; its size and time grow with the square of the target."""
_LEAST_PROGRESS = 1e-6

Pair = tuple[int, int]
"""Mine, theirs."""


@dataclass(frozen=True, slots=True, eq=False)
class RoundValues:
    """What each result of one round is worth to one side.

    ``chances`` and ``margins`` are float64 arrays of 2 × ``reach`` + 3 entries: first the rounds they win, by points
    from ``reach`` down to 0, then the round that does not count, then the rounds I win, from 0 points up. A hand won
    with 0 points is a box without points. So the entry of a result is at points + box + ``reach`` + 1.
    """

    reach: int
    chances: Floats
    margins: Floats

    @property
    def void(self) -> float:
        """The chance to win the game after a hand that does not score."""
        return float(self.chances[self.reach + 1])

    def of(self, points: Ints, box: Signs) -> tuple[Floats, Floats]:
        """The chance to win the game and the margin to expect after each round, float64 arrays of their length.

        ``points`` (int64) and ``box`` (int8) are above 0 for hands I won and below 0 for hands they won; 0 and 0 is a
        round that does not count. Raises IndexError for points beyond ``reach``, ValueError where points and box
        contradict each other.
        """
        if (np.sign(points) * (np.sign(points) - box)).any() or (np.abs(box) > 1).any():
            raise ValueError("points go to the side that won the hand")
        if points.size and int(np.abs(points).max()) > self.reach:
            raise IndexError(f"these values reach to {self.reach} points")
        places = points + box + (self.reach + 1)
        return self.chances[places], self.margins[places]


@dataclass(frozen=True, slots=True, eq=False)
class Equity:
    """Values of standings in one game under a rule set, when rounds end as ``odds`` say.

    *Chance* is the probability to win the game. *Margin* is the expected final total minus the other side's, with
    boxes, game bonus and shutout as ``Game.tally`` counts them. The game is one game, not the match around it.
    A side with points counts as one that has won a hand, also where its boxes are given as 0.

    With target 0 the round is the game: the chance is 1, 0, or 1/2 where nobody wins (a dead hand ends it too).

    Source: dynamic programming over the Markov chain of standings. States are my points, their points, who deals
    (index 0: I deal, 1: they deal). Hands with points lead to a higher sum of points, solved before. A round that does
    not count leads to the same state, a box without points to the same points with perhaps another dealer: so the
    two dealers at the same points are a system of two linear equations, with the same matrix everywhere.

    ``table`` (float64, [2, target, target, 2]) holds for [dealer, theirs, mine] the chance, and the margin still to
    come when both have won a hand. ``alone`` (float64, [2, target, 2]) holds for [dealer, mine], while they have
    won no hand, the margin to come but for doubling the boxes I have, and the chance to win by a shutout.
    ``nobody`` (float64, [2]) holds for [dealer] the margin to come while nobody has won a hand.

    Raises ValueError for a target above ``LARGEST_TARGET``; OddsError where hands so rarely bring points that the
    game does not end.
    """

    rules: RuleSet
    odds: RoundOdds
    table: Floats = field(init=False)
    alone: Floats = field(init=False)
    nobody: Floats = field(init=False)

    def __post_init__(self) -> None:
        if self.rules.target > LARGEST_TARGET:
            raise ValueError(f"values of standings are made for targets up to {LARGEST_TARGET}")
        if self.rules.target and self.odds.dealer[1:].sum() + self.odds.non_dealer[1:].sum() < _LEAST_PROGRESS:
            raise OddsError("with these odds no side ever reaches the target")
        solver = _Solver(self.rules, self.odds)
        table = solver.both()
        alone = solver.alone(table)
        for name, array in (("table", table), ("alone", alone), ("nobody", solver.nobody(alone))):
            array.flags.writeable = False
            object.__setattr__(self, name, array)

    def chance(self, points: Pair, boxes: Pair, dealer_is_me: bool) -> float:
        """The probability that I win the game, before a round. ValueError when the game is over."""
        self._check(points, boxes)
        if self.rules.target == 0:
            return self._single(points, boxes, dealer_is_me)[0]
        return float(self.table[0 if dealer_is_me else 1, points[1], points[0], 0])

    def margin(self, points: Pair, boxes: Pair, dealer_is_me: bool) -> float:
        """My final total minus theirs to expect, before a round, in points. ValueError when the game is over."""
        self._check(points, boxes)
        if self.rules.target == 0:
            return self._single(points, boxes, dealer_is_me)[1]
        rules, dealer = self.rules, 0 if dealer_is_me else 1
        sure = points[0] - points[1] + rules.box_bonus * (boxes[0] - boxes[1])
        mine, theirs = (points[side] > 0 or boxes[side] > 0 for side in (0, 1))
        if mine and theirs:
            return sure + float(self.table[dealer, points[1], points[0], 1])
        if mine:
            return sure + float(self._alone_margin(dealer, points[0], boxes[0]))
        if theirs:
            return sure - float(self._alone_margin(1 - dealer, points[1], boxes[1]))
        return sure + float(self.nobody[dealer])

    def values(self, standing: Standing, seat: Seat, dealer: Seat, reach: int) -> RoundValues:
        """What every result up to ``reach`` points is worth to ``seat`` in the round that ``dealer`` deals.

        ValueError when the game is over before the round, or for a ``reach`` that no round has.
        """
        points = (standing.points[seat], standing.points[seat.other])
        boxes = (standing.boxes[seat], standing.boxes[seat.other])
        self._check(points, boxes)
        if not 0 <= reach <= MOST_POINTS:
            raise ValueError(f"a round is worth 0 to {MOST_POINTS} points")
        return self._values(points, boxes, 0 if dealer is seat else 1, reach)

    def after(self, standing: Standing, seat: Seat, dealer: Seat, points: Ints, box: Signs) -> tuple[Floats, Floats]:
        """The chance and the margin for ``seat`` after rounds that begin at this standing; ``dealer`` dealt them.

        Arrays as in ``RoundValues.of``; ValueError as there and in ``values``. A round that ends the game gives 1 or
        0 and the final margin itself.
        """
        return self.values(standing, seat, dealer, int(np.abs(points).max(initial=0))).of(points, box)

    def _check(self, points: Pair, boxes: Pair) -> None:
        if min(*points, *boxes) < 0:
            raise ValueError("points and boxes cannot be negative")
        if self.rules.target and max(points) >= self.rules.target:
            raise ValueError(f"the game is over at {points[0]} to {points[1]}")

    def _values(self, points: Pair, boxes: Pair, dealer: int, reach: int) -> RoundValues:
        won, won_margin = self._wins(points, boxes, dealer, reach)
        lost, lost_margin = self._wins((points[1], points[0]), (boxes[1], boxes[0]), 1 - dealer, reach)
        if self.rules.target == 0:
            ahead = np.sign(points[0] - points[1])
            same = (ahead + 1) / 2
            margin = float(self._single_margin(points, boxes))
        else:
            same, margin = self.chance(points, boxes, dealer == 0), self.margin(points, boxes, dealer == 0)
        chances = np.concatenate([1 - lost[::-1], [same], won])
        return RoundValues(reach, chances, np.concatenate([-lost_margin[::-1], [margin], won_margin]))

    def _wins(self, points: Pair, boxes: Pair, dealer: int, reach: int) -> tuple[Floats, Floats]:
        """Chance and margin after I won a hand with 0 … ``reach`` points, as float64 arrays."""
        rules = self.rules
        mine = points[0] + np.arange(reach + 1)
        count = boxes[0] + 1
        if rules.target == 0:
            ahead = np.sign(mine - points[1])
            return (ahead + 1) / 2, self._single_margin((mine, points[1]), (count, boxes[1]))
        shutout = points[1] == 0 and boxes[1] == 0
        chance: Floats = np.ones(reach + 1)
        margin: Floats = np.zeros(reach + 1)
        margin += mine - points[1] + rules.box_bonus * (count - boxes[1]) + rules.game_bonus
        if shutout:
            margin += _shutout_bonus(rules, mine, count)
        inside = mine[mine < rules.target]
        deals = _deals_next(rules, dealer, 0)
        chance[: inside.size] = self.table[deals, points[1], inside, 0]
        more = self._alone_margin(deals, inside, count) if shutout else self.table[deals, points[1], inside, 1]
        margin[: inside.size] = inside - points[1] + rules.box_bonus * (count - boxes[1]) + more
        return chance, margin

    def _alone_margin(self, dealer: int, mine: int | Ints, boxes: int) -> Floats:
        """The margin to come while they have won no hand and I have ``boxes``, by my points."""
        more, shutout = self.alone[dealer, mine, 0], self.alone[dealer, mine, 1]
        doubled = self.rules.box_bonus * boxes if self.rules.shutout is Shutout.EVERYTHING else 0
        return np.asarray(more + doubled * shutout, np.float64)

    def _single_margin(self, points: tuple[int | Ints, int], boxes: Pair) -> Floats:
        """The final margin of a game of one round, by the final points."""
        lead = np.asarray(points[0] - points[1], np.float64)
        bonus = self.rules.game_bonus * np.sign(lead)
        return np.asarray(lead + self.rules.box_bonus * (boxes[0] - boxes[1]) + bonus, np.float64)

    def _single(self, points: Pair, boxes: Pair, dealer_is_me: bool) -> tuple[float, float]:
        """Chance and margin before the round that is the game."""
        values = self._values(points, boxes, 0 if dealer_is_me else 1, self.odds.most_points)
        mine, theirs = self.odds.dealer, self.odds.non_dealer
        if not dealer_is_me:
            mine, theirs = theirs, mine
        shares = np.concatenate([theirs[::-1], [self.odds.uncounted], mine])
        return float(shares @ values.chances), float(shares @ values.margins)


def _deals_next(rules: RuleSet, dealer: int, winner: int) -> int:
    """Who deals after a hand, all as 0 for me and 1 for them."""
    return int(next_dealer(rules, Seat(dealer), Seat(winner)))


def _shutout_bonus(rules: RuleSet, points: Ints, boxes: int) -> Floats:
    """What a winner with these final points and boxes gets on top when the loser won no hand."""
    kind = rules.shutout
    bonus = np.zeros(points.shape)
    if kind in (Shutout.HAND_POINTS, Shutout.BOTH, Shutout.EVERYTHING):
        bonus += points
    if kind in (Shutout.GAME_BONUS, Shutout.BOTH, Shutout.EVERYTHING):
        bonus += rules.game_bonus
    if kind is Shutout.EVERYTHING:
        bonus += rules.box_bonus * boxes
    return bonus


def _weighed(weights: Floats, rows: Floats) -> Floats:
    """The sum of rows [..., weight, column], each times its weight."""
    # Not @: for products this small its threads cost more than they give, on a busy machine thirty times as much.
    return np.asarray(np.einsum("p,...pn->...n", weights, rows), np.float64)


class _Solver:
    """The tables of ``Equity``. Index 0 is a round I deal, 1 one they deal."""

    def __init__(self, rules: RuleSet, odds: RoundOdds) -> None:
        self.rules, self.target, self.same = rules, rules.target, odds.uncounted
        self.reach = odds.most_points
        size = max(odds.most_points, rules.target) + 1
        self.mine = np.zeros((2, size))
        """[dealer, points]: the odds that I win a hand with so many points."""
        self.mine[0, : odds.dealer.size] = odds.dealer
        self.mine[1, : odds.dealer.size] = odds.non_dealer
        self.theirs = self.mine[::-1]
        self.after_mine = [_deals_next(rules, dealer, 0) for dealer in (0, 1)]
        self.after_theirs = [_deals_next(rules, dealer, 1) for dealer in (0, 1)]
        points = np.arange(size)
        self.mine_from, self.theirs_from = (
            np.cumsum(side[:, ::-1], axis=1)[:, ::-1] for side in (self.mine, self.theirs)
        )
        """[dealer, points]: the odds of so many points or more."""
        self.worth_from = np.cumsum((self.mine * points)[:, ::-1], axis=1)[:, ::-1]
        """[dealer, points]: the sum of points × odds over so many points or more that I win."""
        self.gain = (self.mine - self.theirs) @ (points + rules.box_bonus)
        """[dealer]: points and boxes to expect of one round."""
        again = np.eye(2) * (1 - self.same)
        for dealer in (0, 1):
            again[dealer, self.after_mine[dealer]] -= self.mine[dealer, 0]
        self.my_pointless = np.linalg.inv(again) if self.target else again
        """[dealer, dealer]: the inverse of what my boxes without points and uncounted rounds leave of a value."""
        for dealer in (0, 1):
            again[dealer, self.after_theirs[dealer]] -= self.theirs[dealer, 0]
        self.pointless = np.linalg.inv(again) if self.target else again
        """[dealer, dealer]: the same with their boxes without points."""

    def both(self) -> Floats:
        """``Equity.table``, by descending sum of the points: hands with points lead to higher sums only."""
        target, reach = self.target, self.reach
        sums = max(2 * target - 1, 0)
        # The same values twice, [chance or margin, dealer, sum, points], so that the hands a side can win next lie
        # behind each other: by my points for hands they win, by their points for hands I win.
        by_mine, by_theirs = np.zeros((2, 2, 2, sums + reach, target))
        for both in range(sums - 1, -1, -1):
            low, high = max(0, both - target + 1), min(both + 1, target)
            here, later = slice(low, high), slice(both + 1, both + reach + 1)
            mine = np.arange(low, high)
            known = np.empty((2, 2, high - low))
            for dealer in (0, 1):
                won = by_theirs[:, self.after_mine[dealer], later, here]
                lost = by_mine[:, self.after_theirs[dealer], later, here]
                known[:, dealer] = _weighed(self.mine[dealer, 1 : reach + 1], won)[:, ::-1]
                known[:, dealer] += _weighed(self.theirs[dealer, 1 : reach + 1], lost)
                wins = self.mine_from[dealer, target - mine]
                known[0, dealer] += wins
                known[1, dealer] += self.rules.game_bonus * (wins - self.theirs_from[dealer, target - both + mine])
                known[1, dealer] += self.gain[dealer]
            found = np.einsum("de,wen->wdn", self.pointless, known)
            by_mine[:, :, both, here], by_theirs[:, :, both, here] = found, found[:, :, ::-1]
        points = np.arange(target)
        table = np.moveaxis(by_mine[:, :, points[:, None] + points, points], 0, -1).copy()
        table[..., 0] = np.clip(table[..., 0], 0, 1)
        return table

    def alone(self, table: Floats) -> Floats:
        """``Equity.alone``: their first box leads to ``table``, so only my hands and uncounted rounds stay here."""
        rules, target = self.rules, self.target
        mine = np.arange(target)
        ends = self.mine_from[:, target - mine]
        shutout = self.my_hands(ends)
        known = np.empty((2, target))
        for dealer in (0, 1):
            known[dealer] = _weighed(self.theirs[dealer, :target], table[self.after_theirs[dealer], :, :, 1])
            known[dealer] += self.gain[dealer]
            known[dealer] += rules.game_bonus * (ends[dealer] - self.theirs_from[dealer, target])
            known[dealer] += self.doubled(dealer, mine)
        if rules.shutout is Shutout.EVERYTHING:
            # Each box I win counts again if the game ends in a shutout: the chance of both, round by round, is the
            # chance of the shutout less that of an uncounted round before it.
            known += rules.box_bonus * (1 - self.same) * shutout
        return np.stack([self.my_hands(known), shutout], axis=-1)

    def my_hands(self, known: Floats) -> Floats:
        """Values [dealer, mine] that are ``known``, of the same shape, and what the hands I win lead to."""
        target, reach = self.target, self.reach
        values = np.zeros((2, target + reach))
        for mine in range(target - 1, -1, -1):
            later = [
                self.mine[d, 1 : reach + 1] @ values[self.after_mine[d], mine + 1 : mine + reach + 1] for d in (0, 1)
            ]
            values[:, mine] = self.my_pointless @ (known[:, mine] + later)
        return values[:, :target]

    def nobody(self, alone: Floats) -> Floats:
        """``Equity.nobody``: the first hand that counts leads to ``alone``, from the winner's side."""
        rules, target = self.rules, self.target
        if target == 0:
            return np.zeros(2)
        first = rules.box_bonus if rules.shutout is Shutout.EVERYTHING else 0
        more = alone[:, :, 0] + first * alone[:, :, 1]
        value = np.empty(2)
        for dealer in (0, 1):
            wins, losses = self.mine[dealer], self.theirs[dealer]
            value[dealer] = self.gain[dealer]
            value[dealer] += wins[:target] @ more[self.after_mine[dealer]]
            value[dealer] -= losses[:target] @ more[1 - self.after_theirs[dealer]]
            for sign, side in ((1, dealer), (-1, 1 - dealer)):
                ends = self.mine_from[side, target]
                value[dealer] += sign * (
                    rules.game_bonus * ends + first * ends + self.doubled(side, np.zeros(1, np.int64))[0]
                )
        return value / (1 - self.same)

    def doubled(self, dealer: int, mine: Ints) -> Floats:
        """What ending the game now by a shutout adds to expect, boxes left out, by my points before the round."""
        rules, need = self.rules, self.target - mine
        ends = self.mine_from[dealer, need]
        bonus = np.zeros(mine.shape)
        if rules.shutout in (Shutout.HAND_POINTS, Shutout.BOTH, Shutout.EVERYTHING):
            bonus += mine * ends + self.worth_from[dealer, need]
        if rules.shutout in (Shutout.GAME_BONUS, Shutout.BOTH, Shutout.EVERYTHING):
            bonus += rules.game_bonus * ends
        return bonus
