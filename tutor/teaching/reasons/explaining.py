"""From a verdict to its explanation: one headline, one card fact first, more behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tutor.engine.evaluation import Line
from tutor.engine.styles import STYLES
from tutor.game.actions import Action, Discard
from tutor.game.solver import deadwood
from tutor.game.view import View
from tutor.teaching.reasons.drawing import DRAWING
from tutor.teaching.reasons.ending import ENDING
from tutor.teaching.reasons.fitting import Sampling
from tutor.teaching.reasons.headline import SMALL_THINGS, Headline, headline
from tutor.teaching.reasons.reason import Bearing, Reason
from tutor.teaching.reasons.throwing import THROWING
from tutor.teaching.reasons.words import Words, capital, cost, percent, points, rounded
from tutor.teaching.verdict import NEAR, Grade, Side, Verdict

THEMES: tuple[type[Reason], ...] = (*THROWING, *DRAWING, *ENDING)
"""Every theme a reason may have."""
FITS = 1.5
"""How much more a fact weighs that bears on what the headline tells."""
HANDS = 320
"""Fitting hands looked at."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why an action is worth what it is: a headline where it is blamed, and facts, the most telling first."""

    headline: Words | None
    facts: tuple[Reason, ...]


def in_order(headline: Words | None, facts: Sequence[Words]) -> tuple[Words, ...]:
    """A headline and facts as they are told: a sum of small things says least and comes after the first fact."""
    if headline is None:
        return tuple(facts)
    ahead = 1 if headline == SMALL_THINGS else 0
    return (*facts[:ahead], headline, *facts[ahead:])


def facts_of(view: View, better: Action, worse: Action, sampling: Sampling) -> tuple[Reason, ...]:
    """Every fact that says something about two actions, whichever way it points."""
    found = (theme.of(view, better, worse, sampling) for theme in THEMES)
    return tuple(fact for fact in found if fact is not None)


def reasons(
    view: View, better: Action, worse: Action, sampling: Sampling, bearing: Bearing | None = None
) -> tuple[Reason, ...]:
    """The facts that differ between two actions and speak for the better one, the most telling first."""

    def order(fact: Reason) -> tuple[float, str]:
        return -fact.weight * (FITS if fact.bearing is bearing else 1.0), fact.theme

    telling = [fact for fact in facts_of(view, better, worse, sampling) if fact.differs and fact.speaks]
    return tuple(sorted(telling, key=order))


def explain(view: View, verdict: Verdict, *, seed: int, hands: int = HANDS) -> Explanation:
    """Why this verdict. Equal views and verdicts, seeds and numbers of hands get the same words.

    Where the action is blamed, or depends on the opponent, the facts tell what speaks for the best one. Where it is
    among the best or good there is at most one fact, which speaks for the action played, beside one that is not among
    the best but tempting by the look of the cards.
    """
    sampling = Sampling(seed, hands)
    if verdict.blamed or verdict.grade is Grade.DEPENDS:
        told = headline(verdict)
        words = (SMALL_THINGS if told is None else told.text()) if verdict.blamed else None
        bearing = _bearing(told)
        return Explanation(words, reasons(view, verdict.best.action, verdict.action, sampling, bearing))
    if not verdict.counts:
        return Explanation(None, ())
    rival = _rival(view, verdict)
    return Explanation(None, () if rival is None else reasons(view, verdict.action, rival, sampling)[:1])


def _bearing(told: Headline | None) -> Bearing | None:
    return None if told is None else told.story.bearing


def _rival(view: View, verdict: Verdict) -> Action | None:
    """What a good action is held against, of those not as good: the throw with least deadwood, else another act."""
    as_good = (verdict.action, verdict.best.action, *verdict.equal)
    others = [action for action in view.legal_actions() if action not in as_good]
    if not isinstance(verdict.action, Discard):
        return others[0] if others else None
    throws = [action for action in others if isinstance(action, Discard)]
    return min(
        throws,
        key=lambda throw: (deadwood(view.hand.without(throw.card)), -throw.card.pips, throw.card.index),
        default=None,
    )


_WHO = {style.name: f"one who {style.words}" for style in STYLES.values()} | {
    "early": "one who knocks at once",
    "waiting": "one who waits for gin",
    "human": "one who keeps pairs and knocks early",
}


def both_sides(verdict: Verdict) -> Words | None:
    """Against whom the action played does best, and against whom worst; None where it does not depend on that."""
    if verdict.grade is not Grade.DEPENDS or not verdict.sides:
        return None
    grouped: dict[str, list[str]] = {}
    for told in sorted(verdict.sides, key=lambda side: side.loss):
        grouped.setdefault(_against(told), []).append(_WHO[told.style])
    # Those between the two ends would only make it long.
    ends = list(grouped.items())
    ends = [ends[0], ends[-1]] if len(ends) > 1 else ends
    text = "; ".join(f"{how} against {_row(who, 'and')}" for how, who in ends)
    return (capital(text) + ".",)


def exceptions(verdict: Verdict) -> Words | None:
    """Against whom a blamed move would be no such fault, though this opponent has not played like that."""
    if not verdict.exceptions:
        return None
    who = [_WHO[side.style] for side in verdict.exceptions]
    return (f"It would be a lesser fault, or none, against {_row(who, 'or')}; they have not played like that.",)


def _row(who: Sequence[str], last: str) -> str:
    return who[0] if len(who) == 1 else f"{', '.join(who[:-1])} {last} {who[-1]}"


def _against(side: Side) -> str:
    if abs(side.loss) < NEAR:
        return "as good"
    return f"{cost(side.loss)} {'worse' if side.loss > 0 else 'better'}"


def points_against_chance(line: Line) -> Words:
    """What an action brings in this hand beside the recommended one, and what it costs in the game."""
    gained = max(1, rounded(-line.behind))
    return (f"It gains {points(gained)} of this hand but costs {percent(line.win_behind)} of the game.",)
