"""Fair deals: the order of the deck is fixed by a secret seed whose hash is told before the deal.

Before a round the SHA-256 of its seed is shown (the commitment); after the round the seed. Everyone can
then recompute the deck and see that it was fixed beforehand. The deck comes from HMAC-SHA256 keyed by the
seed (RFC 2104), which the published hash does not give away, by a Fisher–Yates shuffle with unbiased indices.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from typing import TypeVar

from tutor.game.actions import Seat
from tutor.game.cards import DECK, Card
from tutor.game.round import Deal

SEED_BYTES = 32
_LABEL = b"gin-tutor deck 1 "

T = TypeVar("T")


class SeedError(ValueError):
    """A seed that is none, or does not fit its commitment or deal, with the reason in words."""


def commitment(seed: bytes) -> str:
    """What is told before the deal: the seed's SHA-256, as 64 hexadecimal digits."""
    return hashlib.sha256(_checked(seed)).hexdigest()


def shuffled(items: Sequence[T], seed: bytes) -> list[T]:
    """The items in the order the seed fixes; every order equally likely over random seeds.

    At most 256 items. Raises SeedError for a seed that is not 32 bytes.
    """
    if len(items) > 256:
        raise ValueError(f"at most 256 items can be shuffled, not {len(items)}")
    order = list(items)
    numbers = _bytes_of(_checked(seed))
    for last in range(len(order) - 1, 0, -1):
        other = _below(last + 1, numbers)
        order[last], order[other] = order[other], order[last]
    return order


def deck(seed: bytes) -> tuple[Card, ...]:
    """The 52 cards in the order the seed fixes, the first card to deal first."""
    return tuple(shuffled(DECK, seed))


def fair_deal(seed: bytes, dealer: Seat) -> Deal:
    """The deal the seed fixes for this dealer."""
    return Deal.from_deck(deck(seed), dealer)


def read_seed(text: str) -> bytes:
    """A seed from its 64 hexadecimal digits; SeedError otherwise."""
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        raise SeedError("a seed is 64 hexadecimal digits") from None
    return _checked(seed)


def check_deal(deal: Deal, seed: bytes, committed: str) -> None:
    """Whether a deal is the one that was committed to; SeedError says what does not fit.

    A stock that is told only in part is compared as far as it is told.
    """
    if commitment(seed) != committed.strip().lower():
        raise SeedError("the seed does not have the SHA-256 that was told before the deal")
    fair = fair_deal(seed, deal.dealer)
    for seat in Seat:
        if fair.hands[seat] != deal.hands[seat]:
            raise SeedError(f"the seed deals {seat.label} {fair.hands[seat]}, the record has {deal.hands[seat]}")
    if fair.upcard != deal.upcard:
        raise SeedError(f"the seed turns up {fair.upcard}, the record has {deal.upcard}")
    for place, (told, wanted) in enumerate(zip(deal.stock, fair.stock, strict=False), start=1):
        if told != wanted:
            raise SeedError(f"card {place} of the stock is {wanted} by the seed, {told} in the record")
    if deal.out_of_play:
        raise SeedError("a deal with cards out of play does not come from a whole deck")


def _checked(seed: bytes) -> bytes:
    if len(seed) != SEED_BYTES:
        raise SeedError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
    return seed


def _bytes_of(seed: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(seed, _LABEL + str(block).encode(), hashlib.sha256)
        block += 1


def _below(limit: int, numbers: Iterator[int]) -> int:
    """A number from 0 to limit − 1, each equally likely: bytes beyond the last whole multiple are dropped."""
    usable = 256 - 256 % limit
    for number in numbers:
        if number < usable:
            return number % limit
    raise AssertionError("the stream of bytes does not end")
