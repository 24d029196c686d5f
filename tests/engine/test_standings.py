"""What standings are worth under any rules: measured where nothing is shipped, kept, and coarser for far targets."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tutor.engine import odds_files, standings
from tutor.engine.kernel.cache import FOLDER_VARIABLE
from tutor.engine.odds import RoundCounts, shape_of
from tutor.engine.standings import _solved, count_strong_play, worth_of
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
    first = _solved.__wrapped__(rules)
    assert quick == [rules]
    assert [path.suffix for path in (tmp_path / "odds").iterdir()] == [".json"]
    # As in a new run of the program: read again, not measured again.
    monkeypatch.setattr(odds_files, "_MEASURED", {})
    again = _solved.__wrapped__(rules)
    assert quick == [rules]
    values = [one.values(Standing((10, 20)), Seat.SOUTH, Seat.NORTH, 60) for one in (first, again)]
    assert np.array_equal(values[0].chances, values[1].chances)
    assert _solved.__wrapped__(STANDARD)
    assert quick == [rules], "what is shipped is not measured"


def test_a_target_beyond_the_table_is_counted_in_coarser_points() -> None:
    rules = replace(PRESETS["EAAI"], target=5000)
    worth = worth_of(rules)

    def at(mine: int, theirs: int, points: int = 0) -> tuple[float, float]:
        values = worth.values(Standing((mine, theirs)), Seat.SOUTH, Seat.NORTH, 120)
        sign = int(np.sign(points))
        chances, margins = values.of(np.array([points]), np.array([sign], dtype=np.int8))
        return float(chances[0]), float(margins[0])

    assert abs(at(0, 0)[0] - 0.5) < 0.05
    assert at(100, 4800)[0] < 0.01
    assert at(4800, 100)[0] > 0.99
    assert abs(at(100, 4800)[1] + 4700) < 1
    assert at(4950, 4950, 50)[0] == 1
    assert at(4950, 4950, -50)[0] == 0
    assert at(4900, 4900, 60)[0] > at(4900, 4900, 20)[0] > at(4900, 4900, 0)[0] > at(4900, 4900, -40)[0]
    with pytest.raises(ValueError, match="over"):
        at(5000, 0)


def test_a_disk_that_keeps_nothing_stops_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odds").write_text("no folder")
    monkeypatch.setenv("GIN_TUTOR_CACHE_DIR", str(tmp_path))
    assert worth_of(replace(PRESETS["EAAI"], gin_bonus=37)).scale == 1
