"""evaluate, fit-belief and bench on the command line, and --cpu-ms of play-stdio."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.test_cli import GOLDEN, facts, run
from tutor.engine.belief import Model
from tutor.engine.budget import LEAST, MOST, worlds_for
from tutor.engine.kernel import beliefs
from tutor.game.notation import load, read_action
from tutor.game.record import Position


def test_evaluate_tells_every_action_of_a_decision() -> None:
    record = load(GOLDEN / "game.gin")
    moment = record.moment(Position(1, 9))
    assert moment.public.turn is not None
    view = moment.view(moment.public.turn)
    found = facts("evaluate", GOLDEN / "game.gin", "--ply", "9", "--worlds", "100")
    lines = found["lines"]
    assert isinstance(lines, list)
    assert {read_action(line["action"]) for line in lines} == set(view.legal_actions())
    for line in lines:
        assert abs(sum(line["outcomes"].values()) - 1) < 1e-9
        assert 0 <= line["win"] <= 1
    assert lines[0]["behind"] == 0
    assert found == facts("evaluate", GOLDEN / "game.gin", "--ply", "9", "--worlds", "100"), "the seed is the view's"
    text = run("evaluate", GOLDEN / "game.gin", "--ply", "9", "--worlds", "100").stdout
    assert len(text.splitlines()) == len(lines) + 1
    assert "points, behind 0.00" in text


def test_evaluate_says_what_is_wrong() -> None:
    for arguments, words in (
        (("--ply", "9999"), "not in the record"),
        (("--ply", "0", "--hand", "99"), "no round 99"),
        (("--ply", str(len(load(GOLDEN / "game.gin").rounds[0].line.moves))), "is over"),
        (("--ply", "3", "--worlds", "0"), "0 is not in the range"),
    ):
        result = run("evaluate", GOLDEN / "game.gin", *arguments)
        assert result.exit_code != 0
        assert words in result.output
    assert "cannot be read" in run("evaluate", GOLDEN / "none.gin", "--ply", "0").output


def test_fit_belief_writes_weights_and_measures_them(tmp_path: Path) -> None:
    arguments = ("fit-belief", "--limit", "10", "--rounds", "150", "--steps", "12", "--seed", "3", "--out", tmp_path)
    found = facts(*arguments)
    assert found["brier"] < found["uniform"]  # type: ignore[operator]
    assert sum(row[0] for row in found["calibration"]) > 1000  # type: ignore[attr-defined]
    for family in range(2):
        model = Model.from_json((tmp_path / f"belief-10-{family}.json").read_text(encoding="utf-8"))
        assert len(model.weights) == beliefs.WEIGHTS
        assert np.isfinite(model.weights).all()
        assert dict(model.provenance)["command"].startswith("gin-tutor fit-belief --limit 10 --rounds 150")
    assert "cannot be written" in run(*arguments[:-1], tmp_path / "nowhere").output


def test_bench_measures_speed() -> None:
    found = facts("bench")
    speed = found["speed"]
    assert isinstance(speed, dict)
    assert all(value > 0 for value in speed.values())
    assert "Playouts of the tuned policy" in run("bench").stdout


def test_a_budget_turns_into_worlds() -> None:
    """With a clock that counts calls as seconds the figure is exact: two looks at it, a second apart."""
    ticks = iter(range(100))
    assert worlds_for(10_000, lambda: float(next(ticks))) == min(MOST, int(400 * 10_000 / (1000 / 3)))
    assert worlds_for(1e-6, lambda: float(next(ticks))) == LEAST
    with pytest.raises(ValueError, match="some time"):
        worlds_for(0, lambda: 0.0)


def test_cpu_ms_is_for_expert_and_in_bounds() -> None:
    assert "are for Expert" in run("play-stdio", "--player", "Steady", "--cpu-ms", "20").output
    assert "1 to 60000" in run("play-stdio", "--player", "Expert", "--cpu-ms", "0").output
    result = run("play-stdio", "--player", "Expert", "--cpu-ms", "5", "--seed", "s")
    assert result.exit_code == 0
    assert run("play-stdio", "--player", "Expert", "--worlds", "64", "--seed", "s").exit_code == 0
    assert json.loads(result.stdout.splitlines()[0])["player"] == "Expert"
