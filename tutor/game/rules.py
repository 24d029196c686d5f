"""The rule set: every knob of the game, its presets, and the rules in plain words made from the knobs."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import Any

from tutor.game.cards import Card, Rank, Suit


class OklahomaAce(Enum):
    """What an ace as upcard allows in Oklahoma."""

    GIN_ONLY = "gin only"
    ONE = "one"


class Tie(Enum):
    """What equal counts after a knock mean."""

    UNDERCUT = "undercut"
    NOTHING = "nothing"
    VOID = "void"


class LastDiscard(Enum):
    """What happens to the discard that leaves two cards in the stock."""

    DEAD = "dead"
    TAKE_TO_END = "take to end"


class Shutout(Enum):
    """What is doubled when the loser won no hand."""

    NONE = "none"
    GAME_BONUS = "game bonus doubled"
    HAND_POINTS = "hand points doubled"
    BOTH = "game bonus and hand points doubled"
    EVERYTHING = "everything doubled"


class NextDealer(Enum):
    """Who deals after a scored hand."""

    WINNER = "winner"
    LOSER = "loser"
    ALTERNATE = "alternate"


class MatchKind(Enum):
    """How games add up to a match."""

    SINGLE = "single game"
    BEST_OF = "best of"
    HOLLYWOOD = "Hollywood"
    ACCUMULATE = "accumulate to"


class RuleError(ValueError):
    """A rule set that makes no sense, with the reason in words."""


@dataclass(frozen=True, slots=True)
class MatchFormat:
    """The match: a kind, and the number of games (best of) or the total (accumulate)."""

    kind: MatchKind = MatchKind.SINGLE
    number: int = 0

    def __post_init__(self) -> None:
        if self.kind is MatchKind.BEST_OF and (self.number < 3 or self.number % 2 == 0):
            raise RuleError(f"best of n wants an odd n of at least 3, not {self.number}")
        if self.kind is MatchKind.ACCUMULATE and self.number < 1:
            raise RuleError(f"accumulation wants a total above 0, not {self.number}")
        if self.kind in (MatchKind.SINGLE, MatchKind.HOLLYWOOD) and self.number:
            raise RuleError(f"{self.kind.value} takes no number")
        if self.number > 999_999:
            raise RuleError(f"{self.kind.value} takes a number up to 999999, not {self.number}")

    @classmethod
    def parse(cls, text: str) -> MatchFormat:
        """Read ``single game``, ``best of 5``, ``Hollywood`` or ``accumulate to 1000``; RuleError otherwise."""
        for kind in MatchKind:
            rest = text.removeprefix(kind.value)
            if rest != text and kind in (MatchKind.SINGLE, MatchKind.HOLLYWOOD) and not rest:
                return cls(kind)
            if rest != text and rest[:1] == " " and rest[1:].isascii() and rest[1:].isdigit() and len(rest) < 8:
                return cls(kind, int(rest))
        raise RuleError(f'"{text}" is no match: single game, best of 5, Hollywood or accumulate to 1000')

    def __str__(self) -> str:
        return f"{self.kind.value} {self.number}" if self.number else self.kind.value


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """One way to play gin rummy. The defaults are the *Standard* preset without its shutout.

    Points are whole numbers. ``target`` 0 means one hand only. Raises RuleError, with the reason,
    for a combination that makes no sense. ``open_discards`` binds the screen, not the play: a view knows the pile.
    Source of the knobs: published rule sheets, listed in docs/RULES.md.
    """

    knock_limit: int = 10
    oklahoma: bool = False
    oklahoma_ace: OklahomaAce = OklahomaAce.GIN_ONLY
    spade_doubles: bool = False
    gin_bonus: int = 25
    undercut_bonus: int = 25
    big_gin_bonus: int | None = 31
    tie: Tie = Tie.UNDERCUT
    taken_card_stays: bool = True
    last_discard: LastDiscard = LastDiscard.DEAD
    first_turn_misdeal: bool = False
    pile_limit: int = 30
    open_discards: bool = True
    target: int = 100
    game_bonus: int = 100
    box_bonus: int = 25
    shutout: Shutout = Shutout.NONE
    next_dealer: NextDealer = NextDealer.ALTERNATE
    match: MatchFormat = MatchFormat()

    def __post_init__(self) -> None:
        for knob, (low, high) in _RANGES.items():
            value = getattr(self, knob)
            if value is not None and not low <= value <= high:
                raise RuleError(f"{_title(knob)} is {low} to {high}, not {value}")
        for senseless, reason in self._senseless():
            if senseless:
                raise RuleError(reason)

    def _senseless(self) -> tuple[tuple[bool, str], ...]:
        doubles_bonus = self.shutout in (Shutout.GAME_BONUS, Shutout.BOTH)
        return (
            (self.oklahoma and self.knock_limit == 0,
             "Oklahoma sets the knock limit by the upcard, straight gin allows no knock: choose one of them"),
            (self.oklahoma and self.knock_limit != 10,
             "in Oklahoma the upcard sets the knock limit: leave the knock limit at 10"),
            (not self.oklahoma and self.spade_doubles, "a spade upcard doubles only in Oklahoma: switch Oklahoma on"),
            (not self.oklahoma and self.oklahoma_ace is not OklahomaAce.GIN_ONLY,
             "what an ace allows matters only in Oklahoma: switch Oklahoma on"),
            (self.knock_limit == 0 and self.tie is not Tie.UNDERCUT,
             "in straight gin no hand can end in a tie: leave the tie rule alone"),
            (doubles_bonus and self.game_bonus == 0,
             "a shutout cannot double a game bonus of 0: set a game bonus or double the hand points"),
            (self.target == 0 and self.shutout is not Shutout.NONE,
             "in a single hand the loser never wins one, so a shutout means nothing"),
            (self.target == 0 and self.match.kind is MatchKind.HOLLYWOOD,
             "Hollywood needs games of several hands: set a target"),
        )  # fmt: skip

    def knock_limit_for(self, upcard: Card) -> int:
        """Points that may be shown in a hand with this upcard; 0 is gin only."""
        if not self.oklahoma:
            return self.knock_limit
        if upcard.rank is Rank.ACE:
            return 0 if self.oklahoma_ace is OklahomaAce.GIN_ONLY else 1
        return upcard.pips

    def multiplier_for(self, upcard: Card) -> int:
        """What a hand's points and bonuses are multiplied by: 2 for a spade upcard where that rule is on."""
        return 2 if self.spade_doubles and upcard.suit is Suit.SPADES else 1

    @property
    def big_gin(self) -> bool:
        """Whether eleven melded cards may be shown as big gin."""
        return self.big_gin_bonus is not None

    @property
    def preset(self) -> str | None:
        """The name of the preset equal to this rule set, if there is one."""
        return next((name for name, rules in PRESETS.items() if rules == self), None)

    def sentences(self) -> dict[str, str]:
        """The rules in plain words, one sentence a knob, in reading order."""
        return {knob.name: _SENTENCES[knob.name](self) for knob in fields(self)}

    def differences(self, other: RuleSet) -> tuple[str, ...]:
        """The knobs in which two rule sets differ, by name."""
        return tuple(f.name for f in fields(self) if getattr(self, f.name) != getattr(other, f.name))

    def value_text(self, knob: str) -> str:
        """A knob's value as records and the command line spell it."""
        return _value_text(getattr(self, knob))

    def with_values(self, texts: dict[str, str]) -> RuleSet:
        """This rule set with several knobs, read from their text forms, changed at once."""
        return replace(self, **{knob: read_value(knob, text) for knob, text in texts.items()})


_RANGES = {
    "knock_limit": (0, 10),
    "gin_bonus": (0, 1000),
    "undercut_bonus": (0, 1000),
    "big_gin_bonus": (0, 1000),
    "pile_limit": (2, 1000),
    "target": (0, 10_000),
    "game_bonus": (0, 10_000),
    "box_bonus": (0, 1000),
}


def _title(knob: str) -> str:
    return knob.replace("_", " ")


def _value_text(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value.value) if isinstance(value, Enum) else str(value)


def read_value(knob: str, text: str) -> Any:
    """A knob's value from its text form; RuleError names what is possible."""
    field = next((f for f in fields(RuleSet) if f.name == knob), None)
    if field is None:
        raise RuleError(f'"{knob}" is no rule; the rules are {", ".join(f.name for f in fields(RuleSet))}')
    default = field.default
    if isinstance(default, MatchFormat):
        return MatchFormat.parse(text)
    if isinstance(default, Enum):
        for choice in type(default):
            if choice.value == text:
                return choice
        raise RuleError(f'{knob} is one of {", ".join(str(c.value) for c in type(default))}, not "{text}"')
    if isinstance(default, bool):
        if text in ("yes", "no"):
            return text == "yes"
        raise RuleError(f'{knob} is yes or no, not "{text}"')
    if knob == "big_gin_bonus" and text == "none":
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        none = " or none" if knob == "big_gin_bonus" else ""
        raise RuleError(f'{knob} is a whole number{none}, not "{text}"')
    return int(text)


def _standing_words(rules: RuleSet) -> str:
    if rules.target == 0:
        return "One hand is the whole game."
    return f"The first side to reach {rules.target} points wins the game."


def _limit_words(rules: RuleSet) -> str:
    if rules.oklahoma:
        return "The upcard sets the knock limit of the hand: its pips, 10 for a picture."
    if rules.knock_limit == 0:
        return "Straight gin: you may end the hand only with gin, no loose card at all."
    return f"You may knock when the loose cards you show count {rules.knock_limit} or less."


def _match_words(rules: RuleSet) -> str:
    kind, number = rules.match.kind, rules.match.number
    if kind is MatchKind.BEST_OF:
        return f"The match is best of {number}: the first side to win {number // 2 + 1} games."
    if kind is MatchKind.HOLLYWOOD:
        return (
            "Hollywood: three games are scored at once in three columns. Your first hand won counts in the first, "
            "your second in the first two, every later one in all three that are still open."
        )
    if kind is MatchKind.ACCUMULATE:
        return f"Games are played and their final totals added up until a side has {number}."
    return "The game stands alone."


_SHUTOUT_WORDS = {
    Shutout.NONE: "A loser who won no hand costs nothing extra.",
    Shutout.GAME_BONUS: "Shutout: if the loser won no hand, the game bonus is doubled.",
    Shutout.HAND_POINTS: "Shutout: if the loser won no hand, the winner's points from hands are doubled.",
    Shutout.BOTH: "Shutout: if the loser won no hand, the winner's points from hands and the game bonus are doubled.",
    Shutout.EVERYTHING: "Shutout: if the loser won no hand, all the winner has is doubled, boxes too.",
}
_TIE_WORDS = {
    Tie.UNDERCUT: "Equal counts after a knock are an undercut.",
    Tie.NOTHING: "Equal counts after a knock score nothing, but the hand counts as won by the defender.",
    Tie.VOID: "Equal counts after a knock score nothing: nobody wins the hand and the same side deals again.",
}
_DEALER_WORDS = {
    NextDealer.WINNER: "The winner of a hand deals the next one; after a dead hand the same side deals again.",
    NextDealer.LOSER: "The loser of a hand deals the next one; after a dead hand the same side deals again.",
    NextDealer.ALTERNATE: "The sides take turns to deal; after a dead hand the same side deals again.",
}

_SENTENCES = {
    "knock_limit": _limit_words,
    "oklahoma": lambda r: (
        "Oklahoma: the limit is shown all hand long." if r.oklahoma else "The upcard does not change the limit."
    ),
    "oklahoma_ace": lambda r: (
        "An ace as upcard plays no part in the limit."
        if not r.oklahoma
        else "With an ace as upcard only gin ends the hand."
        if r.oklahoma_ace is OklahomaAce.GIN_ONLY
        else "With an ace as upcard the limit is 1."
    ),
    "spade_doubles": lambda r: (
        "With a spade as upcard the hand's points and bonuses count double; boxes do not."
        if r.spade_doubles
        else "The suit of the upcard plays no part."
    ),
    "gin_bonus": lambda r: f"Gin scores {r.gin_bonus} and all the points the defender holds; nothing is laid off.",
    "undercut_bonus": lambda r: (
        "No undercut can happen: only gin ends the hand."
        if r.knock_limit == 0
        else f"A defender who ends below the knocker's count undercuts: the difference and {r.undercut_bonus}."
    ),
    "big_gin_bonus": lambda r: (
        "Eleven melded cards are no more than gin: throw one of them."
        if r.big_gin_bonus is None
        else f"Big gin, all eleven cards melded and none thrown, scores {r.big_gin_bonus} instead of the gin bonus."
    ),
    "tie": lambda r: _TIE_WORDS[r.tie] if r.knock_limit else "No tie can happen: only gin ends the hand.",
    "taken_card_stays": lambda r: (
        "A card taken from the pile stays in your hand until your next turn."
        if r.taken_card_stays
        else "A card taken from the pile may be thrown back in the same turn."
    ),
    "last_discard": lambda r: (
        "A discard that leaves two cards in the stock ends the hand: it is dead, nobody scores."
        if r.last_discard is LastDiscard.DEAD
        else "The discard that leaves two cards in the stock may still be taken, but only to end the hand; "
        "otherwise it is dead."
    ),
    "first_turn_misdeal": lambda r: (
        "If someone is dealt ten cards within the knock limit, the hand is a misdeal: the same side deals again."
        if r.first_turn_misdeal
        else "You may knock on your very first turn."
    ),
    "pile_limit": lambda r: (
        f"After {r.pile_limit} cards taken from the pile in a row, none from the stock between, the hand is dead "
        "(a limit of this table, in no rule book)."
    ),
    "open_discards": lambda r: (
        "The whole discard pile may be looked through."
        if r.open_discards
        else "Only the last discard may be looked at."
    ),
    "target": _standing_words,
    "game_bonus": lambda r: (
        f"The winner of the game adds {r.game_bonus}." if r.game_bonus else "There is no bonus for the game."
    ),
    "box_bonus": lambda r: (
        f"Each hand won (a box) adds {r.box_bonus} to the final score; boxes do not count towards the target."
        if r.box_bonus
        else "Hands won count only by their points."
    ),
    "shutout": lambda r: _SHUTOUT_WORDS[r.shutout],
    "next_dealer": lambda r: _DEALER_WORDS[r.next_dealer],
    "match": _match_words,
}

_HOUSE = RuleSet(game_bonus=0, box_bonus=0)

PRESETS: dict[str, RuleSet] = {
    "Casual": replace(_HOUSE, next_dealer=NextDealer.WINNER),
    "Classic": RuleSet(
        gin_bonus=20,
        undercut_bonus=10,
        big_gin_bonus=None,
        box_bonus=20,
        shutout=Shutout.GAME_BONUS,
        next_dealer=NextDealer.WINNER,
    ),
    "Standard": RuleSet(shutout=Shutout.HAND_POINTS),
    "Oklahoma": RuleSet(oklahoma=True, spade_doubles=True, target=150, shutout=Shutout.HAND_POINTS),
    "Straight": RuleSet(knock_limit=0, shutout=Shutout.HAND_POINTS),
    "Tournament": replace(
        _HOUSE,
        last_discard=LastDiscard.TAKE_TO_END,
        target=250,
        match=MatchFormat(MatchKind.BEST_OF, 5),
    ),
    "EAAI": replace(_HOUSE, big_gin_bonus=None),
    "OpenSpiel": replace(
        _HOUSE,
        big_gin_bonus=None,
        tie=Tie.VOID,
        taken_card_stays=False,
        last_discard=LastDiscard.TAKE_TO_END,
        target=0,
    ),
}
"""The rule sets by name."""


def preset(name: str) -> RuleSet:
    """A preset by name, in any case; RuleError lists the names."""
    for known, rules in PRESETS.items():
        if known.lower() == name.strip().lower():
            return rules
    raise RuleError(f'"{name}" is no preset; the presets are {", ".join(PRESETS)}')
