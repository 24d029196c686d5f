"""How rounds end in strong play, counted for each preset: python -m benchmarks.round_odds --rounds 200000

Sharp, the tuned policy, plays itself. Writes tutor/engine/data/odds, one file for each shape of a round; the presets
that differ only in the game around it share a file.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from tutor.engine import odds_files
from tutor.engine.standings import count_strong_play
from tutor.game.rules import preset

FOLDER = Path(odds_files.__file__).parent / "data" / "odds"


def main() -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    command = f"python -m benchmarks.round_odds --rounds {options.rounds} --seed {options.seed}"
    for name in odds_files.SHIPPED.values():
        counts = count_strong_play(preset(name), rounds=options.rounds, seed=options.seed)
        counts = replace(counts, source=replace(counts.source, rules=name, command=command))
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
