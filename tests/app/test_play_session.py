"""A game kept at every card: what is shown is stored, what is stale is refused, other tabs are followed."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from tests.helpers import seeds
from tutor.app.sessions.play import ME, STALE, Answer, Intent, PlaySession
from tutor.app.sessions.replay import ReplaySession
from tutor.engine.players import Novice
from tutor.game.actions import Draw, Knock, LayOff, Seat, Settle
from tutor.game.notation import action_text, dumps, loads
from tutor.game.result import LEVEL
from tutor.game.rules import PRESETS, RuleSet, preset
from tutor.storage.database import open_database
from tutor.storage.library import Library

NOW = "2026-11-30T20:00:00+00:00"


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    engine = open_database(f"sqlite:///{tmp_path / 'games.sqlite3'}")
    yield Library(engine)
    engine.dispose()


def begun(library: Library, rules: RuleSet, *, practice: bool = True, opponent: str = "Novice") -> PlaySession:
    profile = library.profile_of("a browser", NOW)
    game_id = library.new_game(profile.id, opponent, rules, practice=practice, dealer=Seat.NORTH, now=NOW)
    session = PlaySession(library, game_id)
    session.deal(seeds(1, label=str(game_id))[0])
    return session


def act(session: PlaySession, number: int) -> None:
    """One action of whoever is on turn; the player plays like Novice."""
    if session.opponent_on_turn:
        session.opponent_acts(number, NOW)
        return
    action = Novice().choose(session.view(), number)
    answer = session.submit(Intent(session.ply, action_text(action)), NOW)
    assert answer.done, answer.words


def play_hand(session: PlaySession, start: int = 0) -> None:
    number = start
    while session.round.result is None:
        act(session, number)
        number += 1


def play_game(session: PlaySession) -> None:
    fresh = iter(seeds(200, label="a game"))
    while True:
        play_hand(session, len(session.rounds) * 100)
        if session.over:
            return
        session.deal(next(fresh))


@pytest.mark.parametrize("name", ["Casual", "Classic", "Standard", "Oklahoma", "Straight", "Tournament"])
def test_a_game_is_the_same_after_a_restart_at_every_ply(library: Library, name: str) -> None:
    session = begun(library, preset(name).with_values({"match": "single game"}))
    for number in range(60):
        again = PlaySession(library, session.game_id)
        assert again.rounds == session.rounds
        assert again.stored == session.stored
        assert again.order == session.order
        if session.round.result is not None:
            break
        act(session, number)


def test_a_game_goes_to_its_target_and_is_marked_as_over(library: Library) -> None:
    session = begun(library, preset("Classic"), opponent="Steady")
    assert library.unfinished(session.stored.profile_id) == session.game_id
    play_game(session)
    assert max(session.standing.points) >= 100
    assert library.unfinished(session.stored.profile_id) is None
    record = session.record(("Me", "Steady"))
    assert loads(dumps(record)) == record
    assert record.rounds[0].source.dealer is Seat.NORTH
    assert record.results() == session.game.results


def test_stale_and_foolish_intents_change_nothing(library: Library) -> None:
    session = begun(library, preset("Standard"))
    before = session.stored
    for intent, words in (
        (Intent(7, "take"), STALE.words),
        (Intent(0, "draw"), "First take the upcard or pass"),
        (Intent(0, "discard 7x"), "That is no action"),
        (Intent(0, "settle"), "Nobody has knocked yet"),
        (Intent(0, "'; drop table actions"), "That is no action"),
        (Intent(-1, "take"), STALE.words),
    ):
        answer = session.submit(intent, NOW)
        assert not answer.done
        assert words in answer.words
    assert PlaySession(library, session.game_id).stored == before


def test_a_second_tab_follows_and_cannot_fork_the_game(library: Library) -> None:
    first = begun(library, preset("Standard"))
    second = PlaySession(library, first.game_id)
    assert first.submit(Intent(0, "take"), NOW).done
    assert second.submit(Intent(0, "pass"), NOW) == STALE
    assert second.rounds == first.rounds
    assert not second.follow()
    play_hand(second)
    assert first.follow()
    assert first.rounds == second.rounds
    first.deal(seeds(1, label="next")[0])
    second.deal(seeds(1, label="other")[0])
    assert first.stored.rounds == PlaySession(library, first.game_id).stored.rounds
    assert len(first.rounds) == 2


def test_a_double_click_plays_once(library: Library) -> None:
    session = begun(library, preset("Standard"))
    intent = Intent(0, "take")
    assert session.submit(intent, NOW).done
    assert session.submit(intent, NOW) == STALE
    assert session.ply == 1


def test_taking_back_is_for_practice_and_stays_in_the_record(library: Library) -> None:
    session = begun(library, preset("Standard"))
    rated = begun(library, preset("Standard"), practice=False)
    rated.submit(Intent(0, "take"), NOW)
    assert not rated.can_take_back
    assert rated.take_back(1, NOW).words == "There is nothing to take back."
    random_ = random.Random(1)
    taken_back = 0
    number = 0
    while session.round.result is None:
        act(session, number)
        number += 1
        if session.can_take_back and taken_back < 8 and random_.random() < 0.4:
            before = session.round
            assert session.take_back(session.ply, NOW).done
            taken_back += 1
            assert session.round.public.turn is ME
            assert session.round.actions == before.actions[: session.ply]
            assert PlaySession(library, session.game_id).rounds == session.rounds
    assert taken_back >= 3
    record = session.record(("Me", "Novice"))
    text = dumps(record)
    assert loads(text) == record
    assert text.count("Taken back.") >= 1
    assert [move.action for move in record.rounds[0].line.moves] == list(session.round.actions)


def test_the_order_of_the_hand_is_kept_across_draws(library: Library) -> None:
    session = begun(library, preset("Standard"))
    mine = session.order.split()
    turned = " ".join(reversed(mine))
    session.keep_order(turned)
    assert PlaySession(library, session.game_id).order == turned
    session.submit(Intent(0, "take"), NOW)
    upcard = str(session.round.deal.upcard)
    assert session.order.split() == [*reversed(mine), upcard]
    thrown = mine[3]
    session.submit(Intent(1, f"discard {thrown}"), NOW)
    assert session.order.split() == [card for card in [*reversed(mine), upcard] if card != thrown]
    session.keep_order("Kx nonsense 7h")
    assert sorted(session.order.split()) == sorted(str(card) for card in session.round.hands[ME])


def test_settling_is_done_by_the_table_where_nothing_is_to_decide(library: Library) -> None:
    settled = laid_off = 0
    for number in range(30):
        session = begun(library, list(PRESETS.values())[number % 3])
        play_hand(session, number * 1000)
        actions = session.round.actions
        settled += any(isinstance(action, Settle) for action in actions)
        laid_off += any(isinstance(action, LayOff) for action in actions)
    assert settled > 20
    assert laid_off > 0


def test_the_table_lays_off_best_on_request(library: Library) -> None:
    done = 0
    for number in range(200):
        session = begun(library, preset("Casual"))
        for step in range(200):
            if session.round.result is not None or session.round.public.knocker is Seat.NORTH:
                break
            act(session, number * 1000 + step)
        if session.round.result is None and session.round.public.turn is ME:
            assert isinstance(session.round.actions[-1], Knock)
            assert session.lay_off_best(session.ply, NOW).done
            assert session.round.result is not None
            assert PlaySession(library, session.game_id).rounds == session.rounds
            done += 1
        if done >= 3:
            return
    raise AssertionError("no knock that leaves something to lay off")


def test_an_unfinished_hand_is_not_handed_out(library: Library) -> None:
    session = begun(library, preset("Standard"))
    session.submit(Intent(0, "take"), NOW)
    record = session.record(("Me", "Novice"))
    assert record.rounds == ()
    assert session.stored.rounds[0].seed not in dumps(record)


def test_there_is_no_game_that_is_not_there(library: Library) -> None:
    with pytest.raises(LookupError, match="there is no game 99"):
        PlaySession(library, 99)


def test_draws_are_stored_with_their_card(library: Library) -> None:
    session = begun(library, preset("Standard"))
    play_hand(session)
    stored = PlaySession(library, session.game_id).round.actions
    assert all(action.card is not None for action in stored if isinstance(action, Draw))


def test_a_takeback_in_another_tab_is_noticed_and_cannot_break_the_game(library: Library) -> None:
    first = begun(library, preset("Standard"))
    for step in range(4):
        act(first, step)
    second = PlaySession(library, first.game_id)
    assert second.take_back(second.ply, NOW).done
    while second.ply < first.ply:
        act(second, 99)
    assert first.follow()
    assert first.rounds == PlaySession(library, first.game_id).rounds
    assert second.take_back(77, NOW) == STALE
    assert second.lay_off_best(77, NOW) == STALE


def test_what_was_done_before_a_hand_was_shown_cannot_be_taken_back(library: Library) -> None:
    checked = 0
    for number in range(40):
        session = begun(library, preset("Casual"))
        for step in range(200):
            if session.round.result is not None or session.round.public.shown is not None:
                break
            act(session, number * 1000 + step)
        if session.round.result is None and session.round.public.turn is ME:
            assert not session.can_take_back
            offered = [one for one in session.view().legal_actions() if isinstance(one, LayOff)]
            session.submit(Intent(session.ply, action_text(offered[0])), NOW)
            if session.round.result is None:
                assert session.can_take_back
            checked += 1
    assert checked > 2


def test_a_game_whose_end_was_kept_without_its_mark_is_marked_on_opening(library: Library) -> None:
    session = begun(library, preset("OpenSpiel"))
    play_hand(session)
    assert session.over
    with library.engine.begin() as db:
        db.execute(text("update games set finished = 0"))
    assert library.unfinished(session.stored.profile_id) == session.game_id
    PlaySession(library, session.game_id)
    assert library.unfinished(session.stored.profile_id) is None
    session.deal(bytes(32))
    assert len(PlaySession(library, session.game_id).rounds) == 1


def test_an_unfinished_hand_is_seen_from_ones_own_seat_only(library: Library) -> None:
    session = begun(library, preset("Standard"))
    for step in range(5):
        act(session, step)
    replay = ReplaySession.of_game(session, "Me").to(1, 99)
    assert replay.current.seats == (ME,)
    peeking = replay.seen_from(Seat.NORTH, open_cards=True)
    assert peeking.seat is ME
    assert peeking.their_cards is None
    with pytest.raises(ValueError, match="cannot be seen from North"):
        _ = dataclasses.replace(replay, seat=Seat.NORTH).view
    play_hand(session, 50)
    done = ReplaySession.of_game(session, "Me").to(1, 3).seen_from(Seat.NORTH, open_cards=True)
    assert done.seat is Seat.NORTH
    assert done.their_cards is not None


def test_a_held_action_is_kept_and_not_played(library: Library) -> None:
    session = begun(library, PRESETS["Casual"])
    intent = Intent(session.ply, action_text(session.view().legal_actions()[0]))
    assert session.hold(intent, NOW) == Answer(True)
    assert session.ply == intent.ply
    again = PlaySession(library, session.game_id)
    assert again.held == session.held is not None
    assert again.play_held(again.ply, NOW) == Answer(True)
    assert again.held is None
    assert session.play_held(intent.ply, NOW) == STALE


def test_a_held_action_is_void_when_the_round_moves_on(library: Library) -> None:
    session = begun(library, PRESETS["Casual"])
    other = PlaySession(library, session.game_id)
    first, second = (action_text(one) for one in session.view().legal_actions()[:2])
    session.hold(Intent(session.ply, first), NOW)
    other.submit(Intent(other.ply, second), NOW)
    session.follow()
    assert session.held is None
    assert session.hold(Intent(session.ply - 1, first), NOW) == STALE


def test_an_illegal_action_is_not_held(library: Library) -> None:
    session = begun(library, PRESETS["Casual"])
    answer = session.hold(Intent(session.ply, "settle"), NOW)
    assert not answer.done
    assert answer.words
    assert session.held is None


def test_a_rethought_action_leaves_a_mark_in_the_record(library: Library) -> None:
    session = begun(library, PRESETS["Casual"])
    text = action_text(session.view().legal_actions()[0])
    session.hold(Intent(session.ply, text), NOW)
    assert session.rethink(session.ply, NOW) == Answer(True)
    assert session.held is None
    assert session.marked("rethought") == (text,)
    session.mark("hint", "1", NOW)
    session.mark("hint", "1", NOW)
    assert PlaySession(library, session.game_id).marked("hint") == ("1",)
    ply = session.ply
    session.submit(Intent(session.ply, text), NOW)
    assert session.marked("hint") == ()
    play_hand(session)
    move = session.record(("A", "B")).rounds[0].line.moves[ply]
    assert move.comment == f"Rethought after a warning: {text}. Hint 1 of 3 was asked for."


def test_a_warned_move_that_is_taken_back_is_named_beside_the_one_that_is_played(library: Library) -> None:
    session = begun(library, PRESETS["Casual"])
    first, second = (action_text(one) for one in session.view().legal_actions()[:2])
    ply = session.ply
    session.hold(Intent(ply, first), NOW)
    assert session.play_anyway(ply, NOW) == Answer(True)
    assert session.play_anyway(ply, NOW) == STALE
    session.take_back(session.ply, NOW)
    session.submit(Intent(ply, second), NOW)
    play_hand(session)
    move = session.record(("A", "B")).rounds[0].line.moves[ply]
    assert action_text(move.action).startswith(second)
    assert move.comment == f"Played in spite of a warning: {first}."


def test_a_second_try_has_the_same_cards_and_leaves_the_first_alone(library: Library) -> None:
    session = begun(library, PRESETS["Casual"])
    with pytest.raises(LookupError, match="when it is over"):
        session.try_again(1, 0, NOW)
    play_hand(session)
    before = PlaySession(library, session.game_id).round
    place = len(before.actions) // 2
    again = PlaySession(library, session.try_again(1, place, NOW))
    assert again.stored.origin == f"{session.game_id}:1/{place}"
    assert again.round.deal == before.deal
    assert again.round.actions == before.actions[:place]
    play_hand(again)
    assert PlaySession(library, session.game_id).round == before
    with pytest.raises(LookupError, match="no position"):
        session.try_again(1, len(before.actions), NOW)
    with pytest.raises(LookupError, match="no position"):
        session.try_again(2, 0, NOW)


def test_the_last_decision_is_seen_as_it_was(library: Library) -> None:
    session = begun(library, PRESETS["Casual"])
    assert session.last_decision() is None
    seen = session.view()
    action = seen.legal_actions()[0]
    session.submit(Intent(session.ply, action_text(action)), NOW)
    found = session.last_decision()
    assert found is not None
    assert found[0] == 1
    assert found[1] == seen


def test_choices_in_hollywood_are_judged_as_in_a_first_hand() -> None:
    golden = Path(__file__).parents[1] / "data" / "golden" / "rare-endings.gin"
    replay = ReplaySession.of_record(loads(golden.read_text(encoding="utf-8")))
    assert any(hand.standing != LEVEL for hand in replay.hands)
    places = [(number, ply) for number, hand in enumerate(replay.hands, 1) for ply in range(len(hand.actions) + 1)]
    choices = [made for place in places if (made := replay.to(*place).decision) is not None]
    assert choices
    assert all(view.standing == LEVEL for view, _ in choices)
