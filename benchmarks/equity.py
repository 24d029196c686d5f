"""How long values of standings take, and what they are: python -m benchmarks.equity. Figures go to docs/ENGINE.md."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from statistics import median

import numpy as np

from tutor.engine.equity import Equity
from tutor.engine.odds_files import odds_for
from tutor.game.actions import Seat
from tutor.game.result import Standing
from tutor.game.rules import PRESETS

LOOKED_UP = 300_000


def milliseconds(work: Callable[[], object], times: int = 5) -> float:
    """The median time of some runs."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        taken.append((time.perf_counter() - began) * 1000)
    return median(taken)


def main() -> None:
    """Print the rows."""
    for name, rules in PRESETS.items():
        odds = odds_for(rules)
        equity = Equity(rules, odds)
        deals = equity.chance((0, 0), (0, 0), True)
        text = f"| {name} | {milliseconds(lambda r=rules, o=odds: Equity(r, o)):.0f} ms | {deals:.1%} "  # type: ignore[misc]
        if rules.target:
            half = rules.target // 2
            ahead = [equity.chance((half, 0), (2, 0), True), equity.margin((half, 0), (2, 0), True)]
            text += f"| {ahead[0]:.1%} | {ahead[1]:+.0f} |"
        else:
            text += "| | |"
        print(text)
    standard = PRESETS["Standard"]
    odds = odds_for(standard)
    for target in (250, 500, 1000):
        print(f"target {target}: {milliseconds(lambda t=target: Equity(replace(standard, target=t), odds), 3):.0f} ms")  # type: ignore[misc]
    equity = Equity(standard, odds)
    points = np.random.default_rng(1).integers(-80, 81, LOOKED_UP)
    box = np.sign(points).astype(np.int8)
    here = Standing((20, 40), (1, 2))
    looked_up = milliseconds(lambda: equity.after(here, Seat.SOUTH, Seat.NORTH, points, box))
    print(f"after, {LOOKED_UP} rounds: {looked_up:.1f} ms")
    print(f"values to 150 points: {milliseconds(lambda: equity.values(here, Seat.SOUTH, Seat.NORTH, 150)):.2f} ms")


if __name__ == "__main__":
    main()
