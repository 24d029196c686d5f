"""Reviews of hands, kept with the engine that made them. Every write is one transaction."""

from __future__ import annotations

from sqlalchemy import Engine, delete, insert, select

from tutor.game.actions import Seat
from tutor.storage.database import explained
from tutor.storage.tables import reviews


class Reviews:
    """Finished reviews by where the hand is from (``game-3``, ``record-5``), its number from 1, and the seat."""

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
        with explained(), self.engine.begin() as db:
            db.execute(delete(reviews).where(this))
            db.execute(insert(reviews).values(**row))
