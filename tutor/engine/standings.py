"""What standings are worth under any rules: odds of strong play, shipped for the presets, else measured and kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from tutor.engine import styles
from tutor.engine.equity import LARGEST_TARGET, Equity, RoundValues
from tutor.engine.kernel import cache_folder
from tutor.engine.kernel import deadwood as counting
from tutor.engine.kernel import playout as kernel
from tutor.engine.odds import RoundCounts, Source, count_rounds
from tutor.engine.odds_files import odds_for
from tutor.engine.states import BOXES, card_at, dealt_states, rules_row
from tutor.game.actions import Seat
from tutor.game.result import Standing
from tutor.game.rules import RuleSet

ROUNDS = 100_000
"""Rounds measured where none are shipped; about a second of play."""


def count_strong_play(rules: RuleSet, *, rounds: int = ROUNDS, seed: int = 1) -> RoundCounts:
    """How rounds end when the tuned policy plays itself; seat 0 deals."""
    states = dealt_states(rounds, seed, Seat.SOUTH)
    states[:, kernel.POLICY0] = states[:, kernel.POLICY1] = styles.NAMES.index("sharp")
    points, outcomes = np.zeros(rounds, np.int64), np.full(rounds, kernel.DEAD, np.int8)
    upcards = states[:, kernel.TOP]
    for top in np.unique(upcards):
        row = rules_row(rules, card_at(int(top).bit_length() - 1))
        chosen = np.flatnonzero(upcards == top)
        if rules.first_turn_misdeal:
            limit = row[kernel.LIMIT]
            dealt = [states[chosen, hand] for hand in (kernel.HAND0, kernel.HAND1)]
            least = [np.array([counting.deadwood(hand) for hand in hands]) for hands in dealt]
            chosen = chosen[(least[0] > limit) & (least[1] > limit)]
        won, ended = np.zeros((len(chosen), 1), np.int32), np.zeros((len(chosen), 1), np.int8)
        seeds = (chosen.astype(np.uint64) + np.uint64(1)) * np.uint64(0xD1342543DE82EF95) + np.uint64(seed)
        kernel.play_all(
            states[chosen], np.array([kernel.NO_ACTION]), styles.ROWS, row, np.zeros((0, 0), np.int8), seeds, won,
            ended, np.zeros((0, 0), np.int64),
        )  # fmt: skip
        points[chosen], outcomes[chosen] = won[:, 0], ended[:, 0]
    source = Source(
        rules.preset or "own rules", "Sharp against Sharp", seed, f"{rounds} rounds measured when they were needed"
    )
    return count_rounds(rules, points, BOXES[outcomes], source)


@dataclass(frozen=True, slots=True, eq=False)
class Worth:
    """What results are worth in a game under ``rules``; targets beyond the table count by what is left to win."""

    equity: Equity
    shift: int

    def values(self, standing: Standing, seat: Seat, dealer: Seat, reach: int) -> RoundValues:
        """As ``Equity.values``."""
        points = tuple(max(0, one - self.shift) for one in standing.points)
        return self.equity.values(Standing((points[0], points[1]), standing.boxes), seat, dealer, reach)


@lru_cache(maxsize=32)
def worth_of(rules: RuleSet) -> Worth:
    """What standings under these rules are worth. Solved once; odds that are not shipped are measured and kept.

    For a target beyond the largest table only the last points of the way are told apart.
    """
    folder = cache_folder() / "odds"
    odds = odds_for(rules, count_strong_play, folder)
    shift = max(0, rules.target - LARGEST_TARGET)
    return Worth(Equity(replace(rules, target=min(rules.target, LARGEST_TARGET)), odds), shift)
