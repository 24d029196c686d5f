"""The command line: what people see, the same as JSON, and what happens when something is wrong."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tutor.cli import main
from tutor.game.notation import load
from tutor.game.rules import PRESETS

GOLDEN = Path(__file__).parent / "data" / "golden"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def facts(*arguments: str | Path, status: int = 0) -> dict[str, object]:
    result = run(*arguments, "--json")
    assert result.exit_code == status, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found


def test_deadwood() -> None:
    result = run("deadwood", "4c 5c 6c 7c 7d 7h 7s Kc 2d 9h")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "Deadwood 21"
    assert "Least exposed to lay-offs" in result.stdout
    found = facts("deadwood", "4c 5c 6c 7c 7d 7h 7s Kc 2d 9h")
    assert found["deadwood"] == 21
    assert len(found["arrangements"]) == 2  # type: ignore[arg-type]


def test_cards_need_no_quotes() -> None:
    assert run("deadwood", "7h", "7s", "7d").stdout == run("deadwood", "7h 7s 7d").stdout


def test_a_terminal_without_suits_gets_no_traceback() -> None:
    command = [sys.executable, "-c", "from tutor.cli import main; main()", "deadwood", "7h 7s 7d"]
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, capture_output=True, check=True, env=environment)
    assert b"7? 7? 7?" in done.stdout


def test_deadwood_of_eleven() -> None:
    found = facts("deadwood", "3s 7d 9h 7s 3d 9d 9s 7c 5d 5h 3h")
    assert found["after_discard"] == {"deadwood": 5, "discards": "5d 5h"}
    assert "throw 5♦ 5♥" in run("deadwood", "3s 7d 9h 7s 3d 9d 9s 7c 5d 5h 3h").stdout


@pytest.mark.parametrize(
    ("cards", "words"),
    [
        ("7h 7x", "character 5: 'X' is neither a rank"),
        (" ", "a hand has 1 to 11 cards, not 0"),
        ("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc", "not 12"),
    ],
)
def test_deadwood_of_what_is_no_hand(cards: str, words: str) -> None:
    result = run("deadwood", cards)
    assert result.exit_code == 1
    assert words in result.stderr
    assert words.split(": ")[-1] in str(facts("deadwood", cards, status=1)["error"])


def test_rules() -> None:
    assert run("rules").stdout.split() == list(PRESETS)
    result = run("rules", "classic")
    assert "- Gin scores 20 and all the points the defender holds; nothing is laid off." in result.stdout
    found = facts("rules", "Classic")
    assert found["preset"] == "Classic"
    assert found["rules"]["gin_bonus"]["value"] == "20"  # type: ignore[index]
    assert "the presets are Casual" in run("rules", "Vegas").stderr
    assert "Vegas" in str(facts("rules", "Vegas", status=1)["error"])


def test_check_tells_how_each_hand_ended() -> None:
    result = run("check", GOLDEN / "one-seat.gin")
    assert result.exit_code == 0
    assert "Hand 2: Me knocks with 7, North holds 15: 15 − 7 = 8. Me scores 8." in result.stdout
    found = facts("check", GOLDEN / "game.gin")
    assert found["ok"] is True
    assert found["totals"] == [397, 238]
    columns = run("check", GOLDEN / "rare-endings.gin").stdout
    assert "Column 1 (open): South 109, North 0." in columns
    assert "All columns: South 217, North 0." in columns
    assert "misdeal" in run("check", GOLDEN / "misdeal.gin").stdout


def test_check_against_other_rules_reports_each_breach_with_its_move() -> None:
    result = run("check", GOLDEN / "one-seat.gin", "--against", "straight")
    assert result.exit_code == 1
    assert result.stderr.count("Only gin ends this hand") == 3
    assert "3 moves are forbidden by Straight" in result.stderr
    found = facts("check", GOLDEN / "one-seat.gin", "--against", "Straight", status=1)
    assert found["ok"] is False
    assert [one["breaches"][0]["rule"] for one in found["rounds"]] == ["over_limit"] * 3  # type: ignore[attr-defined]
    assert run("check", GOLDEN / "one-seat.gin", "--against", "Casual").exit_code == 0


def test_check_of_what_is_no_record(tmp_path: Path) -> None:
    path = tmp_path / "bad.gin"
    path.write_text("gin 1\nRules: Vegas\n", encoding="utf-8")
    result = run("check", path)
    assert result.exit_code == 1
    assert "bad.gin: line 2, column 8: found" in result.stderr
    found = facts("check", path, status=1)
    assert (found["line"], found["column"]) == (2, 8)
    assert "cannot be read (No such file or directory)" in run("check", tmp_path / "none.gin").stderr
    assert "cannot be read" in str(facts("check", tmp_path / "none.gin", status=1)["error"])
    assert "cannot be read" in run("check", tmp_path).stderr


def test_verify_deal() -> None:
    result = run("verify-deal", GOLDEN / "game.gin")
    assert result.exit_code == 0
    assert {line.split(": ")[1] for line in result.stdout.splitlines()} == {"dealt as committed"}
    assert facts("verify-deal", GOLDEN / "game.gin")["fair"] is True


def test_verify_deal_catches_a_changed_deal(tmp_path: Path) -> None:
    text = (GOLDEN / "game.gin").read_text(encoding="utf-8")
    seed = next(row for row in text.splitlines() if row.startswith("Seed:"))
    for other, words in (
        ("Seed: " + "00" * 32, "does not have the SHA-256"),
        ("Seed: 00", "a seed has 32 bytes"),
        ("Seed: none", "64 hexadecimal digits"),
        ("Seed: é", "64 hexadecimal digits"),
    ):
        path = tmp_path / "changed.gin"
        path.write_text(text.replace(seed, other, 1), encoding="utf-8")
        result = run("verify-deal", path)
        assert result.exit_code == 1
        assert f"Hand 1: {words}" in result.stderr or words in result.stderr
        found = facts("verify-deal", path, status=1)
        assert [one["state"] for one in found["rounds"]][:2] == ["wrong", "fair"]  # type: ignore[attr-defined]
    assert run("verify-deal", GOLDEN / "one-seat.gin").exit_code == 1
    assert "nothing to verify" in run("verify-deal", GOLDEN / "one-seat.gin").stderr


def test_demo_writes_a_fair_record_and_the_same_seed_the_same_game(tmp_path: Path) -> None:
    first, second = tmp_path / "first.gin", tmp_path / "second.gin"
    found = facts("demo", "--seed", "a", "--out", first)
    facts("demo", "--seed", "a", "--out", second)
    assert first.read_bytes() == second.read_bytes()
    assert facts("verify-deal", first)["fair"] is True
    assert facts("check", first)["totals"] == found["totals"]
    assert found["hands"] == len(load(first).rounds)


@pytest.mark.parametrize("rules", PRESETS)
def test_demo_plays_every_preset(rules: str, tmp_path: Path) -> None:
    result = run("demo", "--rules", rules, "--seed", "b", "--out", tmp_path / "game.gin")
    assert result.exit_code == 0
    assert "The game:" in result.stdout


def test_demo_keeps_what_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "The record is in demo.gin" in run("demo").stdout
    assert "The record is in demo-2.gin" in run("demo").stdout
    kept = Path("demo.gin").read_bytes()
    refused = run("demo", "--out", "demo.gin")
    assert refused.exit_code == 1
    assert "is there already" in refused.stderr
    assert Path("demo.gin").read_bytes() == kept
    assert run("demo", "--out", "demo.gin", "--force", "--seed", "c").exit_code == 0
    assert "is no folder" in run("demo", "--out", tmp_path / "none" / "demo.gin").stderr


def test_a_taken_port_is_told(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = run("--port", str(port), "--no-browser", "--data-dir", tmp_path)
    assert result.exit_code == 1
    assert f"Port {port} is taken on 127.0.0.1" in result.stderr


def test_a_folder_that_cannot_hold_games_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    result = run("--no-browser", "--data-dir", tmp_path / "file" / "below")
    assert result.exit_code == 1
    assert "cannot be made" in result.stderr


def test_the_installed_command_answers() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from tutor.cli import main; main()", "--version"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "gin-tutor" in done.stdout or "version" in done.stdout
