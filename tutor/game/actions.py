"""What a player can do, and why some of it is not allowed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from tutor.game.cards import Card
from tutor.game.melds import Arrangement, Meld


class Seat(IntEnum):
    """The two places at the table."""

    SOUTH = 0
    NORTH = 1

    @property
    def other(self) -> Seat:
        """The seat opposite."""
        return Seat(1 - self)

    @property
    def label(self) -> str:
        """``South`` or ``North``."""
        return self.name.capitalize()


class Phase(Enum):
    """What the seat on turn has to do."""

    UPCARD = "upcard"
    DRAW = "draw"
    DISCARD = "discard"
    LAST_DISCARD = "last discard"
    LAY_OFF = "lay off"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Pass:
    """Refuse the upcard, or the last discard."""


@dataclass(frozen=True, slots=True)
class Take:
    """Take the top card of the discard pile (at first the upcard)."""


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw from the stock. ``card`` is filled in where it is known what came."""

    card: Card | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """Throw a card on the pile."""

    card: Card


@dataclass(frozen=True, slots=True)
class Knock:
    """End the hand: throw ``card`` face down and show the rest. With nothing loose it is gin.

    ``arrangement`` None means the one the table proposes; ``card`` is None for those who only see its back.
    """

    card: Card | None
    arrangement: Arrangement | None = None


@dataclass(frozen=True, slots=True)
class BigGin:
    """Show all eleven cards melded. ``arrangement`` None means the one the table proposes."""

    arrangement: Arrangement | None = None


@dataclass(frozen=True, slots=True)
class LayOff:
    """Add a card to one of the knocker's melds, given as it lies before."""

    card: Card
    meld: Meld


@dataclass(frozen=True, slots=True)
class Settle:
    """End the defence: show own melds and the rest. ``arrangement`` None means the best one."""

    arrangement: Arrangement | None = None


Action = Pass | Take | Draw | Discard | Knock | BigGin | LayOff | Settle


class Illegality(Enum):
    """The rules an action can break; the value is the rule in general words."""

    ROUND_OVER = "the hand is over"
    NOT_YOUR_TURN = "it is the other side's turn"
    UPCARD_FIRST = "first both sides may take or pass the upcard"
    NOTHING_TO_PASS = "passing is for the upcard and the last discard only"
    UPCARD_REFUSED = "an upcard that both refused is no longer on offer"
    DRAW_FIRST = "a turn begins with a card from the stock or the pile"
    ALREADY_DRAWN = "one card a turn"
    STOCK_CLOSED = "the last two cards of the stock are not drawn"
    NOT_NEXT_CARD = "a draw gives the next card of the stock"
    NOT_IN_HAND = "only cards in hand can be played"
    TAKEN_STAYS = "a card taken from the pile stays this turn"
    OVER_LIMIT = "a knock must be within the limit"
    NOT_THESE_CARDS = "a hand is shown with exactly the cards in it"
    NO_BIG_GIN = "big gin is not played here"
    NOT_ALL_MELDED = "big gin needs all eleven cards melded"
    MUST_END = "the last discard is taken only to end the hand"
    CANNOT_END = "the last discard may be taken only by someone who can end the hand with it"
    NO_KNOCK_YET = "lay-offs come after a knock"
    AFTER_KNOCK = "after a knock the defender lays off and settles"
    NO_LAY_OFF_AFTER_GIN = "nothing is laid off on gin"
    NOT_ON_TABLE = "cards are laid off on melds that lie on the table"
    DOES_NOT_FIT = "a lay-off must fit the meld"
    NOT_BEST_MELDS = "the defender's cards are settled at their best"


class IllegalAction(ValueError):
    """An action the rules refuse: ``why`` names the rule, the message says what a player can do instead."""

    def __init__(self, why: Illegality, action: Action, message: str) -> None:
        super().__init__(message)
        self.why = why
        self.action = action
