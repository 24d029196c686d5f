"""How the coach comes to a verdict: looked at while the learner thinks, settled once the action is known.

The steps depend on counts only, never on time: the same view and action get the same verdict, whoever waited how long.
"""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass, replace

from tutor.engine import styles
from tutor.engine.evaluation import Evaluation
from tutor.engine.evaluator import evaluate, measure, seed_of
from tutor.engine.standings import worth_of
from tutor.game.actions import Action, BigGin, Draw, Knock, Settle
from tutor.game.rules import RuleSet
from tutor.game.view import View
from tutor.teaching.verdict import BLAMED, Side, Verdict, excepted, judge, worth_of_loss

LIKELY = 0.08
"""From this share on, by what the opponent has shown, it may well have a style: blame must hold against that too."""


@dataclass(frozen=True, slots=True)
class Care:
    """How many worlds are looked at: ``look`` for every action, ``steps`` for the one played and the best, ``side``."""

    look: int
    steps: tuple[int, ...]
    side: int


IN_PLAY = Care(8_000, (16_000, 32_000), 8_000)
"""Beside the table, where the verdict must come within a second."""
IN_REVIEW = Care(8_000, (16_000, 32_000, 64_000), 8_000)
"""After the hand."""


def point_of(rules: RuleSet) -> float:
    """What a point is worth in chance to win the game, at level score; 0 where a hand stands alone: points decide."""
    return worth_of(rules).point if rules.target else 0.0


def look(view: View, *, care: Care = IN_PLAY, pool: Executor | None = None) -> Evaluation:
    """Figures for everything that may be done here. ValueError where nothing is to be decided."""
    single = not view.public.rules.target
    return evaluate(view, worlds=care.look, seed=seed_of(view), for_points=single, pool=pool)


def verdict_on(
    evaluation: Evaluation, action: Action, *, care: Care = IN_PLAY, pool: Executor | None = None
) -> tuple[Verdict, Evaluation]:
    """The settled verdict on an action after a look, and the evaluation with what was played for it.

    Raises IllegalAction for an action that is not allowed.
    """
    view = evaluation.view
    action = named(view, action)
    point = point_of(view.public.rules)
    pair = (action, evaluation.best.action)
    for step in care.steps:
        evaluation = measure(evaluation, pair, step, pool=pool)
        verdict = judge(evaluation, action, point=point)
        if verdict.settled:
            break
    else:
        verdict = judge(evaluation, action, point=point)
    if verdict.grade in BLAMED and evaluation.base is not None:
        sides = tuple(_side(evaluation, pair, style, point, care.side, pool) for style in likely(evaluation))
        verdict = judge(evaluation, action, point=point, sides=sides)
        if verdict.grade in BLAMED:
            rest = tuple(_side(evaluation, pair, style, point, care.side, pool) for style in unlikely(evaluation))
            verdict = replace(verdict, exceptions=excepted(verdict.grade, rest))
    return verdict, evaluation


def likely(evaluation: Evaluation) -> tuple[str, ...]:
    """The styles against which blame must hold, by their names in ``styles.STYLES``; none where all is known."""
    shares = () if evaluation.base is None else evaluation.base.mix
    return tuple(name for name, share in zip(styles.NAMES, shares, strict=False) if share >= LIKELY)


def unlikely(evaluation: Evaluation) -> tuple[str, ...]:
    """The other styles of the usual mix: the opponent has not played as if it had them."""
    usual = (name for name, share in zip(styles.NAMES, styles.MIX, strict=True) if share)
    known = likely(evaluation)
    return tuple(name for name in usual if name not in known)


def _side(
    evaluation: Evaluation, pair: tuple[Action, Action], style: str, point: float, worlds: int, pool: Executor | None
) -> Side:
    """The loss against one style, by the belief and the way to play on of the evaluation."""
    base = evaluation.base
    assert base is not None, "an exact evaluation has no sides"
    found = evaluate(
        evaluation.view, worlds=worlds, seed=evaluation.seed, actions=pair, mix=styles.only(style),
        weights=base.belief.weights, for_points=not point, own=styles.NAMES[base.me], pool=pool,
    )  # fmt: skip
    played, best = (found.line(action) for action in pair)
    # Both are told against the one recommended here, which may be either.
    gap = worth_of_loss(played, point)[0] - worth_of_loss(best, point)[0]
    return Side(style, gap, worth_of_loss(found.lines[1], point)[1])


def named(view: View, action: Action) -> Action:
    """The action as the evaluation lists it, from its complete form in a record.

    What was drawn is no part of a choice; a knock that shows what the table would propose is the plain knock.
    """
    match action:
        case Draw():
            return Draw()
        case BigGin():
            return BigGin()
        case Settle():
            return Settle()
        case Knock(card, arrangement) if card is not None and arrangement is not None:
            plain = Knock(card)
            return plain if view.completed(plain) == action else action
    return action
