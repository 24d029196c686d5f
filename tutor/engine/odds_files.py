"""Odds that are kept in files: shipped for the presets, measured on demand for other rules."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path

from tutor.engine.odds import OddsError, RoundCounts, RoundOdds, shape_of, shape_texts
from tutor.game.rules import PRESETS, RuleSet

Measure = Callable[[RuleSet], RoundCounts]
"""Plays rounds under these rules and counts their results."""

SHIPPED: dict[RuleSet, str] = {}
"""The shapes of the presets, each with the first preset that has it and names its file."""
for _name, _rules in PRESETS.items():
    SHIPPED.setdefault(shape_of(_rules), _name)


class NoOdds(LookupError):
    """Nobody has measured these rules yet."""


@cache
def shipped_counts(name: str) -> RoundCounts:
    """The counts that come with the program, by a name from ``SHIPPED``. Raises OddsError for a damaged file."""
    path = files("tutor.engine") / "data" / "odds" / f"{name.lower()}.json"
    return RoundCounts.from_json(path.read_text(encoding="utf-8"))


_MEASURED: dict[tuple[RuleSet, Path | None], RoundCounts] = {}


def counts_for(rules: RuleSet, measure: Measure | None = None, folder: Path | None = None) -> RoundCounts:
    """The counts that belong to these rules: shipped, remembered, kept in ``folder``, or measured now.

    What is measured is remembered while the program runs, and kept in ``folder`` when one is given; a damaged file
    there is measured again. Raises NoOdds when nothing is known and there is no ``measure``, OddsError when
    ``measure`` counted other rules. A folder that cannot be written keeps nothing.
    """
    shape = shape_of(rules)
    if shape in SHIPPED:
        return shipped_counts(SHIPPED[shape])
    key = (shape, folder)
    if key not in _MEASURED:
        kept = None if folder is None else _read(folder / file_name(rules), shape)
        if kept is None:
            if measure is None:
                raise NoOdds("nobody has measured rounds under these rules yet")
            kept = measure(rules)
            if kept.shape != shape:
                raise OddsError("these counts belong to other rules")
            if folder is not None:
                # Keeping it is a convenience: the counts are there, whatever the disk says.
                with suppress(OSError):
                    _write(folder / file_name(rules), kept.to_json())
        _MEASURED[key] = kept
    return _MEASURED[key]


def odds_for(rules: RuleSet, measure: Measure | None = None, folder: Path | None = None) -> RoundOdds:
    """The odds of a round under these rules; see ``counts_for``."""
    return counts_for(rules, measure, folder).odds()


def file_name(rules: RuleSet) -> str:
    """The name of the file that keeps the counts of these rules: a hash of the knobs that shape a round."""
    texts = ";".join(f"{knob}={text}" for knob, text in shape_texts(rules).items())
    return f"odds-{hashlib.sha256(texts.encode()).hexdigest()[:16]}.json"


def _read(path: Path, shape: RuleSet) -> RoundCounts | None:
    """The counts a file keeps; None when there is none, or it is damaged or belongs to other rules."""
    try:
        counts = RoundCounts.from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return counts if counts.shape == shape else None


def _write(path: Path, text: str) -> None:
    """Replace a file at once: a reader sees the old text or the new, also when the power fails in between."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".new")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
