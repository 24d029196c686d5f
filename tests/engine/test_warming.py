"""Compiled code made ready: a process fills the cache, the next one only loads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tutor.engine.players import ALL_PLAYERS, COMPILED

FOLDER = "GIN_TUTOR_CACHE_DIR"
LOADS = """
import sys
from tutor.engine import warming
assert "numba" not in sys.modules and not warming.is_warm()
print(warming.is_complete(), warming.is_warm())
steps = []
warming.warm(steps.append)
from tutor.engine.kernel import beliefs, playout
print(warming.is_warm(), steps)
compiled = [sum(one.stats.cache_misses.values()) for one in (playout.play_all, beliefs.sample_hands)]
print(compiled, [sum(one.stats.cache_hits.values()) for one in (playout.play_all, beliefs.sample_hands)])
"""
PLAYS = """
from tutor.engine.arena import play_out
from tutor.engine.players import PLAYERS
from tutor.game.actions import Seat
from tutor.game.fair import fair_deal
from tutor.game.round import Round
from tutor.game.rules import PRESETS
from tutor.engine import warming
warming.warm()
from tutor.engine.kernel import beliefs, playout
drivers = playout.play_all, beliefs.sample_hands
before = [list(one.signatures) for one in drivers]
for number, name in enumerate(("Casual", "Straight", "Tournament")):
    round_ = Round.start(PRESETS[name], fair_deal(bytes([number]) * 32, Seat.NORTH))
    assert play_out(round_, (PLAYERS["Expert"], PLAYERS["Sharp"]), seed=number).result is not None
assert before == [list(one.signatures) for one in drivers], "something was compiled that warm() does not know"
print("same")
"""
WITHOUT = """
import sys
sys.modules["numba"] = None
from tutor.engine import players, warming
from tutor.game.actions import Seat
from tutor.game.fair import fair_deal
from tutor.game.round import Round
from tutor.game.rules import preset
view = Round.start(preset("Casual"), fair_deal(bytes(32), Seat.NORTH)).view(Seat.SOUTH)
for name, player in players.ALL_PLAYERS.items():
    try:
        player.choose(view, 1)
        print(name, "plays")
    except ImportError:
        print(name, "needs numba")
print(warming.main([]))
"""


def run(*command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {FOLDER: str(folder)}
    return subprocess.run(
        [sys.executable, *command], env=environment, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that was filled by one process while a second one wanted to fill it too."""
    folder = tmp_path_factory.mktemp("cache")
    command = [sys.executable, "-m", "tutor.engine.warming"]
    both = [
        subprocess.Popen(command, env=os.environ | {FOLDER: str(folder)}, stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = sorted(one.communicate(timeout=300)[0].splitlines()[-1] for one in both)
    assert [one.returncode for one in both] == [0, 0]
    assert said == ["complete", "complete already"]
    return folder


def test_a_second_process_compiles_nothing(filled: Path) -> None:
    assert len(list(filled.glob("*/complete-*.json"))) == 1
    done = run("-c", LOADS, folder=filled)
    assert done.stdout.splitlines() == [
        "True False",
        "True ['numba', 'playout', 'belief and equity']",
        "[0, 0] [1, 1]",
    ], done.stderr


def test_players_use_nothing_that_was_not_warmed(filled: Path) -> None:
    done = run("-c", PLAYS, folder=filled)
    assert done.stdout.split() == ["same"], done.stderr


def test_the_marker_vouches_for_files_that_are_there(filled: Path) -> None:
    asks = "from tutor.engine import warming; print(warming.is_complete())"
    assert run("-c", asks, folder=filled).stdout == "True\n"
    lost = next(filled.glob("*/*/playout.play_all*.nbc"))
    kept = lost.read_bytes()
    lost.unlink()
    assert run("-c", asks, folder=filled).stdout == "False\n"
    lost.write_bytes(kept)
    marker = next(filled.glob("*/complete-*.json"))
    text = marker.read_text(encoding="utf-8")
    for damaged in ("", "{", "{}", "[]", "7"):
        marker.write_text(damaged, encoding="utf-8")
        assert run("-c", asks, folder=filled).stdout == "False\n"
    marker.write_text(text, encoding="utf-8")


def test_a_folder_that_cannot_be_written_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("-m", "tutor.engine.warming", folder=tmp_path / "file" / "cache")
    assert done.returncode == 1
    assert "cannot be kept" in done.stdout
    assert FOLDER in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_without_numba_the_simple_players_play_and_the_reason_is_told(tmp_path: Path) -> None:
    done = run("-c", WITHOUT, folder=tmp_path)
    lines = done.stdout.splitlines()
    assert lines[: len(ALL_PLAYERS)] == [
        f"{name} {'needs numba' if name in COMPILED else 'plays'}" for name in ALL_PLAYERS
    ], done.stderr
    assert "numba" in lines[-2]
    assert "missing" in lines[-2]
    assert lines[-1] == "1"


def test_for_a_server_it_ends_well_and_says_nothing(filled: Path) -> None:
    """Also while the other end of its standard input stays open."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tutor.engine.warming", "--for-server"],
        env=os.environ | {FOLDER: str(filled)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read() == b""
        assert process.wait(60) == 0
        assert process.stderr.read() == b""


def test_it_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    """The other end of its standard input is closed, as the kernel does for a parent that was killed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tutor.engine.warming", "--for-server"],
        env=os.environ | {FOLDER: str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(60) == 3
    assert not list(tmp_path.glob("*/complete-*.json"))
