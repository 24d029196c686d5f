"""The executor: what is urgent goes first, and nothing is lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tutor.app.work import Priority, Work


@pytest.fixture
def one() -> Iterator[Work]:
    work = Work(threads=1, urgent=0)
    yield work
    work.stop()


def test_the_most_urgent_goes_first_and_equals_in_their_order(one: Work) -> None:
    busy, go = threading.Event(), threading.Event()
    done: list[str] = []

    def blocking() -> None:
        busy.set()
        go.wait(10)

    first = one.submit(Priority.MINING, blocking)
    assert busy.wait(10)
    waiting = [
        one.submit(priority, lambda name=name: done.append(name))  # type: ignore[misc]
        for name, priority in (
            ("mine", Priority.MINING),
            ("review", Priority.REVIEW),
            ("verdict 1", Priority.VERDICT),
            ("verdict 2", Priority.VERDICT),
        )
    ]
    assert done == []
    go.set()
    for future in [first, *waiting]:
        future.result(10)
    assert done == ["verdict 1", "verdict 2", "review", "mine"]


def test_two_threads_work_at_once() -> None:
    work = Work()
    meeting = threading.Barrier(2, timeout=10)
    both = [work.submit(Priority.REVIEW, meeting.wait) for _ in range(2)]
    assert sorted(future.result(10) for future in both) == [0, 1]
    work.stop()


def test_an_error_comes_back_and_the_thread_goes_on(one: Work) -> None:
    with pytest.raises(ZeroDivisionError):
        one.submit(Priority.VERDICT, lambda: 1 // 0).result(10)
    assert one.submit(Priority.VERDICT, lambda: 7).result(10) == 7


def test_what_is_cancelled_in_time_is_not_done(one: Work) -> None:
    busy, go = threading.Event(), threading.Event()
    done: list[int] = []

    def blocking() -> None:
        busy.set()
        go.wait(10)

    one.submit(Priority.VERDICT, blocking)
    assert busy.wait(10)
    doomed = one.submit(Priority.VERDICT, lambda: done.append(1))
    assert doomed.cancel()
    go.set()
    assert one.submit(Priority.MINING, lambda: 1).result(10) == 1
    assert done == []


def test_stopping_finishes_what_is_queued() -> None:
    work = Work(threads=1, urgent=0)
    futures = [work.submit(Priority.MINING, lambda: 1) for _ in range(20)]
    work.stop()
    assert [future.result(0) for future in futures] == [1] * 20


def test_who_waits_does_not_wait_for_long_jobs_that_have_begun() -> None:
    work = Work()
    begun, go = threading.Semaphore(0), threading.Event()

    def long() -> None:
        begun.release()
        go.wait(10)

    busy = [work.submit(Priority.REVIEW, long) for _ in range(2)]
    assert all(begun.acquire(timeout=10) for _ in busy)
    idle = work.submit(Priority.REVIEW, lambda: 1)
    assert work.submit(Priority.VERDICT, lambda: 7).result(10) == 7
    assert not idle.done()
    go.set()
    assert idle.result(10) == 1
    work.stop()
