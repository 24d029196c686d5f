"""What an opponent has shown shifts the mix of styles the way Bayes' rule says."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.helpers import random_deal
from tutor.engine import styles
from tutor.engine.opponents import DAMPING, TURNS, Shown, habits, shifted, shown_by, usual
from tutor.game.actions import Discard, Draw, Pass, Seat
from tutor.game.round import Round
from tutor.game.rules import PRESETS


def test_the_shift_is_bayes_rule() -> None:
    knock, gin, throw = habits()
    seen = Shown((10, 3), knocked=True)
    weights = []
    for place, share in enumerate(styles.MIX):
        weight = share * np.prod([1 - min(knock[place, turn] + gin[place, turn], 0.95) for turn in range(2)])
        weight *= (throw[place, 0, 9] * throw[place, 1, 2]) ** DAMPING * knock[place, 2]
        weights.append(weight)
    assert np.allclose(shifted(styles.MIX, [seen]), np.array(weights) / sum(weights))


def test_nothing_shown_changes_nothing_and_a_style_left_out_stays_out() -> None:
    assert np.allclose(shifted(styles.MIX, []), styles.MIX / styles.MIX.sum())
    after = shifted(styles.MIX, [Shown((1, 2, 3, 4), gin=True)] * 5)
    assert after[styles.MIX == 0].sum() == 0
    assert abs(after.sum() - 1) < 1e-12
    assert np.isfinite(shifted(styles.MIX, [Shown((10,) * (TURNS + 20))])).all()


def test_styles_are_recognised_by_their_habits() -> None:
    """Pictures first and a knock at once speak for who minds points; four hands of waiting speak against it."""
    careful = shifted(styles.MIX, [Shown((10, 10, 10), knocked=True)] * 3)
    points = styles.MEMBERS[1]
    assert careful[points].sum() > 0.9
    waits = shifted(styles.MIX, [Shown((4, 7, 10, 6, 3, 10, 8, 2, 5, 7), gin=True)] * 3)
    assert waits[styles.NAMES.index("simple")] < 0.02


def test_shown_is_read_from_the_table() -> None:
    round_ = Round.start(PRESETS["Standard"], random_deal(random.Random(3), Seat.SOUTH))
    assert shown_by(round_.public, Seat.NORTH) == Shown(())
    round_ = round_.play(Pass()).play(Pass()).play(Draw())
    card = next(iter(round_.hands[Seat.NORTH]))
    round_ = round_.play(Discard(card))
    assert shown_by(round_.public, Seat.NORTH) == Shown((card.pips,))
    assert shown_by(round_.public, Seat.SOUTH) == Shown(())


@pytest.mark.parametrize("limit", [0, 10])
def test_low_limits_hide_when_one_could_have_knocked(limit: int) -> None:
    rules = PRESETS["Straight" if limit == 0 else "Standard"]
    round_ = Round.start(rules, random_deal(random.Random(4), Seat.SOUTH))
    round_ = round_.play(Pass()).play(Pass()).play(Draw())
    round_ = round_.play(Discard(max(round_.hands[Seat.NORTH], key=lambda card: card.pips)))
    found = usual(round_.public, Seat.NORTH)
    assert np.allclose(found, styles.MIX) == (limit == 0)
    told = usual(round_.public, Seat.NORTH, [Shown((10, 9), knocked=True)])
    assert np.allclose(told, found) == (limit == 0)
