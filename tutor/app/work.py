"""The one executor for engine work: two threads, the most urgent job first.

Two, because compiled code runs without Python's lock: more threads would only take the processor from the screens.
"""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable
from concurrent.futures import Future
from enum import IntEnum
from functools import cache
from queue import PriorityQueue
from typing import Any, TypeVar

from tutor.engine.players import Player
from tutor.game.actions import Action
from tutor.game.view import View

T = TypeVar("T")
THREADS = 2


class Priority(IntEnum):
    """What goes first: someone waits for the first two, nobody for the last."""

    VERDICT = 0
    OPPONENT = 1
    REVIEW = 2
    MINING = 3
    STOP = 4


class Work:
    """Jobs by priority, those of one priority in the order they came. A job that has begun is not interrupted.

    A job must not wait for another one: with all threads waiting nothing would move.
    """

    def __init__(self, threads: int = THREADS) -> None:
        self._jobs: PriorityQueue[tuple[Priority, int, Future[Any], Callable[[], Any]]] = PriorityQueue()
        self._numbers = itertools.count()
        self._threads = [threading.Thread(target=self._work, name="engine", daemon=True) for _ in range(threads)]
        for thread in self._threads:
            thread.start()

    def submit(self, priority: Priority, job: Callable[[], T]) -> Future[T]:
        """Do a job when its turn comes; its result or its error is in the future, which can be cancelled till then."""
        future: Future[T] = Future()
        self._jobs.put((priority, next(self._numbers), future, job))
        return future

    def stop(self) -> None:
        """Finish what is queued and end the threads."""
        for _ in self._threads:
            self.submit(Priority.STOP, _nothing)
        for thread in self._threads:
            thread.join()

    def _work(self) -> None:
        while True:
            priority, _, future, job = self._jobs.get()
            if priority is Priority.STOP:
                return
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = job()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)


def _nothing() -> None:
    """The job of a thread that ends."""


@cache
def executor() -> Work:
    """The executor of this process; its threads start when it is first needed."""
    return Work()


def opponent_chooses(player: Player, view: View, seed: int) -> Action:
    """The opponent's decision, made by the executor; the caller waits for it."""
    return executor().submit(Priority.OPPONENT, lambda: player.choose(view, seed)).result()
