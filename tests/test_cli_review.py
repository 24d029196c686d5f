"""review on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_cli import GOLDEN, facts, run
from tutor.game.notation import dump, load
from tutor.game.record import Line, Record
from tutor.teaching import review as reviews
from tutor.teaching.coach import Care


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command takes the care of a review; here a small one will do."""
    full = reviews.review_hand
    monkeypatch.setattr(reviews, "review_hand", lambda hand, pool=None: full(hand, care=Care(64, (64,), 64), pool=pool))


def test_review_tells_a_hand(tmp_path: Path) -> None:
    text = run("review", GOLDEN / "game.gin", "--hand", "1", "--seat", "north").stdout
    assert text.startswith("Hand 1, ")
    assert "decisions: " in text
    assert "Your cards: " in text
    found = facts("review", GOLDEN / "game.gin", "--hand", "1", "--seat", "north")
    assert found["seat"] == "North"
    (hand,) = found["hands"]  # type: ignore[misc]
    assert hand["tally"] in text
    account = hand["account"]
    parts = ("base", "deal", "draws", "decisions", "rest", "drift")
    assert sum(account[part] for part in parts) == pytest.approx(hand["points"])
    for row in hand["decisions"]:
        assert {"ply", "played", "best", "grade", "loss", "before", "after", "win_before", "followed"} <= set(row)
    assert found["history"]["hands"] == 1  # type: ignore[index]


def test_review_tells_all_hands_of_a_one_seat_record() -> None:
    record = load(GOLDEN / "one-seat.gin")
    found = facts("review", GOLDEN / "one-seat.gin")
    assert len(found["hands"]) == len(record.rounds)  # type: ignore[arg-type]
    text = run("review", GOLDEN / "one-seat.gin").stdout
    assert "residual" in text


def test_review_of_an_unfinished_hand(tmp_path: Path) -> None:
    record = load(GOLDEN / "game.gin")
    first = record.rounds[0]
    part = type(first)(first.source, Line(first.line.moves[:6]))
    dump(Record(record.rules, (part,)), tmp_path / "part.gin")
    result = run("review", tmp_path / "part.gin")
    assert result.exit_code == 0
    assert "(unfinished)" in result.stdout
    assert "Your cards" not in result.stdout


def test_review_says_what_is_wrong(tmp_path: Path) -> None:
    mine = load(GOLDEN / "one-seat.gin").rounds[0].source
    other = mine.seat.other.label.lower()  # type: ignore[union-attr]
    for arguments, words in (
        ((GOLDEN / "game.gin", "--hand", "99"), "no hand 99, the record has"),
        ((GOLDEN / "one-seat.gin", "--seat", other), "this record tells only what"),
        ((GOLDEN / "none.gin",), "cannot be read"),
    ):
        result = run("review", *arguments)
        assert result.exit_code != 0
        assert words in result.output
    dump(Record(load(GOLDEN / "game.gin").rules), tmp_path / "empty.gin")
    assert "has no hands" in run("review", tmp_path / "empty.gin").output
