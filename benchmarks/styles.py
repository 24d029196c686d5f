"""Count the habits of the styles, for data/styles.json: python -m benchmarks.styles --rounds 4000 --seed 1"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tutor.engine import fitting
from tutor.engine.fitting import counted_habits


def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    told = counted_habits(rounds=options.rounds, seed=options.seed)
    command = f"python -m benchmarks.styles --rounds {options.rounds} --seed {options.seed}"
    path = Path(fitting.__file__).parent / "data" / "styles.json"
    path.write_text(json.dumps({"command": command} | told) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
