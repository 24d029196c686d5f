"""Cards, sets of cards, and the many ways people write them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cache

_RANKS = "A23456789TJQK"
_RANK_NAMES = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
_SUITS = "cdhs"
_SYMBOLS = "♣♦♥♠"
_OUTLINES = "♧♢♡♤"
_SEPARATORS = ",;"
# Variation selectors and joiners that keyboards add to a suit symbol.
_INVISIBLE = "\ufe0e\ufe0f\u200b\u200c\u200d\u2060\ufeff"


class Suit(IntEnum):
    """The four suits, in the order cards are numbered and sorted."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """The suit's lower-case letter, as in ``7h``."""
        return _SUITS[self]

    @property
    def symbol(self) -> str:
        """The suit's symbol, as in ``7♥``."""
        return _SYMBOLS[self]


class Rank(IntEnum):
    """The thirteen ranks; the ace is always low."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def letter(self) -> str:
        """The rank's one-character form: ``A 2 … 9 T J Q K``."""
        return _RANKS[self - 1]

    @property
    def pips(self) -> int:
        """Points a loose card of this rank costs: ace 1, pictures 10."""
        return min(int(self), 10)

    @property
    def plural(self) -> str:
        """``sevens``, ``sixes``, as in "set of sixes"."""
        name = self.name.lower()
        return f"{name}es" if name.endswith("x") else f"{name}s"


class CardTextError(ValueError):
    """Text that is not cards. ``position`` counts characters from 0."""

    def __init__(self, message: str, position: int = 0) -> None:
        super().__init__(message)
        self.position = position


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One of the 52 cards, numbered ``13 * suit + rank - 1``.

    Raises ValueError for a number outside 0–51.
    """

    index: int

    def __post_init__(self) -> None:
        if not 0 <= self.index < 52:
            raise ValueError(f"a card's number is 0 to 51, not {self.index}")

    @classmethod
    def of(cls, rank: Rank, suit: Suit) -> Card:
        """The card of this rank and suit."""
        return DECK[13 * suit + rank - 1]

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read exactly one card (``7h 10♥ H7 tH``); CardTextError otherwise."""
        cards = parse_cards(text)
        if len(cards) != 1:
            raise CardTextError(f"one card is wanted here, not {len(cards)}")
        return cards[0]

    @property
    def suit(self) -> Suit:
        """The card's suit."""
        return _SUIT_OF[self.index]

    @property
    def rank(self) -> Rank:
        """The card's rank."""
        return _RANK_OF[self.index]

    @property
    def pips(self) -> int:
        """Points the card costs when loose."""
        return _PIPS_OF[self.index]

    @property
    def symbol(self) -> str:
        """The form for reading: ``7♥``, ``10♥``."""
        rank = "10" if self.rank is Rank.TEN else self.rank.letter
        return rank + self.suit.symbol

    @property
    def spoken(self) -> str:
        """The form for a screen reader: ``seven of hearts``."""
        return f"{_RANK_NAMES[self.rank - 1]} of {self.suit.name.lower()}"

    def __str__(self) -> str:
        return self.rank.letter + self.suit.letter


_SUIT_OF = tuple(Suit(i // 13) for i in range(52))
_RANK_OF = tuple(Rank(i % 13 + 1) for i in range(52))
_PIPS_OF = tuple(rank.pips for rank in _RANK_OF)

DECK: tuple[Card, ...] = tuple(Card(i) for i in range(52))
"""All cards in order: clubs, diamonds, hearts, spades, each from ace to king."""

SUIT_MASK = (1 << 13) - 1
"""The thirteen low bits: one suit of a shifted card set."""


def _suit_points() -> tuple[int, ...]:
    points = [0] * 8192
    for mask in range(1, 8192):
        low = mask & -mask
        points[mask] = points[mask ^ low] + min(low.bit_length(), 10)
    return tuple(points)


SUIT_POINTS: tuple[int, ...] = _suit_points()
"""Points of all cards in a thirteen-bit suit mask (8,192 entries)."""


@dataclass(frozen=True, slots=True)
class CardSet:
    """A set of cards as a 52-bit number, bit ``card.index`` for each card."""

    bits: int = 0

    def __post_init__(self) -> None:
        if self.bits >> 52:
            raise ValueError(f"not a set of cards: {self.bits:#x}")

    @classmethod
    def of(cls, cards: Iterable[Card]) -> CardSet:
        """The set of these cards; ValueError names one that comes twice."""
        bits = 0
        for card in cards:
            bit = 1 << card.index
            if bits & bit:
                raise ValueError(f"{card.symbol} is there twice")
            bits |= bit
        return cls(bits)

    @classmethod
    def parse(cls, text: str) -> CardSet:
        """Read any number of cards, in any accepted spelling; CardTextError otherwise."""
        return cls.of(parse_cards(text))

    @property
    def pips(self) -> int:
        """Points of all these cards together."""
        bits = self.bits
        return (
            SUIT_POINTS[bits & SUIT_MASK]
            + SUIT_POINTS[bits >> 13 & SUIT_MASK]
            + SUIT_POINTS[bits >> 26 & SUIT_MASK]
            + SUIT_POINTS[bits >> 39]
        )

    def by_rank(self) -> tuple[Card, ...]:
        """The cards ordered by rank, then suit."""
        return tuple(sorted(self, key=lambda card: (card.rank, card.suit)))

    def __or__(self, other: CardSet) -> CardSet:
        return CardSet(self.bits | other.bits)

    def __and__(self, other: CardSet) -> CardSet:
        return CardSet(self.bits & other.bits)

    def __sub__(self, other: CardSet) -> CardSet:
        return CardSet(self.bits & ~other.bits)

    def __le__(self, other: CardSet) -> bool:
        return not self.bits & ~other.bits

    def __contains__(self, card: Card) -> bool:
        return bool(self.bits >> card.index & 1)

    def __iter__(self) -> Iterator[Card]:
        bits = self.bits
        while bits:
            low = bits & -bits
            yield DECK[low.bit_length() - 1]
            bits ^= low

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __bool__(self) -> bool:
        return self.bits != 0

    def with_card(self, card: Card) -> CardSet:
        """This set and one more card."""
        return CardSet(self.bits | 1 << card.index)

    def without(self, card: Card) -> CardSet:
        """This set less one card (which need not be in it)."""
        return CardSet(self.bits & ~(1 << card.index))

    def __str__(self) -> str:
        return " ".join(map(str, self))


NO_CARDS = CardSet()
ALL_CARDS = CardSet((1 << 52) - 1)


@cache
def _spellings() -> tuple[dict[str, Rank], dict[str, Suit]]:
    ranks = {rank.letter: rank for rank in Rank} | {"10": Rank.TEN}
    suits = {letter: Suit(i) for i, letter in enumerate(_SUITS.upper())}
    for i, symbol in enumerate(_SYMBOLS):
        suits[symbol] = suits[_OUTLINES[i]] = Suit(i)
    return ranks, suits


def _characters(text: str) -> list[tuple[int, str]]:
    """Upper-case characters with their places, "10" as one, marks dropped."""
    characters: list[tuple[int, str]] = []
    for place, character in enumerate(text):
        if character in _INVISIBLE:
            continue
        if character == "0" and characters and characters[-1] == (place - 1, "1"):
            characters[-1] = (place - 1, "10")
        else:
            characters.append((place, character.upper()))
    return characters


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards as people write them, in the order written.

    Rank and suit in either order and case (``7h``, ``H7``, ``tH``), ten as ``T`` or ``10``,
    suits as letters or as filled or outline symbols, with blanks, commas or nothing between cards.
    Raises CardTextError that says what is wrong, also for a card written twice.
    """
    ranks, suits = _spellings()
    cards: list[Card] = []
    seen: set[Card] = set()
    waiting: tuple[int, str] | None = None
    for place, character in _characters(text):
        if character.isspace() or character in _SEPARATORS:
            if waiting is not None:
                raise _half_card(waiting)
            continue
        if character not in ranks and character not in suits:
            raise CardTextError(_unknown(character), place)
        if waiting is None:
            waiting = (place, character)
            continue
        start, first = waiting
        if (first in ranks) == (character in ranks):
            raise _half_card(waiting)
        rank, suit = (first, character) if first in ranks else (character, first)
        card = Card.of(ranks[rank], suits[suit])
        if card in seen:
            raise CardTextError(f"{card.symbol} is there twice", start)
        seen.add(card)
        cards.append(card)
        waiting = None
    if waiting is not None:
        raise _half_card(waiting)
    return tuple(cards)


def _unknown(character: str) -> str:
    if character in "01":
        return f'"{character}" is no rank: write A for an ace, T or 10 for a ten'
    return (
        f"{ascii(character) if not character.isprintable() else repr(character)} is neither a rank "
        "(A 2 3 4 5 6 7 8 9 10 J Q K) nor a suit (c d h s or ♣ ♦ ♥ ♠)"
    )


def _half_card(waiting: tuple[int, str]) -> CardTextError:
    place, character = waiting
    lacks = "its suit" if character in _spellings()[0] else "its rank"
    return CardTextError(f'"{character}" lacks {lacks}: write a card like 7h', place)


def parse_hand(text: str, sizes: tuple[int, ...] = (10,)) -> CardSet:
    """Read a hand of one of the given sizes; CardTextError says how many cards there are."""
    cards = CardSet.parse(text)
    if len(cards) not in sizes:
        wanted = " or ".join(map(str, sizes))
        count = f"{len(cards)} card{'' if len(cards) == 1 else 's'}"
        raise CardTextError(f"a hand of {wanted} cards is wanted here, not {count}")
    return cards


def parse_dotted(text: str, sizes: tuple[int, ...] = (10,)) -> CardSet:
    """Read a hand as four groups of ranks parted by dots: clubs, diamonds, hearts, spades.

    A suit without cards is an empty group or ``-``. Raises CardTextError.
    """
    groups = text.split(".")
    if len(groups) != 4:
        raise CardTextError(f"four groups parted by dots are wanted (clubs.diamonds.hearts.spades), not {len(groups)}")
    spelled = []
    start = 0
    for letter, group in zip(_SUITS, groups, strict=True):
        for place, rank in _characters(group):
            if rank.isspace() or (rank == "-" and group.strip() == "-"):
                continue
            if rank not in _spellings()[0]:
                raise CardTextError(f'"{rank}" is no rank', start + place)
            spelled.append(rank + letter)
        start += len(group) + 1
    return parse_hand(" ".join(spelled), sizes)
