"""gin-tutor play-stdio against a referee of its own process, and what happens when one of the two is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import Counter

import pytest

from tutor.game.rules import PRESETS

PYTHON = sys.executable
GIN_TUTOR = [PYTHON, "-c", "from tutor.cli import main; main()"]


def referee(*arguments: str, program: list[str], limit: float = 120) -> subprocess.CompletedProcess[str]:
    command = [PYTHON, "-m", "tests.referee", *arguments, "--", *program]
    return subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)


def play_stdio(*arguments: str) -> list[str]:
    return [*GIN_TUTOR, "play-stdio", *arguments]


@pytest.mark.parametrize(("rules", "player"), list(zip(PRESETS, ["Steady", "camper"] * 4, strict=True)))
def test_fifty_rounds_end_as_the_referee_says(rules: str, player: str) -> None:
    program = play_stdio("--player", player, "--rules", rules, "--seed", "r")
    done = referee("--rules", rules, "--rounds", "50", program=program)
    assert done.returncode == 0, done.stderr
    rounds = [json.loads(line) for line in done.stdout.splitlines()]
    assert Counter(one["seat"] for one in rounds) == {"South": 26, "North": 24}
    if PRESETS[rules].target:
        assert any(max(one["standing"]) > 0 for one in rounds)
    assert {one["ending"] for one in rounds} & {"gin", "knock"}


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("import time; time.sleep(60)", "no answer within 1 seconds"),
        ("print('{\"protocol\": 1}', flush=True); import time; time.sleep(60)", "no answer within 1 seconds"),
        ("print('{\"protocol\": 1}')", "the program ended"),
    ],
)
def test_a_hung_program_fails_by_timeout(program: str, words: str) -> None:
    begun = time.monotonic()
    done = referee("--patience", "1", program=[PYTHON, "-c", program], limit=30)
    assert done.returncode == 1
    assert words in done.stderr
    assert time.monotonic() - begun < 20


LIAR = """
import json, subprocess, sys
real = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def forward():
    line = json.loads(real.stdout.readline())
    if "over" in line:
        line["over"]["points"] += 1
    print(json.dumps(line), flush=True)
forward()
for line in sys.stdin.buffer:
    real.stdin.write(line)
    real.stdin.flush()
    forward()
"""


def test_the_referee_notices_a_wrong_result() -> None:
    done = referee("--rounds", "3", program=[PYTHON, "-c", LIAR, *play_stdio()])
    assert done.returncode == 1
    assert "round 0 ended with" in done.stderr


def test_every_answer_comes_at_once_and_errors_end_nothing() -> None:
    """One line in, one line out, with the pipe held open: nothing waits in a buffer."""
    with subprocess.Popen(
        play_stdio("--player", "NOVICE", "--seed", "x"), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            first = json.loads(process.stdout.readline())
            assert (first["hello"], first["player"], first["rules"]) == ("gin-tutor", "Novice", "Standard")
            replies = []
            hand = '["7h", "7s", "7d", "8s", "9s", "Kc", "2d", "3d", "4d", "Ac"]'
            for line in (
                b"rubbish\n",
                b'\n   \n{"event": "your_turn"}\r\n',
                f'{{"event": "deal", "seat": "South", "dealer": "North", "hand": {hand}, "upcard": "Ts"}}\n'.encode(),
                b'{"event": "your_turn"}\n',
                b'{"event": "quit"}\n',
            ):
                process.stdin.write(line)
                process.stdin.flush()
                replies.append(json.loads(process.stdout.readline()))
            assert process.wait(20) == 0
        finally:
            process.kill()
    assert [one.get("line") for one in replies] == [1, 4, None, None, None]
    assert replies[2:] == [{"ok": True}, {"action": "take"}, {"ok": True}]


def test_the_end_of_the_input_is_an_end() -> None:
    done = subprocess.run(play_stdio(), input=b"", capture_output=True, timeout=30, check=False)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 1
    unknown = subprocess.run(play_stdio("--player", "nobody"), input=b"", capture_output=True, timeout=30, check=False)
    assert unknown.returncode == 2
    assert unknown.stdout == b""
