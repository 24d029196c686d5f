"""The account of a hand adds up, and the luck of a draw is measured against the cards that could have come."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers import some_rounds
from tutor.engine.arena import play_round
from tutor.engine.evaluator import evaluate
from tutor.engine.luck import Luck, luck_of_draw, next_cards
from tutor.engine.players import PLAYERS
from tutor.engine.standings import expected_points
from tutor.game.actions import Draw, IllegalAction, Seat
from tutor.game.cards import Card
from tutor.game.fair import fair_deal
from tutor.game.rules import PRESETS, preset
from tutor.game.view import View
from tutor.teaching.ledger import Kind, Next, Step, account, followed

POINTS = st.floats(-120, 120)
ERRORS = st.floats(0, 3)


@st.composite
def steps(draw: st.DrawFn) -> list[Step]:
    found = []
    for ply in range(draw(st.integers(0, 6))):
        then = draw(st.sampled_from(Next))
        luck = Luck(draw(POINTS), draw(ERRORS), draw(POINTS), draw(ERRORS)) if then is Next.CARD else None
        best, played = draw(POINTS), draw(POINTS)
        found.append(Step(2 * ply, best, draw(ERRORS), played, draw(ERRORS), draw(ERRORS), then, luck))
    return found


@settings(max_examples=150)
@given(steps(), POINTS, POINTS)
def test_the_lines_add_up_to_the_points(told: list[Step], base: float, points: float) -> None:
    found = account(told, base, points)
    whole = found.base + found.cards + found.decisions + found.rest + found.drift
    assert whole == pytest.approx(points, abs=1e-9)
    assert found.cards == pytest.approx(found.deal + found.draws)
    sizes = [abs(one.amount) for one in found.swings]
    assert sizes == sorted(sizes, reverse=True)


def test_each_movement_is_in_its_line() -> None:
    told = [
        Step(1, 2.0, 0.1, 1.5, 0.1, 0.2, Next.CARD, Luck(6.0, 0.3, 2.0, 0.4)),
        Step(2, 6.5, 0.1, 4.5, 0.1, 0.2, Next.AWAY),
    ]
    found = account(told, base=0.5, points=10)
    assert (found.deal, found.draws, found.decisions) == (1.5, 4.0, -2.5)
    assert found.rest == 5.5
    assert found.drift == (2.0 - 1.5) + (6.5 - 6.0)
    assert found.draws_se == pytest.approx(0.5)
    first, last = followed(told, 0, 10), followed(told, 1, 10)
    assert first is not None
    assert (first.kind, first.amount) == (Kind.CARD, 4.0)
    assert last is not None
    assert (last.kind, last.amount) == (Kind.REST, 5.5)
    assert followed(told, 1, None) is None, "nothing is known yet of what came after"
    assert [one.kind for one in found.swings] == [Kind.REST, Kind.CARD, Kind.DECISION, Kind.DEAL, Kind.DECISION]


def test_a_hand_without_an_action_is_all_rest() -> None:
    assert account([], 0.5, 0).rest == -0.5


def _draw() -> View:
    for round_ in some_rounds(8):
        view = round_.view(Seat.SOUTH)
        state = type(round_).start(view.public.rules, round_.deal)
        for number, action in enumerate(round_.actions):
            turn = state.public.turn
            if turn is not None and isinstance(action, Draw) and number > 5:
                return state.view(turn)
            state = state.play(action)
    raise AssertionError("no draw")


def test_luck_is_measured_against_every_card_that_could_have_come() -> None:
    view = _draw()
    chances = next_cards(view, hands=400, seed=1)
    assert set(chances) == set(view.unseen)
    assert sum(chances.values()) == pytest.approx(1)
    lucks = {card: luck_of_draw(view, card, each=8, came=8, searches=2) for card in chances}
    assert len({round(luck.mean, 9) for luck in lucks.values()}) == 1, "the mean does not depend on what came"
    mean = math.fsum(chances[card] * luck.amount for card, luck in lucks.items())
    error = math.sqrt(math.fsum((chances[card] * luck.amount_se) ** 2 for card, luck in lucks.items()))
    assert abs(mean) < 4 * error + 0.3, "over all cards there is no luck"


def test_a_card_is_worth_what_its_best_action_brings() -> None:
    """Not what a style would make of it: here Sharp knocks with 2♥ in hand, and throwing it is worth far more."""
    rules = preset("Standard")
    deal = fair_deal(b"time 1".rjust(32, b"."), Seat.NORTH)
    record = play_round(rules, deal, (PLAYERS["Casual"], PLAYERS["Sharp"]), seed=1)
    draws = 0
    for moment, move in zip(record.moments(rules), record.line.moves, strict=False):
        action = move.action
        if moment.public.turn is not Seat.SOUTH or not isinstance(action, Draw) or action.card is None:
            continue
        view = moment.view(Seat.SOUTH)
        luck = luck_of_draw(view, action.card)
        best = evaluate(view.after(action), worlds=4000, seed=1, for_points=True).best
        assert abs(luck.value - best.points) < 2 + 3 * math.hypot(luck.value_se, best.points_se)
        draws += 1
        if action.card == Card.parse("2h"):
            assert luck.amount > -4, "the hand is worth more after it than before it"
            break
    else:
        raise AssertionError("2♥ was not drawn")
    assert draws == 2


def test_luck_does_not_depend_on_threads_and_refuses_what_cannot_come() -> None:
    view = _draw()
    card = min(view.unseen, key=lambda one: one.index)
    with ThreadPoolExecutor(1) as pool:
        assert luck_of_draw(view, card, each=4, came=8) == luck_of_draw(view, card, each=4, came=8, pool=pool)
    with pytest.raises(IllegalAction):
        luck_of_draw(view, min(view.hand, key=lambda one: one.index), each=4, came=8)


def test_the_dealer_expects_what_the_odds_say() -> None:
    for rules in PRESETS.values():
        assert abs(expected_points(rules)) < 3
