"""Fair deals: fixed by the seed, checkable afterwards. The statistics are in test_policies."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace

import pytest

from tests.helpers import seeds
from tutor.game.actions import Seat
from tutor.game.cards import DECK, Card, CardSet
from tutor.game.fair import SeedError, check_deal, commitment, deck, fair_deal, read_seed, shuffled
from tutor.game.round import Deal

SEED = bytes(range(32))
# Written down once: an order that changes would make every published deal unverifiable.
KNOWN_ORDER = (
    "5c 3d 2c 6s 2d 2s Ts Js 7c 4d 8s Jh 4s Ks As 4h Tc Jd 9c 9h 5h Th Td 7d Kc Kh "
    "6d 5s 6h Jc 9s 5d 6c Ad Qh 3s Qs 7h Kd 3c Qd 8d 2h Ac 8c Ah 9d 3h 7s 4c Qc 8h"
)


def test_the_order_of_a_known_seed_never_changes() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
    assert " ".join(map(str, deck(SEED))) == KNOWN_ORDER


def test_the_order_follows_the_documented_recipe() -> None:
    """The recipe of docs/NOTATION.md, written a second time."""
    for seed in seeds(20, label="recipe"):
        stream = b"".join(hmac.new(seed, f"gin-tutor deck 1 {i}".encode(), "sha256").digest() for i in range(20))
        numbers = iter(stream)
        order = list(range(52))
        for last in range(51, 0, -1):
            number = next(numbers)
            while number >= (last + 1) * (256 // (last + 1)):
                number = next(numbers)
            other = number % (last + 1)
            order[last], order[other] = order[other], order[last]
        assert [card.index for card in deck(seed)] == order


def test_cards_are_dealt_in_turn_from_the_non_dealer() -> None:
    cards = deck(SEED)
    deal = fair_deal(SEED, Seat.SOUTH)
    assert deal.hands[Seat.NORTH] == CardSet.of(cards[0:20:2])
    assert deal.hands[Seat.SOUTH] == CardSet.of(cards[1:20:2])
    assert deal.upcard == cards[20]
    assert deal.stock == cards[21:]
    swapped = fair_deal(SEED, Seat.NORTH)
    assert swapped.hands == (deal.hands[1], deal.hands[0])


def test_a_fair_deal_checks_and_any_change_is_named() -> None:
    deal = fair_deal(SEED, Seat.SOUTH)
    promised = commitment(SEED)
    check_deal(deal, SEED, promised)
    check_deal(replace(deal, stock=deal.stock[:5]), SEED, promised.upper())
    with pytest.raises(SeedError, match="does not have the SHA-256"):
        check_deal(deal, SEED[::-1], promised)
    with pytest.raises(SeedError, match="the seed deals South"):
        check_deal(replace(deal, dealer=Seat.NORTH), SEED, promised)
    first, second, *rest = deal.stock
    with pytest.raises(SeedError, match=rf"card 1 of the stock is {first} by the seed, {second} in the record"):
        check_deal(replace(deal, stock=(second, first, *rest)), SEED, promised)
    with pytest.raises(SeedError, match="turns up"):
        check_deal(replace(deal, upcard=first, stock=(deal.upcard, second, *rest)), SEED, promised)
    with pytest.raises(SeedError, match="whole deck"):
        check_deal(replace(deal, stock=deal.stock[:-1], out_of_play=CardSet.of(deal.stock[-1:])), SEED, promised)


def test_seeds_are_32_bytes() -> None:
    assert read_seed(SEED.hex()) == SEED
    for text in ("", "abc", "zz" * 32, "00" * 31):
        with pytest.raises(SeedError):
            read_seed(text)
    with pytest.raises(ValueError, match="at most 256"):
        shuffled(range(257), SEED)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"upcard": DECK[0]}, "dealt twice"),
        ({"stock": DECK}, "the stock has 31 cards, not 52"),
        ({"hands": (CardSet(), CardSet())}, "South needs 10 cards, not 0"),
    ],
)
def test_a_deal_that_cannot_be_is_refused(change: dict[str, object], words: str) -> None:
    deal = fair_deal(SEED, Seat.SOUTH)
    deal = replace(deal, hands=(CardSet.of(DECK[:10]), CardSet.of(DECK[10:20])), upcard=DECK[20], stock=DECK[21:])
    with pytest.raises(ValueError, match=words):
        replace(deal, **change)


def test_what_is_not_told_of_a_stock() -> None:
    deal = fair_deal(SEED, Seat.SOUTH)
    part = replace(deal, stock=deal.stock[:3])
    assert part.untold == CardSet.of(deal.stock[3:])
    assert isinstance(part, Deal)
    assert isinstance(part.upcard, Card)
