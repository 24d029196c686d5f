"""What the coach beside the table says now, and which answer the screen waits for. Loads the engine."""

from __future__ import annotations

import time
from concurrent import futures
from concurrent.futures import Future
from typing import Any

from tutor.app import present_coach as present
from tutor.app import state
from tutor.app.desk import Advice, desk
from tutor.app.sessions.play import PlaySession
from tutor.game.view import View
from tutor.teaching.coach import point_of
from tutor.teaching.reasons import hints, knock_or_wait
from tutor.teaching.verdict import GRADES, Grade, Verdict

WARNINGS = {"blunder": Grade.BLUNDER, "mistake": Grade.MISTAKE, "inaccuracy": Grade.INACCURACY}
"""From which grade on a move is held back, by the setting's name."""
LONGEST = 4.0
"""Seconds after which a held move is played though the coach has not answered: nobody waits for a busy machine."""


def deciding(session: PlaySession) -> View | None:
    """What the player knows where they have a choice to make now, an action that is held included."""
    if not session.dealt or session.round.result is not None or session.opponent_on_turn:
        return None
    view = session.view()
    return view if len(view.legal_actions()) > 1 else None


def look(session: PlaySession) -> None:
    """Look at the position before the player acts, so that the verdict is there when they have."""
    view = deciding(session)
    if view is not None:
        desk().look(view)


def _held_advice(session: PlaySession) -> Future[Advice] | None:
    held, view = session.held, deciding(session)
    return None if held is None or view is None else desk().advice(view, held)


def _held_since(session: PlaySession) -> float:
    last = session.stored.rounds[-1]
    # With the takebacks: the same place may be come to again.
    place = (last.id, session.ply, len(last.takebacks), last.held)
    seen, since = state.recall("held-since", (None, 0.0))
    if seen != place:
        since = time.monotonic()
        state.remember("held-since", (place, since))
    return float(since)


def _warns(verdict: Verdict) -> bool:
    """Whether a move is worth a warning."""
    wanted = WARNINGS[state.settings()["warn_from"]]
    grades = [grade for _, grade in GRADES]
    return verdict.blamed and grades.index(verdict.grade) <= grades.index(wanted)


def resolve(session: PlaySession, *, wait: float) -> bool:
    """Play a held action whose verdict is there and warns of nothing, or does not come; whether it was played."""
    if session.held is None:
        return False
    answer = _held_advice(session)
    if answer is not None and wait:
        futures.wait([answer], timeout=wait)
    slow = answer is not None and not answer.done() and time.monotonic() - _held_since(session) > LONGEST
    # What was warned of once, before a reload or a restart, is not played without being asked.
    if answer is None or (slow and session.held_text not in session.marked("warned")):
        return session.play_held(session.ply, state.now()).done
    if not answer.done() or (answer.exception() is None and _warns(answer.result().verdict)):
        return False
    return session.play_held(session.ply, state.now()).done


def awaited(session: PlaySession, *, full: bool) -> Future[Any] | None:
    """The answer that the screen waits for, if one is under way."""
    held = _held_advice(session)
    wanted: list[Future[Any]] = [] if held is None else [held]
    last = session.last_decision() if full and held is None else None
    if last is not None:
        wanted.append(desk().advice(last[1], last[2]))
    view = deciding(session)
    if view is not None and session.marked("hint"):
        wanted.append(desk().look(view))
    if _grid_open(session):
        wanted.append(desk().holdings(session.view()))
    return next((one for one in wanted if not one.done()), None)


def _grid_open(session: PlaySession) -> bool:
    return bool(state.recall("grid", False)) and session.dealt and session.round.result is None


def blocks(session: PlaySession, *, full: bool) -> list[present.Block]:
    """What stands in the panel now."""
    level = state.settings()["level"]
    shown: list[present.Block] = []
    view = deciding(session)
    held = _held_advice(session)
    if held is not None and view is not None and session.held is not None:
        if _ready(held):
            session.mark("warned", session.held_text, state.now())
            shown.append(present.warning_block(view, held.result().verdict, session.stored.opponent, level))
        else:
            shown.append(present.waiting_block(view, session.held))
    elif full:
        shown += _last_verdict(session, level)
    if view is not None and (held is None or session.marked("hint")):
        shown.append(_hints(session, view, silent=bool(shown) or not full))
    return [*shown, _grid(session)]


def _ready(answer: Future[Any]) -> bool:
    return answer.done() and answer.exception() is None


def _last_verdict(session: PlaySession, level: str) -> list[present.Block]:
    last = session.last_decision()
    if last is None:
        return []
    _, view, action = last
    answer = desk().advice(view, action)
    if not answer.done():
        return [present.waiting_block(view, action)]
    if answer.exception() is not None:
        return []
    return advice_blocks(answer.result(), level) if answer.result().verdict.counts else []


def advice_blocks(advice: Advice, level: str, who: str = "you") -> list[present.Block]:
    """A verdict with its reasons and, where the hand could be ended, what ending and waiting would bring."""
    block = present.verdict_block(advice.view, advice.verdict, advice.explanation, advice.evaluation, level, who)
    block["more"] += present.takers_lines(advice.verdict, advice.takers)
    blocks = [block]
    choice = knock_or_wait(advice.evaluation, advice.verdict.point)
    if choice is not None:
        blocks.append(present.bars_block(choice))
    return blocks


def _hints(session: PlaySession, view: View, *, silent: bool) -> present.Block:
    seen = len(session.marked("hint"))
    answer = desk().look(view)
    steps = None
    if seen and _ready(answer):
        steps = hints(view, answer.result(), point_of(view.public.rules))
    return present.hint_block(view, steps, seen, silent=silent)


def _grid(session: PlaySession) -> present.Block:
    view = session.view()
    if not _grid_open(session):
        return present.grid_block(view, None, is_open=False)
    session.mark("grid", "", state.now())
    answer = desk().holdings(view)
    return present.grid_block(view, answer.result() if _ready(answer) else None, is_open=True)
