"""The review beside a finished hand at the Play screen: what it says, what its buttons do. Loads the engine."""

from __future__ import annotations

from concurrent.futures import Future
from typing import Any

from tutor.app import playing, state
from tutor.app import present_review as present
from tutor.app.reviewing import Place, UnderWay, desk
from tutor.app.sessions.play import ME, PlaySession
from tutor.game.record import Line, RoundRecord
from tutor.storage.reviews import KeptPosition
from tutor.teaching.history import History
from tutor.teaching.moments import decisions
from tutor.teaching.review import HandReview


def _review(session: PlaySession, number: int = 0) -> UnderWay:
    """The review of a hand of the game, by its number from 1; of the last one by default."""
    number = number or len(session.rounds)
    round_ = session.rounds[number - 1]
    record = RoundRecord(round_.deal, Line.of(round_.actions))
    hand = decisions(record, session.stored.rules, session.standing_at(number), ME)
    return desk().review(Place(f"game-{session.game_id}", number, ME), hand, state.reviews())


def _whole_game(session: PlaySession) -> list[UnderWay]:
    return [_review(session, number) for number in range(1, len(session.rounds) + 1)]


def awaited(session: PlaySession) -> Future[Any] | None:
    """The review, while it is being made."""
    wanted = [_review(session), *(_whole_game(session) if session.over else ())]
    return next((one.whole for one in wanted if not one.whole.done()), None)


def review(session: PlaySession) -> HandReview | None:
    """The review, when it is there."""
    whole = _review(session).whole
    return whole.result() if whole.done() and whole.exception() is None else None


def blocks(session: PlaySession) -> list[dict[str, Any]]:
    """What stands in the panel now."""
    found = _review(session)
    if not found.whole.done():
        return [present.under_way(found.done, found.total)]
    if found.whole.exception() is not None:
        return []
    at = playing.moment(session)
    shown = present.review_blocks(found.whole.result(), at, state.settings()["level"], _buttons(session, at))
    every = _whole_game(session) if session.over and at is None and len(session.rounds) > 1 else []
    if every and all(one.whole.done() and one.whole.exception() is None for one in every):
        shown.append(present.history_block(History.of([one.whole.result() for one in every])))
    return shown


def _buttons(session: PlaySession, at: int | None) -> list[dict[str, Any]]:
    if at is None:
        return []
    found = review(session)
    chosen = next((one for one in found.decisions if one.ply == at), None) if found is not None else None
    if chosen is None or chosen.forced:
        return []
    kept = _here(session, at) in state.reviews().positions_of(state.profile().id)
    better = [{"do": "better", "label": ["The better line"]}] if chosen.played != chosen.best else []
    return [
        {"do": "try", "label": ["Try again here"]},
        *better,
        {"do": "keep", "label": ["Kept as a puzzle" if kept else "Keep as a puzzle"], "off": kept},
    ]


def _here(session: PlaySession, at: int) -> KeptPosition:
    return KeptPosition(f"game-{session.game_id}", f"{len(session.rounds)}/{at}", ME)


def handle(session: PlaySession, event: dict[str, Any]) -> None:
    """Do what a button of the review asks for."""
    kind, ply, at = event.get("kind"), event.get("ply"), playing.moment(session)
    place = session.game_id, len(session.rounds)
    if kind == "moment" and isinstance(ply, int) and 0 <= ply < len(session.round.actions):
        state.remember("moment", (place, ply))
    elif at is not None and kind == "keep":
        state.reviews().keep_position(state.profile().id, _here(session, at), state.now())
    elif at is not None and kind == "try":
        state.remember("go", ("game", session.try_again(len(session.rounds), at, state.now())))
    elif at is not None and kind == "better":
        state.remember("go", "better")
        state.remember("want-better", (f"game-{session.game_id}", f"{len(session.rounds)}/{at + 1}"))


def curve_of(session: PlaySession) -> list[dict[str, Any]]:
    """The rows of the chart; none while the review is being made."""
    found = review(session)
    return [] if found is None else present.curve(found, state.settings()["level"])
