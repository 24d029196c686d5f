"""Deals, rounds and hands that many tests use."""

from __future__ import annotations

import hashlib
import random
from functools import cache

from tests.policies import KnocksAtOnce
from tutor.engine.arena import play_out
from tutor.game.actions import Seat
from tutor.game.cards import DECK, Card, CardSet
from tutor.game.fair import fair_deal
from tutor.game.round import Deal, Round
from tutor.game.rules import PRESETS


def seeds(count: int, *, label: str) -> list[bytes]:
    """Fixed seeds of 32 bytes, other ones for each label."""
    return [hashlib.sha256(f"{label} {number}".encode()).digest() for number in range(count)]


def random_hand(random_: random.Random, size: int) -> CardSet:
    """Cards from the whole deck."""
    return CardSet.of(random_.sample(DECK, size))


def rich_hand(random_: random.Random, size: int) -> CardSet:
    """Cards from a window of four to six neighbouring ranks: full of crossing sets and runs."""
    width = random_.randint(4, 6)
    low = random_.randint(1, 14 - width)
    window = [card for card in DECK if low <= card.rank < low + width]
    return CardSet.of(random_.sample(window, size))


def random_deal(random_: random.Random, dealer: Seat = Seat.SOUTH) -> Deal:
    deck: list[Card] = list(DECK)
    random_.shuffle(deck)
    return Deal.from_deck(deck, dealer)


def play_randomly(round_: Round, random_: random.Random) -> Round:
    """Play on with any legal action, each equally likely."""
    while legal := round_.legal_actions():
        round_ = round_.play(random_.choice(legal))
    return round_


@cache
def some_rounds(count: int) -> tuple[Round, ...]:
    """Rounds under every preset in turn, ended by knocks as soon as random play allows one."""
    random_ = random.Random(count)
    rules = list(PRESETS.values())
    players = (KnocksAtOnce(), KnocksAtOnce())
    return tuple(
        play_out(
            Round.start(rules[i % len(rules)], fair_deal(seed, Seat(i % 2))), players, seed=random_.randrange(10**6)
        )
        for i, seed in enumerate(seeds(count, label="some rounds"))
    )
