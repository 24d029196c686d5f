"""Tune Sharp's parameters by the cross-entropy method against a pool: python benchmarks/tune_sharp.py"""

from __future__ import annotations

import argparse
import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from tutor.engine.deals import dealt_states, swapped
from tutor.engine.kernel import playout as kernel
from tutor.engine.kernel.policy import row
from tutor.engine.rollouts import play_on, seeds_for
from tutor.engine.states import rules_row
from tutor.game.cards import DECK
from tutor.game.rules import preset

Floats = NDArray[np.float64]

# name: start, spread
SPACE = {
    "take_least": (3.6, 1.5), "take_meld": (2.9, 1.5), "take_turn": (0.2, 0.15),
    "points_0": (0.45, 0.3), "points_1": (0.8, 0.4), "points_2": (1.0, 0.6), "points_3": (1.0, 0.8),
    "outs_0": (1.35, 0.3), "outs_1": (1.4, 0.4), "outs_2": (1.5, 0.5), "outs_3": (1.5, 0.6), "outs_low": (0.3, 0.4),
    "danger_known": (2.8, 1.5), "danger_both": (4.0, 2.0), "danger_turn": (0.0, 0.05), "safe": (0.36, 0.2),
    "knock": (4.7, 2.0), "knock_turn": (-0.7, 0.2), "knock_count": (0.26, 0.2), "knock_outs": (-1.0, 0.5),
    "knock_late": (5.0, 4.0), "knock_next": (5.0, 5.0), "last_take": (6.0, 3.0),
}  # fmt: skip


def gain(rivals: list[Floats], mine: Floats, states: NDArray[np.int64], seed: int, rules: NDArray[np.int64]) -> float:
    """Points a round over all rivals, each deal from both seats."""
    policies = np.array([mine, *rivals])
    total = 0.0
    weights = (3.0, 1.0) + (1.0,) * (len(rivals) - 2)
    for rival, weight in enumerate(weights, start=1):
        for turned in (False, True):
            rows = swapped(states) if turned else states.copy()
            rows[:, kernel.POLICY0], rows[:, kernel.POLICY1] = 0, rival
            points, _ = play_on(rows, rules, seeds_for(len(rows), seed), policies=policies)
            total += weight * points.mean()
    return total / (2 * sum(weights))


def main() -> None:
    """Search, printing the mean of the elite each generation, and the found row at the end."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--generations", type=int, default=40)
    parser.add_argument("--population", type=int, default=48)
    parser.add_argument("--deals", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", help="JSON object of parameters to start from")
    parser.add_argument("--rival", action="append", default=[], help="JSON object of a rival's parameters")
    parser.add_argument("--rules", default="EAAI")
    options = parser.parse_args()
    generator = np.random.default_rng(options.seed)
    rules = rules_row(preset(options.rules), DECK[9])
    names = list(SPACE)
    mean = np.array([SPACE[name][0] for name in names])
    spread = np.array([SPACE[name][1] for name in names])
    if options.start:
        start = json.loads(options.start)
        mean = np.array([start.get(name, value) for name, value in zip(names, mean, strict=True)])
        spread = spread / 2
    rivals = [row(take_any_meld=1), row(take_any_meld=1, knock_until=4)]
    rivals += [row(**json.loads(text)) for text in options.rival]
    rivals.append(row(**dict(zip(names, mean, strict=True))))
    with ThreadPoolExecutor(2) as pool:
        for generation in range(options.generations):
            states = dealt_states(options.deals, options.seed * 1000 + generation)
            tried = generator.normal(mean, spread, (options.population, len(names)))
            tried[0] = mean
            rows = [row(**dict(zip(names, one, strict=True))) for one in tried]
            gains = np.array(list(pool.map(lambda one: gain(rivals, one, states, generation, rules), rows)))  # noqa: B023
            elite = tried[np.argsort(gains)[-options.population // 5 :]]
            mean = 0.3 * mean + 0.7 * elite.mean(axis=0)
            spread = 0.3 * spread + 0.7 * elite.std(axis=0) + 0.002
            print(generation, f"{gains[0]:+.2f} {np.sort(gains)[-options.population // 5 :].mean():+.2f}", flush=True)
            if generation % 10 == 9:
                # Its own former self joins the pool, so that it cannot live on one kind of rival.
                rivals[-1] = row(**dict(zip(names, mean, strict=True)))
                print(json.dumps({name: round(value, 3) for name, value in zip(names, mean, strict=True)}), flush=True)
    print(json.dumps({name: round(value, 3) for name, value in zip(names, mean, strict=True)}))


if __name__ == "__main__":
    main()
