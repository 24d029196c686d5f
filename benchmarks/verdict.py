"""How long the coach takes in Play: from a position shown, or from a click after a look, to the verdict with reasons.

    python -m benchmarks.verdict --hands 12

Hands of Casual against Sharp are played; at every decision of Casual the coach's desk is asked as the Play screen asks
it, on the executor's two threads. *At once* is someone who acts the moment the position is shown, *after a look*
someone who takes a second.
"""

from __future__ import annotations

import argparse
import statistics
import time

from tutor.app.desk import Desk
from tutor.app.work import Work
from tutor.engine.players import PLAYERS
from tutor.game.actions import Action, Seat
from tutor.game.fair import fair_deal
from tutor.game.round import Round
from tutor.game.rules import preset
from tutor.game.view import View


def decisions(hands: int, seed: int) -> list[tuple[View, Action]]:
    """What Casual knew and did at each choice."""
    players = PLAYERS["Casual"], PLAYERS["Sharp"]
    found = []
    for number in range(hands):
        deal = fair_deal(f"{seed} {number}".encode().rjust(32, b"."), Seat(number % 2))
        round_ = Round.start(preset("Casual"), deal)
        while (turn := round_.public.turn) is not None:
            view = round_.view(turn)
            action = players[turn].choose(view, number)
            if turn is Seat.SOUTH and len(view.legal_actions()) > 1:
                found.append((view, action))
            round_ = round_.play(action)
    return found


def timed(asked: list[tuple[View, Action]], *, looked: bool) -> list[float]:
    """Milliseconds from the question to the answer, of a new desk."""
    work = Work()
    desk = Desk(work)
    spent = []
    for view, action in asked:
        if looked:
            desk.look(view).result()
        begin = time.perf_counter()
        desk.look(view)
        desk.advice(view, action).result()
        spent.append((time.perf_counter() - begin) * 1000)
    work.stop()
    return spent


def main() -> None:
    """Print medians and the 95th hundredths."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    asked = decisions(options.hands, options.seed)
    timed(asked[:5], looked=False)
    print(f"{len(asked)} decisions")
    for name, looked in (("at once", False), ("after a look", True)):
        spent = sorted(timed(asked, looked=looked))
        late = spent[int(0.95 * len(spent))]
        print(f"{name:13} median {statistics.median(spent):4.0f} ms   p95 {late:4.0f} ms   most {spent[-1]:4.0f} ms")


if __name__ == "__main__":
    main()
