"""The coach beside the table, without a browser: what is held, what is said, what a rated game does without."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.test_pages import NOW, data, fire, library, no_switching, opened, own_folder  # noqa: F401
from tutor.app import beside, present_coach
from tutor.app.desk import Desk
from tutor.app.sessions.play import PlaySession
from tutor.app.warmup import Engine, Stage
from tutor.app.work import Work
from tutor.game.actions import Action, Discard, Draw, Pass, Seat
from tutor.game.cards import CardSet
from tutor.game.notation import action_text
from tutor.game.round import Round
from tutor.game.rules import PRESETS
from tutor.game.view import View
from tutor.storage.database import StorageError
from tutor.storage.library import Library
from tutor.teaching.coach import look, point_of, verdict_on
from tutor.teaching.reasons import Explanation
from tutor.teaching.verdict import Grade, judge, worth_of_loss


def begun(*, coach: str, practice: bool = True, level: str = "intermediate", seed: int = 8) -> PlaySession:
    """A game whose hand has come to the player's first discard."""
    kept = library()
    mine = kept.profile_of("a browser", NOW)
    kept.save_settings(mine.id, {"pace": "step by step", "coach": coach, "level": level})
    game = kept.new_game(mine.id, "Novice", PRESETS["Casual"], practice=practice, dealer=Seat.NORTH, now=NOW)
    session = PlaySession(kept, game)
    session.deal(bytes([seed]) * 32)
    for number in range(9):
        if Discard in {type(one) for one in session.view().legal_actions()}:
            break
        if session.opponent_on_turn:
            session.opponent_acts(number, NOW)
        else:
            legal = session.view().legal_actions()
            session._do(Pass() if Pass() in legal else Draw(), NOW)
    return session


def of_grade(view: View, *grades: Grade) -> Action:
    """A discard that the coach grades so."""
    seen = look(view)
    point = point_of(view.public.rules)
    by_loss = sorted(seen.lines, key=lambda line: worth_of_loss(line, point)[0], reverse=Grade.BLUNDER in grades)
    for line in by_loss:
        if isinstance(line.action, Discard) and verdict_on(seen, line.action)[0].grade in grades:
            return line.action
    raise AssertionError("no such discard here")


def blocks(test: AppTest) -> dict[str, dict[str, Any]]:
    """The coach's blocks by kind."""
    return {block["kind"]: block for block in data(test, "coach")["blocks"]}


def play(test: AppTest, session: PlaySession, action: Action) -> None:
    fire(test, "table", {"kind": "act", "ply": session.ply, "text": action_text(action)})
    session.follow()


@pytest.fixture
def desk() -> Iterator[Desk]:
    work = Work()
    yield Desk(work)
    work.stop()


def test_a_verdict_follows_the_move() -> None:
    session = begun(coach="full")
    test = opened("play")
    best = look(session.view()).best.action
    play(test, session, best)
    verdict = blocks(test)["verdict"]
    assert verdict["grade"] == "best"
    assert verdict["title"] == ["Among the best"]
    assert sum(one["played"] for one in verdict["candidates"]) == 1
    assert session.held is None


def test_a_blunder_is_held_rethought_and_the_next_choice_is_not_judged() -> None:
    session = begun(coach="warn")
    bad, ply = of_grade(session.view(), Grade.BLUNDER), session.ply
    test = opened("play")
    play(test, session, bad)
    assert session.ply == ply
    assert session.held == bad
    warning = blocks(test)["warning"]
    assert [button["do"] for button in warning["buttons"]] == ["rethink", "hint", "anyway"]
    table = data(test, "table")
    assert isinstance(bad, Discard)
    assert table["held"] == str(bad.card)
    assert "throws" not in table
    # Opened anew, as after a reload or on another device.
    again = opened("play")
    assert "warning" in blocks(again)
    fire(again, "coach", {"kind": "rethink", "ply": ply})
    session.follow()
    assert session.held is None
    assert "throws" in data(again, "table")
    play(again, session, bad)
    assert session.ply == ply + 1


def test_a_blunder_may_be_played_anyway_and_the_record_says_so() -> None:
    session = begun(coach="warn")
    bad, ply = of_grade(session.view(), Grade.BLUNDER), session.ply
    test = opened("play")
    play(test, session, bad)
    fire(test, "coach", {"kind": "anyway", "ply": ply})
    session.follow()
    assert session.ply == ply + 1
    assert [mark.kind for mark in session.stored.rounds[-1].marks] == ["warned", "anyway"]


@pytest.mark.parametrize("why", ["off", "full", "engine"])
def test_a_held_action_is_given_back_where_the_coach_warns_no_more(why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun(coach="warn")
    bad, ply = of_grade(session.view(), Grade.BLUNDER), session.ply
    play(opened("play"), session, bad)
    assert session.held == bad
    if why == "engine":
        monkeypatch.setattr("tutor.app.warmup.engine", lambda: Engine(Stage.WARMING))
    else:
        session.library.save_settings(session.stored.profile_id, {"coach": why})
    test = opened("play")
    assert not test.exception
    session.follow()
    assert (session.ply, session.held) == (ply, None)
    assert "throws" in data(test, "table")
    assert session.marked("rethought") == ()


def test_a_choice_after_a_takeback_is_waited_for_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun(coach="warn")
    good, bad, ply = look(session.view()).best.action, of_grade(session.view(), Grade.BLUNDER), session.ply
    test = opened("play")
    play(test, session, good)
    assert session.ply == ply + 1
    fire(test, "table", {"kind": "takeback", "ply": session.ply})
    session.follow()
    assert session.ply == ply
    now = time.monotonic
    monkeypatch.setattr("tutor.app.beside.time.monotonic", lambda: now() + 100)
    play(test, session, bad)
    assert (session.ply, session.held) == (ply, bad)


def test_a_coach_that_fails_holds_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work()
    broken = Desk(work)
    monkeypatch.setattr("tutor.app.beside.desk", lambda: broken)

    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("a fault of the engine")

    monkeypatch.setattr("tutor.app.desk.look", fails)
    for coach in ("warn", "full"):
        session = begun(coach=coach)
        test = opened("play", game=str(session.game_id))
        ply = session.ply
        play(test, session, next(one for one in session.view().legal_actions() if isinstance(one, Discard)))
        assert not test.exception
        assert session.ply == ply + 1
    work.stop()


@pytest.mark.parametrize("coach", ["warn", "full"])
def test_an_opponent_that_plays_at_once_waits_for_what_is_held(coach: str) -> None:
    session = begun(coach=coach)
    session.library.save_settings(session.stored.profile_id, {"pace": "at once"})
    bad, ply = of_grade(session.view(), Grade.BLUNDER), session.ply
    test = opened("play")
    play(test, session, bad)
    if coach == "warn":
        assert (session.ply, session.held) == (ply, bad)
        fire(test, "coach", {"kind": "anyway", "ply": ply})
        session.follow()
    assert not test.exception
    assert session.ply > ply + 1
    assert not session.opponent_on_turn


def test_what_the_coach_cannot_keep_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    begun(coach="full")
    test = opened("play")

    def full(*_: object) -> bool:
        raise StorageError("The disk is full.")

    monkeypatch.setattr(Library, "mark", full)
    fire(test, "coach", {"kind": "hint", "ply": data(test, "coach")["ply"]})
    assert not test.exception
    assert data(test, "table")["notice"] == "The disk is full."


def test_a_good_move_is_played_without_a_word() -> None:
    session = begun(coach="warn")
    good, ply = look(session.view()).best.action, session.ply
    test = opened("play")
    play(test, session, good)
    assert session.ply == ply + 1
    assert "warning" not in blocks(test)


def test_hints_come_in_three_steps_and_are_marked() -> None:
    session = begun(coach="full")
    test = opened("play")
    assert blocks(test)["hint"]["steps"] == []
    for number in (1, 2, 3):
        fire(test, "coach", {"kind": "hint", "ply": session.ply})
        assert len(blocks(test)["hint"]["steps"]) == number
    assert blocks(test)["hint"]["next"] is None
    session.follow()
    assert session.marked("hint") == ("1", "2", "3")


def test_what_they_may_hold_is_off_until_asked_for_and_marked() -> None:
    session = begun(coach="full")
    test = opened("play")
    assert blocks(test)["grid"]["open"] is False
    fire(test, "coach", {"kind": "open-grid", "ply": session.ply})
    grid = blocks(test)["grid"]
    cells = {cell["card"]: cell for row in grid["rows"] for cell in row["cells"]}
    assert len(cells) == 52
    view = session.view()
    for card in view.hand | view.public.visible:
        assert cells[str(card)]["level"] == "impossible"
    unknown = [cell["percent"] for cell in cells.values() if cell["level"] in ("likely", "unlikely")]
    assert sum(unknown) == pytest.approx(100 * view.unknown_theirs, abs=60)
    session.follow()
    assert session.marked("grid") == ("",)


def test_a_rated_game_has_neither_coach_nor_hints() -> None:
    session = begun(coach="full", practice=False)
    test = opened("play")
    with pytest.raises(KeyError):
        test.get_by_key("coach")
    assert session.marked("hint") == ()


def test_a_beginner_is_not_told_of_blunders() -> None:
    session = begun(coach="full", level="beginner")
    bad = of_grade(session.view(), Grade.BLUNDER)
    test = opened("play")
    play(test, session, bad)
    verdict = blocks(test)["verdict"]
    assert verdict["grade"] == "costly"
    assert "lunder" not in json.dumps(verdict)


def test_the_coach_says_the_same_on_equal_views_to_the_letter(desk: Desk) -> None:
    session = begun(coach="full")
    view = session.view()
    action = of_grade(view, Grade.BLUNDER, Grade.MISTAKE)
    other = Desk(Work(threads=1))
    first, second = desk.advice(view, action).result(), other.advice(view, action).result()
    assert first.verdict == second.verdict
    assert first.explanation == second.explanation


def test_what_lies_hidden_changes_nothing_of_what_the_coach_says() -> None:
    """The same view with the hidden cards dealt otherwise: the same blocks, to the letter."""
    session = begun(coach="full")
    told = []
    for turned in (False, True):
        round_ = session.round
        if turned:
            deal = round_.deal
            hidden = [*deal.hands[1].by_rank(), *deal.stock[1:]]
            mixed = random.Random(1).sample(hidden, len(hidden))
            other = replace(deal, hands=(deal.hands[0], CardSet.of(mixed[:10])), stock=(deal.stock[0], *mixed[10:]))
            round_ = Round.start(round_.public.rules, other)
            for action in session.round.actions:
                round_ = round_.play(action)
        view = round_.view(Seat.SOUTH, session.standing)
        assert view == session.view()
        desk = Desk(Work())
        advice = desk.advice(view, look(view).lines[-1].action).result()
        told.append(
            json.dumps(
                [
                    *beside.advice_blocks(advice, "intermediate"),
                    present_coach.grid_block(view, desk.holdings(view).result(), is_open=True),
                ]
            )
        )
    assert told[0] == told[1]


def test_points_that_cost_the_game_are_told_beside_the_best_move() -> None:
    """A move with clearly more points of the hand and less chance to win the game is named, with both figures."""
    view = begun(coach="full").view()
    seen = look(view)
    best, other = seen.lines[0], next(line for line in seen.lines[1:] if isinstance(line.action, Discard))
    tempting = replace(other, behind=-3.0, behind_se=0.2, win_behind=0.03, win_behind_se=0.002)
    turned = replace(seen, lines=(best, tempting))
    verdict = judge(turned, best.action, point=point_of(view.public.rules))
    block = present_coach.verdict_block(view, verdict, Explanation(None, ()), turned, "intermediate")
    assert isinstance(other.action, Discard)
    card = {"card": str(other.action.card)}
    assert [card, " gains 3 points of this hand but costs 3% of the game."] in block["lines"]
