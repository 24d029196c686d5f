"""gin-tutor arena: the same figures however the pairs are played, and files that can be taken up again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tutor.cli import main
from tutor.cli.pairs import pairs_kept
from tutor.engine.duel import Duel
from tutor.engine.players import Novice, Simple
from tutor.game.rules import preset

PROGRAM = "from tutor.cli import main; main()"
DUEL = ("arena", "novice", "SIMPLE", "--seed", "t")


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def figures(*arguments: str | Path) -> dict[str, object]:
    """What a run found, without the times of this machine."""
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    times = found.pop("cpu_ms")
    assert all(one["mean"] > 0 and one["longest"] >= one["mean"] for one in times)
    return found


def problem(*arguments: str | Path) -> str:
    result = run(*arguments)
    assert result.exit_code == 1, result.output
    told = json.loads(run(*arguments, "--json").stdout)["error"]
    assert told in result.stderr
    return str(told)


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def without_times(path: Path) -> list[dict[str, object]]:
    return [{key: value for key, value in line.items() if key != "efforts"} for line in lines(path)]


def test_what_it_tells() -> None:
    text = run(*DUEL, "--rounds", "40").stdout
    assert text.startswith("Novice against Simple, EAAI rules, 40 rounds, seed t\nNovice gains ")
    assert "Rounds won: Novice " in text
    found = figures(*DUEL, "--rounds", "40")
    assert (found["players"], found["pairs"], found["rounds"]) == (["Novice", "Simple"], 20, 40)
    value = found["points_a_round"]["value"]  # type: ignore[index]
    assert f"Novice gains {value:+.2f} (95%: " in text
    assert sum(found["endings"].values()) == 40  # type: ignore[attr-defined]
    games = figures(*DUEL, "--games", "4", "--rules", "classic")
    assert games["rules"] == "Classic"
    assert games["rounds"] > 8  # type: ignore[operator]
    assert "(one pair gives no interval)" in run(*DUEL, "--rounds", "2").stdout


def test_the_number_of_workers_changes_nothing() -> None:
    alone = figures(*DUEL, "--rounds", "60")
    assert figures(*DUEL, "--rounds", "60", "--workers", "2") == alone
    assert figures(*DUEL, "--rounds", "60") == alone
    assert figures("arena", "Novice", "Simple", "--seed", "other", "--rounds", "60") != alone


@pytest.mark.parametrize(("kind", "count"), [("--rounds", 40), ("--games", 6)])
def test_taken_up_again_it_is_as_if_never_stopped(kind: str, count: int, tmp_path: Path) -> None:
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    wanted = figures(*DUEL, kind, str(count), "--resume", whole)
    assert figures(*DUEL, kind, str(count)) == wanted
    figures(*DUEL, kind, "4", "--resume", part)
    assert len(lines(part)) == 3
    # Cut in the middle of a line, as by a power failure.
    part.write_bytes(part.read_bytes()[:-25] + b" " * 1000)
    assert figures(*DUEL, kind, str(count), "--resume", part) == wanted
    assert without_times(part) == without_times(whole)
    # Nothing is left to play: the file stays as it is, and so do its times.
    before = part.read_bytes()
    assert figures("arena", "Novice", "Simple", kind, str(count), "--resume", part) == wanted  # the seed is the file's
    assert part.read_bytes() == before
    # Fewer than the file has are those of a run of that length.
    assert figures(*DUEL, kind, "4", "--resume", part) == figures(*DUEL, kind, "4")


def test_each_pair_is_in_the_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    duel = Duel((Novice(), Simple()), preset("EAAI"), seed="t")
    with pairs_kept(path, duel) as (have, keep):
        assert have == {}
        for number in range(3):
            keep(duel.play(number))
            assert len(lines(path)) == number + 2
    with pairs_kept(path, duel) as (have, _):
        assert have == {number: duel.play(number) for number in range(3)}


def test_pairs_of_the_file_are_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    figures(*DUEL, "--rounds", "6", "--resume", path)
    head, *pairs = path.read_text(encoding="utf-8").splitlines()
    changed = json.loads(pairs[0]) | {"points": 100_000}
    path.write_text("\n".join([head, pairs[2], json.dumps(changed), pairs[1]]) + "\n", encoding="utf-8")
    found = figures(*DUEL, "--rounds", "6", "--resume", path)
    assert found["points_a_round"]["value"] > 10_000  # type: ignore[index]


@pytest.mark.parametrize("as_json", [False, True])
def test_the_bar_is_for_terminals_and_not_with_json(as_json: bool) -> None:
    master, terminal = os.openpty()
    command = [sys.executable, "-c", PROGRAM, *DUEL, "--rounds", "40", *(["--json"] if as_json else [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=terminal, timeout=60, check=True)
    os.close(terminal)
    shown = b""
    try:
        while chunk := os.read(master, 4096):
            shown += chunk
    except OSError:  # Linux tells the end of a terminal so
        pass
    finally:
        os.close(master)
    assert (b"20/20" in shown) is not as_json
    assert bool(shown) is not as_json
    assert b"Pairs" not in done.stdout
    assert run(*DUEL, "--rounds", "4").stderr == ""


def test_ctrl_c_ends_it_soon_and_quietly(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    command = [sys.executable, "-c", PROGRAM, *DUEL, "--rounds", "40000", "--workers", "2", "--resume", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True) as process:
        until = time.monotonic() + 30
        while not path.exists() or path.read_bytes().count(b"\n") < 4:
            assert time.monotonic() < until, "no pairs were kept"
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert b"Traceback" not in errors
    assert path.read_bytes().endswith(b"}\n")


def test_a_killed_run_is_taken_up_again(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    command = [sys.executable, "-c", PROGRAM, *DUEL, "--rounds", "40000", "--workers", "2", "--resume", str(path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            until = time.monotonic() + 30
            while not path.exists() or path.read_bytes().count(b"\n") < 8:
                assert time.monotonic() < until, "no pairs were kept"
                time.sleep(0.02)
        finally:
            os.kill(process.pid, signal.SIGKILL)
        process.wait(10)
        # The workers notice that they are alone and end too.
        until = time.monotonic() + 30
        while group_lives(process.pid):
            assert time.monotonic() < until, "a worker outlived the run"
            time.sleep(0.1)
    count = 2 * len(lines_whole(path)) + 10
    assert figures(*DUEL, "--rounds", str(count), "--resume", path) == figures(*DUEL, "--rounds", str(count))


def group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def lines_whole(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)[1:]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["arena", "Novice", "Simple", "--rounds", "8", "--seed", "u"], 'seed "t" there, "u" here'),
        (["arena", "Novice", "Simple", "--games", "8", "--seed", "t"], 'kind "rounds" there, "games" here'),
        (["arena", "Simple", "Novice", "--rounds", "8", "--seed", "t"], "players "),
        ([*DUEL, "--rounds", "8", "--rules", "Classic"], 'rules "EAAI" there, "Classic" here'),
    ],
)
def test_a_file_of_another_duel_is_refused(arguments: list[str], words: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    figures(*DUEL, "--rounds", "4", "--resume", path)
    before = path.read_bytes()
    told = problem(*arguments, "--resume", path)
    assert words in told
    assert "choose another file" in told
    assert path.read_bytes() == before


def test_a_file_of_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    figures(*DUEL, "--rounds", "4", "--resume", path)
    text = path.read_text(encoding="utf-8")
    for old, new, words in (
        ('"gin_tutor_pairs": 1', '"gin_tutor_pairs": 2', "format 2 there, 1 here"),
        ('"program": "', '"program": "9', "program"),
    ):
        path.write_text(text.replace(old, new), encoding="utf-8")
        assert words in problem(*DUEL, "--rounds", "4", "--resume", path)


@pytest.mark.parametrize("content", ["my notes\nof the year\n", "my notes", "{}\n", '{"gin_tutor_'])
def test_what_is_no_file_of_pairs_is_left_alone(content: str, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(content, encoding="utf-8")
    if content == '{"gin_tutor_':  # a header cut short is begun again
        assert figures(*DUEL, "--rounds", "4", "--resume", path) == figures(*DUEL, "--rounds", "4")
        return
    assert "is no file of pairs" in problem(*DUEL, "--rounds", "4", "--resume", path)
    assert path.read_text(encoding="utf-8") == content


@pytest.mark.parametrize("bad", ["{}", "rubbish", "[1]"])
def test_a_bad_line_is_named(bad: str, tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    figures(*DUEL, "--rounds", "6", "--resume", path)
    rows = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([*rows[:2], bad, *rows[3:]]) + "\n", encoding="utf-8")
    assert "line 3: this is no pair of a duel" in problem(*DUEL, "--rounds", "6", "--resume", path)
    path.write_text("\n".join([*rows, rows[1]]) + "\n", encoding="utf-8")
    assert "line 5: pair 0 is there twice" in problem(*DUEL, "--rounds", "6", "--resume", path)


def test_what_cannot_be_played_is_told(tmp_path: Path) -> None:
    assert "choose what to play" in problem(*DUEL)
    assert "choose what to play" in problem(*DUEL, "--rounds", "2", "--games", "2")
    assert "an even number, such as 8" in problem(*DUEL, "--rounds", "7")
    assert "cannot be written" in problem(*DUEL, "--rounds", "2", "--resume", tmp_path / "none" / "pairs.jsonl")
    unknown = run("arena", "Novice", "Nobody", "--rounds", "2")
    assert unknown.exit_code == 2
    assert "camper" in unknown.stderr
