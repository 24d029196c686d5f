"""How rounds end in strong play, counted for each preset: python -m benchmarks.round_odds --rounds 3000

Writes tutor/engine/data/odds, one file for each shape of a round; the presets that differ only in the game around it
share a file.
"""

from __future__ import annotations

import argparse
import hashlib
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tutor.engine import odds_files
from tutor.engine.arena import play_out
from tutor.engine.odds import Source, count_results
from tutor.engine.players import Steady
from tutor.game.actions import Seat
from tutor.game.fair import fair_deal
from tutor.game.result import Result
from tutor.game.round import Round
from tutor.game.rules import preset

FOLDER = Path(odds_files.__file__).parent / "data" / "odds"


def play(task: tuple[str, int, int]) -> tuple[Seat, Result]:
    """One round of Steady against itself: who dealt, and how it ended."""
    name, seed, number = task
    dealer = Seat(number % 2)
    deal = fair_deal(hashlib.sha256(f"round odds {seed} {number}".encode()).digest(), dealer)
    result = play_out(Round.start(preset(name), deal), (Steady(), Steady()), seed=number).result
    assert result is not None
    return dealer, result


def main() -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    command = f"python -m benchmarks.round_odds --rounds {options.rounds} --seed {options.seed}"
    with ProcessPoolExecutor(options.processes) as pool:
        for name in odds_files.SHIPPED.values():
            tasks = [(name, options.seed, number) for number in range(options.rounds)]
            source = Source(name, "Steady against Steady", options.seed, command)
            counts = count_results(preset(name), pool.map(play, tasks, chunksize=25), source)
            (FOLDER / f"{name.lower()}.json").write_text(counts.to_json(), encoding="utf-8")
            odds = counts.odds()
            points = range(odds.most_points + 1)
            gain = float((odds.dealer - odds.non_dealer) @ points)
            worth = float((odds.dealer + odds.non_dealer) @ points) / (1 - odds.uncounted)
            print(
                f"| {name} | {counts.rounds} | {odds.dealer.sum():.1%} | {odds.non_dealer.sum():.1%} "
                f"| {odds.uncounted:.1%} | {worth:.1f} | {gain:+.2f} | {odds.most_points} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
