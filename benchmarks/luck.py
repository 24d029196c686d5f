"""Whether the luck of draws is luck: its mean over many hands, which must lie within its interval around 0.

    python -m benchmarks.luck --hands 200

Hands of Steady against Sharp; every draw of South from the stock is looked at from what South knew.
"""

from __future__ import annotations

import argparse
import math

from tutor.engine.luck import CAME, EACH, luck_of_draw
from tutor.engine.players import PLAYERS
from tutor.game.actions import Draw, Seat
from tutor.game.fair import fair_deal
from tutor.game.round import Round
from tutor.game.rules import preset


def lucks(number: int, seed: int, each: int, came: int) -> list[tuple[float, float]]:
    """The luck of South's draws in one hand, with its standard errors, in points."""
    players = PLAYERS["Steady"], PLAYERS["Sharp"]
    deal = fair_deal(f"luck {seed} {number}".encode().rjust(32, b"."), Seat(number % 2))
    round_ = Round.start(preset("Standard"), deal)
    found = []
    while (turn := round_.public.turn) is not None:
        view = round_.view(turn)
        after = round_.play(players[turn].choose(view, number))
        action = after.actions[-1]
        if turn is Seat.SOUTH and isinstance(action, Draw) and action.card is not None:
            luck = luck_of_draw(view, action.card, each=each, came=came)
            found.append((luck.amount, luck.amount_se))
        round_ = after
    return found


def main() -> None:
    """Print the mean luck of a draw and of a hand with their 95% intervals."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=EACH, help="Blocks of worlds for each card that could have come.")
    parser.add_argument("--came", type=int, default=CAME, help="Blocks of worlds for the card that came.")
    options = parser.parse_args()
    hands = [lucks(number, options.seed, options.each, options.came) for number in range(options.hands)]
    draws = [amount for hand in hands for amount, _ in hand]
    measured = [error for hand in hands for _, error in hand]
    print(f"{len(draws)} draws in {len(hands)} hands")
    for name, values in (("a draw", draws), ("a hand", [math.fsum(amount for amount, _ in hand) for hand in hands])):
        mean = math.fsum(values) / len(values)
        spread = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))
        half = 1.96 * spread / math.sqrt(len(values))
        print(f"luck of {name:6} {mean:+.3f} ± {half:.3f} points   standard deviation {spread:.2f}")
    print(f"standard error of one draw's measuring, median {sorted(measured)[len(measured) // 2]:.2f}")


if __name__ == "__main__":
    main()
