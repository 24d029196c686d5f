"""Habits: found in players who have one, not in players who have none."""

from __future__ import annotations

import random

import pytest

from tests.teaching.planted import PLANTED, habits_of, hand_marks
from tutor.engine.evaluator import evaluate
from tutor.engine.players import PLAYERS
from tutor.game.actions import Discard, Draw, Knock, Pass, Seat, Take
from tutor.game.cards import Card, CardSet
from tutor.game.public import PublicRound
from tutor.game.rules import preset
from tutor.game.view import View
from tutor.teaching.habits import (
    EARLY,
    FEEDS,
    HABITS,
    HIGH,
    LATE,
    PILE,
    Mark,
    evidence,
    feeding,
    found_habits,
    marks,
)


def test_a_planted_habit_is_found_and_a_clean_player_has_none() -> None:
    """The small form: an early knocker, judged where the hand could be ended, and Sharp beside it."""
    told = {one.name: one for one in habits_of(PLANTED[EARLY], 60, worlds=200, ends=True)}
    assert told[EARLY].found
    assert not told[LATE].found
    clean = evidence(hand_marks(PLAYERS["Sharp"], number, 200) for number in range(25))
    assert not [one.name for one in clean if one.found]


@pytest.mark.parametrize("habit", HABITS)
def test_each_planted_habit_is_found_within_300_hands(habit: str, request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--full"):
        pytest.skip("minutes: with --full")
    told = {one.name: one for one in habits_of(PLANTED[habit], 300)}
    assert told[habit].found, told


@pytest.mark.parametrize("name", ["Sharp", "Expert"])
def test_none_is_found_in_a_player_without(name: str, request: pytest.FixtureRequest) -> None:
    if not request.config.getoption("--full"):
        pytest.skip("minutes: with --full")
    assert not [one for one in habits_of(PLAYERS[name], 300) if one.found]


def test_false_alarms_are_rare() -> None:
    """Players without a lean, whose marks are as frequent as those of real ones: no alarm in 300."""
    chosen = random.Random(7)
    alarms = 0
    for _ in range(300):
        hands = []
        for _ in range(40):
            error = chosen.random() < 0.7
            values = [chosen.choice((-1.0, 1.0)) if error and chosen.random() < 0.2 else 0.0 for _ in range(6)]
            hands.append([Mark(habit, value) for habit in (HIGH, PILE, FEEDS) for value in values])
        alarms += bool(found_habits(hands))
    assert alarms <= 3


def test_a_few_alike_are_no_evidence() -> None:
    few = [[Mark(LATE, 1.0)] for _ in range(6)]
    assert not found_habits(few)
    assert [one.name for one in found_habits(few * 4)] == [LATE]
    one_hand = [[Mark(LATE, 1.0)] * 24]
    assert not found_habits(one_hand), "one hand is one piece of evidence"
    words = found_habits(few * 4)[0].words()
    assert words == "You knock late: where knocking is clearly better, you wait 100 of 100 (± 16) times."


def _late(hand: str) -> View:
    """A view after six rounds of draws: South to throw, with this hand and a card drawn."""
    held = CardSet.parse(hand)
    drawn = max(held, key=lambda card: card.index)
    rest = [card for card in CardSet.parse("Kc Ks 2d 6h 9c Tc 5d Ah 7s Qd") if card not in held]
    view = View.start(PublicRound.start(preset("EAAI"), Seat.SOUTH, rest[0]), Seat.SOUTH, held.without(drawn))
    view = view.after(Pass()).after(Pass())
    view = view.after(Draw()).after(Discard(rest[1]))
    return view.after(Draw(drawn))


def test_marks_of_a_throw_lean_by_what_was_held_back() -> None:
    view = _late("3c 4c 5c 7d 8d 9d Jh Js 2s Qh Kd")
    found = evaluate(view, worlds=400, seed=1, for_points=True)
    told = {mark.habit: mark.value for mark in marks(found, found.best.action, 0.0)}
    assert told.get(HIGH, 0.0) == 0
    assert isinstance(found.best.action, Discard)
    worst = next(line.action for line in reversed(found.lines) if isinstance(line.action, Discard))
    assert isinstance(worst, Discard)
    told = {mark.habit: mark.value for mark in marks(found, worst, 0.0)}
    gap = found.best.action.card.pips - worst.card.pips
    assert told[HIGH] == (gap > 0) - (gap < 0)


def test_a_meld_with_a_known_card_counts_more() -> None:
    view = _late("3c 4c 5c 7d 8d 9d Jh Js 2s Qh Kd")
    assert feeding(view, Card.parse("8d")) < feeding(view, Card.parse("2s"))


def test_knocking_is_told_by_the_side_that_was_wrong() -> None:
    view = _late("3c 4c 5c 7d 8d 9d Jh Js Jd As 2s")
    assert any(isinstance(action, Knock) for action in view.legal_actions())
    found = evaluate(view, worlds=400, seed=1, for_points=True)
    for line in found.lines:
        told = {mark.habit for mark in marks(found, line.action, 0.0)}
        assert not {EARLY, LATE} <= told


def test_a_card_that_melds_says_nothing_of_takes() -> None:
    held = CardSet.parse("3c 4c 7d 8d 9d Jh Js 2s Qh Kd")
    for offer, expected in (("5c", False), ("Ks", True)):
        view = View.start(PublicRound.start(preset("EAAI"), Seat.NORTH, Card.parse(offer)), Seat.SOUTH, held)
        told = marks(evaluate(view, worlds=200, seed=1, for_points=True), Take(), 0.0)
        assert bool(told) is expected
