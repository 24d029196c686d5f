"""Records: rounds as they were played, with notes and side lines, and their replay.

How a record is written down is the business of ``tutor.game.notation``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from tutor.game.actions import Action, Draw, Illegality, Knock, Phase, Seat, Settle
from tutor.game.cards import NO_CARDS, Card, CardSet
from tutor.game.match import Game, HollywoodMatch, Match
from tutor.game.public import PublicRound
from tutor.game.result import LEVEL, Result, Standing
from tutor.game.round import Deal, Round, is_misdeal
from tutor.game.rules import LastDiscard, MatchKind, RuleSet
from tutor.game.view import View

Headers = tuple[tuple[str, str], ...]

RECORD_KEYS = frozenset({"Rules", "Rule", "Round"})
ROUND_KEYS = (
    frozenset({"Dealer", "Seat", "South holds", "North holds", "Upcard", "Stock", "Out of play", "Standing", "Misdeal"})
    | RECORD_KEYS
)
_KEY = re.compile(r"[A-Z][A-Za-z]*(?:[ -][A-Za-z]+){0,4}", re.ASCII)
_LONGEST_KEY = 60


class Glyph(Enum):
    """The marks of annotated games."""

    BRILLIANT = "!!"
    GOOD = "!"
    INTERESTING = "!?"
    DUBIOUS = "?!"
    MISTAKE = "?"
    BLUNDER = "??"


@dataclass(frozen=True, slots=True)
class Move:
    """One action of a record with what was written on it.

    ``lines`` are other ways to go on, each from just before this action.
    """

    action: Action
    glyph: Glyph | None = None
    comment: str = ""
    lines: tuple[Line, ...] = ()

    def __post_init__(self) -> None:
        if not all(line.moves for line in self.lines):
            raise ValueError("a side line has at least one move")


@dataclass(frozen=True, slots=True)
class Line:
    """Moves in a row, with a comment before the first."""

    moves: tuple[Move, ...] = ()
    comment: str = ""

    @classmethod
    def of(cls, actions: tuple[Action, ...]) -> Line:
        """A line of bare actions."""
        return cls(tuple(Move(action) for action in actions))

    @property
    def actions(self) -> tuple[Action, ...]:
        """The line's actions without notes."""
        return tuple(move.action for move in self.moves)


@dataclass(frozen=True, slots=True)
class SeatDeal:
    """A deal as one seat knew it: its own ten cards and what lay open.

    ``misdeal`` tells of a misdeal for the other side's cards; for its own cards it follows from the rules.
    """

    seat: Seat
    hand: CardSet
    upcard: Card
    dealer: Seat
    out_of_play: CardSet = NO_CARDS
    misdeal: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """A recorded round at one ply: with all cards (``Round``) or as one seat knew it (``View``).

    ``knock_card`` is a card the other side threw face down and the seat learnt later; it is told to the
    view at the settlement and not before.
    """

    state: Round | View
    knock_card: Card | None = None

    @property
    def public(self) -> PublicRound:
        """What everyone sees at this ply."""
        return self.state.public

    def play(self, action: Action) -> Moment:
        """The moment after this action; IllegalAction or UnknownCard as ``Round`` and ``View`` raise them."""
        return self.played(action)[1]

    def played(self, action: Action) -> tuple[Action, Moment]:
        """The action as a record holds it, draws and arrangements filled in, and the moment after it."""
        if isinstance(self.state, Round):
            after = self.state.play(action)
            return after.actions[-1], Moment(after)
        mine = self.state.my_turn
        complete = self.state.completed(action) if mine and self.state.check(action) is None else action
        card = action.card if isinstance(action, Knock) and not mine else self.knock_card
        shown = self.knock_card if isinstance(action, Settle) else None
        return complete, Moment(self.state.after(complete, shown), card)

    def view(self, seat: Seat, standing: Standing = LEVEL) -> View:
        """What a seat knew at this ply; ValueError for the seat that a one-seat record does not tell of."""
        if isinstance(self.state, Round):
            return self.state.view(seat, standing)
        if self.state.seat is not seat:
            raise ValueError(f"this record tells only what {self.state.seat.label} knew")
        return replace(self.state, standing=standing)


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One recorded round: the deal, or one seat's knowledge of it, and what was done.

    Actions are complete, as ``Round.actions`` holds them; in a one-seat record the other side's draws are
    empty and its knock card is None unless it became known. ``standing`` is told where the record does not
    begin at the game's start. Raises ValueError for a header key that is malformed, reserved or used twice.
    """

    source: Deal | SeatDeal
    line: Line = Line()
    standing: Standing | None = None
    headers: Headers = ()

    def __post_init__(self) -> None:
        _check_headers(self.headers, ROUND_KEYS)

    def start(self, rules: RuleSet) -> Moment:
        """The moment after the deal. Raises ValueError for a deal that cannot be."""
        source = self.source
        if isinstance(source, Deal):
            return Moment(Round.start(rules, source))
        if source.misdeal and not rules.first_turn_misdeal:
            raise ValueError("these rules know no misdeal")
        misdeal = source.misdeal or is_misdeal(rules, source.upcard, (source.hand,))
        public = PublicRound.start(rules, source.dealer, source.upcard, source.out_of_play, misdeal=misdeal)
        return Moment(View.start(public, source.seat, source.hand))

    def moments(self, rules: RuleSet, line: Line | None = None) -> Iterator[Moment]:
        """Every moment of the main line in order, the one after the deal first."""
        moment = self.start(rules)
        yield moment
        for move in (line or self.line).moves:
            moment = moment.play(move.action)
            yield moment

    def result(self, rules: RuleSet) -> Result | None:
        """The facts of the round, or None while it is unfinished."""
        *_, last = self.moments(rules)
        return last.public.result

    def header(self, key: str) -> str | None:
        """The value of a header, if it is there."""
        return dict(self.headers).get(key)


@dataclass(frozen=True, slots=True)
class Branch:
    """Where a side line leaves: at ``ply`` (the action it replaces, counted from 1) into line ``choice`` (from 1)."""

    ply: int
    choice: int


@dataclass(frozen=True, slots=True)
class Position:
    """One place in a record, spelled ``round/ply`` or ``round/branch-ply.choice/…/ply``.

    Rounds and choices count from 1; ``ply`` is the number of actions played since the deal along the line.
    """

    round: int
    ply: int
    branches: tuple[Branch, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Position:
        """Read ``3/12`` or ``3/7.1/12``; ValueError otherwise."""
        if len(text) > 200 or not re.fullmatch(r"[1-9]\d{0,5}(/[1-9]\d{0,5}\.[1-9]\d{0,5})*/\d{1,6}", text, re.ASCII):
            raise ValueError(f'"{text[:60]}" is no position: write round/ply, for example 3/12')
        first, *middle, last = text.split("/")
        pairs = (branch.split(".") for branch in middle)
        return cls(int(first), int(last), tuple(Branch(int(ply), int(choice)) for ply, choice in pairs))

    def __str__(self) -> str:
        branches = "".join(f"/{branch.ply}.{branch.choice}" for branch in self.branches)
        return f"{self.round}{branches}/{self.ply}"


@dataclass(frozen=True, slots=True)
class Record:
    """A game, or any rounds, under one rule set, with headers such as South, North, Title and Date.

    Raises ValueError for a header key that is malformed, reserved or used twice.
    """

    rules: RuleSet
    rounds: tuple[RoundRecord, ...] = ()
    headers: Headers = ()
    comment: str = ""

    def __post_init__(self) -> None:
        _check_headers(self.headers, RECORD_KEYS)

    @property
    def names(self) -> tuple[str, str]:
        """The players' names as the headers South and North give them."""
        headers = dict(self.headers)
        return headers.get("South", "South"), headers.get("North", "North")

    def results(self) -> tuple[Result | None, ...]:
        """The facts of each round; None for an unfinished one."""
        return tuple(record.result(self.rules) for record in self.rounds)

    def standings(self) -> tuple[Standing, ...]:
        """The standing before each round: as told, else summed up from the rounds before, game by game."""
        standings = []
        standing = LEVEL
        for record, result in zip(self.rounds, self.results(), strict=True):
            standing = record.standing or standing
            standings.append(standing)
            if result is not None:
                standing = standing.after(result.score(self.rules))
            if self.rules.match.kind is not MatchKind.HOLLYWOOD and max(standing.points) >= self.rules.target:
                standing = LEVEL
        return tuple(standings)

    def match(self) -> Match | HollywoodMatch:
        """The rounds as games of a match. Raises ValueError where rounds follow the end of the match."""
        results = tuple(result for result in self.results() if result is not None)
        dealer = self.rounds[0].source.dealer if self.rounds else Seat.SOUTH
        if self.rules.match.kind is MatchKind.HOLLYWOOD:
            return HollywoodMatch(self.rules, results, dealer)
        games: list[Game] = []
        begin, standing = 0, LEVEL
        for count, result in enumerate(results, start=1):
            standing = standing.after(result.score(self.rules))
            if max(standing.points) >= self.rules.target or count == len(results):
                games.append(Game(self.rules, results[begin:count], dealer))
                begin, standing, dealer = count, LEVEL, games[-1].next_dealer
        return Match(self.rules, tuple(games) or (Game(self.rules, (), dealer),))

    def moment(self, position: Position) -> Moment:
        """The round at a position; ValueError where the record has no such place."""
        if not 1 <= position.round <= len(self.rounds):
            raise ValueError(f"there is no round {position.round}: the record has {len(self.rounds)}")
        record = self.rounds[position.round - 1]
        line, played = record.line, 0
        moment = record.start(self.rules)
        for branch in (*position.branches, None):
            until = position.ply if branch is None else branch.ply - 1
            if not played <= until <= played + len(line.moves):
                raise ValueError(f"{position} is not in the record: the line has {played + len(line.moves)} plies")
            for move in line.moves[: until - played]:
                moment = moment.play(move.action)
            if branch is not None:
                lines = line.moves[until - played].lines if until - played < len(line.moves) else ()
                if not 1 <= branch.choice <= len(lines):
                    raise ValueError(f"{position} is not in the record: {len(lines)} side lines at ply {branch.ply}")
                line, played = lines[branch.choice - 1], until
        return moment


def header_fault(key: str, value: str, reserved: frozenset[str]) -> str | None:
    """What is wrong with a header, in words; None when it may stand."""
    if len(key) > _LONGEST_KEY or not _KEY.fullmatch(key):
        return f'"{key[:60]}" is no header name: words of letters, the first with a capital'
    if key in reserved:
        return f'"{key}" has a meaning of its own and is no free header'
    if any(0xD800 <= ord(character) <= 0xDFFF for character in value):
        return f'header "{key}" has a broken character'
    return None


def _check_headers(headers: Headers, reserved: frozenset[str]) -> None:
    seen = set()
    for key, value in headers:
        fault = f'header "{key}" is there twice' if key in seen else header_fault(key, value, reserved)
        if fault is not None:
            raise ValueError(fault)
        seen.add(key)


@dataclass(frozen=True, slots=True)
class Breach:
    """An action of a record that other rules forbid: the ply (from 1), the action, the rule and the words."""

    ply: int
    action: Action
    why: Illegality
    message: str


def breaches(record: RoundRecord, played_by: RuleSet, judged_by: RuleSet) -> tuple[Breach, ...]:
    """The actions of a round's main line, played under one rule set, that another one forbids.

    The round is replayed whole under its own rules, so that each breach is found, not just the first.
    A last discard that the other rules leave dead counts; otherwise how hands end is not judged.
    """
    found = []
    for ply, (moment, move) in enumerate(zip(record.moments(played_by), record.line.moves, strict=False), start=1):
        seat = moment.public.on_turn
        if moment.public.phase is Phase.LAST_DISCARD and judged_by.last_discard is LastDiscard.DEAD:
            found.append(Breach(ply, move.action, Illegality.ROUND_OVER, "The hand was dead with the discard before."))
            break
        if isinstance(moment.state, View) and moment.state.seat is not seat:
            public = replace(moment.public, rules=judged_by)
            refusal = None if isinstance(move.action, Draw) else public.refusal(move.action)
        else:
            view = moment.view(seat)
            refusal = replace(view, public=replace(view.public, rules=judged_by)).refusal(move.action)
        if refusal is not None:
            found.append(Breach(ply, move.action, refusal.why, str(refusal)))
    return tuple(found)
