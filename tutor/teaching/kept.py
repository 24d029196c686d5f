"""A verdict in plain values, from which it is made again: its explanation can be asked for whenever it is read."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from tutor.engine.evaluation import Line, Outcomes
from tutor.game.actions import Action
from tutor.teaching.verdict import Grade, Side, Verdict


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one action, each as in ``Line``."""

    points: float
    points_se: float
    win: float
    win_se: float
    margin: float
    margin_se: float
    behind: float
    behind_se: float
    win_behind: float
    win_behind_se: float
    outcomes: Outcomes
    worlds: int
    points_by: Outcomes
    win_by: Outcomes

    @classmethod
    def of(cls, line: Line) -> Figures:
        """The figures of a line."""
        return cls(**{field.name: getattr(line, field.name) for field in fields(cls)})

    def line(self, action: Action) -> Line:
        """The line of an action with these figures."""
        return Line(action, **{field.name: getattr(self, field.name) for field in fields(self)})

    @classmethod
    def read(cls, row: dict[str, Any]) -> Figures:
        """The figures from plain values, as ``dataclasses.asdict`` gives them."""
        splits = {name: Outcomes(**row[name]) for name in ("outcomes", "points_by", "win_by")}
        return cls(**row | splits)


@dataclass(frozen=True, slots=True)
class Kept:
    """What a verdict rests on, each as in ``Verdict``; the actions, the grade and the loss are told beside it."""

    played: Figures
    best: Figures
    settled: bool
    sides: tuple[Side, ...]
    point: float
    exceptions: tuple[Side, ...]

    @classmethod
    def of(cls, found: Verdict) -> Kept:
        """What is kept of a verdict."""
        played, best = Figures.of(found.played), Figures.of(found.best)
        return cls(played, best, found.settled, found.sides, found.point, found.exceptions)

    def verdict(
        self, action: Action, best: Action, equal: tuple[Action, ...], grade: Grade, loss: float, loss_se: float,
        *, counts: bool, seed: int,
    ) -> Verdict:  # fmt: skip
        """The verdict again."""
        return Verdict(
            action, self.played.line(action), self.best.line(best), grade, loss, loss_se, equal, counts, self.settled,
            self.sides, self.point, seed, self.exceptions,
        )  # fmt: skip

    @classmethod
    def read(cls, row: dict[str, Any]) -> Kept:
        """The same from plain values, as ``dataclasses.asdict`` gives them."""
        sides, exceptions = (tuple(Side(**side) for side in row[name]) for name in ("sides", "exceptions"))
        played, best = Figures.read(row["played"]), Figures.read(row["best"])
        return cls(played, best, row["settled"], sides, row["point"], exceptions)
