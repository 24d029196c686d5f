"""The players before the same decisions: python -m benchmarks.same_positions --decisions 1000 --seed 1

Decisions come in equal parts from games of each player against Sharp (``benchmarks.coach``), one in four taken; at each
of them every player is asked what it would do. So the steps between two players are differences on the same cards, and
their intervals are much narrower than those of players that meet different hands. Rounds are the clusters.
"""

from __future__ import annotations

import argparse
import math
from itertools import pairwise

import numpy as np

from benchmarks.coach import decisions, seed_at
from tutor.engine.evaluator import measure
from tutor.engine.players import PLAYERS
from tutor.game.actions import Phase
from tutor.game.view import View
from tutor.teaching.coach import look, named, point_of
from tutor.teaching.verdict import judge, worth_of_loss

WORLDS = 16_000
EACH = 4
Row = tuple[tuple[str, int, int], list[float]]


def losses(view: View, seed: int) -> list[float] | None:
    """The loss of what each player does here, in points at level score; None where nothing is to be decided."""
    seen, point = look(view), point_of(view.public.rules)
    if view.public.phase is Phase.LAY_OFF or not judge(seen, seen.best.action, point=point).counts:
        return None
    chosen = [named(view, player.choose(view, seed)) for player in PLAYERS.values()]
    seen = measure(seen, (*dict.fromkeys(chosen), seen.best.action), WORLDS)
    return [max(0.0, worth_of_loss(seen.line(action), point)[0]) for action in chosen]


def rows(name: str, wanted: int, seed: int) -> list[Row]:
    """So many decisions of a player's games, with every player's loss there."""
    found: list[Row] = []
    number = 0
    while True:
        for count, ply, view, _ in decisions(name, seed, number):
            if seed_at(seed, name, number, count, ply) % EACH == 0:
                told = losses(view, seed_at(seed, number, count, ply))
                if told is not None:
                    found.append(((name, number, count), told))
            if len(found) == wanted:
                return found
        number += 1


def mean_of(values: list[tuple[tuple[str, int, int], float]]) -> tuple[float, float]:
    """The mean and half its 95% interval, rounds as clusters."""
    rounds: dict[tuple[str, int, int], list[float]] = {}
    for place, value in values:
        rounds.setdefault(place, []).append(value)
    totals = np.array([sum(one) for one in rounds.values()])
    counts = np.array([len(one) for one in rounds.values()])
    mean = totals.sum() / counts.sum()
    off = totals - mean * counts
    return float(mean), float(1.96 * math.sqrt(len(off) / (len(off) - 1) * (off @ off)) / counts.sum())


def main() -> None:
    """Print a row a player, then the steps."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--decisions", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = [row for name in PLAYERS for row in rows(name, options.decisions // len(PLAYERS), options.seed)]
    for place, name in enumerate(PLAYERS):
        mean, half = mean_of([(where, told[place]) for where, told in found])
        print(f"{name:7} {mean:.2f} ± {half:.2f} points a decision, {len(found)} decisions", flush=True)
    names = list(PLAYERS)
    for weak, strong in pairwise(range(len(names))):
        mean, half = mean_of([(where, told[weak] - told[strong]) for where, told in found])
        print(f"{names[weak]} less {names[strong]}: {mean:.2f} ± {half:.2f}", flush=True)


if __name__ == "__main__":
    main()
