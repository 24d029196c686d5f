"""The coach's desk: positions looked at and verdicts under way, for all screens. Knows nothing of the screen."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ParamSpec, TypeVar

from tutor.app.work import Priority, Work, executor
from tutor.engine.belief import marginals
from tutor.engine.evaluation import Evaluation
from tutor.engine.evaluator import seed_of
from tutor.engine.styles import Floats
from tutor.game.actions import Action, Discard
from tutor.game.cards import CardSet
from tutor.game.view import View
from tutor.teaching.coach import IN_PLAY, Care, look, named, verdict_on
from tutor.teaching.reasons import Explanation, Sampling, explain, punished
from tutor.teaching.reasons.explaining import HANDS
from tutor.teaching.verdict import Verdict

P = ParamSpec("P")
S = TypeVar("S")
T = TypeVar("T")
LOOKS, ANSWERS = 64, 400
"""How many looks, which hold all that was played for them (up to a megabyte), and other answers are remembered."""


@dataclass(frozen=True, slots=True)
class Advice:
    """All that the coach has to say of one action.

    ``evaluation`` has the figures of everything that could be done; ``takers`` are some hands that fit what was seen
    and would take a thrown card that is blamed.
    """

    view: View
    verdict: Verdict
    explanation: Explanation
    evaluation: Evaluation
    takers: tuple[CardSet, ...]


class Pool(Executor):
    """The executor's threads for one job that can be done in halves."""

    def __init__(self, work: Work, priority: Priority) -> None:
        self._work = work
        self._priority = priority

    def submit(self, job: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """See ``concurrent.futures.Executor``."""
        return self._work.submit(self._priority, lambda: job(*args, **kwargs))


class Answers:
    """Answers by question, each worked out once; those not asked for again are forgotten first."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._kept: OrderedDict[Hashable, Future[Any]] = OrderedDict()
        self._lock = threading.Lock()

    def once(self, question: Hashable, begin: Callable[[], Future[T]]) -> Future[T]:
        """The answer that is there or under way, or one that is begun now. ``begin`` must not wait."""
        with self._lock:
            found = self._kept.get(question)
            if found is None:
                found = self._kept[question] = begin()
            self._kept.move_to_end(question)
            if len(self._kept) > self._room:
                self._kept.popitem(last=False)
            return found


class Desk:
    """What is asked about views. An answer depends on the view alone: who asks the same gets the same."""

    def __init__(self, work: Work) -> None:
        self._pool = Pool(work, Priority.VERDICT)
        self._looks = Answers(LOOKS)
        self._answers = Answers(ANSWERS)

    def look(self, view: View) -> Future[Evaluation]:
        """Figures for everything that may be done, where there is a choice."""
        return self._looks.once(view, lambda: self._pool.submit(look, view, pool=self._pool))

    def advice(self, view: View, action: Action, care: Care = IN_PLAY) -> Future[Advice]:
        """The verdict on an action, with reasons."""
        action = named(view, action)
        return self._answers.once(
            (view, action, care), lambda: self._after(self.look(view), lambda seen: self._judge(seen, action, care))
        )

    def holdings(self, view: View) -> Future[Floats]:
        """The chance of each card to be in the other side's hand: float64 (52,), by card index."""
        return self._answers.once(view, lambda: self._pool.submit(marginals, view, seed=seed_of(view)))

    def _judge(self, evaluation: Evaluation, action: Action, care: Care) -> Advice:
        verdict, evaluation = verdict_on(evaluation, action, care=care, pool=self._pool)
        view = evaluation.view
        takers: tuple[CardSet, ...] = ()
        if verdict.blamed and isinstance(action, Discard):
            _, takers = punished(view, action.card, Sampling(seed_of(view), HANDS))
        # What was played for it is not needed any more, and large.
        slim = replace(evaluation, base=None, played={})
        return Advice(view, verdict, explain(view, verdict, seed=seed_of(view)), slim, takers)

    def _after(self, first: Future[S], job: Callable[[S], T]) -> Future[T]:
        """A job that begins when another one is done: it waits in no thread."""
        result: Future[T] = Future()

        def hand_on(done: Future[T]) -> None:
            error = done.exception()
            if error is None:
                result.set_result(done.result())
            else:
                result.set_exception(error)

        def begin(done: Future[S]) -> None:
            self._pool.submit(lambda: job(done.result())).add_done_callback(hand_on)

        first.add_done_callback(begin)
        return result


@cache
def desk() -> Desk:
    """The desk of this process."""
    return Desk(executor())
