"""Players with one habit each, over Sharp, and hands of theirs with the marks they leave.

    python -m tests.teaching.planted --hands 300

prints the table of docs/COACH.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tutor.engine.evaluator import evaluate, seed_of
from tutor.engine.players import PLAYERS, Player
from tutor.engine.players.base import best_end
from tutor.game.actions import Action, Discard, Draw, Knock, Pass, Phase, Seat, Take
from tutor.game.cards import Card
from tutor.game.fair import fair_deal
from tutor.game.layoffs import best_arrangement
from tutor.game.round import Round
from tutor.game.rules import preset
from tutor.game.solver import deadwood
from tutor.game.view import View
from tutor.teaching.coach import named, point_of
from tutor.teaching.habits import EARLY, FEEDS, HIGH, LATE, PILE, Habit, Mark, evidence, marks

Twist = Callable[[View, Action, Random], Action]
"""What a player with a habit does instead of a sound action."""


@dataclass(frozen=True)
class Planted:
    """Sharp with a habit."""

    name: str
    twist: Twist
    policy: str = "Sharp with a habit"

    def choose(self, view: View, seed: int) -> Action:
        return self.twist(view, PLAYERS["Sharp"].choose(view, seed), Random(seed))


def early(view: View, action: Action, random: Random) -> Action:
    """Knocks as soon as it can."""
    end = best_end(view) if view.public.phase is Phase.DISCARD else None
    return action if end is None else end


def late(view: View, action: Action, random: Random) -> Action:
    """Knocks only with gin."""
    if not isinstance(action, Knock) or action.card is None or view.public.must_end:
        return action
    return Discard(action.card) if deadwood(view.hand.without(action.card)) else action


def holder(view: View, action: Action, random: Random) -> Action:
    """Throws the lowest loose card."""
    loose = _loose(view) if isinstance(action, Discard) else []
    return Discard(min(loose, key=lambda card: card.pips)) if loose else action


def taker(view: View, action: Action, random: Random) -> Action:
    """Takes every second card on offer, whatever it is."""
    takes = view.public.phase in (Phase.DRAW, Phase.UPCARD) and Take() in view.legal_actions()
    return Take() if takes and isinstance(action, Draw | Pass) and random.random() < 0.5 else action


def feeder(view: View, action: Action, random: Random) -> Action:
    """Throws the loose card with most ways into a meld for the other side."""
    loose = _loose(view) if isinstance(action, Discard) else []
    return Discard(max(loose, key=lambda card: (_ways(view, card), card.pips))) if loose else action


def _loose(view: View) -> list[Card]:
    return [card for card in best_arrangement(view.hand).loose if not view.public.stays(card)]


def _ways(view: View, card: Card) -> int:
    """Cards the other side may hold beside this one, those it is known to hold five times."""
    near = [
        other
        for other in view.theirs
        if other.rank == card.rank or (other.suit is card.suit and abs(other.rank - card.rank) <= 2)
    ]
    return sum(5 if other in view.known_theirs else 1 for other in near)


PLANTED: dict[str, Player] = {
    EARLY: Planted("knocks early", early),
    LATE: Planted("knocks late", late),
    HIGH: Planted("holds high cards", holder),
    PILE: Planted("takes from the pile", taker),
    FEEDS: Planted("feeds", feeder),
}
"""The players by the habit they have."""


def hand_marks(player: Player, number: int, worlds: int, ends: bool = False) -> list[Mark]:
    """The marks that a player leaves in one hand against Steady; with ``ends`` only where it could end the hand."""
    rules = preset("Standard")
    deal = fair_deal(f"habits {number}".encode().rjust(32, b"."), Seat(number % 2))
    players = player, PLAYERS["Steady"]
    round_ = Round.start(rules, deal)
    found: list[Mark] = []
    while (turn := round_.public.turn) is not None:
        view = round_.view(turn)
        action = players[turn].choose(view, number * 1000 + len(round_.actions))
        asked = turn is Seat.SOUTH and view.public.phase is not Phase.LAY_OFF
        legal = view.legal_actions() if asked else ()
        if len(legal) > 1 and (not ends or any(isinstance(one, Knock) for one in legal)):
            seen = evaluate(view, worlds=worlds, seed=seed_of(view), thrifty=True)
            found += marks(seen, named(view, action), point_of(rules))
        round_ = round_.play(action)
    return found


def habits_of(player: Player, hands: int, worlds: int = 800, first: int = 0, ends: bool = False) -> tuple[Habit, ...]:
    """The evidence of so many hands."""
    return evidence(hand_marks(player, number, worlds, ends) for number in range(first, first + hands))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=300)
    parser.add_argument("--worlds", type=int, default=800)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--ends", action="store_true", help="only decisions where the hand could be ended")
    options = parser.parse_args()
    players = PLANTED | {name: PLAYERS[name] for name in ("Sharp", "Steady", "Casual", "Novice", "Expert")}
    for name, player in players.items():
        if options.only and name not in options.only:
            continue
        told = habits_of(player, options.hands, options.worlds, options.first, options.ends)
        row = "  ".join(
            f"{one.name} {one.mean:+.3f} ± {one.mean_se:.3f} ({one.decisions}){' FOUND' if one.found else ''}"
            for one in told
        )
        print(f"{name:20} {row}", flush=True)


if __name__ == "__main__":
    main()
