"""A hand as one seat played it: what it knew at each of its turns, and what it did."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.game.actions import Action, Discard, Knock, Seat
from tutor.game.view import View


@dataclass(frozen=True, slots=True)
class OwnPly:
    """One action of the seat: the actions played before it, what the seat knew, what it did."""

    ply: int
    view: View
    action: Action


@dataclass(frozen=True, slots=True)
class OwnHand:
    """All actions of one seat in a hand, and what it knew in the end. ``last`` is not over in an unfinished hand."""

    plies: tuple[OwnPly, ...]
    last: View

    @property
    def seat(self) -> Seat:
        """Whose hand it is."""
        return self.last.seat

    @property
    def points(self) -> int | None:
        """The points of the hand from the seat's side; None while it is unfinished."""
        return points_for(self.last)

    def came(self, place: int) -> View:
        """What the seat knew at its next action after the one at this place, or in the end."""
        return self.plies[place + 1].view if place + 1 < len(self.plies) else self.last


def points_for(view: View) -> int | None:
    """The points of a finished hand from the view's side, below 0 when the other side scored; None before the end."""
    result = view.public.result
    if result is None:
        return None
    score = result.score(view.public.rules)
    if score.winner is None:
        return 0
    return score.points if score.winner is view.seat else -score.points


def turn_of(view: View) -> int:
    """The number of this seat's turn, from 1."""
    return 1 + sum(act.seat is view.seat and isinstance(act.action, Discard | Knock) for act in view.public.acts)
