"""The coach beside a replayed hand: the verdict on the action that led here, and what can be done from this place.

Loads the engine.
"""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from tutor.app import present_coach as present
from tutor.app import reviewing, state
from tutor.app.beside import advice_blocks
from tutor.app.desk import Advice, desk
from tutor.app.present_review import curve
from tutor.app.reviewing import Place, UnderWay
from tutor.app.sessions.replay import ReplaySession
from tutor.engine.players import PLAYERS
from tutor.game.actions import Seat
from tutor.game.round import Round
from tutor.storage.reviews import KeptPosition
from tutor.teaching.coach import IN_REVIEW
from tutor.teaching.hand import OwnHand, OwnPly
from tutor.teaching.history import History, history_lines
from tutor.teaching.moments import judged_at
from tutor.teaching.review import HandReview, review_version

MOST = 300
"""Hands that are looked at together, the latest."""


def _open(session: ReplaySession, name: str) -> bool:
    """Whether the coach may speak of this hand: of a game that is played here only when it is over."""
    return session.current.finished or not name.startswith("game-")


def _advice(session: ReplaySession, name: str) -> Future[Advice] | None:
    """The verdict for this place, if the seat looked from chose here."""
    made = session.decision if _open(session, name) else None
    return None if made is None else desk().advice(*made, IN_REVIEW)


def _review(session: ReplaySession, name: str) -> UnderWay | None:
    """The review of the hand for the seat looked from, begun when it is first asked for."""
    if not _open(session, name) or session.as_played is not None:
        return None
    moments, standing = session.current.moments, judged_at(session.rules, session.current.standing)
    plies = tuple(
        OwnPly(ply, moments[ply].view(session.seat, standing), action)
        for ply, action in enumerate(session.current.actions)
        if moments[ply].public.turn is session.seat
    )
    hand = OwnHand(plies, moments[-1].view(session.seat, standing))
    return reviewing.desk().review(Place(name, session.hand, session.seat), hand, state.reviews())


def curve_of(session: ReplaySession, name: str) -> list[dict[str, Any]]:
    """The rows of the chart; none while the review is being made."""
    found = _review(session, name)
    ready = found is not None and found.whole.done() and found.whole.exception() is None
    return curve(found.whole.result(), state.settings()["level"]) if found is not None and ready else []


def together() -> list[str]:
    """What the reviewed hands of this profile's games say together, in lines."""
    games = [f"game-{game.id}" for game in state.library().games_of(state.profile().id) if not game.origin]
    texts = state.reviews().texts(games, Seat.SOUTH, review_version())
    found = [HandReview.from_json(text) for text in texts[-MOST:]]
    return history_lines(History.of(found)) if found else ["No hand is reviewed yet."]


def awaited(session: ReplaySession, name: str) -> Future[Any] | None:
    """The answer that the screen waits for, if one is under way."""
    wanted: list[Future[Any] | None] = [_advice(session, name)]
    if _grid_open(session, name):
        wanted.append(desk().holdings(session.view))
    found = _review(session, name)
    wanted.append(None if found is None else found.whole)
    return next((one for one in wanted if one is not None and not one.done()), None)


def _grid_open(session: ReplaySession, name: str) -> bool:
    return bool(state.recall("grid", False)) and session.view.public.shown is None and _open(session, name)


def blocks(session: ReplaySession, name: str) -> list[present.Block]:
    """What the coach says of this place. Nothing about a hand that is still played: that would be help."""
    if not _open(session, name):
        return [_box("The coach speaks when this hand is over.")]
    shown = [_other_way()] if session.as_played is not None else []
    made, answer = session.decision, _advice(session, name)
    if made is None or answer is None:
        shown.append(_box(f"Step to a choice of {_who(session)}; the coach tells what it was worth."))
    elif not answer.done():
        shown.append(present.waiting_block(*made))
    elif answer.exception() is None:
        said = advice_blocks(answer.result(), state.settings()["level"], _who(session))
        said[0]["buttons"] = _buttons(session, name, answer.result())
        shown += said
    if of_another(session) and made is not None:
        shown.append(_box(f"“You” is {session.names[session.seat]} here."))
    return [*shown, _grid(session, name)]


def of_another(session: ReplaySession) -> bool:
    """Whether the seat looked from is somebody else's, so that it has to be told who "you" is."""
    return session.names[session.seat] != state.profile().name


def _who(session: ReplaySession) -> str:
    who = session.names[session.seat]
    return "you" if who == state.profile().name else who


def _grid(session: ReplaySession, name: str) -> present.Block:
    if not _grid_open(session, name):
        return present.grid_block(session.view, None, is_open=False)
    answer = desk().holdings(session.view)
    ready = answer.done() and answer.exception() is None
    return present.grid_block(session.view, answer.result() if ready else None, is_open=True)


def _box(words: str, *buttons: present.Block) -> present.Block:
    return {"kind": "box", "title": [], "lines": [[words]], "buttons": list(buttons)}


def _other_way() -> present.Block:
    words = "One way it could have gone on, with the cards as they lay. The verdict is about all deals."
    return _box(words, {"do": "back", "label": ["Back to the hand as played"]})


def _buttons(session: ReplaySession, name: str, advice: Advice) -> list[present.Block]:
    found: list[present.Block] = []
    if session.as_played is not None:
        return found
    if name.startswith("game-") and session.seat is Seat.SOUTH:
        found.append({"do": "try", "label": ["Try again here"]})
    if advice.verdict.action != advice.verdict.best.action and isinstance(session.current.moments[0].state, Round):
        found.append({"do": "better", "label": ["The better line"]})
    kept = _here(session, name) in state.reviews().positions_of(state.profile().id)
    found.append({"do": "keep", "label": ["Kept as a puzzle" if kept else "Keep as a puzzle"], "off": kept})
    return found


def _here(session: ReplaySession, name: str) -> KeptPosition:
    return KeptPosition(name, f"{session.hand}/{session.ply - 1}", session.seat)


def keep(session: ReplaySession, name: str) -> None:
    """Keep the position before this action for practice."""
    state.reviews().keep_position(state.profile().id, _here(session, name), state.now())


def better_line(session: ReplaySession, name: str) -> ReplaySession:
    """The hand as it could have gone on after the best action; the session as it is where there is no verdict yet.

    The player goes on as Sharp does, the other side as it plays, or as Sharp where that is a stranger.
    """
    answer = _advice(session, name)
    if answer is None or not answer.done() or answer.exception() is not None:
        return session
    me = PLAYERS["Sharp"]
    other = PLAYERS.get(session.names[session.seat.other], me)
    players = (me, other) if session.seat is Seat.SOUTH else (other, me)
    return session.better(session.ply - 1, answer.result().verdict.best.action, players, seed=session.ply)
