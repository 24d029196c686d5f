"""Melds and arrangements: how cards lie on the table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from tutor.game.cards import ALL_CARDS, DECK, NO_CARDS, Card, CardSet, Rank, Suit


class MeldKind(Enum):
    """The two kinds of meld."""

    SET = "set"
    RUN = "run"


class NotAMeld(ValueError):
    """Cards that do not form one meld, with the reason in words."""


def _meld_kinds() -> dict[int, MeldKind]:
    kinds: dict[int, MeldKind] = {}
    for rank in Rank:
        four = CardSet.of(Card.of(rank, suit) for suit in Suit)
        kinds[four.bits] = MeldKind.SET
        kinds |= {four.without(card).bits: MeldKind.SET for card in four}
    for suit in Suit:
        cards = DECK[13 * suit : 13 * suit + 13]
        for low in range(11):
            for high in range(low + 3, 14):
                kinds[CardSet.of(cards[low:high]).bits] = MeldKind.RUN
    return kinds


_KINDS = _meld_kinds()


@dataclass(frozen=True)
class Meld:
    """Three or four cards of one rank, or three or more in order of one suit, ace low.

    There are 329 (65 sets, 264 runs); ``Meld.of`` gives the shared instance, anything else is NotAMeld.
    """

    kind: MeldKind
    cards: CardSet

    def __post_init__(self) -> None:
        if _KINDS.get(self.cards.bits) is not self.kind:
            raise NotAMeld(_why_not(self.cards))

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Meld:
        """The meld of these cards; NotAMeld says why they form none."""
        bits = cards if isinstance(cards, CardSet) else CardSet.of(cards)
        meld = MELDS.get(bits.bits)
        if meld is None:
            raise NotAMeld(_why_not(bits))
        return meld

    @cached_property
    def fits(self) -> CardSet:
        """The cards that could be added right now (none for a set of four)."""
        fitting = (card for card in ALL_CARDS - self.cards if self.cards.with_card(card).bits in MELDS)
        return CardSet.of(fitting)

    def extended(self, card: Card) -> Meld:
        """This meld with one card more; NotAMeld says why the card does not fit."""
        if card not in self.fits:
            raise NotAMeld(f"{card.symbol} does not fit the {self.inline}")
        return MELDS[self.cards.with_card(card).bits]

    @cached_property
    def name(self) -> str:
        """How the table labels it: ``Run 5–7 ♠``, ``Set of nines``."""
        cards = tuple(self.cards)
        if self.kind is MeldKind.SET:
            return f"Set of {cards[0].rank.plural}"
        low, high = (card.symbol[:-1] for card in (cards[0], cards[-1]))
        return f"Run {low}–{high} {cards[0].suit.symbol}"

    @property
    def inline(self) -> str:
        """The name inside a sentence: ``run 5–7 ♠``."""
        return self.name[0].lower() + self.name[1:]

    def __str__(self) -> str:
        return "".join(map(str, self.cards))


def _why_not(cards: CardSet) -> str:
    listed = " ".join(card.symbol for card in cards) or "no cards"
    if len(cards) < 3:
        return f"a meld has at least three cards, not {listed}"
    if len({card.rank for card in cards}) == 1:  # pragma: no cover - every such set is a meld
        return f"a set has three or four cards, not {listed}"
    if len({card.suit for card in cards}) == 1:
        return f"{listed} are not in unbroken order (the ace is low)"
    return f"{listed} are neither of one rank nor in order of one suit"


MELDS: dict[int, Meld] = {bits: Meld(kind, CardSet(bits)) for bits, kind in _KINDS.items()}
"""Every meld by its cards' bits."""


@dataclass(frozen=True, slots=True)
class Arrangement:
    """Cards laid out as melds and loose cards. Melds are kept in one order.

    Raises ValueError when a card lies in two places.
    """

    melds: tuple[Meld, ...]
    loose: CardSet = NO_CARDS

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.melds, key=lambda meld: meld.cards.bits & -meld.cards.bits))
        object.__setattr__(self, "melds", ordered)
        seen = self.loose.bits
        for meld in ordered:
            double = seen & meld.cards.bits
            if double:
                card = next(iter(CardSet(double)))
                raise ValueError(f"{card.symbol} cannot lie in two places")
            seen |= meld.cards.bits

    @property
    def cards(self) -> CardSet:
        """All cards, melded or loose."""
        bits = self.loose.bits
        for meld in self.melds:
            bits |= meld.cards.bits
        return CardSet(bits)

    @property
    def deadwood(self) -> int:
        """Points of the loose cards."""
        return self.loose.pips

    def joined(self) -> Arrangement:
        """The same cards with neighbouring runs of a suit joined into one."""
        melds = list(self.melds)
        for first in melds:
            for second in melds:
                whole = MELDS.get(first.cards.bits | second.cards.bits)
                if first is not second and whole is not None:
                    rest = (meld for meld in melds if meld is not first and meld is not second)
                    return Arrangement((*rest, whole), self.loose).joined()
        return self

    def __str__(self) -> str:
        melds = " ".join(map(str, self.melds))
        if not self.loose:
            return melds
        return f"{melds} / {self.loose}".lstrip()
