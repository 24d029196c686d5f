"""Odds of a round: counted from results, kept as text and in files, chosen by the rules that shape a round."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.helpers import seeds
from tutor.engine import odds_files
from tutor.engine.arena import play_out
from tutor.engine.odds import (
    SHAPING,
    OddsError,
    RoundCounts,
    RoundOdds,
    Source,
    count_results,
    count_rounds,
    shape_of,
)
from tutor.engine.odds_files import SHIPPED, NoOdds, counts_for, file_name, odds_for, shipped_counts
from tutor.engine.players import Novice
from tutor.game.actions import Seat
from tutor.game.cards import Card
from tutor.game.fair import fair_deal
from tutor.game.match import Game
from tutor.game.result import Ending, Result
from tutor.game.round import Round
from tutor.game.rules import (
    PRESETS,
    LastDiscard,
    MatchFormat,
    MatchKind,
    NextDealer,
    OklahomaAce,
    RuleSet,
    Shutout,
    Tie,
)

SOURCE = Source("mine", "Novice against Novice", 5, "none")
HEART, SPADE = Card.parse("7h"), Card.parse("7s")


def counts(rules: RuleSet, dealer: tuple[int, ...] = (0, 3, 0), other: tuple[int, ...] = (0, 0, 4)) -> RoundCounts:
    return RoundCounts(shape_of(rules), dealer, other, 3, SOURCE)


def odd_rules(knock_limit: int) -> RuleSet:
    """Rules that no preset has."""
    return RuleSet(knock_limit=knock_limit, pile_limit=7)


def test_results_are_counted_from_the_dealers_side() -> None:
    south, north = Seat.SOUTH, Seat.NORTH
    rounds = [
        (south, Result(Ending.KNOCK, south, 4, 10, HEART)),  # dealer 6
        (south, Result(Ending.KNOCK, north, 4, 10, HEART)),  # non-dealer 6
        (north, Result(Ending.KNOCK, north, 4, 10, HEART)),  # dealer 6
        (north, Result(Ending.KNOCK, north, 10, 8, HEART)),  # undercut: non-dealer 2 + 25
        (north, Result(Ending.GIN, south, 0, 5, HEART)),  # non-dealer 5 + 25
        (south, Result(Ending.KNOCK, north, 6, 6, HEART)),  # tie
        (south, Result(Ending.DEAD, None, None, None, HEART)),
    ]
    nothing = count_results(RuleSet(tie=Tie.NOTHING), rounds, SOURCE)
    assert nothing.rounds == 7
    assert {points: count for points, count in enumerate(nothing.dealer) if count} == {0: 1, 6: 2}
    assert {points: count for points, count in enumerate(nothing.non_dealer) if count} == {6: 1, 27: 1, 30: 1}
    assert nothing.uncounted == 1
    void = count_results(RuleSet(tie=Tie.VOID), rounds, SOURCE)
    assert (void.dealer[0], void.uncounted) == (0, 2)
    undercut = count_results(RuleSet(), rounds, SOURCE)
    assert (undercut.dealer[25], undercut.uncounted) == (1, 1)


def test_a_spade_upcard_counts_as_more_points() -> None:
    rounds = [(Seat.SOUTH, Result(Ending.KNOCK, Seat.SOUTH, 4, 10, card)) for card in (HEART, SPADE)]
    found = count_results(PRESETS["Oklahoma"], rounds, SOURCE)
    assert (found.dealer[6], found.dealer[12], found.rounds) == (1, 1, 2)


def test_played_rounds_add_up_as_the_game_adds_them_up() -> None:
    rules = PRESETS["OpenSpiel"]
    rounds = []
    gain = 0
    for number, seed in enumerate(seeds(60, label="odds")):
        dealer = Seat(number % 2)
        end = play_out(Round.start(rules, fair_deal(seed, dealer)), (Novice(), Novice()), seed=number)
        assert end.result is not None
        rounds.append((dealer, end.result))
        points = Game(rules, (end.result,)).standing.points
        gain += points[dealer] - points[dealer.other]
    odds = count_results(rules, rounds, SOURCE).odds()
    assert float((odds.dealer - odds.non_dealer) @ np.arange(odds.most_points + 1)) * 60 == pytest.approx(gain)


def test_rounds_in_arrays_count_the_same() -> None:
    points, box = np.array([6, -6, 0, 0, 0, 6, -12]), np.array([1, -1, 1, -1, 0, 1, -1], np.int8)
    found = count_rounds(RuleSet(), points, box, SOURCE)
    assert {points: count for points, count in enumerate(found.dealer) if count} == {0: 1, 6: 2}
    assert {points: count for points, count in enumerate(found.non_dealer) if count} == {0: 1, 6: 1, 12: 1}
    assert found.uncounted == 1


@pytest.mark.parametrize(
    ("points", "box", "words"),
    [
        ([5], [-1], "the side that won"),
        ([5], [0], "the side that won"),
        ([5], [2], "a box is"),
        ([5, 6], [1], "one length"),
        ([5000], [1], "no round is worth more"),
        ([], [], "there must be a round"),
    ],
)
def test_arrays_that_contradict_each_other_are_refused(points: list[int], box: list[int], words: str) -> None:
    with pytest.raises(OddsError, match=words):
        count_rounds(RuleSet(), np.array(points, np.int64), np.array(box, np.int8), SOURCE)


def test_odds_are_probabilities_that_add_up() -> None:
    odds = RoundOdds(np.array([0, 0.5]), np.array([0.25, 0]), 0.25)
    assert odds.most_points == 1
    with pytest.raises(ValueError, match="read-only"):
        odds.dealer[0] = 1
    for dealer, other, uncounted, words in (
        ([0, 0.5], [0.25, 0], 0.2, "add up to 0.95"),
        ([0, 1.5], [-0.5, 0], 0, "0 to 1"),
        ([0, float("nan")], [0.5, 0], 0.5, "0 to 1"),
        ([0, 0.5], [0.5], 0, "equally long"),
        ([], [], 1, "equally long"),
    ):
        with pytest.raises(OddsError, match=words):
            RoundOdds(np.array(dealer), np.array(other), uncounted)


def test_counts_survive_as_text() -> None:
    for rules in (odd_rules(3), PRESETS["Oklahoma"], RuleSet(tie=Tie.NOTHING, big_gin_bonus=None)):
        kept = counts(rules)
        assert RoundCounts.from_json(kept.to_json()) == kept
    odds = counts(RuleSet()).odds()
    assert (odds.dealer.tolist(), odds.non_dealer.tolist(), odds.uncounted) == ([0, 0.3, 0], [0, 0, 0.4], 0.3)


def _set(*path: Any, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(value: dict[str, Any]) -> None:
        for step in path[:-1]:
            value = value[step]
        value[path[-1]] = to

    return change


@pytest.mark.parametrize(
    "change",
    [
        _set("rounds", to=11),
        _set("uncounted", to=-3),
        _set("uncounted", to="3"),
        _set("dealer", to=[[1, 4]]),
        _set("dealer", to=[[1, 2.0]]),
        _set("dealer", to=[[-1, 3]]),
        _set("dealer", to=[[10**9, 3]]),
        _set("dealer", to=7),
        _set("knobs", "tie", to="maybe"),
        _set("knobs", "target", to="100"),
        _set("knobs", to=[]),
        _set("players", to=None),
        lambda value: value.pop("seed"),
        lambda value: value["knobs"].pop("tie"),
    ],
)
def test_text_that_was_tampered_with_is_refused(change: Callable[[dict[str, Any]], None]) -> None:
    value = json.loads(counts(RuleSet()).to_json())
    change(value)
    with pytest.raises(OddsError):
        RoundCounts.from_json(json.dumps(value))


@pytest.mark.parametrize("text", ["", "[]", "null", "{", "[" * 100_000, '{"dealer": 1}'])
def test_text_that_is_no_counts_is_refused(text: str) -> None:
    with pytest.raises(OddsError):
        RoundCounts.from_json(text)


def test_every_preset_comes_with_counts_of_its_own_shape() -> None:
    folder = Path(odds_files.__file__).parent / "data" / "odds"
    assert {path.stem for path in folder.iterdir()} == {name.lower() for name in SHIPPED.values()}
    for rules in PRESETS.values():
        found = counts_for(rules)
        assert found.shape == shape_of(rules)
        assert found.source.rules == SHIPPED[shape_of(rules)]
        assert found.rounds >= 3000
        assert found.to_json() == (folder / f"{found.source.rules.lower()}.json").read_text(encoding="utf-8")
        odds = odds_for(rules)
        assert 0.4 < odds.dealer.sum() / (1 - odds.uncounted) < 0.6


def test_the_shipped_odds_show_the_rules() -> None:
    """Straight gin never brings less than the gin bonus and is dead more often; spades make Oklahoma's hands larger."""
    straight, oklahoma, casual = (odds_for(PRESETS[name]) for name in ("Straight", "Oklahoma", "Casual"))
    assert straight.dealer[:25].sum() == straight.non_dealer[:25].sum() == 0
    assert straight.uncounted > casual.uncounted
    assert oklahoma.most_points > casual.most_points
    classic = odds_for(PRESETS["Classic"])
    assert float(classic.dealer @ np.arange(classic.most_points + 1)) < float(
        casual.dealer @ np.arange(casual.most_points + 1)
    )


OF_THE_GAME = {
    "open_discards": False,
    "target": 60,
    "game_bonus": 3,
    "box_bonus": 2,
    "shutout": Shutout.EVERYTHING,
    "next_dealer": NextDealer.LOSER,
    "match": MatchFormat(MatchKind.BEST_OF, 3),
}
OF_THE_ROUND = {
    "knock_limit": 9,
    "gin_bonus": 24,
    "undercut_bonus": 24,
    "big_gin_bonus": None,
    "tie": Tie.VOID,
    "taken_card_stays": False,
    "last_discard": LastDiscard.TAKE_TO_END,
    "first_turn_misdeal": True,
    "pile_limit": 29,
}


def test_only_the_knobs_of_a_round_choose_the_odds() -> None:
    rules = PRESETS["Standard"]
    for knob, value in OF_THE_GAME.items():
        assert counts_for(replace(rules, **{knob: value})) is counts_for(rules), knob
        assert knob not in SHAPING
    for knob, other in OF_THE_ROUND.items():
        changed = replace(rules, **{knob: other})
        assert file_name(changed) != file_name(rules)
        if shape_of(changed) not in SHIPPED:
            with pytest.raises(NoOdds):
                counts_for(changed)
    spades = PRESETS["Oklahoma"]
    others = (replace(spades, spade_doubles=False), replace(spades, oklahoma_ace=OklahomaAce.ONE), rules)
    assert len({file_name(one) for one in (spades, *others)}) == 4
    assert {*OF_THE_GAME, *SHAPING} == set(RuleSet().sentences())


class Measuring:
    """Measures with made-up counts, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[RuleSet] = []

    def __call__(self, rules: RuleSet) -> RoundCounts:
        self.asked.append(rules)
        return counts(rules)


def test_other_rules_are_measured_once() -> None:
    measure = Measuring()
    first = counts_for(odd_rules(2), measure)
    assert counts_for(replace(odd_rules(2), target=50), measure) is first
    assert counts_for(odd_rules(2)) is first
    assert len(measure.asked) == 1
    counts_for(PRESETS["EAAI"], measure)
    assert len(measure.asked) == 1


def test_counts_of_other_rules_are_refused() -> None:
    with pytest.raises(OddsError, match="other rules"):
        counts_for(odd_rules(4), lambda _: counts(RuleSet()))


def test_what_was_measured_is_kept_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, folder, measure = odd_rules(5), tmp_path / "kept", Measuring()
    first = counts_for(rules, measure, folder)
    assert [path.name for path in folder.iterdir()] == [file_name(rules)]
    monkeypatch.setattr(odds_files, "_MEASURED", {})
    assert counts_for(rules, None, folder) == first
    assert len(measure.asked) == 1


@pytest.mark.parametrize("damage", ["half", "empty", "binary", "other rules"])
def test_a_damaged_file_is_measured_again(damage: str, tmp_path: Path) -> None:
    rules, measure = odd_rules(6), Measuring()
    good = counts(rules).to_json()
    path = tmp_path / file_name(rules)
    broken = {"half": good[: len(good) // 2], "empty": "", "binary": "", "other rules": counts(odd_rules(7)).to_json()}
    path.write_bytes(b"\xff\xfe\x00" if damage == "binary" else broken[damage].encode())
    assert counts_for(rules, measure, tmp_path) == counts(rules)
    assert len(measure.asked) == 1
    assert path.read_text(encoding="utf-8") == good


def test_a_write_that_fails_leaves_the_folder_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = odd_rules(8)
    path = tmp_path / file_name(rules)
    path.write_text("old", encoding="utf-8")

    def broken(*_: object) -> None:
        raise OSError("no space")

    monkeypatch.setattr(odds_files.os, "replace", broken)
    assert counts_for(rules, Measuring(), tmp_path).rounds > 0
    assert [(one.name, one.read_text(encoding="utf-8")) for one in tmp_path.iterdir()] == [(path.name, "old")]


def test_shipped_counts_say_where_they_come_from() -> None:
    for name in SHIPPED.values():
        source = shipped_counts(name).source
        assert source.command.startswith("python -m benchmarks.round_odds --rounds ")
        assert f"--seed {source.seed}" in source.command
