"""A referee of its own process: keeps the rules, seats an opponent, and plays a program over its standard input.

python -m tests.referee --rules Oklahoma --rounds 50 -- gin-tutor play-stdio --player Steady --rules Oklahoma

Knows docs/PROTOCOL.md and the rules of the game, and nothing of how the program keeps them. Prints one line a
round; ends with 1 and words where the program is wrong, silent too long, or tells another result.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import queue
import subprocess
import sys
import threading
from typing import Any

from tests.policies import AnyLegal, KnocksAtOnce, NeverKnocks
from tutor.game.actions import Action, BigGin, Discard, Draw, Knock, LayOff, Pass, Seat, Settle, Take
from tutor.game.cards import Card, CardSet
from tutor.game.fair import fair_deal
from tutor.game.match import Game
from tutor.game.melds import Arrangement, Meld
from tutor.game.result import LEVEL, Result, Standing
from tutor.game.round import Round
from tutor.game.rules import RuleSet, preset

OPPONENTS = (KnocksAtOnce(), NeverKnocks(), AnyLegal())


class Fault(Exception):
    """What the program did wrong."""


class Program:
    """A program that is sent events and asked for one answer to each."""

    def __init__(self, command: list[str], patience: float) -> None:
        self.patience = patience
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(b"")

    def line(self) -> dict[str, Any]:
        try:
            line = self.lines.get(timeout=self.patience)
        except queue.Empty:
            raise Fault(f"no answer within {self.patience:g} seconds") from None
        if not line:
            raise Fault("the program ended")
        found = json.loads(line)
        assert isinstance(found, dict)
        return found

    def ask(self, event: str, **fields: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps({"event": event} | fields).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Fault("the program ended") from None
        reply = self.line()
        if "error" in reply:
            raise Fault(f"{event} {fields} was refused: {reply['error']}")
        return reply

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def texts(cards: CardSet) -> list[str]:
    return [str(card) for card in cards]


def seen(action: Action) -> tuple[str, dict[str, Any]]:
    """The event of what the opponent did, without what only it knows."""
    match action:
        case Pass():
            return "pass", {}
        case Take():
            return "take", {}
        case Draw():
            return "draw", {}
        case Discard(card):
            return "discard", {"card": str(card)}
        case LayOff(card, meld):
            return "lay_off", {"card": str(card), "meld": texts(meld.cards)}
        case BigGin(shown):
            assert shown is not None
            return "big_gin", {"melds": [texts(meld.cards) for meld in shown.melds]}
        case Knock(_, shown) | Settle(shown):
            assert shown is not None
            name = "settle" if isinstance(action, Settle) else "knock"
            return name, {"melds": [texts(meld.cards) for meld in shown.melds], "loose": texts(shown.loose)}


def told(reply: dict[str, Any]) -> Action:
    """The action a program's answer means."""

    def shown() -> Arrangement:
        melds = tuple(Meld.of(map(Card.parse, meld)) for meld in reply["melds"])
        return Arrangement(melds, CardSet.of(map(Card.parse, reply.get("loose", []))))

    match reply["action"]:
        case "pass":
            return Pass()
        case "take":
            return Take()
        case "draw":
            return Draw()
        case "discard":
            return Discard(Card.parse(reply["card"]))
        case "lay_off":
            return LayOff(Card.parse(reply["card"]), Meld.of(map(Card.parse, reply["meld"])))
        case "big_gin":
            return BigGin(shown())
        case "knock":
            return Knock(Card.parse(reply["card"]), shown())
        case "settle":
            return Settle(shown())
    raise Fault(f"no action: {reply}")


def play(program: Program, rules: RuleSet, number: int, seat: Seat, dealer: Seat, standing: Standing) -> Result:
    """One round; the program has the given seat."""
    opponent = OPPONENTS[number % len(OPPONENTS)]
    round_ = Round.start(rules, fair_deal(hashlib.sha256(f"referee {number}".encode()).digest(), dealer))
    reply = program.ask(
        "deal",
        seat=seat.label,
        dealer=dealer.label,
        hand=texts(round_.hands[seat]),
        upcard=str(round_.deal.upcard),
        standing={"points": list(standing.points), "boxes": list(standing.boxes)},
        **({"misdeal": True} if round_.result else {}),
    )
    while round_.public.turn is not None:
        if "over" in reply:
            raise Fault(f"round {number} is not over, but the program says so: {reply['over']}")
        if round_.public.turn is seat:
            reply = program.ask("your_turn")
            round_ = round_.play(told(reply))
            if isinstance(round_.actions[-1], Draw):
                reply = program.ask("draw", card=str(round_.drawn))
        else:
            view = round_.view(seat.other, standing)
            round_ = round_.play(opponent.choose(view, 1000 * number + len(round_.actions)))
            name, fields = seen(round_.actions[-1])
            reply = program.ask(name, **fields)
    result = round_.result
    assert result is not None
    score = result.score(rules)
    after = standing.after(score)
    wanted = {
        "ending": result.outcome().value,
        "knocker": None if result.knocker is None else result.knocker.label,
        "knocker_deadwood": result.knocker_deadwood,
        "defender_deadwood": result.defender_deadwood,
        "winner": None if score.winner is None else score.winner.label,
        "points": score.points,
        "standing": {"points": list(after.points), "boxes": list(after.boxes)},
    }
    if reply.get("over") != wanted:
        raise Fault(f"round {number} ended with {wanted}, the program says {reply.get('over')}")
    return result


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rules", default="Standard")
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--patience", type=float, default=20)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    rules = preset(options.rules)
    program = Program(options.command, options.patience)
    game = Game(rules)
    try:
        if program.line().get("protocol") != 1:
            raise Fault("no protocol 1")
        for number in range(options.rounds):
            seat = Seat(number // 2 % 2)
            standing = game.standing if rules.target else LEVEL
            result = play(program, rules, number, seat, game.next_dealer, standing)
            game = game.after(result) if not game.over else game
            game = Game(rules, (), Seat(number % 2)) if game.over else game
            facts = {"seat": seat.label, "ending": result.outcome().value, "standing": list(standing.points)}
            print(json.dumps(facts), flush=True)
        program.ask("quit")
        if program.process.wait(options.patience) != 0:
            raise Fault("the program did not end well")
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1
    finally:
        program.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
