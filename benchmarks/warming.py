"""Compiled code and the server: python -m benchmarks.warming. Figures go to docs/PERFORMANCE.md.

A cold compile beside the server, the time to Expert's first decision with a full cache, and the memory the engine
takes. Run it on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from benchmarks.app import memory
from tests.e2e.conftest import Server

FOLDER = "GIN_TUTOR_CACHE_DIR"
WATCH = """
import json, os, threading, time
from pathlib import Path
from tutor.app import warmup, work
from tutor.app.warmup import Stage
from tutor.engine.players import PLAYERS
from tutor.game.actions import Seat
from tutor.game.fair import fair_deal
from tutor.game.round import Round
from tutor.game.rules import preset

begin = warmup.start

def watch(began):
    while warmup.engine().stage is Stage.WARMING:
        time.sleep(0.002)
    ready = time.time()
    view = Round.start(preset("Casual"), fair_deal(bytes(32), Seat.NORTH)).view(Seat.SOUTH)
    work.opponent_chooses(PLAYERS["Expert"], view, 0)
    told = {"began": began, "ready": ready, "decided": time.time(), "stage": warmup.engine().stage.name}
    Path("told.part").write_text(json.dumps(told))
    os.replace("told.part", "told.json")

def start():
    began = time.time()
    stop = begin()
    threading.Thread(target=watch, args=(began,), daemon=True).start()
    return stop

warmup.start = start
"""
"""A server that notes when its warm-up began, when the engine was ready and when Expert had decided once."""


def cold(folder: Path) -> tuple[float, float]:
    """Seconds of processor and of clock that filling an empty cache takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "tutor.engine.warming"],
        env=os.environ | {FOLDER: str(folder)},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, time.perf_counter() - began


def served(cache: Path) -> tuple[float, float, float, float]:
    """From the server's process, and from its warm-up, to Expert's first decision, s; resident MB with and without."""
    with tempfile.TemporaryDirectory() as name:
        began = time.time()
        server = Server(Path(name), before=WATCH, GIN_TUTOR_WARM_UP="on", **{FOLDER: str(cache)})
        told = Path(name, "told.json")
        while not told.exists():
            time.sleep(0.05)
        facts = json.loads(told.read_text(encoding="utf-8"))
        assert facts["stage"] == "READY", facts
        loaded = memory(server.process.pid)
        server.kill()
    with tempfile.TemporaryDirectory() as name:
        server = Server(Path(name))
        time.sleep(1)
        bare = memory(server.process.pid)
        server.kill()
    return facts["decided"] - began, facts["decided"] - facts["began"], loaded, bare


def main() -> None:
    """Print a row for each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        used, clock = cold(Path(name))
        print(f"cold compile in a process of its own: {used:.1f} s of processor, {clock:.1f} s of clock")
        runs = [served(Path(name)) for _ in range(options.times)]
    process, warm_up, loaded, bare = (median(column) for column in zip(*runs, strict=True))
    longest = max(run[1] for run in runs)
    print(f"full cache, warm-up to Expert's first decision: median {warm_up:.2f} s, longest {longest:.2f} s")
    print(f"the same from the start of the server's process: median {process:.2f} s")
    print(f"memory of the server: {loaded:.0f} MB with the engine, {bare:.0f} MB without: {loaded - bare:.0f} MB more")


if __name__ == "__main__":
    main()
