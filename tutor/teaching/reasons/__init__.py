"""Reasons: counted facts in plain words, one small class a theme, and the sentences made from them."""

from tutor.teaching.reasons.counts import Safety, safety
from tutor.teaching.reasons.explaining import (
    Explanation,
    both_sides,
    exceptions,
    explain,
    facts_of,
    in_order,
    points_against_chance,
    reasons,
)
from tutor.teaching.reasons.fitting import Sampling, punished
from tutor.teaching.reasons.headline import Headline, headline
from tutor.teaching.reasons.hints import Hints, hints
from tutor.teaching.reasons.knocking import KnockOrWait, knock_or_wait
from tutor.teaching.reasons.reason import Bearing, Reason
from tutor.teaching.reasons.words import Words, cost, plain

__all__ = [
    "Bearing",
    "Explanation",
    "Headline",
    "Hints",
    "KnockOrWait",
    "Reason",
    "Safety",
    "Sampling",
    "Words",
    "both_sides",
    "cost",
    "exceptions",
    "explain",
    "facts_of",
    "headline",
    "hints",
    "in_order",
    "knock_or_wait",
    "plain",
    "points_against_chance",
    "punished",
    "reasons",
    "safety",
]
