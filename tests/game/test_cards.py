"""Cards and the many ways to write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.game.cards import (
    ALL_CARDS,
    DECK,
    Card,
    CardSet,
    CardTextError,
    Rank,
    Suit,
    parse_cards,
    parse_dotted,
    parse_hand,
)

cards = st.sampled_from(DECK)
card_sets = st.integers(0, (1 << 52) - 1).map(CardSet)

RANK_SPELLINGS = {rank: [rank.letter, rank.letter.lower()] for rank in Rank} | {Rank.TEN: ["T", "t", "10"]}
SUIT_SPELLINGS = {
    Suit.CLUBS: ["c", "C", "♣", "♧", "♣️"],
    Suit.DIAMONDS: ["d", "D", "♦", "♢", "♦️"],
    Suit.HEARTS: ["h", "H", "♥", "♡", "♥️"],
    Suit.SPADES: ["s", "S", "♠", "♤", "♠︎"],
}


def test_numbers_run_by_suit_and_rank() -> None:
    assert [str(card) for card in DECK[:3]] == ["Ac", "2c", "3c"]
    assert str(DECK[51]) == "Ks"
    for card in DECK:
        assert card.index == 13 * card.suit + card.rank - 1
        assert Card.of(card.rank, card.suit) == card
    with pytest.raises(ValueError, match="0 to 51"):
        Card(52)


def test_pips() -> None:
    assert [rank.pips for rank in Rank] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert ALL_CARDS.pips == 4 * 85


def test_forms() -> None:
    ten = Card.parse("Th")
    assert (str(ten), ten.symbol, ten.spoken) == ("Th", "10♥", "ten of hearts")
    assert Rank.SIX.plural == "sixes"


@given(st.lists(cards, unique=True, max_size=12), st.data())
def test_every_spelling_reads_as_the_same_cards(wanted: list[Card], data: st.DataObject) -> None:
    text = ""
    for card in wanted:
        rank = data.draw(st.sampled_from(RANK_SPELLINGS[card.rank]))
        suit = data.draw(st.sampled_from(SUIT_SPELLINGS[card.suit]))
        between = data.draw(st.sampled_from([" ", ", ", ",", "\t", "\n", "\u00a0", ";", ""]))
        text += (rank + suit if data.draw(st.booleans()) else suit + rank) + between
    assert parse_cards(text) == tuple(wanted)
    assert str(CardSet.parse(text)) == " ".join(str(card) for card in sorted(wanted))


@given(st.text(max_size=30))
def test_any_text_is_cards_or_a_clear_refusal(text: str) -> None:
    try:
        found = parse_cards(text)
    except CardTextError as error:
        assert 0 <= error.position < len(text)
        assert len(str(error)) > 10
    else:
        assert parse_cards(" ".join(map(str, found))) == found


@pytest.mark.parametrize(
    ("text", "words", "position"),
    [
        ("7h 8x", "'X' is neither a rank", 4),
        ("7h 1s", "write A for an ace", 3),
        ("7h 0s", "T or 10 for a ten", 3),
        ("7h 8", 'lacks its suit: write a card like 7h', 3),
        ("h", "lacks its rank", 0),
        ("7 h", "lacks its suit", 0),
        ("78h", "lacks its suit", 0),
        ("7hh", "lacks its rank", 2),
        ("7h 8s H7", "7♥ is there twice", 6),
        ("7h \x00", "'\\x00' is neither", 3),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(text: str, words: str, position: int) -> None:
    with pytest.raises(CardTextError) as caught:
        parse_cards(text)
    assert words in str(caught.value)
    assert caught.value.position == position


def test_a_hand_has_its_size() -> None:
    with pytest.raises(CardTextError, match=r"a hand of 10 or 11 cards is wanted here, not 1 card$"):
        parse_hand("7h", (10, 11))
    with pytest.raises(CardTextError, match="one card is wanted here, not 2"):
        Card.parse("7h8h")


def test_dotted_hands() -> None:
    assert parse_dotted("A23.T.J9.4567") == CardSet.parse("Ac 2c 3c Td Jh 9h 4s 5s 6s 7s")
    assert parse_dotted("A23.-..456789K") == CardSet.parse("Ac 2c 3c 4s 5s 6s 7s 8s 9s Ks")
    with pytest.raises(CardTextError, match="not 3"):
        parse_dotted("A23.456.789")
    with pytest.raises(CardTextError, match='"X" is no rank') as caught:
        parse_dotted("A23.4X.789.56T")
    assert caught.value.position == 5


@given(card_sets, card_sets)
def test_sets_are_sets(one: CardSet, other: CardSet) -> None:
    assert set(one | other) == set(one) | set(other)
    assert set(one & other) == set(one) & set(other)
    assert set(one - other) == set(one) - set(other)
    assert (one <= other) == (set(one) <= set(other))
    assert len(one) == len(set(one))
    assert bool(one) == bool(set(one))
    assert one.pips == sum(card.pips for card in one)
    assert CardSet.of(one) == one
    assert set(one.by_rank()) == set(one)


@given(card_sets, cards)
def test_one_card_more_or_less(one: CardSet, card: Card) -> None:
    assert set(one.with_card(card)) == set(one) | {card}
    assert set(one.without(card)) == set(one) - {card}
    assert (card in one) == (card in set(one))


def test_a_card_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="7♥ is there twice"):
        CardSet.of([Card.parse("7h"), Card.parse("7h")])
    with pytest.raises(ValueError, match="not a set of cards"):
        CardSet(1 << 52)
