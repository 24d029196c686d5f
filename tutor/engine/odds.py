"""How rounds of strong play end: counts of results, and the odds they give."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tutor.game.actions import Seat
from tutor.game.result import Result
from tutor.game.rules import MatchFormat, NextDealer, RuleSet, Shutout

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Signs = npt.NDArray[np.int8]

MOST_POINTS = 4096
"""More than any round can be worth: (98 points + a bonus of 1000) × 2 for a spade upcard."""
_NEAR = 1e-9
T = TypeVar("T")


class OddsError(ValueError):
    """Counts or odds that contradict themselves, with the reason in words."""


_DEFAULT = RuleSet()


def shape_of(rules: RuleSet) -> RuleSet:
    """The rules that shape a round, all knobs of the game around it set to their defaults.

    Two rule sets with the same shape share their odds: target, bonuses of the game, shutout, next dealer and
    match decide what a result is worth, not how often it comes. So the strong play counted here is play for points.
    """
    return replace(
        rules,
        open_discards=True,
        target=_DEFAULT.target,
        game_bonus=_DEFAULT.game_bonus,
        box_bonus=_DEFAULT.box_bonus,
        shutout=Shutout.NONE,
        next_dealer=NextDealer.ALTERNATE,
        match=MatchFormat(),
    )


SHAPING = (
    "knock_limit",
    "oklahoma",
    "oklahoma_ace",
    "spade_doubles",
    "gin_bonus",
    "undercut_bonus",
    "big_gin_bonus",
    "tie",
    "taken_card_stays",
    "last_discard",
    "first_turn_misdeal",
    "pile_limit",
)
"""The knobs that ``shape_of`` keeps."""


def shape_texts(rules: RuleSet) -> dict[str, str]:
    """The shaping knobs by name, with the values as records spell them."""
    return {knob: rules.value_text(knob) for knob in SHAPING}


@dataclass(frozen=True, slots=True, eq=False)
class RoundOdds:
    """The distribution of one round's result.

    ``dealer`` and ``non_dealer`` are float64 arrays of one length: entry p is the probability that the side wins
    the hand (a box) with p points. Entry 0 is a box without points: a tie under ``Tie.NOTHING``, or an undercut or
    gin that is worth nothing. ``uncounted`` is the probability of a round that leaves no trace (dead hand, void tie,
    misdeal). Raises OddsError unless all are probabilities that add up to 1.
    """

    dealer: Floats
    non_dealer: Floats
    uncounted: float

    def __post_init__(self) -> None:
        for name in ("dealer", "non_dealer"):
            copy = np.array(getattr(self, name), dtype=np.float64)
            copy.flags.writeable = False
            object.__setattr__(self, name, copy)
        if self.dealer.ndim != 1 or self.dealer.shape != self.non_dealer.shape or not self.dealer.size:
            raise OddsError(f"odds want two equally long rows, not {self.dealer.shape} and {self.non_dealer.shape}")
        every = np.concatenate([self.dealer, self.non_dealer, [self.uncounted]])
        if not (np.isfinite(every).all() and every.min() >= 0):
            raise OddsError("a probability is 0 to 1")
        if abs(every.sum() - 1) > _NEAR:
            raise OddsError(f"the odds add up to {every.sum():.9f}, not to 1")

    @property
    def most_points(self) -> int:
        """The highest number of points the arrays have an entry for."""
        return self.dealer.size - 1


@dataclass(frozen=True, slots=True)
class Source:
    """Where counts come from: the rules by name, who played, the seed of the deals, the command that made them."""

    rules: str
    players: str
    seed: int
    command: str


@dataclass(frozen=True, slots=True)
class RoundCounts:
    """How often each result came in rounds that were played; ``shape`` is ``shape_of`` their rules.

    ``dealer`` and ``non_dealer`` count by points as in ``RoundOdds``. Raises OddsError for negative counts,
    no rounds at all, or rows of different lengths.
    """

    shape: RuleSet
    dealer: tuple[int, ...]
    non_dealer: tuple[int, ...]
    uncounted: int
    source: Source

    def __post_init__(self) -> None:
        if self.shape != shape_of(self.shape):
            raise OddsError("counts belong to the rules that shape a round: use shape_of")
        if not 1 <= len(self.dealer) == len(self.non_dealer) <= MOST_POINTS + 1:
            raise OddsError(f"counts want two equally long rows, not {len(self.dealer)} and {len(self.non_dealer)}")
        if min(*self.dealer, *self.non_dealer, self.uncounted) < 0 or self.rounds == 0:
            raise OddsError("counts cannot be negative, and there must be a round")

    @property
    def rounds(self) -> int:
        """The number of rounds counted."""
        return sum(self.dealer) + sum(self.non_dealer) + self.uncounted

    def odds(self) -> RoundOdds:
        """The shares of the counts."""
        dealer, non_dealer = np.array(self.dealer, np.float64), np.array(self.non_dealer, np.float64)
        return RoundOdds(dealer / self.rounds, non_dealer / self.rounds, self.uncounted / self.rounds)

    def to_json(self) -> str:
        """The counts as JSON: the shaping knobs, the source, and per side [points, count] for what came at all."""
        value = {
            **{field.name: getattr(self.source, field.name) for field in fields(Source)},
            "rounds": self.rounds,
            "knobs": shape_texts(self.shape),
            "uncounted": self.uncounted,
            "dealer": [[points, count] for points, count in enumerate(self.dealer) if count],
            "non_dealer": [[points, count] for points, count in enumerate(self.non_dealer) if count],
        }
        rows = (f"  {json.dumps(key)}: {json.dumps(part, ensure_ascii=False)}" for key, part in value.items())
        return "{\n" + ",\n".join(rows) + "\n}\n"

    @classmethod
    def from_json(cls, text: str) -> RoundCounts:
        """Counts from ``to_json``; OddsError, with the reason, for anything else."""
        try:
            value = json.loads(text)
            source = Source(
                _typed(value["rules"], str),
                _typed(value["players"], str),
                _typed(value["seed"], int),
                _typed(value["command"], str),
            )
            knobs = {_typed(knob, str): _typed(text, str) for knob, text in value["knobs"].items()}
            if set(knobs) != set(SHAPING):
                raise OddsError(f"the knobs are {', '.join(knobs)}, not {', '.join(SHAPING)}")
            shape = shape_of(RuleSet().with_values(knobs))
            sides = [
                {_typed(points, int): _typed(count, int) for points, count in value[side]}
                for side in ("dealer", "non_dealer")
            ]
            rounds, uncounted = _typed(value["rounds"], int), _typed(value["uncounted"], int)
        except OddsError:
            raise
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise OddsError(f"these are no counts: {error!r}") from error
        reached = [points for side in sides for points in side]
        if reached and not 0 <= min(reached) <= max(reached) <= MOST_POINTS:
            raise OddsError(f"points are 0 to {MOST_POINTS}")
        dealer, non_dealer = (
            tuple(side.get(points, 0) for points in range(max(reached, default=0) + 1)) for side in sides
        )
        counts = cls(shape, dealer, non_dealer, uncounted, source)
        if counts.rounds != rounds:
            raise OddsError(f"the counts add up to {counts.rounds}, not to {rounds} rounds")
        return counts


def _typed(value: object, kind: type[T]) -> T:
    if type(value) is not kind:
        raise OddsError(f"{value!r} is no {kind.__name__}")
    return value


def count_rounds(rules: RuleSet, points: Ints, box: Signs, source: Source) -> RoundCounts:
    """Counts of rounds given as arrays of one length, signed from the dealer's side.

    ``points`` (int64) is above 0 when the dealer's side won them and below 0 when the other side did; ``box`` (int8)
    is 1 for a hand won by the dealer's side, −1 for one won by the other, 0 for a round that does not count.
    Raises OddsError when they contradict each other.
    """
    if points.shape != box.shape or points.ndim != 1:
        raise OddsError(f"points and boxes want one length, not {points.shape} and {box.shape}")
    if not np.isin(box, (-1, 0, 1)).all():
        raise OddsError("a box is 1, 0 or -1")
    if (points * box < 0).any() or points[box == 0].any():
        raise OddsError("points go to the side that won the hand")
    if points.size and int(np.abs(points).max()) > MOST_POINTS:
        raise OddsError(f"no round is worth more than {MOST_POINTS} points")
    length = int(np.abs(points).max(initial=0)) + 1
    dealer, non_dealer = (np.bincount(np.abs(points[box == sign]), minlength=length).tolist() for sign in (1, -1))
    return RoundCounts(shape_of(rules), tuple(dealer), tuple(non_dealer), int((box == 0).sum()), source)


def count_results(rules: RuleSet, rounds: Iterable[tuple[Seat, Result]], source: Source) -> RoundCounts:
    """Counts of finished rounds, each with who dealt it; the rules price them. Raises OddsError without a round."""
    points, box = [], []
    for dealer, result in rounds:
        score = result.score(rules)
        sign = 0 if score.box is None else 1 if score.box is dealer else -1
        points.append(sign * score.points)
        box.append(sign)
    return count_rounds(rules, np.array(points, np.int64), np.array(box, np.int8), source)
