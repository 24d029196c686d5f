"""Reading and writing what is remembered. Every write is one transaction."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from tutor.game.actions import Seat
from tutor.game.rules import RuleSet
from tutor.storage.database import explained
from tutor.storage.tables import actions, browsers, games, held, marks, profiles, records, rounds, takebacks


class MovedOn(Exception):
    """Somebody, perhaps another tab, has already played this ply or dealt this round."""


@dataclass(frozen=True, slots=True)
class State:
    """How far a game is: its rounds, and of the last one the actions, takebacks, marks and what is held."""

    rounds: int = 0
    plies: int = 0
    takebacks: int = 0
    marks: int = 0
    held: str | None = None


@dataclass(frozen=True, slots=True)
class Profile:
    """Someone who plays here."""

    id: int
    name: str
    settings: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Takeback:
    """Actions taken back: the ply of the first (from 1) and their texts."""

    ply: int
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """Help that was used before the action at ``ply`` (from 1): what kind, and the detail in words."""

    ply: int
    kind: str
    detail: str


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round as kept: its secret seed (hexadecimal), the actions' texts, and what was taken back.

    ``held`` is an action that the player chose as the next one and that is not played yet; ``marks`` the help used.
    """

    id: int
    number: int
    dealer: Seat
    seed: str
    hand_order: str
    actions: tuple[str, ...]
    takebacks: tuple[Takeback, ...]
    held: str | None = None
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as kept. The profile plays South. ``origin`` names the position that a second try began at."""

    id: int
    profile_id: int
    opponent: str
    rules: RuleSet
    practice: bool
    first_dealer: Seat
    finished: bool
    created_at: str
    rounds: tuple[StoredRound, ...]
    origin: str = ""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """An imported record as kept."""

    id: int
    title: str
    text: str
    created_at: str


class Library:
    """Everything in one database. Times are texts (ISO 8601) given by the caller; StorageError when it fails."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def profile_of(self, browser: str, now: str) -> Profile:
        """The profile that a browser plays as; a new one for a new browser."""
        query = select(profiles).join(browsers, browsers.c.profile_id == profiles.c.id)
        while True:
            with explained(), self.engine.connect() as db:
                found = db.execute(query.where(browsers.c.name == browser)).one_or_none()
            if found is not None:
                return _profile(found)
            names = set(self.profile_names())
            free = next(name for name in ("Player", *(f"Player {n}" for n in range(2, 100_000))) if name not in names)
            made = self._play_as(browser, free, now, fresh=True)
            if made is not None:
                return made

    def play_as(self, browser: str, name: str, now: str) -> Profile:
        """Let a browser play as the profile of this name, made if it is new."""
        while True:
            mine = self._play_as(browser, name, now, fresh=False)
            if mine is not None:
                return mine

    def _play_as(self, browser: str, name: str, now: str, *, fresh: bool) -> Profile | None:
        """One try; None when another one was quicker with the same name or browser."""
        with explained():
            try:
                with self.engine.begin() as db:
                    found = db.execute(select(profiles).where(profiles.c.name == name)).one_or_none()
                    if found is not None and fresh:
                        return None
                    if found is None:
                        made = db.execute(insert(profiles).values(name=name, settings="{}", created_at=now))
                        mine = Profile(_key(made), name)
                    else:
                        mine = _profile(found)
                    if not fresh:
                        db.execute(delete(browsers).where(browsers.c.name == browser))
                    db.execute(insert(browsers).values(name=browser, profile_id=mine.id))
                    return mine
            except IntegrityError:
                return None

    def profile_names(self) -> tuple[str, ...]:
        """All names, in the order of their making."""
        with explained(), self.engine.connect() as db:
            return tuple(db.execute(select(profiles.c.name).order_by(profiles.c.id)).scalars())

    def save_settings(self, profile_id: int, changes: dict[str, Any]) -> dict[str, Any]:
        """Change some of a profile's settings; all of them as they are then."""
        mine = profiles.c.id == profile_id
        with explained(), self.engine.begin() as db:
            db.execute(update(profiles).where(mine).values(settings=profiles.c.settings))
            kept = json.loads(db.execute(select(profiles.c.settings).where(mine)).scalar_one())
            db.execute(update(profiles).where(mine).values(settings=json.dumps(kept | changes)))
            return dict(kept | changes)

    def new_game(
        self, profile_id: int, opponent: str, rules: RuleSet, *, practice: bool, dealer: Seat, now: str
    ) -> int:
        """A new game without rounds; its id."""
        values = {
            "profile_id": profile_id,
            "opponent": opponent,
            "rules": json.dumps({knob: rules.value_text(knob) for knob in rules.sentences()}),
            "practice": practice,
            "first_dealer": int(dealer),
            "finished": False,
            "created_at": now,
        }
        with explained(), self.engine.begin() as db:
            return _key(db.execute(insert(games).values(**values)))

    def deal(self, game_id: int, number: int, dealer: Seat, seed: str) -> None:
        """Begin a round (its number from 1). Raises MovedOn when it was dealt already."""
        row = {"game_id": game_id, "number": number, "dealer": int(dealer), "seed": seed, "hand_order": ""}
        with explained():
            try:
                with self.engine.begin() as db:
                    db.execute(insert(rounds).values(**row))
            except IntegrityError:
                raise MovedOn from None

    def add_actions(
        self, round_id: int, first_ply: int, texts: Sequence[str], order: str, now: str, *, taken_back: int = 0
    ) -> None:
        """Keep actions, all or none, the first as ``first_ply`` (from 1), and the hand's order after them.

        MovedOn when the round has moved on from what the caller knows: other actions, or not ``taken_back`` takebacks.
        """
        rows = [{"round_id": round_id, "ply": first_ply + i, "text": one, "at": now} for i, one in enumerate(texts)]
        with explained():
            try:
                with self.engine.begin() as db:
                    # The write to the round comes first: it keeps every other writer out until the end.
                    db.execute(update(rounds).where(rounds.c.id == round_id).values(hand_order=order))
                    if _played(db, round_id) != (first_ply - 1, taken_back):
                        raise MovedOn
                    db.execute(insert(actions), rows)
            except IntegrityError:
                raise MovedOn from None

    def take_back(self, round_id: int, ply: int, plies: int, now: str) -> None:
        """Remove the actions from ``ply`` on, and remember them. MovedOn unless there are ``plies`` now."""
        with explained(), self.engine.begin() as db:
            db.execute(update(rounds).where(rounds.c.id == round_id).values(hand_order=rounds.c.hand_order))
            kept = db.execute(select(actions.c.text).where(actions.c.round_id == round_id).order_by(actions.c.ply))
            texts = list(kept.scalars())
            if len(texts) != plies or not 1 <= ply <= plies:
                raise MovedOn
            db.execute(delete(actions).where(actions.c.round_id == round_id, actions.c.ply >= ply))
            row = {"round_id": round_id, "ply": ply, "texts": json.dumps(texts[ply - 1 :]), "at": now}
            db.execute(insert(takebacks).values(**row))

    def hold(self, round_id: int, ply: int, text: str, now: str, *, taken_back: int) -> None:
        """Keep an action that is chosen but not played yet, as the one to come at ``ply`` (from 1).

        It is void as soon as the round moves on. MovedOn when it has done so already.
        """
        row = {"ply": ply, "text": text, "at": now, "taken_back": taken_back}
        with explained():
            try:
                with self.engine.begin() as db:
                    db.execute(update(rounds).where(rounds.c.id == round_id).values(hand_order=rounds.c.hand_order))
                    if _played(db, round_id) != (ply - 1, taken_back):
                        raise MovedOn
                    db.execute(delete(held).where(held.c.round_id == round_id))
                    db.execute(insert(held).values(round_id=round_id, **row))
            except IntegrityError:
                raise MovedOn from None

    def let_go(self, round_id: int) -> None:
        """Forget an action that was held."""
        with explained(), self.engine.begin() as db:
            db.execute(delete(held).where(held.c.round_id == round_id))

    def mark(self, round_id: int, mark: Mark, now: str) -> bool:
        """Remember help that was used; whether this is new."""
        row = {"round_id": round_id, "ply": mark.ply, "kind": mark.kind, "detail": mark.detail, "at": now}
        with explained():
            try:
                with self.engine.begin() as db:
                    db.execute(insert(marks).values(**row))
            except IntegrityError:
                return False
        return True

    def save_order(self, round_id: int, order: str) -> None:
        """Keep the learner's order of the hand."""
        with explained(), self.engine.begin() as db:
            db.execute(update(rounds).where(rounds.c.id == round_id).values(hand_order=order))

    def finish(self, game_id: int) -> None:
        """Mark a game as over."""
        with explained(), self.engine.begin() as db:
            db.execute(update(games).where(games.c.id == game_id).values(finished=True))

    def state(self, game_id: int) -> State:
        """How far a game is: what a tab compares."""
        query = select(func.count(), func.max(rounds.c.id)).where(rounds.c.game_id == game_id)
        with explained(), self.engine.connect() as db:
            count, last = db.execute(query).one()
            if last is None:
                return State()
            plies, undone = _played(db, last)
            used = db.execute(select(func.count()).where(marks.c.round_id == last)).scalar()
            return State(int(count), plies, undone, int(used or 0), _held(db, last, plies, undone))

    def copy_game(self, game_id: int, number: int, ply: int, origin: str, now: str) -> int:
        """A game for practice that begins where another one stood: round ``number`` (from 1) after ``ply`` actions."""
        with explained(), self.engine.begin() as db:
            row = db.execute(select(games).where(games.c.id == game_id)).mappings().one()
            fresh = dict(row) | {"practice": True, "finished": False, "created_at": now, "origin": origin}
            del fresh["id"]
            made = _key(db.execute(insert(games).values(**fresh)))
            before = select(rounds).where(rounds.c.game_id == game_id, rounds.c.number <= number)
            for one in db.execute(before.order_by(rounds.c.number)).mappings().all():
                copy = dict(one) | {"game_id": made}
                del copy["id"]
                new = _key(db.execute(insert(rounds).values(**copy)))
                query = select(actions).where(actions.c.round_id == one["id"]).order_by(actions.c.ply)
                kept = [
                    dict(action) | {"round_id": new}
                    for action in db.execute(query).mappings()
                    if one["number"] < number or action["ply"] <= ply
                ]
                if kept:
                    db.execute(insert(actions), kept)
            return made

    def game(self, game_id: int) -> StoredGame | None:
        """A game with all its rounds, or None."""
        with explained(), self.engine.connect() as db:
            found = db.execute(select(games).where(games.c.id == game_id)).one_or_none()
            return None if found is None else _game(db, found)

    def games_of(self, profile_id: int) -> tuple[StoredGame, ...]:
        """A profile's games, the newest first."""
        with explained(), self.engine.connect() as db:
            query = select(games).where(games.c.profile_id == profile_id).order_by(games.c.id.desc())
            return tuple(_game(db, row) for row in db.execute(query).all())

    def unfinished(self, profile_id: int) -> int | None:
        """The newest game that is not over, by id."""
        query = select(func.max(games.c.id)).where(games.c.profile_id == profile_id, games.c.finished.is_(False))
        with explained(), self.engine.connect() as db:
            return db.execute(query).scalar()

    def add_record(self, profile_id: int, title: str, text: str, now: str) -> int:
        """Keep an imported record; its id."""
        row = {"profile_id": profile_id, "title": title[:200], "text": text, "created_at": now}
        with explained(), self.engine.begin() as db:
            return _key(db.execute(insert(records).values(**row)))

    def records_of(self, profile_id: int) -> tuple[StoredRecord, ...]:
        """A profile's imported records, the newest first."""
        query = select(records).where(records.c.profile_id == profile_id).order_by(records.c.id.desc())
        with explained(), self.engine.connect() as db:
            return tuple(StoredRecord(row.id, row.title, row.text, row.created_at) for row in db.execute(query))


def _profile(row: Any) -> Profile:
    return Profile(row.id, row.name, json.loads(row.settings))


def _played(db: Connection, round_id: int) -> tuple[int, int]:
    """How many actions and how many takebacks a round has."""
    plies = db.execute(select(func.count()).where(actions.c.round_id == round_id)).scalar()
    undone = db.execute(select(func.count()).where(takebacks.c.round_id == round_id)).scalar()
    return int(plies or 0), int(undone or 0)


def _held(db: Connection, round_id: int, plies: int, undone: int) -> str | None:
    """The action held back, as long as the round has not moved on from where it was chosen."""
    here = (held.c.round_id == round_id) & (held.c.ply == plies + 1) & (held.c.taken_back == undone)
    return db.execute(select(held.c.text).where(here)).scalar()


def _key(result: Any) -> int:
    return int(result.inserted_primary_key[0])


def _game(db: Connection, row: Any) -> StoredGame:
    dealt = db.execute(select(rounds).where(rounds.c.game_id == row.id).order_by(rounds.c.number)).all()
    played: dict[int, list[str]] = {one.id: [] for one in dealt}
    undone: dict[int, list[Takeback]] = {one.id: [] for one in dealt}
    inside = actions.c.round_id.in_(list(played))
    for action in db.execute(select(actions).where(inside).order_by(actions.c.round_id, actions.c.ply)):
        played[action.round_id].append(action.text)
    for one in db.execute(select(takebacks).where(takebacks.c.round_id.in_(list(played))).order_by(takebacks.c.id)):
        undone[one.round_id].append(Takeback(one.ply, tuple(json.loads(one.texts))))
    used: dict[int, list[Mark]] = {one.id: [] for one in dealt}
    for one in db.execute(select(marks).where(marks.c.round_id.in_(list(played))).order_by(marks.c.id)):
        used[one.round_id].append(Mark(one.ply, one.kind, one.detail))
    stored = tuple(
        StoredRound(
            one.id,
            one.number,
            Seat(one.dealer),
            one.seed,
            one.hand_order,
            tuple(played[one.id]),
            tuple(undone[one.id]),
            _held(db, one.id, len(played[one.id]), len(undone[one.id])),
            tuple(used[one.id]),
        )
        for one in dealt
    )
    rules = RuleSet().with_values(json.loads(row.rules))
    return StoredGame(
        row.id,
        row.profile_id,
        row.opponent,
        rules,
        row.practice,
        Seat(row.first_dealer),
        row.finished,
        row.created_at,
        stored,
        row.origin,
    )
