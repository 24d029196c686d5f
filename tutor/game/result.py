"""How a round ended, as facts, and what the rules make of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tutor.game.actions import Seat
from tutor.game.cards import Card
from tutor.game.rules import RuleSet, Tie


class Ending(Enum):
    """How a round came to its end."""

    KNOCK = "knock"
    GIN = "gin"
    BIG_GIN = "big gin"
    DEAD = "dead hand"
    PILE_LIMIT = "dead hand by the pile limit"
    MISDEAL = "misdeal"

    @property
    def scores(self) -> bool:
        """Whether somebody showed a hand."""
        return self in (Ending.KNOCK, Ending.GIN, Ending.BIG_GIN)


class Outcome(Enum):
    """What an ending means once the counts are compared."""

    KNOCK = "knock"
    UNDERCUT = "undercut"
    TIE = "tie"
    GIN = "gin"
    BIG_GIN = "big gin"
    DEAD = "dead hand"


@dataclass(frozen=True, slots=True)
class Score:
    """What a round is worth: ``points`` to ``winner``, and whose box it is (``box``).

    ``winner`` is None when nobody scores. ``counted`` is False for rounds that leave no trace
    (dead hand, misdeal, void tie): the same side deals again.
    """

    winner: Seat | None
    points: int
    box: Seat | None

    def __post_init__(self) -> None:
        if self.points < 0 or (self.points > 0 and self.winner is None):
            raise ValueError(f"{self.points} points need a winner and cannot be negative")

    @property
    def counted(self) -> bool:
        """Whether the round moves the deal on."""
        return self.box is not None

    @classmethod
    def won(cls, winner: Seat, points: int) -> Score:
        """A hand entered by its points alone, as on a score pad."""
        return cls(winner, points, winner)


NO_SCORE = Score(None, 0, None)


@dataclass(frozen=True, slots=True)
class Result:
    """The facts of a finished round; deadwood in points, after lay-offs.

    ``knocker`` and both counts are None for a dead hand or misdeal. Raises ValueError for facts that
    contradict each other.
    """

    ending: Ending
    knocker: Seat | None
    knocker_deadwood: int | None
    defender_deadwood: int | None
    upcard: Card

    def __post_init__(self) -> None:
        facts = (self.knocker, self.knocker_deadwood, self.defender_deadwood)
        told = [fact is not None for fact in facts]
        if told != [self.ending.scores] * 3:
            raise ValueError(f"a {self.ending.value} does not go with {facts}")
        if min(self.knocker_deadwood or 0, self.defender_deadwood or 0) < 0:
            raise ValueError("deadwood cannot be negative")
        if self.ending in (Ending.GIN, Ending.BIG_GIN) and self.knocker_deadwood != 0:
            raise ValueError(f"{self.ending.value} leaves no deadwood, not {self.knocker_deadwood}")
        if self.ending is Ending.KNOCK and self.knocker_deadwood == 0:
            raise ValueError("a knock with nothing loose is gin")

    def outcome(self) -> Outcome:
        """The ending with knocks split by who had less."""
        if not self.ending.scores:
            return Outcome.DEAD
        if self.ending is not Ending.KNOCK:
            return Outcome(self.ending.value)
        lead = self._lead()
        return Outcome.KNOCK if lead > 0 else Outcome.UNDERCUT if lead < 0 else Outcome.TIE

    def score(self, rules: RuleSet) -> Score:
        """The points under a rule set, multiplier included."""
        if self.knocker is None:
            return NO_SCORE
        lead = self._lead()
        outcome = self.outcome()
        if outcome is Outcome.TIE and rules.tie is Tie.VOID:
            return NO_SCORE
        if outcome is Outcome.TIE and rules.tie is Tie.NOTHING:
            return Score(None, 0, self.knocker.other)
        won = outcome in (Outcome.KNOCK, Outcome.GIN, Outcome.BIG_GIN)
        winner = self.knocker if won else self.knocker.other
        points = (abs(lead) + self.bonus(rules)) * rules.multiplier_for(self.upcard)
        return Score(winner, points, winner)

    def bonus(self, rules: RuleSet) -> int:
        """The bonus points of this ending before any multiplier."""
        outcome = self.outcome()
        if outcome is Outcome.GIN:
            return rules.gin_bonus
        if outcome is Outcome.BIG_GIN:
            if rules.big_gin_bonus is None:
                raise ValueError("big gin is not played under these rules")
            return rules.big_gin_bonus
        undercut = outcome is Outcome.UNDERCUT or (outcome is Outcome.TIE and rules.tie is Tie.UNDERCUT)
        return rules.undercut_bonus if undercut else 0

    def _lead(self) -> int:
        """Points by which the knocker is ahead of the defender."""
        return (self.defender_deadwood or 0) - (self.knocker_deadwood or 0)

    def explain(self, rules: RuleSet, names: tuple[str, str] = ("South", "North")) -> str:
        """Why the round ended, who scores and how much, in words that add up."""
        if self.knocker is None:
            return _NOBODY[self.ending]
        knocker, defender = names[self.knocker], names[self.knocker.other]
        mine, theirs = self.knocker_deadwood, self.defender_deadwood
        score = self.score(rules)
        bonus = self.bonus(rules)
        factor = rules.multiplier_for(self.upcard)
        times = f", doubled for the spade upcard: {score.points}" if factor == 2 else ""
        match self.outcome():
            case Outcome.GIN | Outcome.BIG_GIN as outcome:
                return (
                    f"{knocker} has {outcome.value}. {defender} holds {theirs}: "
                    f"{theirs} + {bonus} = {self._lead() + bonus}{times}. {knocker} scores {score.points}."
                )
            case Outcome.KNOCK:
                return (
                    f"{knocker} knocks with {mine}, {defender} holds {theirs}: "
                    f"{theirs} − {mine} = {self._lead()}{times}. {knocker} scores {score.points}."
                )
            case Outcome.TIE if not bonus and not score.points:
                gets = f" The hand counts as won by {defender}." if score.box is not None else ""
                return f"{knocker} knocks with {mine}, {defender} holds the same: nobody scores.{gets}"
            case _:
                how = "the same, an undercut" if self._lead() == 0 else f"{theirs}, an undercut"
                return (
                    f"{knocker} knocks with {mine}, {defender} holds {how}: "
                    f"{mine} − {theirs} + {bonus} = {bonus - self._lead()}{times}. {defender} scores {score.points}."
                )


_NOBODY = {
    Ending.DEAD: "Two cards are left in the stock and nobody knocked: the hand is dead, nobody scores.",
    Ending.PILE_LIMIT: "Cards only went round the pile: the hand is dead by the limit of this table, nobody scores.",
    Ending.MISDEAL: "Ten dealt cards were already within the knock limit: a misdeal, nobody scores.",
}


@dataclass(frozen=True, slots=True)
class Standing:
    """The state of a game before a round: points and boxes by seat (South, North)."""

    points: tuple[int, int] = (0, 0)
    boxes: tuple[int, int] = (0, 0)

    def __post_init__(self) -> None:
        if min(*self.points, *self.boxes) < 0 or max(*self.points, *self.boxes) > 999_999:
            raise ValueError("points and boxes are 0 to 999999")

    def after(self, score: Score) -> Standing:
        """The standing once a round is scored."""
        points, boxes = list(self.points), list(self.boxes)
        if score.winner is not None:
            points[score.winner] += score.points
        if score.box is not None:
            boxes[score.box] += 1
        return Standing((points[0], points[1]), (boxes[0], boxes[1]))


LEVEL = Standing()
"""The standing before the first round."""
