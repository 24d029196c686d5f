"""Duels: two players measured on the same cards from both sides.

A pair is a deal (or the deals of a game) played twice with the seats exchanged, so that the luck of the cards
falls on both players alike. What a pair gives depends on the duel and its number only, so pairs may be played
anywhere and in any order.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from tutor.engine.arena import play_game, play_out
from tutor.engine.players import Player
from tutor.game.actions import Action, IllegalAction, Seat
from tutor.game.fair import commitment, fair_deal
from tutor.game.record import Headers
from tutor.game.result import Outcome, Result
from tutor.game.round import Deal, Round
from tutor.game.rules import RuleSet
from tutor.game.view import View

Clock = Callable[[], float]
"""Tells the seconds spent so far, from any beginning; ``time.thread_time`` is one."""


class DuelError(ValueError):
    """A player broke the rules, or a pair's facts contradict each other; the message says which and how."""


class Kind(Enum):
    """What a pair plays twice."""

    ROUNDS = "rounds"
    GAMES = "games"


class Fate(Enum):
    """How a round ended, told of the first player (A) and the second (B). Big gin is gin here."""

    A_KNOCKS = "A knocks and wins"
    A_GINS = "A has gin"
    A_UNDERCUT = "A is undercut"
    B_KNOCKS = "B knocks and wins"
    B_GINS = "B has gin"
    B_UNDERCUT = "B is undercut"
    TIE = "tie without points"
    DEAD = "dead hand"


FATES = tuple(Fate)
"""The order in which fates are counted."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What a player's decisions cost: their number, processor time in all and of the longest one, nanoseconds."""

    decisions: int = 0
    spent: int = 0
    longest: int = 0

    def plus(self, other: Effort) -> Effort:
        """Both together."""
        return Effort(self.decisions + other.decisions, self.spent + other.spent, max(self.longest, other.longest))

    @property
    def mean_ms(self) -> float:
        """Milliseconds a decision; 0 without decisions."""
        return self.spent / self.decisions / 1e6 if self.decisions else 0.0

    @property
    def longest_ms(self) -> float:
        """Milliseconds of the longest decision."""
        return self.longest / 1e6


@dataclass(frozen=True, slots=True)
class PairResult:
    """What one pair gave.

    ``points`` are A's less B's over all ``rounds`` of the pair; ``won`` the rounds or games each won;
    ``fates`` count the rounds in the order of ``FATES``. ``efforts`` depend on the machine and are left out of
    comparisons. Raises DuelError for counts that cannot be.
    """

    number: int
    points: int
    won: tuple[int, int]
    fates: tuple[int, ...]
    efforts: tuple[Effort, Effort] = field(default=(Effort(), Effort()), compare=False)

    def __post_init__(self) -> None:
        if len(self.fates) != len(FATES) or self.rounds < 2:
            raise DuelError(f"pair {self.number} needs {len(FATES)} counts of two rounds or more")
        if min(self.number, *self.won, *self.fates) < 0 or sum(self.won) > 2:
            raise DuelError(f"pair {self.number} has counts that cannot be")

    @property
    def rounds(self) -> int:
        """Rounds played in this pair."""
        return sum(self.fates)

    def facts(self) -> dict[str, Any]:
        """The pair as plain values; ``from_facts`` reads them back."""
        return {
            "pair": self.number,
            "points": self.points,
            "won": list(self.won),
            "fates": list(self.fates),
            "efforts": [[one.decisions, one.spent, one.longest] for one in self.efforts],
        }

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any]) -> PairResult:
        """The pair that ``facts`` wrote; DuelError for anything else."""
        try:
            number, points = _whole([facts["pair"], facts["points"]])
            first, second = _whole(facts["won"])
            fates = tuple(_whole(facts["fates"]))
            mine, theirs = (Effort(*_whole(one)) for one in facts["efforts"])
        except (KeyError, TypeError, ValueError):
            raise DuelError("this is no pair of a duel") from None
        return cls(number, points, (first, second), fates, (mine, theirs))


def _whole(values: Any) -> list[int]:
    if not isinstance(values, list) or any(type(value) is not int for value in values):
        raise TypeError("whole numbers are wanted")
    return values


class _Watched:
    """A player whose decisions are counted and timed, in nanoseconds."""

    def __init__(self, player: Player, clock: Clock) -> None:
        self.name, self.policy = player.name, player.policy
        self.player, self.clock = player, clock
        self.effort = Effort()
        self.last: Action | None = None

    def choose(self, view: View, seed: int) -> Action:
        """See ``Player``."""
        begun = self.clock()
        action = self.player.choose(view, seed)
        spent = round((self.clock() - begun) * 1e9)
        self.effort = self.effort.plus(Effort(1, spent, spent))
        self.last = action
        return action


@dataclass(frozen=True, slots=True)
class Duel:
    """Two players (A and B), the rules, what a pair plays, and a text that fixes all its cards and chances."""

    players: tuple[Player, Player]
    rules: RuleSet
    kind: Kind = Kind.ROUNDS
    seed: str = ""

    def play(self, number: int, clock: Clock = lambda: 0.0) -> PairResult:
        """Play the pair of this number (from 0) and count it. DuelError when a player breaks the rules.

        The dealer's seat (in a game the first dealer's) alternates from pair to pair; inside a pair it stays,
        so each player has both sides of each deal.
        """
        watched = (_Watched(self.players[0], clock), _Watched(self.players[1], clock))
        points = 0
        won = [0, 0]
        fates: Counter[Fate] = Counter()
        for a_seat in Seat:
            seated = watched if a_seat is Seat.SOUTH else (watched[1], watched[0])
            try:
                results, winner = self._played(number, seated)
            except IllegalAction as error:
                culprit = next((one.name for one in watched if one.last is error.action), "a player")
                raise DuelError(f"in pair {number} {culprit} broke the rules: {error}") from None
            if winner is not None:
                won[winner is not a_seat] += 1
            for result in results:
                score = result.score(self.rules)
                if score.winner is not None:
                    points += score.points if score.winner is a_seat else -score.points
                fates[_fate(result, self.rules, a_seat)] += 1
        counts = tuple(fates[fate] for fate in FATES)
        return PairResult(number, points, (won[0], won[1]), counts, (watched[0].effort, watched[1].effort))

    def _played(self, number: int, seated: tuple[Player, Player]) -> tuple[tuple[Result, ...], Seat | None]:
        """The results of a round or game with these players of South and North, and the seat that won it."""
        dealer = Seat(number & 1)
        chances = int.from_bytes(self._digest("chances", number)[:6])
        if self.kind is Kind.GAMES:
            _, game = play_game(
                self.rules, lambda count, seat: self._deal(number, count, seat), seated, first=dealer, seed=chances
            )
            return tuple(result for result in game.results if isinstance(result, Result)), game.winner
        deal, _ = self._deal(number, 0, dealer)
        end = play_out(Round.start(self.rules, deal), seated, seed=chances)
        assert end.result is not None
        return (end.result,), end.result.score(self.rules).winner

    def _deal(self, number: int, count: int, dealer: Seat) -> tuple[Deal, Headers]:
        seed = self._digest("deal", number, count)
        return fair_deal(seed, dealer), (("Commitment", commitment(seed)), ("Seed", seed.hex()))

    def _digest(self, what: str, *path: int) -> bytes:
        return hashlib.sha256(repr((what, self.seed, *path)).encode()).digest()


def _fate(result: Result, rules: RuleSet, a_seat: Seat) -> Fate:
    outcome = result.outcome()
    if result.knocker is None:
        return Fate.DEAD
    if result.score(rules).winner is None:
        return Fate.TIE
    mine = result.knocker is a_seat
    match outcome:
        case Outcome.GIN | Outcome.BIG_GIN:
            return Fate.A_GINS if mine else Fate.B_GINS
        case Outcome.KNOCK:
            return Fate.A_KNOCKS if mine else Fate.B_KNOCKS
        case _:
            return Fate.A_UNDERCUT if mine else Fate.B_UNDERCUT
