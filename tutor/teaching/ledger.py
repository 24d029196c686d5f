"""The account of a hand in points, for one seat: its cards, its decisions, the rest.

At each own action the best action is worth ``best`` and the one played ``played``, both by the same evaluation. Between
two own actions the worth moves because a card came (luck: its value less the mean over the cards that could have come),
because the other side acted and hands were shown (the rest), or because the second evaluation knows better than the
first (drift, a line of its own). The lines add up to the points of the hand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tutor.engine.luck import Luck


class Next(Enum):
    """What lies between an own action and the next one."""

    CARD = "card"
    NOTHING = "nothing"
    AWAY = "away"


@dataclass(frozen=True, slots=True)
class Step:
    """One own action in expected points of this hand, with standard errors.

    ``loss_se`` is the error of ``best`` − ``played``; ``then`` what comes before the next own action; ``luck`` is there
    where a card came from the stock.
    """

    ply: int
    best: float
    best_se: float
    played: float
    played_se: float
    loss_se: float
    then: Next
    luck: Luck | None = None


class Kind(Enum):
    """The lines of the account in which something happens."""

    DEAL = "deal"
    CARD = "card"
    DECISION = "decision"
    REST = "rest"


@dataclass(frozen=True, slots=True)
class Swing:
    """One thing that moved the worth of a hand: after how many actions, what, by how many points ± standard error."""

    ply: int
    kind: Kind
    amount: float
    error: float


@dataclass(frozen=True, slots=True)
class Account:
    """The points of a finished hand in parts, from one seat's side; every ``…_se`` is a standard error.

    ``base`` is what this side of the deal has to expect, ``deal`` and ``draws`` are the luck of the cards,
    ``decisions`` what the own decisions cost (0 or below, but for noise, and but for decisions by the chance to win the
    game), ``rest`` what moved while the other side acted and at the showdown, ``drift`` what a later evaluation saw
    otherwise. ``swings`` are the single movements, the largest first.
    """

    points: float
    base: float
    deal: float
    deal_se: float
    draws: float
    draws_se: float
    decisions: float
    decisions_se: float
    rest: float
    rest_se: float
    drift: float
    swings: tuple[Swing, ...]

    @property
    def cards(self) -> float:
        """The luck of the own cards: dealt and drawn."""
        return self.deal + self.draws

    @property
    def cards_se(self) -> float:
        """Its standard error."""
        return math.hypot(self.deal_se, self.draws_se)


def swings(steps: Sequence[Step], base: float, points: float | None) -> tuple[Swing, ...]:
    """Everything that moved the worth of a hand, in order of play; to its end where ``points`` are told."""
    found = []
    if steps:
        found.append(Swing(steps[0].ply, Kind.DEAL, steps[0].best - base, steps[0].best_se))
    for place, step in enumerate(steps):
        found.append(Swing(step.ply, Kind.DECISION, step.played - step.best, step.loss_se))
        after = followed(steps, place, points)
        if after is not None:
            found.append(after)
    return tuple(found)


def followed(steps: Sequence[Step], place: int, points: float | None) -> Swing | None:
    """What came of the action at this place without the seat's doing; None where nothing could come, or did yet."""
    step = steps[place]
    if step.luck is not None:
        return Swing(step.ply, Kind.CARD, step.luck.amount, step.luck.amount_se)
    if step.then is not Next.AWAY:
        return None
    if place + 1 < len(steps):
        after = steps[place + 1]
        return Swing(step.ply, Kind.REST, after.best - step.played, math.hypot(after.best_se, step.played_se))
    return None if points is None else Swing(step.ply, Kind.REST, points - step.played, step.played_se)


def account(steps: Sequence[Step], base: float, points: float) -> Account:
    """The account of a finished hand. What no line tells is drift, so that the lines add up."""
    moved = swings(steps, base, points)
    sums = {kind: math.fsum(one.amount for one in moved if one.kind is kind) for kind in Kind}
    errors = {kind: math.hypot(*(one.error for one in moved if one.kind is kind)) for kind in Kind}
    if not steps:
        # Over before the seat could act: nothing of it was the seat's doing.
        sums[Kind.REST] = points - base
    drift = math.fsum(_drifts(steps, points))
    return Account(
        points, base,
        sums[Kind.DEAL], errors[Kind.DEAL], sums[Kind.CARD], errors[Kind.CARD],
        sums[Kind.DECISION], errors[Kind.DECISION], sums[Kind.REST], errors[Kind.REST],
        drift, tuple(sorted(moved, key=lambda one: -abs(one.amount))),
    )  # fmt: skip


def _drifts(steps: Sequence[Step], points: float) -> list[float]:
    """Where a card or nothing lies between an own action and the next: what the evaluations tell differently."""
    found = []
    for place, step in enumerate(steps):
        then = steps[place + 1].best if place + 1 < len(steps) else points
        if step.luck is not None:
            found += [step.luck.mean - step.played, then - step.luck.value]
        elif step.then is not Next.AWAY:
            found.append(then - step.played)
    return found
