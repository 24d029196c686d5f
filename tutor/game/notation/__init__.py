"""The record notation (.gin): plain text that a person can read, type and compare. See docs/NOTATION.md."""

from tutor.game.notation.files import dump, load
from tutor.game.notation.reader import loads
from tutor.game.notation.scanner import RecordError
from tutor.game.notation.writer import dumps

__all__ = ["RecordError", "dump", "dumps", "load", "loads"]
