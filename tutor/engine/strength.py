"""What the pairs of a duel say about two players: means and shares with their 95% intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from tutor.engine.duel import FATES, Effort, Fate, Kind, PairResult

Z = 1.959964
"""The normal quantile of a two-sided 95% interval."""
FEW_PAIRS = 20
"""Below so many pairs the spread between them is too uncertain for a share's interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value and its 95% interval; no interval (None) where one cannot be told yet."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Ratio:
    """A ratio of totals, such as points to rounds, over independent clusters.

    Holds whole sums only, so it does not depend on the order in which clusters come.
    """

    clusters: int = 0
    y: int = 0
    n: int = 0
    yy: int = 0
    yn: int = 0
    nn: int = 0

    def plus(self, y: int, n: int) -> Ratio:
        """With one cluster more: ``y`` of something in ``n`` rounds or games."""
        return Ratio(self.clusters + 1, self.y + y, self.n + n, self.yy + y * y, self.yn + y * n, self.nn + n * n)

    def estimate(self) -> Estimate:
        """The ratio and its interval: linearised variance between clusters (Cochran 1977, section 6.4).

        Where all clusters are of one size this is the mean of the clusters' ratios and its standard error.
        Raises ValueError when nothing was counted.
        """
        if not self.n:
            raise ValueError("nothing was played yet")
        ratio = Fraction(self.y, self.n)
        if self.clusters < 2:
            return Estimate(float(ratio))
        squares = self.yy - 2 * ratio * self.yn + ratio * ratio * self.nn
        half = Z * math.sqrt(squares * Fraction(self.clusters, (self.clusters - 1) * self.n * self.n))
        return Estimate(float(ratio), float(ratio) - half, float(ratio) + half)


def wilson(won: int, played: int) -> Estimate:
    """A share and its 95% interval by the score method (Wilson 1927), which holds near 0 and 1 too.

    Raises ValueError when nothing was played.
    """
    if not played:
        raise ValueError("nothing was played yet")
    share = won / played
    middle = (share + Z * Z / (2 * played)) / (1 + Z * Z / played)
    half = Z / (1 + Z * Z / played) * math.sqrt(share * (1 - share) / played + (Z / (2 * played)) ** 2)
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half))


@dataclass(frozen=True, slots=True)
class DuelTally:
    """Pairs added up; the same pairs in any order give the same tally.

    ``efforts`` are the players' decisions and processor time, A's and B's.
    """

    kind: Kind
    pairs: int = 0
    points: Ratio = Ratio()
    wins: tuple[Ratio, Ratio] = (Ratio(), Ratio())
    fates: tuple[int, ...] = (0,) * len(FATES)
    efforts: tuple[Effort, Effort] = (Effort(), Effort())

    @classmethod
    def of(cls, kind: Kind, pairs: Iterable[PairResult]) -> DuelTally:
        """The tally of these pairs."""
        tally = cls(kind)
        for pair in pairs:
            tally = tally.plus(pair)
        return tally

    def plus(self, pair: PairResult) -> DuelTally:
        """With one pair more."""
        return DuelTally(
            self.kind,
            self.pairs + 1,
            self.points.plus(pair.points, pair.rounds),
            (self.wins[0].plus(pair.won[0], 2), self.wins[1].plus(pair.won[1], 2)),
            tuple(have + more for have, more in zip(self.fates, pair.fates, strict=True)),
            (self.efforts[0].plus(pair.efforts[0]), self.efforts[1].plus(pair.efforts[1])),
        )

    @property
    def rounds(self) -> int:
        """Rounds played, those inside games included."""
        return sum(self.fates)

    @property
    def units(self) -> int:
        """Rounds or games played, by the kind of the duel."""
        return 2 * self.pairs

    @property
    def gain(self) -> Estimate:
        """Points a round that A gains over B; pairs are the clusters. ValueError before the first pair."""
        return self.points.estimate()

    def share_won(self, player: int) -> Estimate:
        """The share of rounds or games that A (0) or B (1) won. ValueError before the first pair.

        Pairs are the clusters: the cards favour opposite sides in the two halves of a pair, which makes the interval
        narrower. With few pairs, or where all or none were won, it is Wilson's over single rounds or games.
        """
        wins = self.wins[player]
        share = wins.estimate()
        if share.low is None or share.high is None or self.pairs < FEW_PAIRS or wins.y in (0, wins.n):
            return wilson(wins.y, wins.n)
        return Estimate(share.value, max(0.0, share.low), min(1.0, share.high))

    def share_of(self, fate: Fate) -> float:
        """The share of rounds that ended so; 0 before the first pair."""
        return self.fates[FATES.index(fate)] / self.rounds if self.rounds else 0.0
