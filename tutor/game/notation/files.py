"""Record files: read and written whole."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tutor.game.notation.reader import loads
from tutor.game.notation.scanner import MAX_CHARACTERS, RecordError
from tutor.game.notation.writer import dumps
from tutor.game.record import Record


def load(path: str | Path) -> Record:
    """Read a record file (UTF-8). Raises RecordError for its contents, OSError for the file."""
    with Path(path).open("rb") as file:
        raw = file.read(4 * MAX_CHARACTERS + 1)
    if len(raw) > 4 * MAX_CHARACTERS:
        raise RecordError(1, 1, "a very large file", f"a record of at most {MAX_CHARACTERS} characters")
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        begin = raw.rfind(b"\n", 0, error.start) + 1
        column = len(raw[begin : error.start].decode("utf-8", errors="replace")) + 1
        raise RecordError(line, column, f"the byte {raw[error.start]:#04x}", "text in UTF-8") from None
    return loads(text)


def dump(record: Record, path: str | Path) -> None:
    """Write a record file (UTF-8): the old file stays until the new one is whole."""
    path = Path(path)
    text = dumps(record)
    fresh = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with fresh.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        if path.exists():
            shutil.copymode(path, fresh)
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
