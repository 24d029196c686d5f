"""The shape of the house: small files, nothing from other rooms."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TUTOR = Path(__file__).parents[1] / "tutor"
FILES = sorted(TUTOR.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TUTOR)))
def test_a_file_holds_one_idea(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 450


@pytest.mark.parametrize("path", [path for path in FILES if "game" in path.parts], ids=lambda path: path.stem)
def test_the_game_uses_no_clock_and_no_shared_randomness(path: Path) -> None:
    imported = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            imported.add(node.module or "")
    assert not imported & {"time", "datetime", "random", "secrets", "uuid"}
