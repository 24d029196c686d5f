"""A hand reviewed for one seat: every decision judged from what the seat knew, and what came of it.

The work is done decision by decision (``reviewed``), so that whoever waits can be shown how far it is; the outcome is
made of plain values and can be kept as text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tutor.engine import luck as draws
from tutor.engine.evaluation import Evaluation, Outcomes
from tutor.engine.evaluator import seed_of
from tutor.engine.luck import Luck, luck_of_draw
from tutor.engine.standings import expected_points
from tutor.engine.version import digest_of, engine_version
from tutor.game.actions import Action, Discard, Draw, Phase, Seat, Take
from tutor.game.cards import Card
from tutor.game.notation import action_text, read_action
from tutor.game.view import View
from tutor.teaching.coach import IN_REVIEW, Care, look, named, verdict_on
from tutor.teaching.habits import Mark, marks
from tutor.teaching.hand import OwnHand, OwnPly, turn_of
from tutor.teaching.kept import Kept
from tutor.teaching.ledger import Account, Next, Step, Swing, account, followed, swings
from tutor.teaching.reasons import both_sides, exceptions, explain, in_order
from tutor.teaching.reasons.words import Words, from_text, to_text
from tutor.teaching.surface import surface_actions
from tutor.teaching.verdict import BLAMED, Grade, Verdict, worth_of_loss

FACTS = 4
"""Facts that are kept of each decision."""
FORM = 3
"""The form of a kept review; another one is made anew."""


class ReviewError(ValueError):
    """A text that is no review of this form."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One own action judged. Actions are texts of the notation, ``turn`` counts the seat's turns from 1.

    ``kind`` is upcard, draw, throw, end (a knock was possible) or showdown. ``loss`` and ``loss_se`` are as in
    ``Verdict``, in points at level score; ``before`` is what the hand was worth in points with the best action,
    ``after`` with the one played, ``win_before`` and ``win_after`` the chance to win the game, each ``…_se`` a standard
    error. ``split`` are the outcomes after the action played, ``best_split`` after the best. ``card`` is what a draw
    brought, ``luck`` what it was worth. ``surface`` is what a simple player would have done, where it is something
    else, with its loss. ``reasons`` are the headline, or both sides where the answer depends on the opponent, and the
    facts, the most telling first.
    ``kept`` is what the verdict rests on beyond this.
    """

    ply: int
    turn: int
    kind: str
    played: str
    best: str
    equal: tuple[str, ...]
    grade: Grade
    loss: float
    loss_se: float
    counts: bool
    forced: bool
    before: float
    before_se: float
    after: float
    after_se: float
    points_se: float
    win_before: float
    win_after: float
    split: Outcomes
    best_split: Outcomes
    then: Next
    card: str | None
    luck: Luck | None
    surface: str | None
    surface_loss: float
    surface_loss_se: float
    marks: tuple[Mark, ...]
    reasons: tuple[Words, ...]
    kept: Kept

    @property
    def blamed(self) -> bool:
        """Whether the grade is worse than good."""
        return self.grade in BLAMED

    @property
    def avoidable(self) -> float:
        """The loss that counts, in points; never below 0."""
        return max(0.0, self.loss) if self.counts else 0.0

    @property
    def step(self) -> Step:
        """The action as the account takes it: what is not blamed costs nothing."""
        after, after_se, error = (
            (self.after, self.after_se, self.points_se) if self.blamed else (self.before, self.before_se, 0.0)
        )
        return Step(self.ply, self.before, self.before_se, after, after_se, error, self.then, self.luck)

    def verdict(self, view: View) -> Verdict:
        """The verdict again, equal to the one that was given, for what the seat knew then.

        So its explanation and hints can be made whenever the review is read.
        """
        played, best, *equal = (named(view, read_action(text)) for text in (self.played, self.best, *self.equal))
        return self.kept.verdict(
            played, best, tuple(equal), self.grade, self.loss, self.loss_se, counts=self.counts, seed=seed_of(view)
        )


@dataclass(frozen=True, slots=True)
class HandReview:
    """A hand reviewed for ``seat``. ``engine`` is the version that judged; ``points`` None for an unfinished hand."""

    engine: str
    seat: Seat
    base: float
    points: int | None
    decisions: tuple[Decision, ...]

    @property
    def counted(self) -> tuple[Decision, ...]:
        """The actions that were decisions: something else would have been clearly worse or better."""
        return tuple(one for one in self.decisions if one.counts)

    @property
    def by_loss(self) -> tuple[Decision, ...]:
        """The blamed decisions, the dearest first."""
        blamed = (one for one in self.decisions if one.blamed and one.counts)
        return tuple(sorted(blamed, key=lambda one: (-one.avoidable, one.ply)))

    @property
    def account(self) -> Account | None:
        """The points in parts; None for an unfinished hand."""
        return None if self.points is None else account(self._steps, self.base, self.points)

    @property
    def swings(self) -> tuple[Swing, ...]:
        """Everything that moved the worth of the hand, in order of play."""
        return swings(self._steps, self.base, self.points)

    def followed(self, decision: Decision) -> Swing | None:
        """What came of an action without the seat's doing; None where nothing could come."""
        return followed(self._steps, self.decisions.index(decision), self.points)

    @property
    def _steps(self) -> tuple[Step, ...]:
        return tuple(one.step for one in self.decisions)

    def facts(self) -> dict[str, Any]:
        """The review as plain values."""
        rows = []
        for one in self.decisions:
            row = asdict(one) | {"grade": one.grade.value, "then": one.then.value}
            row["reasons"] = [to_text(words) for words in one.reasons]
            rows.append(row | {"equal": list(one.equal), "marks": [[mark.habit, mark.value] for mark in one.marks]})
        return {
            "form": FORM,
            "engine": self.engine,
            "seat": self.seat.label,
            "base": self.base,
            "points": self.points,
            "decisions": rows,
        }

    def to_json(self) -> str:
        """The review as text; ``from_json`` gives it back equal."""
        return json.dumps(self.facts(), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> HandReview:
        """The review that ``to_json`` wrote; ReviewError for anything else."""
        try:
            told = json.loads(text)
            if told["form"] != FORM:
                raise ReviewError(f"a review of form {told['form']}, not {FORM}")
            rows = tuple(_decision(row) for row in told["decisions"])
            return cls(told["engine"], Seat[told["seat"].upper()], told["base"], told["points"], rows)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise ReviewError(f"this is no review: {error}") from None


def _decision(row: dict[str, Any]) -> Decision:
    return Decision(
        **row
        | {
            "grade": Grade(row["grade"]),
            "then": Next(row["then"]),
            "equal": tuple(row["equal"]),
            "split": Outcomes(**row["split"]),
            "best_split": Outcomes(**row["best_split"]),
            "luck": None if row["luck"] is None else Luck(**row["luck"]),
            "marks": tuple(Mark(habit, value) for habit, value in row["marks"]),
            "reasons": tuple(from_text(text) for text in row["reasons"]),
            "kept": Kept.read(row["kept"]),
        }
    )


_READ_LATER = frozenset({"history.py", "summary.py"})
"""Modules that tell of reviews that are there: what they say is not kept."""


@cache
def _sources() -> str:
    """A text that changes with the code that judges and words: what is kept was made by it."""
    folder = Path(__file__).parent
    return digest_of(folder, (path for path in folder.glob("**/*.py") if path.name not in _READ_LATER))


def review_version(care: Care = IN_REVIEW) -> str:
    """The version of a review: of the engine, of what judges and words, and of the care taken."""
    return hashlib.sha256(repr((FORM, engine_version(), _sources(), care)).encode()).hexdigest()[:16]


def review_hand(hand: OwnHand, *, care: Care = IN_REVIEW, pool: Executor | None = None) -> HandReview:
    """The whole review of a hand. Same hand, same review, with or without a pool."""
    return finished(hand, tuple(reviewed(hand, care=care, pool=pool)), care)


def finished(hand: OwnHand, found: Sequence[Decision], care: Care = IN_REVIEW) -> HandReview:
    """The review, once every decision is judged."""
    public = hand.last.public
    sign = 1 if public.dealer is hand.seat else -1
    return HandReview(review_version(care), hand.seat, sign * expected_points(public.rules), hand.points, tuple(found))


def reviewed(hand: OwnHand, *, care: Care = IN_REVIEW, pool: Executor | None = None) -> Iterator[Decision]:
    """The own actions of a hand in order, judged one after the other."""
    for place in range(len(hand.plies)):
        yield judged(hand, place, care=care, pool=pool)


def judged(hand: OwnHand, place: int, *, care: Care = IN_REVIEW, pool: Executor | None = None) -> Decision:
    """One own action judged, whatever was judged before: hands can be reviewed in any order."""
    own = hand.plies[place]
    view, action = own.view, named(own.view, own.action)
    forced = len(view.legal_actions()) == 1
    # With one action there is only its worth to know, for the account.
    taken = Care(max(1, care.look // 2), (), 0) if forced else care
    found, evaluation = verdict_on(look(view, care=taken, pool=pool), action, care=taken, pool=pool)
    after = hand.came(place)
    card, luck = None, None
    if isinstance(action, Draw):
        card = own.action.card if isinstance(own.action, Draw) else None
        card = after.drawn if card is None else card
    if card is not None:
        luck = _luck(view, card, care, pool)
    return _told(own, found, evaluation, forced, card, luck)


def _luck(view: View, card: Card, care: Care, pool: Executor | None) -> Luck:
    """The luck of a draw, with as much less care as was taken of the decision."""
    scale = max(1, IN_REVIEW.look // care.look)
    return luck_of_draw(
        view, card, each=max(2, draws.EACH // scale), came=max(4, draws.CAME // scale),
        searches=max(2, draws.SEARCHES // scale), pool=pool,
    )  # fmt: skip


def _told(
    own: OwnPly, found: Verdict, evaluation: Evaluation, forced: bool, card: Card | None, luck: Luck | None
) -> Decision:
    view = own.view
    surface, gap, gap_se = _surface(view, found, evaluation)
    return Decision(
        ply=own.ply,
        turn=turn_of(view),
        kind=kind_of(view),
        played=_text(view, found.action),
        best=_text(view, found.best.action),
        equal=tuple(_text(view, one) for one in found.equal),
        grade=found.grade,
        loss=found.loss,
        loss_se=found.loss_se,
        counts=found.counts and not forced,
        forced=forced,
        before=found.best.points,
        before_se=found.best.points_se,
        after=found.played.points,
        after_se=found.played.points_se,
        points_se=found.played.behind_se,
        win_before=found.best.win,
        win_after=found.played.win,
        split=found.played.outcomes,
        best_split=found.best.outcomes,
        then=_then(view, found.action),
        card=None if card is None else str(card),
        luck=luck,
        surface=surface,
        surface_loss=gap,
        surface_loss_se=gap_se,
        marks=() if forced else marks(evaluation, found.action, found.point),
        reasons=() if forced else _reasons(view, found),
        kept=Kept.of(found),
    )


def _reasons(view: View, found: Verdict) -> tuple[Words, ...]:
    told = explain(view, found, seed=seed_of(view))
    sentence = both_sides(found) if found.grade is Grade.DEPENDS else told.headline
    other = exceptions(found)
    facts = [fact.text() for fact in told.facts[:FACTS]]
    said = (*in_order(sentence, facts), *(() if other is None else (other,)))
    # In the pieces in which they are read again, so that a kept review is equal to the one that was made.
    return tuple(from_text(to_text(words)) for words in said)


def kind_of(view: View) -> str:
    """What there is to decide: upcard, draw, throw, end (a throw where a knock is possible), showdown."""
    match view.public.phase:
        case Phase.UPCARD:
            return "upcard"
        case Phase.DRAW | Phase.LAST_DISCARD:
            return "draw"
        case Phase.DISCARD:
            throws_only = all(isinstance(action, Discard) for action in view.legal_actions())
            return "throw" if throws_only else "end"
    return "showdown"


def _then(view: View, action: Action) -> Next:
    if isinstance(action, Draw):
        return Next.CARD
    lays_off = view.public.phase is Phase.LAY_OFF
    return Next.NOTHING if lays_off or isinstance(action, Take) else Next.AWAY


def _text(view: View, action: Action) -> str:
    return action_text(view.completed(action), view.public.offer)


def _surface(view: View, found: Verdict, evaluation: Evaluation) -> tuple[str | None, float, float]:
    """What a simple player would have done, where that is something else, with its loss and the error of that."""
    simple = surface_actions(view)
    if not simple or found.action in simple:
        return None, 0.0, 0.0
    lines = [line for line in evaluation.lines if line.action in simple]
    if not lines:
        return None, 0.0, 0.0
    least = min(lines, key=lambda line: worth_of_loss(line, found.point)[0])
    return _text(view, least.action), *worth_of_loss(least, found.point)
