"""What standings are worth under any rules: odds of strong play, shipped for the presets, else measured and kept."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from tutor.engine import styles
from tutor.engine.deals import dealt_states
from tutor.engine.equity import Equity, RoundValues
from tutor.engine.kernel import cache_folder
from tutor.engine.kernel import deadwood as counting
from tutor.engine.kernel import playout as kernel
from tutor.engine.odds import RoundCounts, RoundOdds, Source, count_rounds
from tutor.engine.odds_files import odds_for
from tutor.engine.rollouts import play_on, seeds_for
from tutor.engine.states import BOXES, Ints, card_at, rules_row
from tutor.game.actions import Seat
from tutor.game.result import LEVEL, Standing
from tutor.game.rules import RuleSet

ROUNDS = 100_000
"""Rounds measured where none are shipped; about a second of play."""


def count_strong_play(rules: RuleSet, *, rounds: int = ROUNDS, seed: int = 1) -> RoundCounts:
    """How rounds end when the tuned policy plays itself; seat 0 deals."""
    states = dealt_states(rounds, seed, Seat.SOUTH)
    states[:, kernel.POLICY0] = states[:, kernel.POLICY1] = styles.NAMES.index("sharp")
    points, outcomes = np.zeros(rounds, np.int64), np.full(rounds, kernel.DEAD, np.int8)
    upcards, seeds = states[:, kernel.TOP], seeds_for(rounds, seed)
    for top in np.unique(upcards):
        row = rules_row(rules, card_at(int(top).bit_length() - 1))
        chosen = np.flatnonzero(upcards == top)
        if rules.first_turn_misdeal:
            limit = row[kernel.LIMIT]
            dealt = [states[chosen, hand] for hand in (kernel.HAND0, kernel.HAND1)]
            least = [np.array([counting.deadwood(hand) for hand in hands]) for hands in dealt]
            chosen = chosen[(least[0] > limit) & (least[1] > limit)]
        won, ended = play_on(states[chosen], row, seeds[chosen])
        points[chosen], outcomes[chosen] = won[:, 0], ended[:, 0]
    source = Source(
        rules.preset or "own rules", "Sharp against Sharp", seed, f"{rounds} rounds measured when they were needed"
    )
    return count_rounds(rules, points, BOXES[outcomes], source)


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """What results are worth in a game under ``rules``.

    Where the target is beyond ``EXACT`` the equity counts in coarser points, ``scale`` of the real ones each; then the
    margin is what is won so far, with the game bonus by the chance to win it.
    """

    rules: RuleSet
    equity: Equity
    scale: int

    @property
    def point(self) -> float:
        """How much chance to win the game a point is worth at the start of the game, whoever deals."""
        few = min(POINT_OVER, self.rules.target)
        ends = np.array([few, -few])
        rows = [self.values(LEVEL, Seat.SOUTH, dealer, few).of(ends, np.sign(ends).astype(np.int8)) for dealer in Seat]
        return float(np.mean([chances[0] - chances[1] for chances, _ in rows])) / (2 * few)

    def values(self, standing: Standing, seat: Seat, dealer: Seat, reach: int) -> RoundValues:
        """As ``Equity.values``."""
        if self.scale == 1:
            return self.equity.values(standing, seat, dealer, reach)
        mine, theirs = standing.points[seat], standing.points[seat.other]
        if max(mine, theirs) >= self.rules.target:
            raise ValueError(f"the game is over at {mine} to {theirs}")
        coarse = Standing((standing.points[0] // self.scale, standing.points[1] // self.scale), standing.boxes)
        few = self.equity.values(coarse, seat, dealer, reach // self.scale + 1)
        won = np.arange(reach + 1)
        signed = np.concatenate([-won[::-1], [0], won])
        boxes = np.concatenate([np.full(reach + 1, -1), [0], np.full(reach + 1, 1)]).astype(np.int8)
        chances, _ = few.of(_coarser(signed, self.scale), boxes)
        chances = np.where(mine + signed >= self.rules.target, 1.0, chances)
        chances = np.where(theirs - signed >= self.rules.target, 0.0, chances)
        ahead = mine - theirs + self.rules.box_bonus * (standing.boxes[seat] - standing.boxes[seat.other])
        margins = ahead + signed + self.rules.box_bonus * boxes + self.rules.game_bonus * (2 * chances - 1)
        return RoundValues(reach, chances, margins)


POINT_OVER = 10
"""A point's worth is the slope between a hand won and a hand lost by so many."""
EXACT = 500
"""The highest target whose standings are told apart point by point; a larger table would take too much memory."""
_SOLVING = threading.Lock()


def _coarser(points: Ints, scale: int) -> Ints:
    """Points in units of ``scale``, rounded, but a point won stays one."""
    units = np.maximum((np.abs(points) + scale // 2) // scale, np.abs(points) > 0)
    return np.asarray(np.sign(points) * units, dtype=np.int64)


def _coarse_odds(odds: RoundOdds, scale: int) -> RoundOdds:
    places = _coarser(np.arange(odds.most_points + 1), scale)
    dealer, non_dealer = (np.bincount(places, weights=row).astype(np.float64) for row in (odds.dealer, odds.non_dealer))
    return RoundOdds(dealer, non_dealer, odds.uncounted)


def worth_of(rules: RuleSet) -> Worth:
    """What standings under these rules are worth. Solved once; odds that are not shipped are measured and kept."""
    # Who asks while another thread solves the same rules waits for it instead of solving them again.
    with _SOLVING:
        return _solved(rules)


@lru_cache(maxsize=8)
def expected_points(rules: RuleSet) -> float:
    """The points of a hand the dealer has to expect under strong play, less the other side's."""
    odds = odds_for(rules, count_strong_play, cache_folder() / "odds")
    return float((odds.dealer - odds.non_dealer) @ np.arange(odds.most_points + 1))


@lru_cache(maxsize=8)
def _solved(rules: RuleSet) -> Worth:
    odds = odds_for(rules, count_strong_play, cache_folder() / "odds")
    scale = -(-rules.target // EXACT) if rules.target > EXACT else 1
    if scale > 1:
        odds = _coarse_odds(odds, scale)
    return Worth(rules, Equity(replace(rules, target=-(-rules.target // scale)), odds), scale)
