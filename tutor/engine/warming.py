"""Compiled code made ready: once by a process of its own, which fills the cache; then loaded by whoever plays.

``python -m tutor.engine.warming`` fills the cache. Importing this module compiles and loads nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, cast

from tutor.game.actions import Seat
from tutor.game.fair import fair_deal
from tutor.game.round import Round
from tutor.game.rules import preset
from tutor.game.view import View

Report = Callable[[str], None]

NICE = 10
"""How much a process that compiles for a server stands back."""
_RULES = "Casual"


def warm(report: Report = lambda _: None) -> None:
    """Call every driver that players and evaluator use, with the types they use: compiled, or loaded from the cache.

    The driver that only fits beliefs is left out. ``report`` is told each step when it is done. Raises ImportError
    where numba is missing or broken, OSError where the cache's folder cannot be written.
    """
    _need_folder()
    report("numba")
    from tutor.engine.decide import decide
    from tutor.engine.evaluator import evaluate

    view = _first_view()
    decide(view, "sharp", 0)
    report("playout")
    evaluate(view, worlds=1, seed=0)
    report("belief and equity")


def is_warm() -> bool:
    """Whether compiled code has been loaded in this process."""
    playout, beliefs = (sys.modules.get(f"tutor.engine.kernel.{name}") for name in ("playout", "beliefs"))
    return bool(playout and playout.play_all.signatures and beliefs and beliefs.sample_hands.signatures)


def is_complete() -> bool:
    """Whether the cache holds all that ``warm`` would compile. Raises ImportError where numba is missing or broken."""
    marker = marker_file()
    try:
        sizes = json.loads(marker.read_text(encoding="utf-8"))
        return all((marker.parent / name).stat().st_size == size for name, size in sizes.items()) and bool(sizes)
    except (OSError, ValueError, AttributeError):
        return False


def marker_file() -> Path:
    """The file that says the cache is complete for these sources, where they lie, and for this processor.

    numba keeps code apart by all of these: a checkout made anew or another machine has a marker of its own. Raises
    ImportError where numba is missing or broken.
    """
    import llvmlite.binding as llvm

    from tutor.engine.kernel import cache

    digest = hashlib.sha256(f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}".encode())
    for source in sorted(Path(cache.__file__).parent.glob("*.py")):
        state = source.stat()
        digest.update(f"{source.resolve()} {state.st_mtime_ns} {state.st_size}\n".encode())
    return cache.use_cache_folder() / f"complete-{digest.hexdigest()[:16]}.json"


def fill(report: Report = lambda _: None) -> None:
    """Fill the cache and mark it as complete. Others that fill the same folder meanwhile wait, then have it done.

    Raises as ``warm``.
    """
    folder = _need_folder()
    with (folder / "filling.lock").open("wb") as lock:
        _lock(lock)
        if is_complete():
            report("complete already")
            return
        warm(report)
        _mark(folder)
        report("complete")


def why(error: BaseException) -> str:
    """In words, what keeps compiled code from running."""
    if isinstance(error, ImportError):
        return f"the compiler (numba) is missing or broken: {error}"
    if isinstance(error, OSError):
        place = f" in {error.filename}" if error.filename else ""
        return (
            f"compiled code cannot be kept{place} ({error.strerror or error}). "
            "Set GIN_TUTOR_CACHE_DIR to a folder that can be written"
        )
    return f"compiling failed: {type(error).__name__}: {error}"


def _first_view() -> View:
    """A view in which every driver has work: the first decision of a hand, more than one action."""
    round_ = Round.start(preset(_RULES), fair_deal(bytes(32), Seat.NORTH))
    return round_.view(Seat.SOUTH)


def _need_folder() -> Path:
    """The cache's folder, made and tried: where it cannot be written, numba would keep code beside the sources."""
    from tutor.engine.kernel import cache

    folder = cache.use_cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    tempfile.TemporaryFile(dir=folder).close()
    return folder


def _lock(file: BinaryIO) -> None:
    """Wait until no other process fills this cache. The lock ends with the process that holds it."""
    # Where there are no such locks two processes may compile the same; numba replaces files whole, so that is no harm.
    with suppress(ImportError):
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)


def _mark(folder: Path) -> None:
    """Write the marker in one step, with the files it vouches for."""
    from tutor.engine.kernel import playout

    marker, driver = marker_file(), cast(Any, playout.play_all)
    files = Path(driver.stats.cache_path).glob("*.nb[ic]")
    sizes = {str(path.relative_to(folder)): path.stat().st_size for path in files}
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8") as file:
        json.dump(sizes, file)
    Path(file.name).replace(marker)


def _end_with_parent() -> None:
    """End as soon as standard input does: whoever started this process holds the other end, and is gone."""

    def watch() -> None:
        # Not by sys.stdin: Python could not shut down while a thread holds its buffer.
        while os.read(0, 1024):
            pass
        os._exit(3)

    threading.Thread(target=watch, daemon=True).start()


def main(arguments: list[str]) -> int:
    """Fill the cache; with ``--for-server`` stand back, end with standard input, and say only why it failed."""
    quiet = "--for-server" in arguments
    if quiet:
        _end_with_parent()
        if hasattr(os, "nice"):
            os.nice(NICE)
    try:
        fill((lambda _: None) if quiet else print)
    except Exception as error:
        print(why(error))
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
