"""What a decision was worth: the grade of an action beside the best one, and how sure that is.

There is one currency. In a game the chance to win it decides, told in points at level score: the loss divided by what a
point is worth at the start of the game, so that a wide lead or a desperate score is judged by what matters there. A
single hand goes by points.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tutor.engine.evaluation import Evaluation, Line
from tutor.game.actions import Action


class Grade(Enum):
    """How good a decision was."""

    BEST = "among the best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"
    DEPENDS = "depends on the opponent"


NEAR = 0.25
"""Points behind the best up to which an action is as good."""
GRADES = ((4.0, Grade.BLUNDER), (1.5, Grade.MISTAKE), (0.5, Grade.INACCURACY))
"""The one table of grades: from how many points of loss on, the worst first."""
BLAMED = frozenset(grade for _, grade in GRADES)
"""The grades that blame."""
SURE = 2.0
"""Standard errors under which nothing is blamed."""
CLEAR = GRADES[1][0]
"""A loss that is clear even where it does not hold against every style."""
HOLDS = 0.75
"""Share of a grade's threshold that the loss must reach against every single style of opponent."""
SLIP = 1.0
"""Points of a hand from which on it is said that points and chance disagree."""
SLIP_CHANCE = 0.01
"""The same as a share of the game."""


@dataclass(frozen=True, slots=True)
class Side:
    """The loss against one style of opponent: its name in ``styles.STYLES``, points with their standard error."""

    style: str
    loss: float
    loss_se: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """One decision judged.

    ``loss`` is in points at level score with its standard error; it can be slightly negative. ``equal`` are the other
    actions that are as good as the best, the recommended one among them. ``counts`` tells whether there was something
    to decide at all; ``settled`` whether more worlds could still change the grade. ``sides`` are the losses against
    single styles that the opponent may well have, where they were looked at; ``exceptions`` those against styles it has
    not shown, against which the move would be no such fault. ``point`` is the chance to win the game that a point is
    worth at level score, 0 where points decide.
    """

    action: Action
    played: Line
    best: Line
    grade: Grade
    loss: float
    loss_se: float
    equal: tuple[Action, ...]
    counts: bool
    settled: bool
    sides: tuple[Side, ...]
    point: float
    seed: int
    exceptions: tuple[Side, ...] = ()

    @property
    def blamed(self) -> bool:
        """Whether the grade is worse than good."""
        return self.grade in BLAMED

    @property
    def avoidable(self) -> float:
        """The loss that counts, in points: none where there was nothing to decide, and never below 0."""
        return max(0.0, self.loss) if self.counts else 0.0

    @property
    def against_points(self) -> bool:
        """Whether the best action by the chance to win the game has clearly fewer points of this hand."""
        return _disagree(self.played, self.point)


def worth_of_loss(line: Line, point: float) -> tuple[float, float]:
    """How far a line is behind the recommended one, in points at level score, and the standard error."""
    if point:
        return line.win_behind / point, line.win_behind_se / point
    return line.behind, line.behind_se


def _disagree(line: Line, point: float) -> bool:
    points = line.behind <= -max(SLIP, SURE * line.behind_se)
    return bool(point) and points and line.win_behind >= max(SLIP_CHANCE, SURE * line.win_behind_se)


def trap(evaluation: Evaluation, point: float) -> Line | None:
    """An action that has clearly more points of this hand than the recommended one, and less chance in the game."""
    found = [line for line in evaluation.lines[1:] if _disagree(line, point)]
    return min(found, key=lambda line: line.behind, default=None)


def graded(loss: float, loss_se: float, sides: tuple[Side, ...] = ()) -> Grade:
    """The grade of a loss in points: with the benefit of one standard error, and only what holds against every style.

    No blame for less than ``SURE`` standard errors. Where the loss is a blamed one but against some style it is none
    that could be told from nothing, or a clear one that hardly shows against some style, the answer depends on the
    opponent.
    """
    if loss < SURE * loss_se or loss - loss_se < GRADES[-1][0]:
        return Grade.BEST if loss < NEAR else Grade.GOOD
    if any(side.loss < max(side.loss_se, NEAR) for side in sides):
        return Grade.DEPENDS
    held = min([loss - loss_se, *((side.loss - side.loss_se) / HOLDS for side in sides)])
    for least, grade in GRADES:
        if held >= least:
            return grade
    return Grade.DEPENDS if loss - loss_se >= CLEAR else Grade.GOOD


def least_of(grade: Grade) -> float:
    """The points of loss from which on a grade that blames is given; ValueError for another one."""
    for least, one in GRADES:
        if one is grade:
            return least
    raise ValueError(f"{grade.value} blames nobody")


def excepted(grade: Grade, sides: tuple[Side, ...]) -> tuple[Side, ...]:
    """The styles against which a blamed move would perhaps lose less than the grade's share."""
    return tuple(side for side in sides if side.loss - side.loss_se < HOLDS * least_of(grade))


def judge(evaluation: Evaluation, action: Action, *, point: float, sides: tuple[Side, ...] = ()) -> Verdict:
    """The verdict on an action whose figures the evaluation has; ``point`` is 0 where points decide.

    Raises KeyError for an action without figures.
    """
    best, played = evaluation.best, evaluation.line(action)
    loss, loss_se = worth_of_loss(played, point)
    behind = {line.action: worth_of_loss(line, point) for line in evaluation.lines}
    near = [other for other, (gap, error) in behind.items() if gap < NEAR and error < 2 * NEAR]
    equal = tuple(other for other in near if other != action)
    spread = any(gap >= max(GRADES[-1][0], SURE * error) for gap, error in behind.values())
    grade = graded(loss, loss_se, sides)
    return Verdict(
        action, played, best, grade, loss, loss_se, equal, spread, _settled(loss, loss_se), sides, point,
        evaluation.seed,
    )  # fmt: skip


def _settled(loss: float, loss_se: float) -> bool:
    """Whether no border between grades lies within ``SURE`` standard errors of the loss."""
    return all(abs(loss - border) >= SURE * loss_se for border in (NEAR, *(least for least, _ in GRADES)))
