"""Finished pairs of a duel in a file, so that a long measurement can be stopped and taken up again.

JSON lines: a header that says what is measured, then one pair a line in the order they were finished.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import fields, is_dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tutor.cli.base import Problem
from tutor.engine.duel import Duel, DuelError, PairResult
from tutor.engine.players import Player

FORMAT = 1
"""Version of the file format; another one is refused."""

Keep = Callable[[PairResult], None]
"""Adds a finished pair to the file, at once."""


def header(duel: Duel) -> dict[str, Any]:
    """What a file says of its duel; pairs of another header do not belong together."""
    return {
        "gin_tutor_pairs": FORMAT,
        "program": version("gin-tutor"),
        "players": [_described(player) for player in duel.players],
        "rules": duel.rules.preset,
        "kind": duel.kind.value,
        "seed": duel.seed,
    }


def _described(player: Player) -> dict[str, Any]:
    """A player's name and the knobs it was made with."""
    knobs: dict[str, str] = {}
    if is_dataclass(player):
        knobs = {knob.name: str(getattr(player, knob.name)) for knob in fields(player)}
    return {"name": player.name} | {name: value for name, value in knobs.items() if name not in ("name", "policy")}


def seed_in(path: Path) -> str | None:
    """The seed of a file of pairs that was begun before; None when there is none to be read."""
    lines, _ = _whole_lines(path)
    facts = _object(lines[0]) if lines else None
    seed = None if facts is None else facts.get("seed")
    return seed if isinstance(seed, str) else None


@contextmanager
def pairs_kept(path: Path, duel: Duel) -> Iterator[tuple[dict[int, PairResult], Keep]]:
    """The pairs a file has, by number, and the way to add to it. An unfinished last line is dropped.

    Problem for a file of another duel, for lines that are no pairs, and where the file cannot be used.
    """
    lines, end = _whole_lines(path)
    if lines:
        _check_header(path, lines[0], header(duel))
    elif not json.dumps(header(duel)).startswith(_text(path)):
        raise _no_pairs(path)
    pairs = _read(path, lines[1:])
    with ExitStack() as stack:
        try:
            file = stack.enter_context(path.open("r+b" if path.exists() else "w+b"))
            file.truncate(end)
            file.seek(end)
        except OSError as error:
            raise _unwritable(path, error) from None

        def write(facts: dict[str, Any]) -> None:
            try:
                file.write(json.dumps(facts).encode() + b"\n")
                file.flush()
            except OSError as error:
                raise _unwritable(path, error) from None

        if not lines:
            write(header(duel))
        yield pairs, lambda pair: write(pair.facts())


def _unwritable(path: Path, error: OSError) -> Problem:
    return Problem(f"{path}: cannot be written ({error.strerror})")


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="replace") if path.exists() else ""
    except OSError as error:
        raise Problem(f"{path}: cannot be read ({error.strerror})") from None


def _whole_lines(path: Path) -> tuple[list[bytes], int]:
    """The lines that were written to their end, and how many bytes they are."""
    _text(path)
    data = path.read_bytes() if path.exists() else b""
    end = data.rfind(b"\n") + 1
    return data[:end].splitlines(), end


def _object(line: bytes) -> dict[str, Any] | None:
    try:
        facts = json.loads(line)
    except ValueError:
        return None
    return facts if isinstance(facts, dict) else None


def _no_pairs(path: Path) -> Problem:
    return Problem(f"{path} is no file of pairs: choose another name, so that nothing is lost")


def _check_header(path: Path, line: bytes, wanted: dict[str, Any]) -> None:
    facts = _object(line)
    if facts is None or "gin_tutor_pairs" not in facts:
        raise _no_pairs(path)
    for key, value in wanted.items():
        if facts.get(key) != value:
            there, here = json.dumps(facts.get(key)), json.dumps(value)
            what = "format" if key == "gin_tutor_pairs" else key
            raise Problem(
                f"{path} was begun with other settings: {what} {there} there, {here} here. "
                "Repeat those settings, or choose another file"
            )


def _read(path: Path, lines: list[bytes]) -> dict[int, PairResult]:
    pairs: dict[int, PairResult] = {}
    for place, line in enumerate(lines, start=2):
        facts = _object(line)
        try:
            if facts is None:
                raise DuelError("this is no pair of a duel")
            pair = PairResult.from_facts(facts)
            if pair.number in pairs:
                raise DuelError(f"pair {pair.number} is there twice")
        except DuelError as error:
            raise Problem(f"{path}: line {place}: {error}. Remove the line or choose another file") from None
        pairs[pair.number] = pair
    return pairs
