"""Several hands together: what decisions cost, how far luck went, and the habits that are clear."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tutor.game.cards import Card
from tutor.teaching.habits import Habit, found_habits
from tutor.teaching.ledger import Account, Kind, Swing
from tutor.teaching.reasons.words import number, plain, signed
from tutor.teaching.review import Decision, HandReview
from tutor.teaching.summary import spoken

SPLIT_FROM = 100
"""Decisions from which on the loss is told by kind of decision."""
ADJUST_FROM = 10
"""Finished hands from which on the result is told without the luck of the own cards."""
NAMED = 3
"""How many of the largest swings are named."""
HALF = 1.96
"""Standard errors of half an interval of 95%."""


@dataclass(frozen=True, slots=True)
class Loss:
    """Points lost a counted decision, over ``decisions`` decisions in ``hands`` hands.

    ``half`` is half its 95% interval, over hands, since what is decided in one hand hangs together; None for a single
    hand, which has no interval.
    """

    kind: str
    mean: float
    half: float | None
    decisions: int
    hands: int

    @property
    def figures(self) -> str:
        """The mean with its interval: ``0.52 ± 0.13``."""
        return f"{self.mean:.2f}" if self.half is None else f"{self.mean:.2f} ± {self.half:.2f}"


@dataclass(frozen=True, slots=True)
class Named:
    """A swing with the hand it was in, from 1, and what happened."""

    hand: int
    ply: int
    amount: float
    words: str


@dataclass(frozen=True, slots=True)
class History:
    """Hands of one seat together; points from its side, each ``…_half`` half of a 95% interval.

    ``loss`` is None without decisions; ``by_kind`` is empty below ``SPLIT_FROM`` decisions. ``cards``, ``decisions``
    and ``rest`` are sums over the finished hands, ``drift`` and ``base`` as in ``Account``. ``adjusted`` is the result
    a hand less the luck of the own cards; None below ``ADJUST_FROM`` hands.
    """

    hands: int
    points: int
    loss: Loss | None
    by_kind: tuple[Loss, ...]
    base: float
    cards: float
    cards_half: float
    decisions: float
    decisions_half: float
    rest: float
    rest_half: float
    drift: float
    adjusted: float | None
    adjusted_half: float
    swings: tuple[Named, ...]
    habits: tuple[Habit, ...]

    @property
    def counted(self) -> int:
        """How many decisions counted."""
        return 0 if self.loss is None else self.loss.decisions

    @classmethod
    def of(cls, reviews: Sequence[HandReview]) -> History:
        """The hands together; the accounts are of the finished ones."""
        counted = [review.counted for review in reviews]
        many = sum(len(hand) for hand in counted)
        accounts = [found for review in reviews if (found := review.account) is not None]
        adjusted = [found.points - found.cards for found in accounts]
        enough = len(accounts) >= ADJUST_FROM
        return cls(
            hands=len(accounts),
            points=round(sum(found.points for found in accounts)),
            loss=_loss("all", counted) if many else None,
            by_kind=_by_kind(counted) if many >= SPLIT_FROM else (),
            base=math.fsum(found.base for found in accounts),
            cards=math.fsum(found.cards for found in accounts),
            cards_half=_half(accounts, "cards_se"),
            decisions=math.fsum(found.decisions for found in accounts),
            decisions_half=_half(accounts, "decisions_se"),
            rest=math.fsum(found.rest for found in accounts),
            rest_half=_half(accounts, "rest_se"),
            drift=math.fsum(found.drift for found in accounts),
            adjusted=math.fsum(adjusted) / len(adjusted) if enough else None,
            adjusted_half=HALF * _error(adjusted) if enough else 0.0,
            swings=_largest(reviews),
            habits=found_habits([mark for one in review.decisions for mark in one.marks] for review in reviews),
        )

    def facts(self) -> dict[str, Any]:
        """The whole as plain values."""
        return asdict(self)


def _half(accounts: Sequence[Account], name: str) -> float:
    return HALF * math.hypot(*(getattr(found, name) for found in accounts))


def _error(values: Sequence[float]) -> float:
    """The standard error of a mean; 0 for fewer than two values."""
    if len(values) < 2:
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) * (len(values) - 1)))


def _loss(kind: str, hands: Iterable[Sequence[Decision]]) -> Loss:
    """The mean over decisions as a ratio of sums over hands, with the error of such a ratio."""
    rows = [(math.fsum(one.loss for one in hand), len(hand)) for hand in hands if hand]
    decisions, size = sum(count for _, count in rows), len(rows)
    mean = math.fsum(total for total, _ in rows) / decisions
    if size < 2:
        return Loss(kind, mean, None, decisions, size)
    spread = math.fsum((total - mean * count) ** 2 for total, count in rows) * size / (size - 1)
    return Loss(kind, mean, HALF * math.sqrt(spread) / decisions, decisions, size)


def _by_kind(hands: Sequence[Sequence[Decision]]) -> tuple[Loss, ...]:
    kinds = dict.fromkeys(one.kind for hand in hands for one in hand)
    found = (_loss(kind, [[one for one in hand if one.kind == kind] for hand in hands]) for kind in kinds)
    return tuple(sorted(found, key=lambda one: -one.mean * one.decisions))


def _largest(reviews: Sequence[HandReview]) -> tuple[Named, ...]:
    found = [
        (abs(swing.amount), -place, swing, review)
        for place, review in enumerate(reviews, start=1)
        for swing in review.swings
    ]
    found.sort(key=lambda row: (-row[0], -row[1], row[2].ply))
    return tuple(
        Named(-place, swing.ply, swing.amount, swing_words(review, swing)) for _, place, swing, review in found[:NAMED]
    )


def swing_words(review: HandReview, swing: Swing) -> str:
    """What happened in one swing: ``turn 4, you drew K♠``."""
    one = next(each for each in review.decisions if each.ply == swing.ply)
    match swing.kind:
        case Kind.DEAL:
            return "the cards you were dealt"
        case Kind.CARD:
            card = "a card" if one.card is None else Card.parse(one.card).symbol
            return f"turn {one.turn}, you drew {card}"
        case Kind.DECISION:
            return f"turn {one.turn}, {plain(spoken(one.played))}"
    return f"turn {one.turn}, what came after {plain(spoken(one.played))}"


def history_lines(history: History) -> list[str]:
    """The hands together, in lines."""
    lines = [f"{number(history.hands, 'finished hand')}: {signed(history.points)} points."]
    if history.loss is not None:
        one = history.loss
        lines.append(f"  Lost a decision: {one.figures} points, over {one.decisions}.")
    lines += [f"    {one.kind}: {one.figures}, over {one.decisions}" for one in history.by_kind]
    if not history.by_kind:
        lines.append(f"  By kind of decision: {_too_few('decision', history.counted, SPLIT_FROM)}")
    rows = (
        ("Your cards", history.cards, history.cards_half),
        ("Your decisions", history.decisions, history.decisions_half),
        ("The rest (called a residual)", history.rest, history.rest_half),
    )
    lines += [f"  {name}: {signed(amount)} ± {max(1, round(half))}" for name, amount, half in rows]
    if history.adjusted is not None:
        lines.append(f"  A hand without the luck of your cards: {history.adjusted:+.1f} ± {history.adjusted_half:.1f}")
    else:
        lines.append(f"  Without the luck of your cards: {_too_few('hand', history.hands, ADJUST_FROM)}")
    lines += [f"  Hand {one.hand}, {one.words}: {signed(one.amount)}" for one in history.swings]
    return lines + [f"  {one.words()}" for one in history.habits]


def _too_few(what: str, there: int, wanted: int) -> str:
    return f"not enough {what}s yet to say. {wanted - there} more will do."
