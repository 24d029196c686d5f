"""How far the engine is: compiled by a process of its own, then loaded into the server, which answers meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from tutor.engine import warming
from tutor.engine.players import COMPILED, PLAYERS

OFF_VARIABLE = "GIN_TUTOR_WARM_UP"
"""The environment variable that, set to ``off``, leaves the engine to load when it is first needed."""


class Stage(Enum):
    """``ON_DEMAND``: nobody warms it up, the first decision loads it."""

    ON_DEMAND = "loads when it is first needed"
    WARMING = "warming up"
    READY = "ready"
    FAILED = "not available"


@dataclass(frozen=True, slots=True)
class Engine:
    """How far the engine is, and the reason where it is not available."""

    stage: Stage
    reason: str = ""

    @property
    def words(self) -> str:
        """A line for the screen."""
        line = f"Engine: {self.stage.value}"
        if self.stage is Stage.WARMING:
            return f"{line}; {_names(strong=True)} follow soon."
        if self.stage is Stage.FAILED:
            return f"{line}: {self.reason}. {_names(strong=False)} play all the same."
        return f"{line}."

    @property
    def ready(self) -> bool:
        """Whether it can be asked now."""
        return self.stage in (Stage.READY, Stage.ON_DEMAND)

    def can_play(self, opponent: str) -> bool:
        """Whether this opponent can decide now."""
        return opponent not in COMPILED or self.ready

    def refuses(self, opponent: str) -> bool:
        """Whether this opponent cannot play here, and waiting will not help."""
        return self.stage is Stage.FAILED and not self.can_play(opponent)

    def waiting(self, opponent: str) -> str:
        """What a table says while it waits for this opponent; empty when it can play."""
        if self.can_play(opponent):
            return ""
        if self.stage is Stage.WARMING:
            return f"{opponent} is warming up and plays in a moment. Your game is kept."
        return f"{opponent} cannot play here now; the line below says why. Your game is kept."


def _names(*, strong: bool) -> str:
    *others, last = (name for name in PLAYERS if (name in COMPILED) is strong)
    return f"{', '.join(others)} and {last}"


class WarmUp:
    """Brings the engine from nothing to ready, in a thread and, where the cache is not complete, a process."""

    def __init__(self) -> None:
        self._engine = Engine(Stage.ON_DEMAND)
        self._process: subprocess.Popen[str] | None = None
        self._stopped = False
        self._lock = threading.Lock()

    @property
    def engine(self) -> Engine:
        """How far it is."""
        return self._engine

    def start(self) -> threading.Thread:
        """Begin, in a thread that is returned."""
        self._engine = Engine(Stage.WARMING)
        thread = threading.Thread(target=self._run, name="warm-up", daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        """End the process that compiles, if there is one."""
        with self._lock:
            self._stopped = True
            if self._process is not None:
                self._process.kill()

    def _run(self) -> None:
        try:
            reason = "" if warming.is_complete() else self._compile()
            if not reason:
                warming.warm()
        except Exception as error:
            reason = warming.why(error)
        self._engine = Engine(Stage.FAILED, reason) if reason else Engine(Stage.READY)

    def _compile(self) -> str:
        """Let a process fill the cache; empty, or why it could not."""
        with self._lock:
            if self._stopped:
                return "the server is being stopped"
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "tutor.engine.warming", "--for-server"],
                env=os.environ | {"PYTHONPATH": _search_path()},
                # It ends when this pipe does, so also when the server is killed.
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        with self._process as process:
            assert process.stdout is not None
            said = process.stdout.read().strip()
            code = process.wait()
        return "" if code == 0 else said or f"compiling ended with code {code}"


def _search_path() -> str:
    """Where the process finds this package: where it was found here, before all else."""
    here = str(Path(__file__).parents[2])
    before = os.environ.get("PYTHONPATH")
    return os.pathsep.join([here, before]) if before else here


_HERE = WarmUp()


def engine() -> Engine:
    """How far the engine of this server is."""
    return _HERE.engine


def start() -> Callable[[], None]:
    """Warm this server's engine up, unless the environment says not to; what ends it is returned."""
    if os.environ.get(OFF_VARIABLE) != "off":
        _HERE.start()
    return _HERE.stop
