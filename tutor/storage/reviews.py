"""Reviews of hands, kept with the engine that made them, and positions kept for practice.

Every write is one transaction. Where something is from is told as ``game-3`` or ``record-5``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, delete, insert, select
from sqlalchemy.exc import IntegrityError

from tutor.game.actions import Seat
from tutor.storage.database import explained
from tutor.storage.tables import kept_positions, reviews


@dataclass(frozen=True, slots=True)
class KeptPosition:
    """A position that a player wants to meet again: where it is from, which place (``3/12``), from which seat."""

    source: str
    position: str
    seat: Seat


class Reviews:
    """Finished reviews by where the hand is from, its number from 1, and the seat; kept positions by profile."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def find(self, source: str, hand: int, seat: Seat, engine: str) -> str | None:
        """The review's text, if this version of the engine made one."""
        this = (reviews.c.source == source) & (reviews.c.hand == hand) & (reviews.c.seat == int(seat))
        with explained(), self.engine.connect() as db:
            return db.execute(select(reviews.c.text).where(this & (reviews.c.engine == engine))).scalar()

    def keep(self, source: str, hand: int, seat: Seat, engine: str, text: str, now: str) -> None:
        """Keep a review in place of one that another version of the engine made."""
        this = (reviews.c.source == source) & (reviews.c.hand == hand) & (reviews.c.seat == int(seat))
        row = {"source": source, "hand": hand, "seat": int(seat), "engine": engine, "text": text, "at": now}
        with explained():
            try:
                with self.engine.begin() as db:
                    db.execute(delete(reviews).where(this))
                    db.execute(insert(reviews).values(**row))
            except IntegrityError:
                return  # somebody else has kept the same review

    def texts(self, sources: Sequence[str], seat: Seat, engine: str) -> tuple[str, ...]:
        """All reviews of these games for a seat that this version of the engine made, the oldest hand first."""
        these = (reviews.c.seat == int(seat)) & (reviews.c.engine == engine)
        query = select(reviews.c.source, reviews.c.hand, reviews.c.text).where(these)
        order = {source: place for place, source in enumerate(reversed(sources))}
        with explained(), self.engine.connect() as db:
            found = [row for row in db.execute(query) if row.source in order]
        return tuple(row.text for row in sorted(found, key=lambda row: (order[row.source], row.hand)))

    def keep_position(self, profile_id: int, kept: KeptPosition, now: str) -> None:
        """Keep a position; once is enough."""
        row = {"source": kept.source, "position": kept.position, "seat": int(kept.seat), "at": now}
        with explained():
            try:
                with self.engine.begin() as db:
                    db.execute(insert(kept_positions).values(profile_id=profile_id, **row))
            except IntegrityError:
                return

    def positions_of(self, profile_id: int) -> tuple[KeptPosition, ...]:
        """The positions a profile has kept, in the order of keeping."""
        query = select(kept_positions).where(kept_positions.c.profile_id == profile_id).order_by(kept_positions.c.id)
        with explained(), self.engine.connect() as db:
            return tuple(KeptPosition(one.source, one.position, Seat(one.seat)) for one in db.execute(query))
