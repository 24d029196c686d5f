"""What every reason is: counted values of two actions, of which they speak for one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar, Self

from tutor.game.actions import Action, BigGin, Discard, Knock
from tutor.game.cards import Card, CardSet
from tutor.game.melds import Arrangement
from tutor.game.view import View
from tutor.teaching.reasons.counts import goes_on, turns_left
from tutor.teaching.reasons.fitting import Sampling
from tutor.teaching.reasons.words import Words


class Bearing(Enum):
    """What a reason bears on: the own hand's prospects, what the other side gets, or how a knock comes out."""

    MINE = "mine"
    THEIRS = "theirs"
    COUNT = "count"


NOT_SAMPLED = Sampling(0, 1)
"""Stands for the sampling of reasons that need none."""


@dataclass(frozen=True, slots=True)
class Reason(ABC):
    """One counted fact of two actions that one seat could do.

    ``better`` is the action the fact is told for, ``worse`` the one it is held against: the best action and the one
    played where a move is blamed, the one played and its nearest rival where it was good. The other fields are what
    was counted for each; sampled facts keep how they were sampled. A theme's subclass makes them with ``of``.
    """

    better: Action
    worse: Action
    theme: ClassVar[str]
    bearing: ClassVar[Bearing]

    @classmethod
    @abstractmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """The fact for two legal actions; None where it says nothing about actions of their kind."""

    @abstractmethod
    def text(self) -> Words:
        """The fact in one or two short sentences."""

    @abstractmethod
    def hint(self) -> Words:
        """Where to look to find it, naming neither action."""

    @property
    @abstractmethod
    def differs(self) -> bool:
        """Whether the two actions have different values."""

    @property
    @abstractmethod
    def speaks(self) -> bool:
        """Whether the values differ, and in favour of ``better``."""

    @property
    @abstractmethod
    def weight(self) -> float:
        """How telling it is, roughly in points: what a difference of this size tends to be worth."""

    @property
    def sampled(self) -> Sampling:
        """How its hands were sampled."""
        return NOT_SAMPLED

    def holds(self, view: View) -> bool:
        """Whether every value comes out the same when counted again from the view."""
        if not (allowed(view, self.better) and allowed(view, self.worse)):
            return False
        return type(self).of(view, self.better, self.worse, self.sampled) == self


def allowed(view: View, action: Action) -> bool:
    """Whether this seat may do this now."""
    return view.my_turn and view.refusal(action) is None


def thrown_by(action: Action) -> Card | None:
    """The card a discard throws."""
    return action.card if isinstance(action, Discard) else None


def shown_by(view: View, action: Action) -> Arrangement | None:
    """What a knock or big gin shows; None for other actions."""
    match view.completed(action):
        case Knock(_, arrangement) | BigGin(arrangement):
            return arrangement
    return None


def kept_by(view: View, action: Action, draws: int = 0) -> CardSet | None:
    """The ten cards left after a discard; None where the seat has fewer than ``draws`` draws to come."""
    card = thrown_by(action)
    return None if card is None or turns_left(view) < draws else view.hand.without(card)


def thrown(view: View, better: Action, worse: Action) -> tuple[Card, Card] | None:
    """The two cards thrown, where both actions throw one and the other side has a turn after it."""
    if not isinstance(better, Discard) or not isinstance(worse, Discard) or not goes_on(view):
        return None
    return better.card, worse.card
