"""The solver and lay-offs against the naive brute force, on random and on rich hands."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests import naive
from tests.helpers import random_hand, rich_hand
from tutor.game.cards import DECK, Card, CardSet, Rank, Suit
from tutor.game.layoffs import best_defence
from tutor.game.melds import MELDS, Arrangement, Meld
from tutor.game.solver import arrangements, best_discards, deadwood

HANDS = 10_000
Maker = Callable[[random.Random, int], CardSet]
MAKERS: dict[str, Maker] = {"random": random_hand, "rich": rich_hand}


def plain(cards: CardSet) -> naive.Cards:
    return frozenset((int(card.rank), int(card.suit)) for card in cards)


def card_of(pair: tuple[int, int]) -> Card:
    return Card.of(Rank(pair[0]), Suit(pair[1]))


def way(arrangement: Arrangement) -> naive.Way:
    return frozenset(plain(meld.cards) for meld in arrangement.melds), plain(arrangement.loose)


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("size", [10, 11])
def test_deadwood_arrangements_and_throws(maker: str, size: int, times: int) -> None:
    random_ = random.Random(f"{maker} {size}")
    for _ in range(HANDS * times):
        hand = MAKERS[maker](random_, size)
        least, ways, after = naive.judged(plain(hand))
        assert deadwood(hand) == least, hand
        found = arrangements(hand)
        assert len(found) == len(ways), hand
        assert {way(arrangement) for arrangement in found} == ways, hand
        keep = random_.choice([None, *hand])
        allowed = {card_of(pair): count for pair, count in after.items() if card_of(pair) != keep}
        best = best_discards(hand, keep)
        assert best.deadwood == min(allowed.values()), hand
        assert set(best.cards) == {card for card, count in allowed.items() if count == best.deadwood}, hand


def shown_melds(random_: random.Random) -> tuple[Meld, ...]:
    """One to three melds that lie on a table together, at most ten cards."""
    melds: list[Meld] = []
    used = CardSet()
    for _ in range(random_.randint(1, 3)):
        for _ in range(20):
            meld = random_.choice(list(MELDS.values()))
            if not meld.cards & used and len(meld.cards | used) <= 10:
                melds.append(meld)
                used = used | meld.cards
                break
    return tuple(melds)


def near(random_: random.Random, shown: tuple[Meld, ...], size: int) -> CardSet:
    """A defender's hand full of cards that fit, or nearly fit, what is shown."""
    used = CardSet()
    for meld in shown:
        used = used | meld.cards
    ranks = {card.rank + step for card in used for step in (-3, -2, -1, 0, 1, 2, 3)}
    suits = {card.suit for card in used}
    close = [card for card in DECK if card not in used and card.rank in ranks and card.suit in suits]
    picked = random_.sample(close, min(len(close), random_.randint(size - 2, size)))
    others = [card for card in DECK if card not in used and card not in picked]
    return CardSet.of(picked + random_.sample(others, size - len(picked)))


@pytest.mark.parametrize("maker", ["random", "near"])
def test_lay_offs(maker: str, times: int) -> None:
    random_ = random.Random(maker)
    chained = 0
    for _ in range(HANDS * times):
        shown = shown_melds(random_)
        used = CardSet()
        for meld in shown:
            used = used | meld.cards
        if maker == "near":
            hand = near(random_, shown, 10)
        else:
            hand = CardSet.of(random_.sample([card for card in DECK if card not in used], 10))
        defence = best_defence(hand, shown)
        assert defence.deadwood == naive.best_defence(plain(hand), tuple(plain(meld.cards) for meld in shown)), hand
        chained += laid_off_legally(hand, shown, defence.lay_offs, defence.kept)
    assert maker == "random" or chained > HANDS // 100


def laid_off_legally(
    hand: CardSet, shown: tuple[Meld, ...], steps: tuple[tuple[Card, Meld], ...], kept: Arrangement
) -> bool:
    """Replay the lay-offs one at a time; whether one of them went onto a card laid off before."""
    table = list(shown)
    laid = CardSet()
    chain = False
    for card, meld in steps:
        assert card in hand
        assert meld in table
        grown = meld.extended(card)
        chain |= bool(meld.cards & laid)
        table[table.index(meld)] = grown
        laid = laid.with_card(card)
    assert kept.cards == hand - laid
    return chain


def test_every_subset_of_one_suit() -> None:
    for suit in (Suit.CLUBS, Suit.SPADES):
        for mask in range(1 << 13):
            hand = CardSet(mask << 13 * suit)
            assert deadwood(hand) == naive.least(plain(hand))
