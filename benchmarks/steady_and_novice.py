"""How much Steady gains on Novice a round, in mirrored pairs: python benchmarks/steady_and_novice.py --pairs 10000"""

from __future__ import annotations

import argparse
import hashlib
import math
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from tutor.engine.arena import play_out
from tutor.engine.players import Novice, Steady
from tutor.game.actions import Seat
from tutor.game.fair import fair_deal
from tutor.game.round import Round
from tutor.game.rules import preset

Counts = Counter[str]


def pair(task: tuple[str, int]) -> tuple[float, Counts]:
    """Points a round that Steady (South) gains over one deal from both sides, and how the rounds ended."""
    rules_name, number = task
    rules = preset(rules_name)
    seed = hashlib.sha256(f"steady and novice {number}".encode()).digest()
    gain = 0
    endings: Counts = Counter()
    for dealer in Seat:
        end = play_out(Round.start(rules, fair_deal(seed, dealer)), (Steady(), Novice()), seed=number)
        assert end.result is not None
        score = end.result.score(rules)
        if score.winner is not None:
            gain += score.points if score.winner is Seat.SOUTH else -score.points
        who = "nobody" if score.winner is None else ("Steady", "Novice")[score.winner]
        endings[f"{end.result.outcome().value}, won by {who}"] += 1
    return gain / 2, endings


def main() -> None:
    """Play the pairs and print the mean with its interval."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--rules", default="EAAI")
    options = parser.parse_args()
    gains = []
    endings: Counts = Counter()
    with ProcessPoolExecutor() as pool:
        tasks = ((options.rules, number) for number in range(options.pairs))
        for gain, counts in pool.map(pair, tasks, chunksize=20):
            gains.append(gain)
            endings.update(counts)
    mean = sum(gains) / len(gains)
    error = math.sqrt(sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1) / len(gains))
    print(f"{options.rules}, {options.pairs} pairs: Steady {mean:+.2f} ± {1.96 * error:.2f} points a round")
    for ending, count in endings.most_common():
        print(f"  {ending}: {count / (2 * len(gains)):.1%}")


if __name__ == "__main__":
    main()
