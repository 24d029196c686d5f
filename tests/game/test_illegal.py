"""Every rule an action can break, reached by a scripted round and told in words that help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tutor.game.actions import (
    Action,
    BigGin,
    Discard,
    Draw,
    IllegalAction,
    Illegality,
    Knock,
    LayOff,
    Pass,
    Seat,
    Settle,
    Take,
)
from tutor.game.cards import ALL_CARDS, Card, CardSet
from tutor.game.melds import Arrangement, Meld
from tutor.game.round import Deal, Round
from tutor.game.rules import LastDiscard, RuleSet, preset

STANDARD = preset("Standard")
# North deals, so South begins. South lacks only a third seven; North holds loose cards and a run of hearts.
SOUTH = CardSet.parse("7h 7s Ac 2c 3c Jd Qd Kd 9h 8s")
NORTH = CardSet.parse("Ah 2h 3h 4d 6s 8c Tc Js Qs Kc")
UPCARD = Card.parse("7d")
STOCK = tuple(Card.parse(card) for card in ["9c", "9d", "9s", "4c", "4h", "4s", "5c", "5d", "5h", "5s"])
UNTOLD = ALL_CARDS - SOUTH - NORTH - CardSet.of(STOCK).with_card(UPCARD)


def card(text: str) -> Card:
    return Card.parse(text)


def shown(*melds: str, loose: str = "") -> Arrangement:
    return Arrangement(tuple(Meld.of(CardSet.parse(meld)) for meld in melds), CardSet.parse(loose))


def started(rules: RuleSet = STANDARD, stock: int = 10, south: CardSet = SOUTH, north: CardSet = NORTH) -> Round:
    told = [one for one in STOCK if one not in south | north][:stock]
    out = ALL_CARDS - south - north - CardSet.of(told).with_card(UPCARD)
    return Round.start(rules, Deal((south, north), UPCARD, tuple(told), Seat.NORTH, out))


def played(round_: Round, *actions: Action) -> Round:
    for action in actions:
        round_ = round_.play(action)
    return round_


def taken() -> Round:
    return played(started(), Take())


def knocked() -> Round:
    """South has taken the seven and knocked with 8♠; nines and sevens are out of the defender's reach."""
    return played(taken(), Knock(card("9h"), shown("7d7h7s", "Ac2c3c", "JdQdKd", loose="8s")))


GIN_HAND = CardSet.parse("7h 7s 7c Ac 2c 3c Jd Qd Kd 9h")


def gin() -> Round:
    return played(started(south=GIN_HAND), Take(), Knock(card("9h")))


def late(rules: RuleSet) -> Round:
    """A stock of three: North, drawing the 50th card, has thrown the king of clubs."""
    south = CardSet.parse("7h 7s Ac 2c 3c Jd Qd Kd 9h 8s")
    round_ = started(rules, stock=3, south=south)
    return played(round_, Pass(), Take(), Discard(card("Kc")), Draw(), Discard(card("9c")))


TAKE_TO_END = replace(STANDARD, last_discard=LastDiscard.TAKE_TO_END)
CASES: dict[Illegality, Callable[[], tuple[Round, Action, str]]] = {
    Illegality.ROUND_OVER: lambda: (played(knocked(), Settle()), Draw(), "Deal the next one"),
    Illegality.NOT_YOUR_TURN: lambda: (started(), Pass(), "It is South's turn"),
    Illegality.UPCARD_FIRST: lambda: (started(), Draw(), "take the upcard or pass"),
    Illegality.NOTHING_TO_PASS: lambda: (played(started(), Pass(), Pass()), Pass(), "Draw from the stock"),
    Illegality.UPCARD_REFUSED: lambda: (played(started(), Pass(), Pass()), Take(), "Draw from the stock"),
    Illegality.DRAW_FIRST: lambda: (played(started(), Pass(), Pass()), Discard(card("9h")), "Draw a card first"),
    Illegality.ALREADY_DRAWN: lambda: (taken(), Draw(), "You have your card for this turn"),
    Illegality.STOCK_CLOSED: lambda: (late(TAKE_TO_END), Draw(), "The stock is closed"),
    Illegality.NOT_NEXT_CARD: lambda: (
        played(started(), Pass(), Pass()),
        Draw(card("9d")),
        "not the next card of the stock",
    ),
    Illegality.NOT_IN_HAND: lambda: (taken(), Discard(card("Kc")), "K♣ is not in your hand"),
    Illegality.TAKEN_STAYS: lambda: (
        taken(),
        Discard(UPCARD),
        "You took the 7♦ this turn, so it stays in your hand until your next turn",
    ),
    Illegality.OVER_LIMIT: lambda: (
        taken(),
        Knock(card("Ac")),
        "You would show 22, and the limit is 10. You can end the hand by throwing 9♥ or 8♠.",
    ),
    Illegality.NOT_THESE_CARDS: lambda: (
        taken(),
        Knock(card("9h"), shown("7d7h7s", "Ac2c3c", "JdQdKd", loose="As")),
        "A♠ is not yours to show",
    ),
    Illegality.NO_BIG_GIN: lambda: (
        played(started(preset("Classic"), south=CardSet.parse("7h 7s 7c Ac 2c 3c Jd Qd Kd 4c")), Take()),
        BigGin(),
        "throw a card and show gin",
    ),
    Illegality.NOT_ALL_MELDED: lambda: (taken(), BigGin(), "all eleven cards in melds"),
    Illegality.MUST_END: lambda: (played(ending_take(), Take()), Discard(card("9h")), "knock now"),
    Illegality.CANNOT_END: lambda: (late(TAKE_TO_END), Take(), "Pass"),
    Illegality.NO_KNOCK_YET: lambda: (taken(), Settle(), "Nobody has knocked yet"),
    Illegality.AFTER_KNOCK: lambda: (knocked(), Draw(), "Lay off what fits, then settle"),
    Illegality.NO_LAY_OFF_AFTER_GIN: lambda: (
        gin(),
        LayOff(card("Tc"), Meld.of(CardSet.parse("Ac2c3c"))),
        "Nothing is laid off on gin",
    ),
    Illegality.NOT_ON_TABLE: lambda: (
        knocked(),
        LayOff(card("Js"), Meld.of(CardSet.parse("JcJdJh"))),
        "Choose one that does",
    ),
    Illegality.DOES_NOT_FIT: lambda: (
        knocked(),
        LayOff(card("Tc"), Meld.of(CardSet.parse("7d7h7s"))),
        "10♣ does not fit the set of sevens",
    ),
    Illegality.NOT_BEST_MELDS: lambda: (
        knocked(),
        Settle(shown(loose="Ah 2h 3h 4d 6s 8c Tc Js Qs Kc")),
        "can be laid out with 58 loose, not 64",
    ),
}


def ending_take() -> Round:
    """North has thrown the last discard, a seven that South can end the hand with."""
    round_ = started(
        TAKE_TO_END,
        stock=3,
        south=CardSet.parse("7h 7s Ac 2c 3c Jd Qd Kd 9h 8s"),
        north=CardSet.parse("Ah 2h 3h 4d 6s 8c Tc Js Qs 7c"),
    )
    return played(round_, Pass(), Take(), Discard(card("Js")), Take(), Discard(card("8s")), Draw(), Discard(card("7c")))


@pytest.mark.parametrize("why", Illegality, ids=lambda why: why.name.lower())
def test_rule(why: Illegality) -> None:
    round_, action, words = CASES[why]()
    turn = round_.public.turn
    if why is Illegality.NOT_YOUR_TURN:
        refusal = round_.view(Seat.NORTH).refusal(action)
    elif why is Illegality.NOT_NEXT_CARD:
        with pytest.raises(IllegalAction) as caught:
            round_.play(action)
        refusal = caught.value
    else:
        view = round_.view(Seat.SOUTH if turn is None else turn)
        assert view.check(action) is why
        with pytest.raises(IllegalAction) as caught:
            round_.play(action)
        refusal = caught.value
    assert refusal is not None
    assert refusal.why is why
    assert refusal.action == action
    assert words in str(refusal)


def test_a_taken_card_may_not_be_the_knock_card_either() -> None:
    round_ = played(started(south=CardSet.parse("Ah As Ac 2c 3c Jd Qd Kd 2s 2d"), north=CardSet.parse(
        "9h 8s 3h 4d 6s 8c Tc Js Qs Kc")), Take())  # fmt: skip
    view = round_.view(Seat.SOUTH)
    assert view.check(Knock(UPCARD)) is Illegality.TAKEN_STAYS
    assert view.check(Knock(UPCARD, shown("Jd Qd Kd", loose="Ah As Ac 2c 3c 2s 2d"))) is Illegality.TAKEN_STAYS
    thrown_back = replace(round_, public=replace(round_.public, rules=preset("OpenSpiel")))
    assert thrown_back.view(Seat.SOUTH).check(Knock(UPCARD)) is None


def test_a_knock_must_show_ten_cards_of_the_hand() -> None:
    view = taken().view(Seat.SOUTH)
    nine = shown("7d7h7s", "Ac2c3c", "JdQdKd")
    assert view.check(Knock(card("9h"), nine)) is Illegality.NOT_THESE_CARDS
    assert view.check(Knock(None, nine)) is Illegality.NOT_IN_HAND
    assert "8♠ is missing" in str(view.refusal(Knock(card("9h"), nine)))


def test_the_public_rules_know_what_everyone_knows() -> None:
    public = taken().public
    without_the_taken = shown("Ac2c3c", "JdQdKd", loose="7h 7s 9h 8s")
    refusal = public.refusal(Knock(None, without_the_taken))
    assert refusal is not None
    assert refusal.why is Illegality.TAKEN_STAYS
    with pytest.raises(ValueError, match="judged by the arrangement"):
        public.refusal(Knock(card("9h")))
    with pytest.raises(ValueError, match="nobody is on turn"):
        _ = played(knocked(), Settle()).public.on_turn


def test_big_gin_shows_the_eleven_cards_in_hand() -> None:
    south = CardSet.parse("7h 7s 7c Ac 2c 3c Jd Qd Kd 4c")
    round_ = played(started(south=south), Take())
    view = round_.view(Seat.SOUTH)
    assert BigGin() in view.legal_actions()
    foreign = shown("7d7h7s7c", "Ac2c3c", "TsJsQsKs")
    assert view.check(BigGin(foreign)) is Illegality.NOT_THESE_CARDS
    loose = shown("7d7h7s7c", "Ac2c3c", "JdQdKd", loose="4c")
    assert view.check(BigGin(loose)) is Illegality.NOT_ALL_MELDED
    end = played(round_, BigGin(), Settle())
    assert end.result is not None
    assert end.result.ending.value == "big gin"


def test_who_must_end_the_hand_is_not_told_to_discard() -> None:
    view = played(ending_take(), Take()).view(Seat.SOUTH)
    for action in (BigGin(), Draw(), Knock(card("Ac"))):
        refusal = view.refusal(action)
        assert refusal is not None
        assert "iscard" not in str(refusal)
    assert str(gin().view(Seat.NORTH).refusal(Draw())) == "The hand is shown. Settle it."
