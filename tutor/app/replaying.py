"""The machinery of the Replay screen: what there is to replay, and the table for one place in it."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from tutor.app import charts, state, warmup
from tutor.app.present import Model, Table, ending_words, replay_model
from tutor.app.sessions.play import PlaySession
from tutor.app.sessions.replay import ReplaySession
from tutor.game.notation import RecordError, dumps, loads
from tutor.game.public import Act
from tutor.game.record import Record
from tutor.storage.database import StorageError


@dataclass(frozen=True, slots=True)
class Source:
    """Something to replay: the session over it, and its record as far as it may be handed out."""

    session: ReplaySession
    record: Record


def titles() -> dict[str, str]:
    """What this profile can replay, newest first: ``game-3`` or ``record-5``, and how it is listed."""
    mine = state.profile()
    listed = {}
    for game in state.library().games_of(mine.id):
        hands = f"{len(game.rounds)} hand{'' if len(game.rounds) == 1 else 's'}"
        under_way = "" if game.finished else ", under way"
        under_way += ", a second try" if game.origin else ""
        listed[f"game-{game.id}"] = f"{game.created_at[:10]} against {game.opponent}: {hands}{under_way}"
    for record in state.library().records_of(mine.id):
        listed[f"record-{record.id}"] = f"{record.created_at[:10]} {record.title}"
    return listed


def source(kind: str, number: int) -> Source:
    """What ``titles`` lists under this name. Raises LookupError when there is no such thing."""
    mine = state.profile()
    if kind == "game":
        session = PlaySession(state.library(), number)
        return Source(ReplaySession.of_game(session, mine.name), session.record((mine.name, session.stored.opponent)))
    stored = next((one for one in state.library().records_of(mine.id) if one.id == number), None)
    if stored is None:
        raise LookupError(f"there is no record {number}")
    record = loads(stored.text)
    return Source(ReplaySession.of_record(record), record)


def open_source(name: str, at: str) -> None:
    """Keep the session over a game or record for this browser, as it is now, and go where a link leads."""
    kind, number = name.split("-")
    version = (name, state.library().state(int(number)) if kind == "game" else ())
    if state.recall("replay-version") == version:
        if at != state.recall("replay-at"):
            state.remember("replay", state.recall("replay").to_text(at))
        return
    begun = source(kind, int(number))
    state.remember("replay-version", version)
    state.remember("replay", begun.session.to_text(at))
    state.remember("replay-text", dumps(begun.record) if begun.record.rounds else None)


def handle(event: dict[str, Any]) -> None:
    """Step as the table asks."""
    state.remember("replay-notice", "")
    state.remember("replay", state.recall("replay").step(str(event.get("kind", ""))))
    state.acknowledge()


def prepared(session: ReplaySession, name: str) -> ReplaySession:
    """The session to show: with the better line, where another page has asked for it and the verdict is there."""
    if state.recall("want-better") != (name, session.at) or not warmup.engine().ready:
        return session
    from tutor.app import studying

    better = studying.better_line(session, name)
    if better is not session:
        state.remember("want-better", None)
        state.remember("replay", better)
    return better


def coach_model(session: ReplaySession, name: str) -> Model:
    """The coach's panel for this place."""
    blocks: list[Model] = []
    if warmup.engine().ready:
        from tutor.app import studying

        blocks = studying.blocks(session, name)
    return {"ack": state.acknowledged(), "ply": session.ply, "blocks": blocks, "look": state.look()}


def handle_coach(event: dict[str, Any], name: str) -> None:
    """Do what a button of the coach asks for; what cannot be kept is said."""
    words = ""
    try:
        _do(event, name)
    except StorageError as error:
        words = str(error)
    state.remember("replay-notice", words)
    state.acknowledge()


def _do(event: dict[str, Any], name: str) -> None:
    from tutor.app import studying

    session: ReplaySession = state.recall("replay")
    kind = event.get("kind")
    if event.get("ply") == session.ply:
        if kind == "try":
            played = PlaySession(state.library(), int(name.removeprefix("game-")))
            state.remember("go-play", played.try_again(session.hand, session.ply - 1, state.now()))
        elif kind == "better":
            state.remember("replay", studying.better_line(session, name))
        elif kind == "back":
            state.remember("replay", session.back())
        elif kind == "keep":
            studying.keep(session, name)
    if kind in ("open-grid", "close-grid"):
        state.remember("grid", kind == "open-grid")


def awaited(session: ReplaySession, name: str) -> Future[Any] | None:
    """The coach's answer that the screen waits for: asked before the page is drawn, so that none is missed."""
    if not warmup.engine().ready:
        return None
    from tutor.app import studying

    return studying.awaited(session, name)


def curve(session: ReplaySession, name: str) -> None:
    """The expected result over the hand for the seat looked from; a chosen point is the place that is shown."""
    if not warmup.engine().ready:
        return
    from tutor.app import studying

    rows = studying.curve_of(session, name)
    chosen = charts.curve(rows, session.ply - 1, key=f"curve-{name}-{session.hand}-{session.seat.label}")
    if chosen is not None:
        state.remember("replay", session.to(session.hand, chosen + 1))
        st.rerun()


def together() -> None:
    """What the reviewed hands of all games say together, on demand."""
    with st.expander("Your hands together"):
        if warmup.engine().ready and st.toggle("Show"):
            from tutor.app import studying

            st.markdown("\n".join(f"- {_safe(line.strip())}" for line in studying.together()))


def model_of(session: ReplaySession, name: str) -> Model:
    """The table at this place."""
    model = replay_model(session.view, table_of(session), act_of(session), session.their_cards)
    model |= {
        "ply": session.ply,
        "hand_id": f"{name}-{session.hand}-{session.seat.label}",
        "ack": state.acknowledged(),
        "notice": state.recall("replay-notice", ""),
        "steps": {"ply": session.ply, "plies": session.plies},
        "look": {"deck": state.settings()["deck"], "size": state.settings()["size"], "still": True},
    }
    if session.view.public.result is not None:
        model["done"] = ending_words(session.view, table_of(session)) | {"buttons": []}
    return model


def keep_upload(name: str, raw: bytes) -> tuple[int | None, str]:
    """Keep an uploaded record; its number if it could be read, and what to say of it."""
    try:
        text = raw.decode("utf-8")
        record = loads(text)
    except UnicodeDecodeError:
        return None, f":orange[{_safe(name)} is not text in UTF-8.]"
    except RecordError as error:
        return None, f":orange[{_safe(name)}: {_safe(str(error))}]"
    title = dict(record.headers).get("Title") or name.removesuffix(".gin")
    number = state.library().add_record(state.profile().id, title, text, state.now())
    return number, f"{_safe(title)} is in the list."


def add_record() -> None:
    """Take in a record file; what came of it is said at the place."""
    upload = st.file_uploader("Add a record (.gin)", type="gin", max_upload_size=20)
    if upload is not None and state.recall("uploaded") != upload.file_id:
        state.remember("uploaded", upload.file_id)
        number, words = keep_upload(upload.name, upload.getvalue())
        state.remember("upload-words", words)
        if number is not None:
            st.query_params.from_dict({"record": str(number)})
        st.rerun()
    st.markdown(state.recall("upload-words", ""))


def _safe(text: str) -> str:
    """Text of others inside Markdown, with nothing of it read as Markdown."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]<>()#+-.!|:$~" else " " if c == "\n" else c for c in text[:300])


def table_of(session: ReplaySession) -> Table:
    """What the table says of this hand."""
    me, them = session.names[session.seat], session.names[session.seat.other]
    points = session.current.standing.points
    mine = (points[session.seat], points[session.seat.other])
    order = " ".join(str(card) for card in session.view.hand.by_rank())
    return Table(them, session.hand, session.rules.target, mine, order, me)


def act_of(session: ReplaySession) -> Act | None:
    """The act that led to this place, as the seat saw it."""
    if session.ply == 0 or session.last_action is None:
        return None
    return replace(session.view.public.acts[session.ply - 1], action=session.last_action)
