"""The coach at the table: how it takes part, and what its buttons do.

What it says is worked out by ``beside``, which needs the engine: it is imported only once the coach takes part, for
pages open before the engine is loaded.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from tutor.app import state, warmup
from tutor.app.sessions.play import Answer, Intent, PlaySession
from tutor.storage.database import StorageError

MODES = {"off": "Off", "warn": "Warn me", "full": "Full"}
BRIEFLY = 0.15
"""Seconds that a click waits for the verdict: most come sooner, and then nothing is seen of the holding."""
LEVELS = ("beginner", "intermediate", "advanced")


def reviews(session: PlaySession) -> bool:
    """Whether the hand is over and its review stands beside the table, also in a rated game."""
    return session.dealt and session.round.result is not None and warmup.engine().ready


def beside(session: PlaySession) -> bool:
    """Whether the coach has a place beside the table."""
    return session.stored.practice or reviews(session)


def mode(session: PlaySession) -> str:
    """How the coach takes part: a rated game has none, nor has a server whose engine is not ready."""
    if not session.stored.practice or not session.dealt or not warmup.engine().ready:
        return "off"
    return str(state.settings()["coach"])


def begin(session: PlaySession) -> Future[Any] | None:
    """Look at the position before the player acts; play what is held where no warning is due, see ``resolve``.

    What comes back is the answer that is still awaited: it is asked before the page is drawn, so that one which comes
    meanwhile is not missed.
    """
    resolve(session)
    if mode(session) != "off":
        from tutor.app import beside

        beside.look(session)
    return awaited(session)


def act(session: PlaySession, intent: Intent) -> Answer:
    """Play what the player wants; with a coach that warns, hold it until it is looked at."""
    if mode(session) != "warn" or session.marked("rethought") or not _chooses(session):
        return session.submit(intent, state.now())
    answer = session.hold(intent, state.now())
    if answer.done:
        resolve(session, wait=BRIEFLY)
    return answer


def _chooses(session: PlaySession) -> bool:
    """Whether it is the player's turn and there is more than one thing to do."""
    return len(session.view().legal_actions()) > 1


def resolve(session: PlaySession, *, wait: float = 0.0) -> bool:
    """Play a held action that no warning is due for; whether it was played.

    Where the coach warns no more, or its engine is not there yet after a restart, the action is given back: neither a
    verdict nor the player has said to play it. ``wait`` is how long, in seconds, an answer is waited for.
    """
    if not session.dealt or session.held is None:
        return False
    if mode(session) != "warn":
        session.let_go()
        return False
    from tutor.app import beside

    return beside.resolve(session, wait=wait)


def awaited(session: PlaySession) -> Future[Any] | None:
    """The answer of the coach that the screen waits for, if one is under way."""
    if reviews(session):
        from tutor.app import afterwards

        return afterwards.awaited(session)
    if mode(session) == "off":
        return None
    from tutor.app import beside

    return beside.awaited(session, full=mode(session) == "full")


def model_of(session: PlaySession) -> dict[str, Any]:
    """The coach's panel as it is to be shown now."""
    blocks: list[dict[str, Any]] = []
    if reviews(session):
        from tutor.app import afterwards

        blocks = afterwards.blocks(session)
    elif mode(session) != "off":
        from tutor.app import beside

        blocks = beside.blocks(session, full=mode(session) == "full")
    return {"ack": state.acknowledged(), "ply": session.ply, "blocks": blocks, "look": state.look()}


def handle(session: PlaySession, event: dict[str, Any]) -> None:
    """Do what a button of the coach asks for, and acknowledge it, also when it cannot be kept."""
    words = ""
    try:
        _do(session, event)
    except StorageError as error:
        words = str(error)
    state.acknowledge(words, (session.game_id, session.ply if session.dealt else 0))


def _do(session: PlaySession, event: dict[str, Any]) -> None:
    kind = event.get("kind")
    if reviews(session):
        from tutor.app import afterwards

        afterwards.handle(session, event)
    elif event.get("ply") == session.ply and mode(session) != "off":
        if kind == "hint" and session.round.public.turn is not None and _chooses(session):
            session.mark("hint", str(min(3, len(session.marked("hint")) + 1)), state.now())
        elif kind == "rethink":
            session.rethink(session.ply, state.now())
        elif kind == "anyway" and session.held is not None:
            session.play_anyway(session.ply, state.now())
    if kind in ("open-grid", "close-grid"):
        state.remember("grid", kind == "open-grid")
