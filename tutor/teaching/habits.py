"""Signed habits: what a player does too often, told from the best actions at the same decisions.

Each decision that bears on a habit leaves a mark of −1 to 1: above 0 where the action was clearly worse than the best
one and leaned the habit's way, below 0 where it was clearly worse and leaned the other way, 0 where it was right or too
close to call. Someone who only errs leans both ways alike, and so does the noise of the evaluation; a habit leans one
way. Knocking is told by two shares: how often it was done where waiting was clearly better, and the other way round; of
the second sort there are few. The reference is the evaluator, not how other players play.

A habit is reported when the mean mark less ``SURE`` standard errors (over hands, since marks of one hand hang together)
is above its ``LEAST``. ``SURE`` = 3.3 alone is a false alarm in about 1 of 2,000 for each habit of a player without any
lean, 0.25% over all five; ``LEAST`` is for players whose sound style leans a little, and makes it rarer still.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tutor.engine.evaluation import Evaluation, Line
from tutor.engine.players.base import MELDS_OF_THREE, fits_a_meld
from tutor.game.actions import Action, BigGin, Discard, Knock, Phase, Take
from tutor.game.cards import Card
from tutor.game.solver import deadwood
from tutor.game.view import View
from tutor.teaching.verdict import worth_of_loss

EARLY, LATE, HIGH, PILE, FEEDS = "knocks early", "knocks late", "holds high cards", "takes from the pile", "feeds"
HABITS = (EARLY, LATE, HIGH, PILE, FEEDS)
"""The habits by name."""
CLEAR = 2.0
"""Standard errors from which on an action counts as worse."""
WORSE = 0.3
"""Points of loss from which on it does."""
END_CLEAR, END_WORSE = 3.0, 0.5
"""The same for knocking or waiting: decisions where knocking is better are few, and noise must not make up others."""
SURE = 3.3
"""Standard errors by which a habit must be beyond its least."""
LEAST = {EARLY: 0.2, LATE: 0.3, HIGH: 0.03, PILE: 0.05, FEEDS: 0.05}
"""Mean marks up to which a lean is nobody's business."""
ENOUGH = 10
"""Decisions that bear on a habit before anything is said of it."""
HANDS = 8
"""Hands they must come from."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What one decision says of a habit, −1 to 1."""

    habit: str
    value: float


@dataclass(frozen=True, slots=True)
class Habit:
    """A habit's evidence: the mean mark with its standard error over ``decisions`` decisions in ``hands`` hands."""

    name: str
    mean: float
    mean_se: float
    decisions: int
    hands: int

    @property
    def enough(self) -> bool:
        """Whether there are decisions enough to say anything."""
        return self.decisions >= ENOUGH and self.hands >= HANDS

    @property
    def found(self) -> bool:
        """Whether the player clearly has it."""
        return self.enough and self.mean - SURE * self.mean_se > LEAST[self.name]

    def words(self) -> str:
        """The habit in a sentence, with its figures."""
        return WORDS[self.name].format(f"{100 * self.mean:.0f} of 100 (± {196 * self.mean_se:.0f})")


WORDS = {
    EARLY: "You knock early: where waiting is clearly better, you knock {} times.",
    LATE: "You knock late: where knocking is clearly better, you wait {} times.",
    HIGH: "You hold high cards: {} throws clearly lose by it, those that lose the other way taken off.",
    PILE: "You take from the pile what makes no meld and is of no other use: {} times, takes you missed taken off.",
    FEEDS: "You feed them: {} throws clearly lose and fit more of what they may hold, those that fit less taken off.",
}
"""How each habit is told; the gap is for its figures."""


def marks(evaluation: Evaluation, action: Action, point: float) -> tuple[Mark, ...]:
    """The marks of one decision, from an evaluation of all its actions; ``point`` as in ``judge``."""
    view = evaluation.view
    match view.public.phase:
        case Phase.DISCARD:
            return (*_ending(evaluation, action, point), *_throwing(evaluation, action, point))
        case Phase.UPCARD | Phase.DRAW:
            return _drawing(evaluation, action, point)
    return ()


def _wrong(line: Line, point: float, worse: float = WORSE, clear: float = CLEAR) -> bool:
    loss, error = worth_of_loss(line, point)
    return loss >= max(worse, clear * error)


def _ending(evaluation: Evaluation, action: Action, point: float) -> tuple[Mark, ...]:
    """Marks where a knock that is no gin, or playing on, is clearly right."""
    view = evaluation.view
    knocks = [line for line in evaluation.lines if isinstance(line.action, Knock | BigGin)]
    throws = [line for line in evaluation.lines if isinstance(line.action, Discard)]
    if not knocks or not throws or any(_gin(view, line.action) for line in knocks):
        return ()
    best = evaluation.best
    waits = isinstance(best.action, Discard)
    other = min(knocks if waits else throws, key=lambda line: worth_of_loss(line, point)[0])
    if not _wrong(other, point, END_WORSE, END_CLEAR):
        return ()
    knocked = not isinstance(action, Discard)
    return (Mark(EARLY, float(knocked)) if waits else Mark(LATE, float(not knocked)),)


def _gin(view: View, action: Action) -> bool:
    if isinstance(action, Knock) and action.card is not None:
        return deadwood(view.hand.without(action.card)) == 0
    return isinstance(action, BigGin)


def _throwing(evaluation: Evaluation, action: Action, point: float) -> tuple[Mark, ...]:
    """Marks of a throw where the best action is one as well."""
    view, best = evaluation.view, evaluation.best.action
    if not isinstance(action, Discard) or not isinstance(best, Discard):
        return ()
    wrong = _wrong(evaluation.line(action), point)
    higher = _sign(best.card.pips - action.card.pips)
    danger = _sign(feeding(view, action.card) - feeding(view, best.card))
    return Mark(HIGH, float(wrong * higher)), Mark(FEEDS, float(wrong * danger))


def _drawing(evaluation: Evaluation, action: Action, point: float) -> tuple[Mark, ...]:
    """Marks where the card on offer makes no meld."""
    view = evaluation.view
    offer = view.public.offer
    if offer is None or fits_a_meld(view.hand, offer) or len(evaluation.lines) < 2:
        return ()
    wrong = _wrong(evaluation.line(action), point)
    return (Mark(PILE, float(wrong * (1 if isinstance(action, Take) else -1))),)


BESIDE = 8
"""How many times more a meld counts in which the other side is known to hold a card."""


def feeding(view: View, card: Card) -> int:
    """How many melds of three the card could still complete for the other side; with a known card they weigh more."""
    whole = 0
    for meld in MELDS_OF_THREE[card.index]:
        others = meld.cards.without(card)
        if others <= view.theirs:
            whole += BESIDE if others & view.known_theirs else 1
    return whole


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def evidence(hands: Iterable[Sequence[Mark]]) -> tuple[Habit, ...]:
    """The evidence for each habit from the marks of hands."""
    sums: dict[str, list[tuple[float, int]]] = {habit: [] for habit in HABITS}
    for found in hands:
        for habit in HABITS:
            values = [mark.value for mark in found if mark.habit == habit]
            if values:
                sums[habit].append((math.fsum(values), len(values)))
    return tuple(_habit(name, rows) for name, rows in sums.items())


def _habit(name: str, rows: Sequence[tuple[float, int]]) -> Habit:
    """The mean of all marks, and its error as a ratio of sums over hands.

    One hand with a full mark and one against is added to the error, so that a few equal hands do not look certain.
    """
    count = sum(size for _, size in rows)
    if not count:
        return Habit(name, 0.0, math.inf, 0, 0)
    mean = math.fsum(value for value, _ in rows) / count
    spread = math.fsum((value - mean * size) ** 2 for value, size in rows) + (1 - mean) ** 2 + (1 + mean) ** 2
    return Habit(name, mean, math.sqrt(spread) / count, count, len(rows))


def found_habits(hands: Iterable[Sequence[Mark]]) -> tuple[Habit, ...]:
    """The habits that the evidence shows clearly, the strongest first."""
    clear = [one for one in evidence(hands) if one.found]
    return tuple(sorted(clear, key=lambda one: -one.mean))
