"""Knock now, or wait one turn: two figures and how each would end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import floor

from tutor.engine.evaluation import Evaluation, Line, Outcomes
from tutor.game.actions import BigGin, Discard, Knock
from tutor.teaching.reasons.reason import shown_by
from tutor.teaching.reasons.words import Words, rounded, signed

ORDER = ("win_gin", "win_knock", "dead", "win_undercut", "undercut", "lose_knock", "lose_gin")
"""The outcomes as the bars show them, good to bad; ``LABELS`` names them."""
LABELS = ("you gin", "you knock", "dead hand", "you undercut", "undercut", "they knock", "they gin")
TOLD = 0.01
"""Share of undercuts from which on they are told."""


def percents(outcomes: Outcomes) -> tuple[int, ...]:
    """The outcomes in ``ORDER`` as whole percents that add up to 100, by the largest remainders."""
    exact = [100 * getattr(outcomes, name) for name in ORDER]
    whole = [floor(one) for one in exact]
    by_rest = sorted(range(len(exact)), key=lambda place: (whole[place] - exact[place], place))
    for place in by_rest[: 100 - sum(whole)]:
        whole[place] += 1
    return tuple(whole)


@dataclass(frozen=True, slots=True)
class Choice:
    """One side of the question: the action, its points of this hand, the percents of its endings in ``ORDER``."""

    line: Line
    percents: tuple[int, ...]

    @property
    def points(self) -> int:
        """Whole points of this hand to expect."""
        return rounded(self.line.points)


@dataclass(frozen=True, slots=True)
class KnockOrWait:
    """The best way to end the hand now and the best to go on; going on is waiting one turn, then playing well."""

    now: Choice
    wait: Choice
    name: str

    def text(self) -> Words:
        """``Knock now +14; undercut 1 in 14. Wait one turn +9.``"""
        caught = self.now.line.outcomes.undercut
        risk = f"; undercut {_chance(caught)}" if caught >= TOLD else ""
        now, wait = signed(self.now.line.points), signed(self.wait.line.points)
        return (f"{self.name} now {now}{risk}. Wait one turn {wait}.",)


def _chance(part: float) -> str:
    return f"1 in {rounded(1 / part)}" if part < 0.3 else f"{rounded(part * 10)} in 10"


def knock_or_wait(evaluation: Evaluation, point: float) -> KnockOrWait | None:
    """The question as it stands in an evaluation; None where the hand cannot be ended now, or must be.

    The better of several knocks, and of several throws, is the one with the better chance to win the game, or where
    points decide (``point`` 0) with more points.
    """
    worth: Callable[[Line], float] = (lambda line: line.win) if point else (lambda line: line.points)
    # The first of equals is the recommended one.
    now = max((line for line in evaluation.lines if isinstance(line.action, Knock | BigGin)), key=worth, default=None)
    wait = max((line for line in evaluation.lines if isinstance(line.action, Discard)), key=worth, default=None)
    if now is None or wait is None:
        return None
    shown = shown_by(evaluation.view, now.action)
    gin = shown is not None and not shown.loose
    name = "Big gin" if isinstance(now.action, BigGin) else "Gin" if gin else "Knock"
    return KnockOrWait(Choice(now, percents(now.outcomes)), Choice(wait, percents(wait.outcomes)), name)
