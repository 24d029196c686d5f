"""What standings are worth under any rules: measured where nothing is shipped, kept, and cut to the largest table."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tutor.engine import odds_files, standings
from tutor.engine.equity import LARGEST_TARGET
from tutor.engine.kernel.cache import FOLDER_VARIABLE
from tutor.engine.odds import RoundCounts, shape_of
from tutor.engine.standings import count_strong_play, worth_of
from tutor.game.actions import Seat
from tutor.game.result import Standing
from tutor.game.rules import PRESETS, RuleSet

STANDARD = PRESETS["Standard"]


def test_counts_of_strong_play() -> None:
    counts = count_strong_play(STANDARD, rounds=2_000, seed=3)
    assert counts == count_strong_play(STANDARD, rounds=2_000, seed=3)
    assert counts != count_strong_play(STANDARD, rounds=2_000, seed=4)
    assert counts.rounds == 2_000
    assert counts.shape == shape_of(STANDARD)
    assert sum(counts.dealer[26:]) > 0
    # The side that plays first has the better of it, and few hands are dead.
    assert 0 < counts.uncounted < 300
    assert sum(counts.dealer) > 700
    assert sum(counts.non_dealer) > 700


def test_a_misdeal_is_no_result_and_is_not_played() -> None:
    open_rules = RuleSet(knock_limit=10)
    closed = replace(open_rules, first_turn_misdeal=True)
    played, called_off = (count_strong_play(rules, rounds=20_000, seed=3) for rules in (open_rules, closed))
    assert played.rounds == called_off.rounds == 20_000
    # One dealt hand in some thousands is within ten points: nothing else may differ.
    misdeals = called_off.uncounted - played.uncounted
    assert 0 < misdeals < 40
    won = [sum(counts.dealer) + sum(counts.non_dealer) for counts in (played, called_off)]
    assert won[0] - won[1] == misdeals


def test_spades_double_only_their_hands() -> None:
    counts = count_strong_play(PRESETS["Oklahoma"], rounds=4_000, seed=3)
    plain = count_strong_play(replace(PRESETS["Oklahoma"], spade_doubles=False), rounds=4_000, seed=3)
    assert counts.uncounted == plain.uncounted
    total = [sum(points * count for points, count in enumerate(one.dealer)) for one in (counts, plain)]
    assert 1.1 < total[0] / total[1] < 1.4


@pytest.fixture
def quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[RuleSet]:
    """A cache folder of its own and short measurements; the rules that were measured."""
    measured: list[RuleSet] = []

    def count(rules: RuleSet) -> RoundCounts:
        measured.append(rules)
        return count_strong_play(rules, rounds=2_000)

    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    monkeypatch.setattr(standings, "count_strong_play", count)
    monkeypatch.setattr(odds_files, "_MEASURED", {})
    return measured


def test_rules_that_are_not_shipped_are_measured_once_and_kept(
    quick: list[RuleSet], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = RuleSet(gin_bonus=33, target=60)
    first = worth_of.__wrapped__(rules)
    assert quick == [rules]
    assert [path.suffix for path in (tmp_path / "odds").iterdir()] == [".json"]
    # As in a new run of the program: read again, not measured again.
    monkeypatch.setattr(odds_files, "_MEASURED", {})
    again = worth_of.__wrapped__(rules)
    assert quick == [rules]
    values = [one.values(Standing((10, 20)), Seat.SOUTH, Seat.NORTH, 60) for one in (first, again)]
    assert np.array_equal(values[0].chances, values[1].chances)
    assert worth_of.__wrapped__(STANDARD)
    assert quick == [rules], "what is shipped is not measured"


def test_a_target_beyond_the_table_counts_by_what_is_left() -> None:
    far = worth_of.__wrapped__(replace(STANDARD, target=LARGEST_TARGET + 500))
    assert far.shift == 500
    near = worth_of.__wrapped__(replace(STANDARD, target=LARGEST_TARGET))
    assert near.shift == 0
    ends = [
        far.values(Standing((1_450, 1_300)), Seat.NORTH, Seat.SOUTH, 60),
        near.values(Standing((950, 800)), Seat.NORTH, Seat.SOUTH, 60),
    ]
    assert np.array_equal(ends[0].chances, ends[1].chances)
    begins = far.values(Standing((400, 100)), Seat.SOUTH, Seat.SOUTH, 60)
    assert np.array_equal(begins.chances, near.values(Standing((0, 0)), Seat.SOUTH, Seat.SOUTH, 60).chances)
