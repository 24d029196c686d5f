"""What an evaluation says: for every legal action its figures with their uncertainty."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tutor.engine.worlds import Sample, Worlds
from tutor.game.actions import Action
from tutor.game.view import View


@dataclass(frozen=True, slots=True)
class Outcomes:
    """How the hand ends, as shares that add up to 1; gin includes big gin, a tie counts as the undercut it is."""

    win_knock: float
    win_gin: float
    undercut: float
    lose_knock: float
    lose_gin: float
    win_undercut: float
    dead: float


NOTHING = Outcomes(0, 0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Line:
    """One action and its figures from the deciding seat's side.

    ``points`` is the expected points of this hand, ``win`` the chance to win the game, ``margin`` the final margin to
    expect with boxes and bonuses, each with its standard error;
    ``behind`` how many points the action is worth less than the recommended one, ``win_behind`` how much chance, with
    the standard errors of these differences over the worlds that both were played in. They can be slightly negative:
    the recommendation rests on other worlds than these figures. ``worlds`` is how many worlds the figures come
    from; 0 means they are exact. ``points_by`` is what each outcome contributes to ``points``; ``win_by`` to the chance
    to win the game, counted from the chance after a hand that does not score (``win`` less the sum of ``win_by``).
    """

    action: Action
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
    points_by: Outcomes = NOTHING
    win_by: Outcomes = NOTHING


@dataclass(frozen=True, slots=True)
class Played:
    """What was played of one action: in the search, and afterwards in fresh worlds."""

    searched: Sample
    fresh: Sample


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Figures for every action asked about: the recommended one first, the others by expected worth.

    ``worlds`` is what was asked for, the worlds of an action in the running. What was played is kept, so that the
    evaluation can be refined; it plays no part in equality.
    """

    view: View
    lines: tuple[Line, ...]
    worlds: int
    seed: int
    for_points: bool
    base: Worlds | None = field(compare=False, repr=False)
    played: Mapping[Action, Played] = field(compare=False, repr=False)

    @property
    def best(self) -> Line:
        """The recommended action's line."""
        return self.lines[0]

    def line(self, action: Action) -> Line:
        """The figures of an action; KeyError when it was not asked about."""
        for line in self.lines:
            if line.action == action:
                return line
        raise KeyError(action)
