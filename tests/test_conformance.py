"""The conformance runner: the shipped cases hold, a falsified one fails, nothing unknown is skipped."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance import NOTES, main, outcome, run_file

FILE = Path(__file__).parent / "data" / "conformance.jsonl"
CASES = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]


def test_the_command_runs_all_cases() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.conformance", str(FILE)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert done.stdout == "163 passed, 0 failed\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_falsified_expectation_fails(case: dict[str, object]) -> None:
    if case["kind"] == "policy":
        assert outcome(case | {"id": "po-none"}) == "UnknownField: no test holds the policy po-none"
        return
    assert outcome(case | {"expected": falsified(case["expected"])}) is not None


def falsified(expected: object) -> object:
    """Something else of the same form."""
    if isinstance(expected, dict):
        key = sorted(expected)[0]
        return expected | {key: falsified(expected[key])}
    if isinstance(expected, bool):
        return not expected
    if isinstance(expected, int):
        return expected + 1
    if isinstance(expected, list):
        return expected[:-1] if expected else ["7h"]
    return "something else"


@pytest.mark.parametrize("kind", sorted({case["kind"] for case in CASES}))
def test_an_unknown_field_fails(kind: str) -> None:
    case = next(case for case in CASES if case["kind"] == kind)
    assert "unknown field: luck" in str(outcome(case | {"luck": 1}))
    assert outcome(case | dict.fromkeys(NOTES, "a note")) is None


def test_an_unknown_kind_or_rule_fails() -> None:
    assert "unknown kind" in str(outcome({"id": "x", "kind": "luck", "expected": 1}))
    for kind, key in (("score", "rules"), ("game", "rules"), ("legal", "options")):
        case = next(case for case in CASES if case["kind"] == kind)
        assert "unknown" in str(outcome(case | {key: {"luck": 1}}))
    case = next(case for case in CASES if case["kind"] == "game")
    assert "expected 1, got True" in str(outcome({"kind": "meld", "cards": ["7c", "7d", "7h"], "expected": 1}))
    assert "unknown expected field" in str(outcome(case | {"expected": case["expected"] | {"luck": 1}}))


def test_a_broken_line_is_a_failure_and_not_the_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "cases.jsonl"
    good = json.dumps(next(case for case in CASES if case["kind"] == "meld"))
    path.write_text(f"{good}\nnot json\n[1]\n\n{good}\n", encoding="utf-8")
    passed, failures = run_file(path)
    assert passed == 2
    assert [failure.split(":")[0] for failure in failures] == ["line 2", "line 3"]
    assert main([str(path)]) == 1
    assert capsys.readouterr().out.endswith("2 passed, 2 failed\n")
    assert main([]) == 2
    assert main([str(tmp_path / "none")]) == 2
