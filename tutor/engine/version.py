"""Which engine made a figure: a text that changes whenever the code or the data that evaluate a view change."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_ASIDE = frozenset({"arena.py", "budget.py", "duel.py", "fitting.py", "strength.py", "version.py", "warming.py"})
"""Modules beside the evaluator: they play, measure or warm up, and change no figure."""


@cache
def engine_version() -> str:
    """16 hex digits over the evaluator's sources, the compiled kernel's and the data they use.

    What was stored by another version is computed anew.
    """
    folder = Path(__file__).parent
    parts = [path for path in folder.glob("*.py") if path.name not in _ASIDE]
    parts += [*folder.glob("kernel/*.py"), *folder.glob("data/**/*.json")]
    return digest_of(folder, parts)


def digest_of(folder: Path, parts: Iterable[Path]) -> str:
    """16 hex digits over files in a folder: their places in it and their contents."""
    digest = hashlib.sha256()
    for path in sorted(parts):
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]
