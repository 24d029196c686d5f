"""From text to places and tokens; errors that name line and column."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

VERSION = 1
MAX_CHARACTERS = 2_000_000
"""Longest record that is read. A game of twenty rounds has about 40,000 characters."""
MAX_DEPTH = 20
"""How deep side lines may be nested."""


class RecordError(ValueError):
    """A record that cannot be read: where (line and column from 1), what was found, what was expected."""

    def __init__(self, line: int, column: int, found: str, expected: str) -> None:
        super().__init__(f"line {line}, column {column}: found {found}; expected {expected}")
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the moves part: its kind, its text and where it starts and ends."""

    kind: str
    text: str
    start: int
    end: int


_TOKEN = re.compile(
    r"""
    (?P<blank>\s+)
  | (?P<comment>\{)
  | (?P<number>\d+\.(?=\s|$))
  | (?P<glyph>[!?]{1,2}(?=[\s,){}(]|$))
  | (?P<mark>[(),:/])
  | (?P<word>[^\s(){},:/!?]+)
    """,
    re.VERBOSE,
)
_WORD = re.compile(r"[ \t]*(\S{1,60})")
_COMMENT = re.compile(r"\{(?:[^{}\\]|\\.)*+\}", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u\(([0-9A-Fa-f]{1,6})\)|(.))", re.DOTALL)


class Source:
    """The text of a record, with positions turned into lines and columns."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.line_starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def error(self, start: int, expected: str, found: str | None = None) -> RecordError:
        """An error at a place of the text; what was found is read there unless it is given."""
        line = bisect_right(self.line_starts, start)
        column = start - self.line_starts[line - 1] + 1
        return RecordError(line, column, self._quoted(start) if found is None else found, expected)

    def quoted(self, start: int, end: int) -> str:
        """A piece of the text as an error shows it."""
        piece = " ".join(self.text[start:end].split())
        shown = piece if len(piece) <= 40 else piece[:39] + "…"
        return '"' + "".join(c if c.isprintable() else f"\\u({ord(c):x})" for c in shown) + '"'

    def _quoted(self, start: int) -> str:
        if start >= len(self.text):
            return "the end of the record"
        word = _WORD.match(self.text, start)
        return "the end of the line" if word is None else self.quoted(word.start(1), word.end(1))

    def token(self, start: int) -> Token | None:
        """The next token at or after ``start``; None at the end of the text. Comments are read whole."""
        while True:
            match = _TOKEN.match(self.text, start)
            if match is None:
                if start >= len(self.text):
                    return None
                raise self.error(start, "a move, a comment in braces or a side line in parentheses")
            kind = str(match.lastgroup)
            if kind == "blank":
                start = match.end()
                continue
            if kind == "comment":
                return self._comment(start)
            return Token(kind, match.group(), start, match.end())

    def _comment(self, start: int) -> Token:
        match = _COMMENT.match(self.text, start)
        if match is None:
            raise self.error(start, r'a comment that ends with "}" (braces inside are \{ and \})', "an open comment")
        return Token("comment", self.unescaped(start + 1, match.end() - 1), start, match.end())

    def unescaped(self, start: int, end: int) -> str:
        """The meaning of a piece with backslash escapes."""
        pieces = []
        place = start
        for match in _ESCAPE.finditer(self.text, start, end):
            pieces.append(self.text[place : match.start()])
            pieces.append(self._escaped(match))
            place = match.end()
        pieces.append(self.text[place:end])
        if pieces[-1].endswith("\\"):
            raise self.error(end - 1, "a character after the backslash")
        return "".join(pieces)

    def _escaped(self, match: re.Match[str]) -> str:
        code, plain = match.groups()
        if code is not None:
            number = int(code, 16)
            if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
                raise self.error(match.start(), "the number of a character", self.quoted(match.start(), match.end()))
            return chr(number)
        if plain in ("n", "\\", "{", "}", " "):
            return "\n" if plain == "n" else str(plain)
        raise self.error(match.start(), r"\n, \\, \{, \} or \u(number)", self.quoted(match.start(), match.end()))


def escaped(text: str, *, one_line: bool) -> str:
    """The text as it is written in a header (``one_line``) or a comment; read back by ``unescaped``.

    Raises ValueError for half of a surrogate pair, which no file can hold.
    """
    special = "\\" if one_line else "\\{}"
    pieces = []
    for character in text:
        if 0xD800 <= ord(character) <= 0xDFFF:
            raise ValueError("a text with a broken character cannot be written")
        if character in special:
            pieces.append("\\" + character)
        elif character == "\n":
            pieces.append("\\n" if one_line else "\n")
        elif character == " " or (character.isprintable() and not character.isspace()):
            pieces.append(character)
        else:
            pieces.append(f"\\u({ord(character):x})")
    written = "".join(pieces)
    if not one_line:
        return written
    core = written.strip(" ")
    head = "\\ " * (len(written) - len(written.lstrip(" ")))
    tail = "\\ " * (len(written) - len(written.rstrip(" "))) if core else ""
    return head + core + tail
