"""What one look at a hand costs, against the naive solver in the same run: python benchmarks/solver.py"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from statistics import median

from tests import naive
from tests.differential.test_naive import plain
from tests.helpers import random_hand, rich_hand
from tutor.game.cards import CardSet
from tutor.game.layoffs import best_arrangement, best_defence
from tutor.game.solver import arrangements, best_discards, deadwood

HANDS = 2_000


def microseconds(work: Callable[[CardSet], object], hands: list[CardSet]) -> float:
    """Median over five passes of the mean time for a hand."""
    passes = []
    for _ in range(5):
        began = time.perf_counter()
        for hand in hands:
            work(hand)
        passes.append((time.perf_counter() - began) / len(hands) * 1e6)
    return median(passes)


def main() -> None:
    """Print a row for each question and kind of hand."""
    random_ = random.Random(1)
    print("| question | hands | µs a hand | naive solver, times as long |")
    print("|---|---|---|---|")
    for kind, make in (("random", random_hand), ("rich", rich_hand)):
        ten = [make(random_, 10) for _ in range(HANDS)]
        eleven = [make(random_, 11) for _ in range(HANDS)]
        naive_ten = microseconds(lambda hand: naive.least(plain(hand)), ten[:200])
        shown = tuple(best_arrangement(make(random_, 10)).melds for _ in range(HANDS))
        defended = dict(zip(ten, shown, strict=False))
        rows: list[tuple[str, Callable[[CardSet], object], list[CardSet]]] = [
            ("deadwood", deadwood, ten),
            ("all minimal arrangements", arrangements, ten),
            ("the proposed arrangement", best_arrangement, ten),
            ("best throw of eleven", best_discards, eleven),
            ("best defence", lambda hand: best_defence(hand, defended[hand]), ten),  # noqa: B023
        ]
        for name, work, hands in rows:
            cost = microseconds(work, hands)
            ratio = f"{naive_ten / cost:.0f}" if name == "deadwood" else ""
            print(f"| {name} | {kind} | {cost:.1f} | {ratio} |")


if __name__ == "__main__":
    main()
