"""The one executor for engine work: two threads for everything, one more for what somebody waits for.

Compiled code runs without Python's lock, so more threads than cores would only take the processor from the screens; for
the same reason they stand back behind the threads that draw. The third one idles unless both others have begun a long
job when someone asks for a verdict. Opponents decide in a few milliseconds, where they are asked.
"""

from __future__ import annotations

import heapq
import itertools
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import Future
from enum import IntEnum
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")
THREADS = 2
NICE = 10
"""How far the threads stand back behind those that draw the screens (``nice``)."""


class Priority(IntEnum):
    """What goes first: someone waits for a verdict, nobody for the last."""

    VERDICT = 0
    REVIEW = 1
    MINING = 2


class Work:
    """Jobs by priority, those of one priority in the order they came. A job that has begun is not interrupted.

    A job must not wait for another one: with all threads waiting nothing would move.
    """

    def __init__(self, threads: int = THREADS, urgent: int = 1) -> None:
        self._jobs: list[tuple[Priority, int, Future[Any], Callable[[], Any]]] = []
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._stopping = False
        limits = [Priority.MINING] * threads + [Priority.VERDICT] * urgent
        self._threads = [
            threading.Thread(target=self._work, args=(limit,), name="engine", daemon=True) for limit in limits
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, priority: Priority, job: Callable[[], T]) -> Future[T]:
        """Do a job when its turn comes; its result or its error is in the future, which can be cancelled till then."""
        future: Future[T] = Future()
        with self._changed:
            heapq.heappush(self._jobs, (priority, next(self._numbers), future, job))
            self._changed.notify_all()
        return future

    def stop(self) -> None:
        """Finish what is queued and end the threads."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def _next(self, limit: Priority) -> tuple[Future[Any], Callable[[], Any]] | None:
        """The most urgent job, when it is as urgent as ``limit``; None when there will be none."""
        with self._changed:
            while not self._jobs or self._jobs[0][0] > limit:
                if self._stopping:
                    return None
                self._changed.wait()
            return heapq.heappop(self._jobs)[2:]

    def _work(self, limit: Priority) -> None:
        _stand_back()
        while (found := self._next(limit)) is not None:
            future, job = found
            if not future.set_running_or_notify_cancel():
                continue
            try:
                result = job()
            except BaseException as error:
                future.set_exception(error)
            else:
                future.set_result(result)


def _stand_back() -> None:
    """Let this thread give way to the screens, where the system knows priorities of threads."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


@cache
def executor() -> Work:
    """The executor of this process; its threads start when it is first needed."""
    return Work()
