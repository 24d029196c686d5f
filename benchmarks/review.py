"""How long the review of a hand takes with two threads, and how much processor time it needs.

    python -m benchmarks.review --hands 6

Hands of Casual against Steady under Standard rules. On two idle cores the wall time is little over half the other.
"""

from __future__ import annotations

import argparse
import time
from concurrent.futures import ThreadPoolExecutor

from tutor.engine.arena import play_round
from tutor.engine.players import PLAYERS
from tutor.game.actions import Seat
from tutor.game.fair import fair_deal
from tutor.game.result import LEVEL
from tutor.game.rules import preset
from tutor.teaching.hand import OwnHand
from tutor.teaching.moments import decisions
from tutor.teaching.review import review_hand


def played(number: int) -> OwnHand:
    """A hand of Casual's."""
    deal = fair_deal(f"review {number}".encode().rjust(32, b"."), Seat(number % 2))
    rules = preset("Standard")
    record = play_round(rules, deal, (PLAYERS["Casual"], PLAYERS["Steady"]), seed=number)
    return decisions(record, rules, LEVEL, Seat.SOUTH)


def main() -> None:
    """Print a row a hand, and seconds for twenty own actions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=6)
    options = parser.parse_args()
    review_hand(played(0))
    walls = spent = actions = 0.0
    with ThreadPoolExecutor(1) as pool:
        for number in range(1, options.hands + 1):
            hand = played(number)
            begin, busy = time.perf_counter(), time.process_time()
            review = review_hand(hand, pool=pool)
            wall, cpu = time.perf_counter() - begin, time.process_time() - busy
            own = len(review.decisions)
            print(f"{own:3} own actions, {len(review.counted):3} decisions: {wall:5.1f} s, processor {cpu:5.1f} s")
            walls, spent, actions = walls + wall, spent + cpu, actions + own
    print(f"twenty own actions: {20 * walls / actions:.1f} s, processor {20 * spent / actions:.1f} s")


if __name__ == "__main__":
    main()
