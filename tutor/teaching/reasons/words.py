"""Sentences in pieces, and the one place where figures become words.

A sentence is a tuple of text and cards, so that the screen can draw the cards and a log can spell them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from math import floor

from tutor.game.actions import Action, BigGin, Discard, Draw, Knock, LayOff, Pass, Settle, Take
from tutor.game.cards import Card
from tutor.game.view import View

Words = tuple[str | Card, ...]
"""A sentence in pieces: text, and cards."""

NAMED = 6
"""Cards named in a list before the rest is only counted."""
_SMALL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def plain(words: Words) -> str:
    """The sentence as text, cards in their form for reading: ``J♣``."""
    return "".join(piece.symbol if isinstance(piece, Card) else piece for piece in words)


def to_text(words: Words) -> str:
    """The sentence as text that ``from_text`` reads: cards stand in braces, ``{Jc} was just as good.``"""
    return "".join(f"{{{piece}}}" if isinstance(piece, Card) else piece for piece in words)


def from_text(text: str) -> Words:
    """The sentence that ``to_text`` wrote. ValueError for a card in braces that is none."""
    parts = re.split(r"\{(\w+)\}", text)
    return tuple(Card.parse(part) if place % 2 else part for place, part in enumerate(parts) if part)


def rounded(value: float) -> int:
    """The nearest whole number, halves away from zero."""
    return floor(value + 0.5) if value >= 0 else -floor(-value + 0.5)


def cost(points: float) -> str:
    """A cost in words: ``about 6 points``, ``about half a point``. Whole points from one and a half on."""
    points = abs(points)
    if points >= 1.5:
        return f"about {rounded(points)} points"
    if points >= 0.75:
        return "about 1 point"
    if points >= 5 / 12:
        return "about half a point"
    if points >= 0.25:
        return "about a third of a point"
    return "less than a third of a point"


def signed(points: float) -> str:
    """Whole points with their sign: ``+14``, ``−3`` (a real minus sign), ``0``."""
    whole = rounded(points)
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole < 0 else "0"


def share(part: float) -> str:
    """A share in round words: ``3 in 10``, ``half``, ``1 in 14``; ``hardly any`` under 1 in 100, ``nearly all``
    over 95.
    """
    if part < 0.01:
        return "hardly any"
    if part > 0.95:
        return "nearly all"
    if part < 0.15:
        return f"1 in {rounded(1 / part)}"
    tenths = min(rounded(part * 10), 9)
    return "half" if tenths == 5 else f"{tenths} in 10"


def about(part: float) -> str:
    """The same with its doubt said: ``about 3 in 10``; the words that are vague by themselves stay."""
    words = share(part)
    return words if words in ("hardly any", "nearly all") else f"about {words}"


def fitting(part: float, verb: str = "") -> str:
    """A share of the fitting hands: ``about 3 in 10 fitting hands take``, ``about 1 in 7 fitting hands takes``.

    ``verb`` is what they do, ``take``; with an s where the share is one hand.
    """
    words = about(part)
    hands = (
        "fitting hand" if words == "hardly any" else "the fitting hands" if share(part) == "half" else "fitting hands"
    )
    return f"{words} {hands}{_does(words, verb)}"


def some(part: float, verb: str) -> str:
    """The same where the hands are understood: ``hardly any takes``."""
    words = about(part)
    return words + _does(words, verb)


def _does(words: str, verb: str) -> str:
    one = words == "hardly any" or words.startswith("about 1 in")
    return f" {verb}{'s' if one else ''}" if verb else ""


def percent(part: float) -> str:
    """A share of the game: ``3%``, ``less than 1%``."""
    whole = rounded(abs(part) * 100)
    return f"{whole}%" if whole else "less than 1%"


def points(count: int) -> str:
    """Whole points: ``1 point``, ``6 points``."""
    return f"{count} point{'' if count == 1 else 's'}"


def number(count: int, one: str, many: str = "") -> str:
    """A count with its noun: ``no meld``, ``1 meld``, ``4 melds``."""
    if count == 0:
        return f"no {one}"
    return f"{count} {one if count == 1 else many or one + 's'}"


def spelled(count: int) -> str:
    """A small count as a word, ``three``; figures from eleven on."""
    return _SMALL[count] if 0 <= count < len(_SMALL) else str(count)


def listed(cards: Iterable[Card], most: int = NAMED) -> Words:
    """Cards by rank as a list: ``7♥, 8♠ and J♣``; beyond ``most`` the rest is counted: ``and 3 more``."""
    ordered = sorted(cards, key=lambda card: (card.rank, card.suit))
    # "and 1 more" would be no shorter than the card itself.
    named, more = (ordered, 0) if len(ordered) <= most + 1 else (ordered[:most], len(ordered) - most)
    pieces: list[str | Card] = []
    for place, card in enumerate(named):
        if place:
            pieces.append(" and " if place == len(named) - 1 and not more else ", ")
        pieces.append(card)
    if more:
        pieces.append(f" and {more} more")
    return tuple(pieces)


def joined(parts: Sequence[Words]) -> Words:
    """Several pieces as a list: ``a, b and c``."""
    pieces: list[str | Card] = []
    for place, part in enumerate(parts):
        if place:
            pieces.append(" and " if place == len(parts) - 1 else ", ")
        pieces.extend(part)
    return tuple(pieces)


def move(view: View, action: Action) -> Words:
    """The action as advice: ``Throw J♣``, ``Knock, throwing 5♣``. A sentence but for its stop."""
    match action:
        case Discard(card):
            return "Throw ", card
        case Knock(card) if card is not None:
            shown = view.completed(action)
            gin = isinstance(shown, Knock) and shown.arrangement is not None and not shown.arrangement.loose
            return ("Gin" if gin else "Knock") + ", throwing ", card
        case Take():
            return "Take ", view.public.pile[-1]
        case Draw():
            return ("Draw from the stock",)
        case Pass():
            return ("Pass",)
        case BigGin():
            return ("Show big gin",)
        case LayOff(card, meld):
            return "Lay off ", card, f" on the {meld.inline}"
        case Settle():
            return ("Lay off nothing more and settle",)
    return ("Knock",)


def capital(text: str) -> str:
    """The text with its first letter a capital one."""
    return text[:1].upper() + text[1:]
