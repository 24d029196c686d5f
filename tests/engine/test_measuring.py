"""The measuring tools measure what they say, in short forms; the long ones are `gin-tutor bench --quality`."""

from __future__ import annotations

from itertools import count

import numpy as np
import pytest

from tests.engine.brute import PLACES
from tutor.engine.measuring.quality import brier_against, decisions, honesty, quality, reference
from tutor.engine.measuring.speed import hands, speed
from tutor.engine.players import ALL_PLAYERS
from tutor.game.actions import Phase


def test_decisions_are_of_the_kind_asked_for_and_always_the_same() -> None:
    throws, draws = decisions(6, throws=True, seed=1), decisions(6, throws=False, seed=1)
    assert all(view.public.phase is Phase.DISCARD for view in throws)
    assert all(view.public.phase is Phase.DRAW and view.public.offer is not None for view in draws)
    assert all(len(view.legal_actions()) > 1 for view in throws + draws)
    assert throws == decisions(6, throws=True, seed=1)
    assert throws != decisions(6, throws=True, seed=2)


def test_more_worlds_make_better_answers() -> None:
    views = decisions(8, throws=True, seed=3)
    truth = [reference(view, 3000, None) for view in views]
    assert all(min(gap for gap, _ in one.values()) <= 0 for one in truth)
    few, many = (quality(views, truth, worlds, 50, None) for worlds in (32, 1500))
    assert many.second_se < few.second_se / 3
    assert many.regret <= few.regret + 0.05
    assert few.decisions == many.decisions == 8
    assert 0 <= many.same_best <= 1
    assert many.clear <= 8


def test_a_regret_is_what_the_reference_says_of_the_choice() -> None:
    (view,) = decisions(1, throws=True, seed=4)
    actions = view.legal_actions()
    # A reference that holds everything against everything: each action is ten points behind but one that never wins.
    odd = dict.fromkeys(actions, (10.0, 0.1))
    odd[max(actions, key=str)] = (0.0, 0.0)
    found = quality([view], [odd], 100, 1, None)
    assert found.regret in (0.0, 10.0)
    assert found.clear == 1
    assert found.same_best == (found.regret == 0)


def test_stated_errors_are_near_the_real_ones(times: int) -> None:
    assert 0.6 < honesty(decisions(4 * times, throws=True, seed=5), pairs=8, worlds=128, seed=6) < 1.5


def test_the_belief_about_a_player_is_better_than_none() -> None:
    believed, uniform, positions = brier_against(ALL_PLAYERS["Sharp"], rounds=40, seed=7)
    assert positions > 15
    assert believed < uniform
    with pytest.raises(ValueError, match="no round"):
        brier_against(ALL_PLAYERS["Sharp"], rounds=0, seed=7)


def test_hands_to_count_are_what_they_are_called() -> None:
    for rich in (False, True):
        made = hands(300, 10, rich=rich, seed=1)
        assert all(int(hand).bit_count() == 10 for hand in made)
        assert all(sum(int(hand) >> int(place) & 1 for place in PLACES) == 10 for hand in made[:20])
    widths = [np.ptp([place & 15 for place in range(64) if int(hand) >> place & 1]) for hand in made]
    assert max(widths) <= 5


def test_speed_is_counted_by_the_clock_it_is_given() -> None:
    """A clock that ticks once a look makes every figure exact."""
    ticks = count()
    found = speed(lambda: float(next(ticks)), lambda: 0.0 if next(ticks) % 2 else 1.0, count=50, times=2, rounds=20)
    assert found.deadwood_random == found.throw_rich == 1e9 / 100
    assert found.playouts > 0
