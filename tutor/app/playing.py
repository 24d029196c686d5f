"""The machinery of the Play screen: what the table shows, what its events do, the opponent's pace."""

from __future__ import annotations

import secrets
import time
from concurrent.futures import Future
from dataclasses import replace
from typing import Any

import streamlit as st

from tutor.app import coached, state, warmup
from tutor.app.present import Model, Table, ending_words, held_model, replay_model, table_model
from tutor.app.sessions.play import Answer, Intent, PlaySession
from tutor.engine.players import PLAYERS
from tutor.game.actions import Seat
from tutor.game.rules import PRESETS, RuleSet
from tutor.storage.database import StorageError

PROGRESS = 0.8
"""Seconds between two looks at how far a review is."""
LOOK_AGAIN = 0.04
"""Seconds between two looks at an answer that is waited for."""
FAIR = (
    "The order of the deck was fixed before the hand by a secret seed with this SHA-256. The seed stands in the record "
    "once the hand is over; `gin-tutor verify-deal` checks it."
)
KNOBS: dict[str, tuple[str, ...]] = {
    "knock_limit": ("10", "0"),
    "oklahoma": ("no", "yes"),
    "oklahoma_ace": ("gin only", "one"),
    "spade_doubles": ("no", "yes"),
    "gin_bonus": ("20", "25"),
    "undercut_bonus": ("10", "20", "25"),
    "big_gin_bonus": ("none", "31", "50"),
    "tie": ("undercut", "nothing", "void"),
    "taken_card_stays": ("yes", "no"),
    "last_discard": ("dead", "take to end"),
    "first_turn_misdeal": ("no", "yes"),
    "pile_limit": ("12", "30", "60"),
    "open_discards": ("yes", "no"),
    "target": ("0", "50", "100", "150", "200", "250"),
    "game_bonus": ("0", "100"),
    "box_bonus": ("0", "20", "25"),
    "shutout": (
        "none",
        "game bonus doubled",
        "hand points doubled",
        "game bonus and hand points doubled",
        "everything doubled",
    ),
    "next_dealer": ("winner", "loser", "alternate"),
}
"""The choices of the rules form; a game is played alone, so the match is not among them."""


def start(opponent: str, rules: RuleSet, *, practice: bool) -> int:
    """Begin a game and deal its first hand; the game's id."""
    if opponent not in PLAYERS:
        raise ValueError(f"there is no player {opponent}")
    mine = state.profile()
    dealer = Seat(secrets.randbelow(2))
    game_id = state.library().new_game(mine.id, opponent, rules, practice=practice, dealer=dealer, now=state.now())
    deal(PlaySession(state.library(), game_id))
    return game_id


def deal(session: PlaySession) -> None:
    """Deal the next hand, in the order the player likes to begin with."""
    before = len(session.rounds)
    session.deal(secrets.token_bytes(32))
    if len(session.rounds) > before:
        sorts = table_model(session.view(), table_of(session))["sorts"]
        session.keep_order(" ".join(sorts[state.settings()["sort"]]))


def quick_game() -> str:
    """A game with what was chosen last, as the address names it; ``new``, a choice, where its opponent cannot play."""
    kept = state.settings()
    if warmup.engine().refuses(kept["opponent"]):
        return "new"
    return str(start(kept["opponent"], alone(kept["rules"]), practice=kept["practice"]))


def again(session: PlaySession) -> str:
    """A game of the same kind, as ``quick_game``."""
    if warmup.engine().refuses(session.stored.opponent):
        return "new"
    return str(start(session.stored.opponent, session.stored.rules, practice=session.stored.practice))


def alone(preset_name: str) -> RuleSet:
    """A preset for a game that stands alone: here no matches are played."""
    return PRESETS[preset_name].with_values({"match": "single game"})


def table_of(session: PlaySession) -> Table:
    """What the table says of the game."""
    return Table(
        opponent=session.stored.opponent,
        hand_number=len(session.rounds),
        target=session.stored.rules.target,
        points=session.standing.points,
        order=session.order,
    )


def model_of(session: PlaySession) -> Model:
    """The table as it is to be shown now."""
    kept = state.settings()
    table, view = table_of(session), session.view()
    if session.round.result is not None and (at := moment(session)) is not None:
        return _moment_model(session, at)
    model = table_model(view, table)
    model |= {
        "ply": session.ply,
        "hand_id": session.stored.rounds[-1].id,
        "ack": state.acknowledged(),
        "notice": state.notice((session.game_id, session.ply)) or _waiting(session),
        "look": {key: kept[key] for key in ("deck", "confirm", "still", "size")},
        "canTakeBack": session.can_take_back and session.round.public.turn is Seat.SOUTH,
        "canSort": session.round.result is None,
        "step": state.PACES[kept["pace"]] < 0 and session.opponent_on_turn and not _waiting(session),
    }
    if session.held is not None:
        model = held_model(model, view, session.held)
    if session.round.result is not None:
        model["done"] = ending_words(view, table) | _after(session, table)
    return model


def moment(session: PlaySession) -> int | None:
    """The moment of a finished hand that is looked at: how many actions were played before it."""
    place, ply = state.recall("moment", (None, None))
    return ply if place == (session.game_id, len(session.rounds)) else None


def _moment_model(session: PlaySession, at: int) -> Model:
    """The table at a moment of the finished hand, as the player saw it."""
    view = session.view_at(at)
    last = view.public.acts[-1] if at else None
    if last is not None and last.seat is view.seat:
        last = replace(last, action=session.round.actions[at - 1])
    order = " ".join(map(str, view.hand.by_rank()))
    model = replay_model(view, replace(table_of(session), order=order), last, None)
    return model | {
        "ply": session.ply,
        "hand_id": session.stored.rounds[-1].id,
        "ack": state.acknowledged(),
        "notice": "",
        "look": {key: state.settings()[key] for key in ("deck", "still", "size")},
        "done": {"title": "", "words": "", "buttons": [{"kind": "result", "label": "Back to the result"}]},
    }


def _waiting(session: PlaySession) -> str:
    """Why the opponent, though on turn, does not play yet; empty when it can."""
    return warmup.engine().waiting(session.stored.opponent) if session.opponent_on_turn else ""


def _after(session: PlaySession, table: Table) -> Model:
    """What follows a finished hand: the account of a finished game, and the buttons."""
    if not session.over:
        buttons = [{"kind": "next", "label": "Next hand"}, {"kind": "replay", "label": "Replay this hand"}]
        return {"buttons": buttons}
    tally = session.game.tally((table.me, table.opponent))
    winner = session.game.winner
    title = (
        "You win the game."
        if winner is Seat.SOUTH
        else f"{table.opponent} wins the game."
        if winner
        else "The game is over."
    )
    totals = f"You {tally.totals[0]}, {table.opponent} {tally.totals[1]}."
    return {
        "tally": [line.words.replace("You won", "you won") for line in tally.lines],
        "total": f"{title} {totals}",
        "buttons": [{"kind": "again", "label": "Play again"}, {"kind": "replay", "label": "Replay this hand"}],
    }


def handle(session: PlaySession, event: dict[str, Any]) -> None:
    """Do what an event of the table asks for, and acknowledge it, also when it is refused or cannot be kept."""
    try:
        answer = _answer(session, event)
        if state.PACES[state.settings()["pace"]] == 0:
            opponent_turn(session)
    except StorageError as error:
        answer = Answer(False, str(error))
    place = (session.game_id, session.ply if session.dealt else 0)
    state.acknowledge("" if answer.done else answer.words, place)


def _answer(session: PlaySession, event: dict[str, Any]) -> Answer:
    kind, ply = event.get("kind"), event.get("ply")
    answer = Answer(True)
    if kind == "act" and isinstance(ply, int):
        answer = coached.act(session, Intent(ply, str(event.get("text", ""))))
    elif kind == "order":
        session.keep_order(str(event.get("order", "")))
    elif kind == "takeback":
        answer = session.take_back(ply if isinstance(ply, int) else -1, state.now())
    elif kind == "best":
        answer = session.lay_off_best(ply if isinstance(ply, int) else -1, state.now())
    elif kind == "next":
        deal(session)
    elif kind == "step":
        opponent_turn(session)
    elif kind in ("replay", "again"):
        state.remember("go", kind)
    elif kind == "result":
        state.remember("moment", (None, None))
        # A chart of its own, with no point chosen.
        state.remember("charts", state.recall("charts", 0) + 1)
    return answer


def opponent_turn(session: PlaySession) -> None:
    """Let the opponent play until it is the player's turn or the hand is over; not while it cannot."""
    while session.opponent_on_turn and not _waiting(session):
        session.opponent_acts(secrets.randbits(62), state.now())


def go_on(session: PlaySession, answer: Future[Any] | None) -> None:
    """After the table is shown: wait for the coach's answer and as long as the pace asks, then go on.

    Whatever comes first is shown: the verdict, or the opponent's turn. The player may act meanwhile.
    """
    plays = session.opponent_on_turn and state.PACES[state.settings()["pace"]] >= 0 and not _waiting(session)
    due = _due(session) if plays else None
    if answer is None and due is None:
        return
    tick = st.empty()
    # A review tells how far it is.
    again = time.monotonic() + (PROGRESS if session.round.result is not None else 60.0)
    end = again if due is None else min(again, due)
    while time.monotonic() < end and (answer is None or not answer.done()):
        time.sleep(LOOK_AGAIN)
        # To write anything lets a click of the player interrupt this run.
        tick.empty()
        if session.held is not None and coached.resolve(session):
            break
    if due is not None and time.monotonic() >= due:
        opponent_turn(session)
    elif session.held is not None:
        coached.resolve(session)
    if state.PACES[state.settings()["pace"]] == 0:
        opponent_turn(session)
    st.rerun()


def _due(session: PlaySession) -> float:
    """When the opponent acts: so long after its turn was first shown."""
    place = (session.game_id, len(session.rounds), session.ply, len(session.stored.rounds[-1].takebacks))
    seen, at = state.recall("turn", (None, 0.0))
    if seen != place:
        at = time.monotonic() + state.PACES[state.settings()["pace"]]
        state.remember("turn", (place, at))
    return float(at)
