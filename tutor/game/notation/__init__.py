"""The record notation (.gin): plain text that a person can read, type and compare. See docs/NOTATION.md."""

from tutor.game.notation.files import dump, load
from tutor.game.notation.reader import loads
from tutor.game.notation.scanner import RecordError
from tutor.game.notation.syntax import read_action
from tutor.game.notation.writer import action_text, dumps

__all__ = ["RecordError", "action_text", "dump", "dumps", "load", "loads", "read_action"]
