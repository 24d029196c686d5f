"""The review on the screens, without a browser: made once, kept, shown; nothing of a hand that is still played."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.test_coach import begun, blocks
from tests.app.test_pages import NOW, data, fire, library, no_switching, opened, own_folder  # noqa: F401
from tutor.app import charts, reviewing
from tutor.app import present_review as present
from tutor.app.reviewing import Place
from tutor.app.sessions.play import PlaySession
from tutor.app.work import Work
from tutor.engine.players import PLAYERS
from tutor.game.actions import Seat
from tutor.game.record import Line, RoundRecord
from tutor.game.result import LEVEL
from tutor.game.rules import RuleSet
from tutor.storage.database import StorageError
from tutor.storage.reviews import KeptPosition, Reviews
from tutor.teaching.coach import Care
from tutor.teaching.moments import decisions
from tutor.teaching.reasons import plain
from tutor.teaching.review import HandReview, judged, review_hand, review_version
from tutor.teaching.verdict import Grade

FEW = Care(400, (800,), 200)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews of few worlds, at a desk of the test's own."""
    monkeypatch.setattr(reviewing, "judged", partial(judged, care=FEW))
    fresh = reviewing.Desk(Work())
    monkeypatch.setattr(reviewing, "desk", lambda: fresh)
    monkeypatch.setattr("tutor.app.afterwards.desk", lambda: fresh)


def played_out(*, practice: bool = True, level: str = "intermediate") -> PlaySession:
    session = begun(coach="full", practice=practice, level=level)
    number = 100
    while session.round.result is None:
        number += 1
        if session.opponent_on_turn:
            session.opponent_acts(number, NOW)
        else:
            session._do(PLAYERS["Novice"].choose(session.view(), number), NOW)
    return session


def kinds(test: AppTest) -> list[str]:
    return [block["kind"] for block in data(test, "coach")["blocks"]]


@pytest.mark.parametrize("practice", [True, False])
def test_the_review_stands_beside_the_result_and_is_kept(practice: bool) -> None:
    session = played_out(practice=practice)
    test = opened("play", game="1")
    assert not test.exception
    assert kinds(test)[-2:] == ["moments", "ledger"]
    kept = Reviews(session.library.engine).find("game-1", 1, Seat.SOUTH, review_version())
    assert kept is not None
    review = HandReview.from_json(kept)
    assert review.points is not None
    assert review.account is not None
    table = data(test, "table")
    assert str(abs(review.points)) in table["done"]["title"]


def test_a_kept_review_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    played_out()
    opened("play", game="1")
    fresh = reviewing.Desk(Work())
    monkeypatch.setattr("tutor.app.afterwards.desk", lambda: fresh)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("made again")

    monkeypatch.setattr(reviewing, "judged", never)
    test = opened("play", game="1")
    assert not test.exception
    assert "moments" in kinds(test)


def test_a_review_that_fails_leaves_the_table_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    played_out()

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("a fault of the engine")

    monkeypatch.setattr(reviewing, "judged", broken)
    test = opened("play", game="1")
    assert not test.exception
    assert data(test, "coach")["blocks"] == []
    assert data(test, "table")["done"]["buttons"]


def test_a_moment_is_shown_on_the_table_kept_and_left_again() -> None:
    session = played_out()
    test = opened("play", game="1")
    fire(test, "coach", {"kind": "moment", "ply": 2, "at": 0})
    shown = data(test, "table")
    assert shown["done"]["buttons"] == [{"kind": "result", "label": "Back to the result"}]
    view = session.view_at(2)
    assert {card["card"] for card in shown["hand"]} == {str(card) for card in view.hand}
    assert "showdown" not in shown
    fire(test, "coach", {"kind": "keep", "ply": session.ply})
    mine = session.library.profile_of("a browser", NOW)
    assert Reviews(session.library.engine).positions_of(mine.id) == (KeptPosition("game-1", "1/2", Seat.SOUTH),)
    fire(test, "table", {"kind": "result", "ply": session.ply})
    assert "showdown" in data(test, "table") or data(test, "table")["done"]["title"]


def test_a_beginner_sees_no_list_and_no_hard_words() -> None:
    played_out(level="beginner")
    told = data(opened("play", game="1"), "coach")["blocks"]
    assert next(block for block in told if block["kind"] == "moments")["items"] == []
    words = json.dumps(told)
    assert "lunder" not in words
    assert "??" not in words


def test_the_chart_has_no_hard_words_for_a_beginner() -> None:
    hand = decisions(*finished_hand(), LEVEL, Seat.SOUTH)
    review = review_hand(hand, care=Care(64, (64,), 32))
    bad = replace(review, decisions=tuple(replace(one, grade=Grade.BLUNDER, counts=True) for one in review.decisions))
    assert "blunder" in {row["grade"] for row in present.curve(bad, "intermediate")}
    assert {row["grade"] for row in present.curve(bad, "beginner")} == {"costly", "the end"}
    assert {row["grade"] for row in present.curve(bad, "beginner")} <= charts.GRADE_SHAPES.keys()


def test_what_depends_on_the_opponent_is_not_said_to_be_alike() -> None:
    hand = decisions(*finished_hand(), LEVEL, Seat.SOUTH)
    review = review_hand(hand, care=Care(64, (64,), 32))
    one = replace(review.decisions[0], equal=("discard Kd",), grade=Grade.DEPENDS, loss=6.0, counts=True)
    told = present.moment_block(replace(review, decisions=(one,)), one, "intermediate", [])
    assert "about the same worth" not in json.dumps(told)
    good = replace(one, grade=Grade.GOOD, loss=0.3)
    told = present.moment_block(replace(review, decisions=(good,)), good, "intermediate", [])
    assert "about the same worth" in json.dumps(told)


def test_a_knock_is_told_with_the_card_it_threw() -> None:
    assert plain(present.did("knock 7s: 3c4c5c")) == "knocked, throwing 7♠"
    assert plain(present.did("gin 7s: 3c4c5c")) == "went gin, throwing 7♠"


def test_a_database_that_fails_once_does_not_leave_a_review_under_way(monkeypatch: pytest.MonkeyPatch) -> None:
    record, rules = finished_hand()
    hand, place = decisions(record, rules, LEVEL, Seat.SOUTH), Place("game-1", 1, Seat.SOUTH)
    kept, work = Reviews(library().engine), Work()
    desk = reviewing.Desk(work)

    def locked(*_: object) -> None:
        raise StorageError("locked")

    with monkeypatch.context() as broken:
        broken.setattr(Reviews, "find", locked)
        with pytest.raises(StorageError):
            desk.review(place, hand, kept)
    assert desk.review(place, hand, kept).whole.result(60).points == hand.points
    work.stop()


def finished_hand() -> tuple[RoundRecord, RuleSet]:
    session = played_out()
    return RoundRecord(session.round.deal, Line.of(session.round.actions)), session.stored.rules


def test_replay_tells_the_verdict_of_each_choice_of_the_seat() -> None:
    session = played_out()
    mine = [ply for ply, act in enumerate(session.round.public.acts, start=1) if act.seat is Seat.SOUTH]
    test = opened("replay", game="1", at=f"1/{mine[0]}")
    assert not test.exception
    assert "verdict" in blocks(test)
    theirs = next(ply for ply in range(1, session.ply) if ply not in mine)
    test = opened("replay", game="1", at=f"1/{theirs}")
    assert "verdict" not in blocks(test)


def test_replay_says_nothing_of_a_hand_that_is_still_played() -> None:
    session = begun(coach="full", practice=False)
    test = opened("replay", game="1", at=f"1/{session.ply}")
    assert not test.exception
    assert blocks(test)["box"]["lines"] == [["The coach speaks when this hand is over."]]
    assert kinds(test) == ["box"]


def test_a_second_try_from_replay_has_the_same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    session = played_out()
    gone: list[dict[str, str]] = []
    monkeypatch.setattr("streamlit.switch_page", lambda *_, query_params, **__: gone.append(query_params))
    mine = next(ply for ply, act in enumerate(session.round.public.acts, start=1) if act.seat is Seat.SOUTH)
    test = opened("replay", game="1", at=f"1/{mine}")
    fire(test, "coach", {"kind": "try", "ply": mine})
    assert gone[0] == {"game": "2"}
    again = PlaySession(library(), 2)
    assert again.round.deal == session.round.deal
    assert again.ply == mine - 1
