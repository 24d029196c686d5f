"""Reviews under way and done: worked out in the background, decision by decision, and kept. Nothing of the screen."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, partial

from tutor.app.work import Priority, Work, executor
from tutor.game.actions import Seat
from tutor.storage.database import StorageError
from tutor.storage.reviews import Reviews
from tutor.teaching.hand import OwnHand
from tutor.teaching.review import Decision, HandReview, ReviewError, finished, judged, review_version

ROOM = 100
"""How many reviews are remembered here; all are kept in the database."""


@dataclass(frozen=True, slots=True)
class Place:
    """Whose review of what: where the hand is from (``game-3``), its number from 1, the seat."""

    source: str
    hand: int
    seat: Seat


@dataclass(slots=True)
class UnderWay:
    """A review in the making: so many of its decisions are judged; ``whole`` is there when all are."""

    total: int
    whole: Future[HandReview] = field(default_factory=Future)
    done: int = 0


class Desk:
    """Every review is worked out once, by jobs of one decision each, so that what is urgent gets in between."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._known: dict[tuple[str, Place], UnderWay] = {}
        self._lock = threading.Lock()

    def review(self, place: Place, hand: OwnHand, kept: Reviews) -> UnderWay:
        """The review of a finished hand: from the database, under way, or begun now."""
        key = (kept.engine.url.render_as_string(), place)
        with self._lock:
            if key in self._known:
                return self._known[key]
            while len(self._known) >= ROOM:
                del self._known[next(iter(self._known))]
            found = self._known[key] = UnderWay(len(hand.plies))
        try:
            text = kept.find(place.source, place.hand, place.seat, review_version())
        except StorageError as error:
            # Who asks again shall find it neither known nor under way.
            with self._lock:
                self._known.pop(key, None)
            found.whole.set_exception(error)
            raise
        if text is not None:
            try:
                found.whole.set_result(HandReview.from_json(text))
            except ReviewError:
                text = None
        if text is None:
            self._begin(found, place, hand, kept)
        return found

    def _begin(self, found: UnderWay, place: Place, hand: OwnHand, kept: Reviews) -> None:
        told: dict[int, Decision] = {}
        lock = threading.Lock()

        def take(number: int, answer: Future[Decision]) -> None:
            error = answer.exception()
            with lock:
                if found.whole.done():
                    return
                if error is not None:
                    found.whole.set_exception(error)
                    return
                told[number] = answer.result()
                found.done = len(told)
                if found.done < found.total:
                    return
            review = finished(hand, [told[one] for one in range(found.total)])
            now = datetime.now(UTC).isoformat(timespec="seconds")
            try:
                kept.keep(place.source, place.hand, place.seat, review.engine, review.to_json(), now)
            finally:
                # Also where it cannot be kept it can be read.
                found.whole.set_result(review)

        if not hand.plies:
            found.whole.set_result(finished(hand, []))
        for number in range(len(hand.plies)):
            job = self._work.submit(Priority.REVIEW, partial(judged, hand, number))
            job.add_done_callback(partial(take, number))


@cache
def desk() -> Desk:
    """The reviews of this process."""
    return Desk(executor())
