"""What a seat knows depends only on what it saw."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.helpers import random_deal
from tests.policies import KnocksAtOnce
from tutor.engine.arena import play_out
from tutor.engine.players import Novice, Steady
from tutor.game.actions import Action, BigGin, Discard, Draw, IllegalAction, Knock, Pass, Phase, Seat, Settle, Take
from tutor.game.cards import DECK, Card, CardSet
from tutor.game.layoffs import exposed
from tutor.game.melds import Arrangement, Meld
from tutor.game.public import PublicRound
from tutor.game.record import Moment, SeatDeal
from tutor.game.result import Standing
from tutor.game.round import Deal, Round
from tutor.game.rules import PRESETS
from tutor.game.view import View

Look = Callable[[Round, Seat], View]
PAIRS = ((Novice(), Steady()), (KnocksAtOnce(), KnocksAtOnce()), (Steady(), Novice()))


def rounds(count: int) -> list[Round]:
    random_ = random.Random(count)
    rules = list(PRESETS.values())
    return [
        play_out(
            Round.start(rules[number % len(rules)], random_deal(random_, Seat(number % 2))),
            PAIRS[number % len(PAIRS)],
            seed=number,
        )
        for number in range(count)
    ]


def permuted(deal: Deal, unseen: CardSet, random_: random.Random) -> tuple[Deal, dict[Card, Card]]:
    """The deal with the unseen cards changed for each other."""
    cards = list(unseen)
    others = cards[:]
    random_.shuffle(others)
    change = dict(zip(cards, others, strict=True))
    hands = tuple(CardSet.of(change.get(card, card) for card in hand) for hand in deal.hands)
    stock = tuple(change.get(card, card) for card in deal.stock)
    return replace(deal, hands=(hands[0], hands[1]), stock=stock), change


def changed(action: Action, change: dict[Card, Card]) -> Action:
    """The action with its hidden card changed too: a face-down card; a draw is whatever comes."""
    if isinstance(action, Knock) and action.card is not None:
        return Knock(change.get(action.card, action.card), action.arrangement)
    return Draw() if isinstance(action, Draw) else action


def check_view_property(rounds_: list[Round], look: Look, random_: random.Random) -> tuple[int, int]:
    """At every ply, for both seats: permute what is unseen, replay, compare. Counts done and impossible ones."""
    done = impossible = 0
    for end in rounds_:
        rules = end.public.rules
        states = [Round.start(rules, end.deal)]
        for action in end.actions:
            states.append(states[-1].play(action))
        for ply, state in enumerate(states):
            for seat in Seat:
                deal, change = permuted(end.deal, state.view(seat).unseen, random_)
                try:
                    other = Round.start(rules, deal)
                    for action in end.actions[:ply]:
                        other = other.play(changed(action, change))
                except IllegalAction:
                    impossible += 1
                    continue
                assert look(other, seat) == look(state, seat)
                done += 1
    return done, impossible


def honest(round_: Round, seat: Seat) -> View:
    return round_.view(seat)


def test_a_view_depends_only_on_what_the_seat_saw(times: int) -> None:
    done, impossible = check_view_property(rounds(500 * times), honest, random.Random(1))
    assert done > 10_000 * times
    assert impossible < done / 100


def their_drawn_card(round_: Round, seat: Seat) -> View:
    return replace(round_.view(seat), drawn=round_.drawn)


def the_face_down_card(round_: Round, seat: Seat) -> View:
    return replace(round_.view(seat), knock_card=round_.knock_card)


def the_next_card(round_: Round, seat: Seat) -> View:
    return replace(round_.view(seat), standing=Standing((round_.stock[0].index if round_.stock else 0, 0)))


def a_draw_by_name(round_: Round, seat: Seat) -> View:
    public = round_.public
    acts = tuple(replace(act, action=action) for act, action in zip(public.acts, round_.actions, strict=True))
    return replace(round_.view(seat), public=replace(public, acts=acts))


@pytest.mark.parametrize("leak", [their_drawn_card, the_face_down_card, the_next_card, a_draw_by_name])
def test_a_leaking_view_is_caught(leak: Look) -> None:
    with pytest.raises(AssertionError):
        check_view_property(rounds(6), leak, random.Random(2))


def test_unseen_cards_are_the_stock_and_their_unknown_ones() -> None:
    for end in rounds(300):
        state = Round.start(end.public.rules, end.deal)
        for action in (*end.actions, None):
            for seat in Seat:
                view = state.view(seat)
                assert len(view.unseen) == state.public.stock_count + view.unknown_theirs
                assert view.known_theirs <= state.hands[seat.other]
                hidden = state.hands[seat.other] - view.known_theirs
                assert hidden <= view.unseen
            if action is not None:
                state = state.play(action)


def test_a_hand_followed_from_one_seat_gives_the_same_views() -> None:
    """``View.after``, with what that seat saw, agrees with ``Round`` at every ply."""
    for end in rounds(300):
        for seat in Seat:
            state = Round.start(end.public.rules, end.deal)
            source = SeatDeal(seat, end.deal.hands[seat], end.deal.upcard, end.deal.dealer)
            moment = Moment(View.start(state.public, source.seat, source.hand))
            assert moment.view(seat) == state.view(seat)
            for action, act in zip(end.actions, end.public.acts, strict=True):
                told = action if act.seat is seat or isinstance(action, Knock) else act.action
                moment, state = moment.play(told), state.play(action)
                assert moment.view(seat) == state.view(seat)


def test_a_view_of_impossible_cards_is_refused() -> None:
    end = rounds(1)[0]
    public = Round.start(end.public.rules, end.deal).public
    with pytest.raises(ValueError, match="10 cards, not 9"):
        View.start(public, Seat.SOUTH, CardSet(end.deal.hands[0].bits & end.deal.hands[0].bits - 1))
    nine = CardSet(end.deal.hands[0].bits & end.deal.hands[0].bits - 1)
    with pytest.raises(ValueError, match="cannot be dealt and lie on the table"):
        View.start(public, Seat.SOUTH, nine.with_card(end.deal.upcard))


def test_the_other_side_cannot_do_what_this_seat_knows_to_be_impossible() -> None:
    mine = CardSet.parse("7h 8h 9h 2c 3c 4c Ks Kd Kc As")
    public = PublicRound.start(PRESETS["Standard"], Seat.SOUTH, Card.parse("Qd"))
    view = View.start(public, Seat.SOUTH, mine).after(Pass()).after(Pass()).after(Draw())
    with pytest.raises(IllegalAction, match="7♥ cannot be in their hand"):
        view.after(Discard(Card.parse("7h")))
    with pytest.raises(IllegalAction, match="K♣ cannot be in their hand"):
        view.after(
            Knock(None, Arrangement((Meld.of(CardSet.parse("Jc Qc Kc")),), CardSet.parse("2d 3d 4d 5d 6d 7d 8d")))
        )
    with pytest.raises(IllegalAction, match="have to be told"):
        view.after(BigGin())
    assert view.after(Discard(Card.parse("7c"))).public.phase is Phase.DRAW
    assert Settle() not in view.legal_actions()


def seen_from_south(hand: str, upcard: str) -> View:
    public = PublicRound.start(PRESETS["Standard"], Seat.SOUTH, Card.parse(upcard))
    return View.start(public, Seat.SOUTH, CardSet.parse(hand))


def knock(card: str | None, *melds: str, loose: str = "") -> Knock:
    arrangement = Arrangement(tuple(Meld.of(CardSet.parse(meld)) for meld in melds), CardSet.parse(loose))
    return Knock(None if card is None else Card.parse(card), arrangement)


@pytest.mark.parametrize("card", ["Kh", "Qd"])
def test_their_face_down_card_cannot_be_one_of_mine_or_of_the_pile(card: str) -> None:
    view = seen_from_south("Kh 8h 9h 2c 3c 4c Ks Kd Kc As", "Qd").after(Pass()).after(Pass()).after(Draw())
    with pytest.raises(IllegalAction, match="cannot be in their hand"):
        view.after(knock(card, "5c 6c 7c", "5d 6d 7d", "5s 6s 7s", loose="2d"))
    shown = view.after(knock("2h", "5c 6c 7c", "5d 6d 7d", "5s 6s 7s", loose="2d"))
    assert shown.public.knock_card is None


def test_a_card_they_are_known_to_hold_and_do_not_show_is_the_face_down_one() -> None:
    view = seen_from_south("Kh 8h 9h 2c 3c 4c Ks Kd Kc As", "Qd").after(Take())
    for action in (Discard(Card.parse("9s")), Draw(Card.parse("Jh")), Discard(Card.parse("Jh"))):
        view = view.after(action)
    shown = ("5c 6c 7c", "5d 6d 7d", "5s 6s 7s")
    with pytest.raises(IllegalAction, match="beside those they are known to hold"):
        view.after(Draw()).after(knock("2h", *shown, loose="2d"))
    ended = view.after(Draw()).after(knock(None, *shown, loose="2d"))
    assert ended.public.knock_card == Card.parse("Qd")


def test_they_can_name_no_more_unseen_cards_than_they_hold() -> None:
    view = seen_from_south("Kh 8h 9h 2c 3c 4c Ks Kd Kc As", "Qd")
    for _ in range(11):
        # North takes every discard of South and throws cards of its own, until all of its hand is known.
        view = view.after(Take())
        unseen = [card for card in view.unseen if card.rank > 4]
        view = view.after(Discard(unseen[0]))
        if view.unknown_theirs == 0:
            break
        drawn = view.unseen
        view = view.after(Draw(next(iter(drawn))))
        mine = next(card for card in view.hand if card != view.drawn)
        view = view.after(Discard(mine))
    assert view.unknown_theirs == 0
    view = view.after(Draw(next(iter(view.unseen)))).after(Discard(next(iter(view.hand)))).after(Take())
    with pytest.raises(IllegalAction, match="beside those they are known to hold"):
        view.after(Discard(next(iter(view.unseen))))


def test_what_they_drew_is_not_seen() -> None:
    view = seen_from_south("Kh 8h 9h 2c 3c 4c Ks Kd Kc As", "Qd").after(Pass()).after(Pass())
    with pytest.raises(IllegalAction, match="Only they see which card"):
        view.after(Draw(Card.parse("7h")))


def test_the_proposed_knock_hides_from_what_they_are_known_to_hold() -> None:
    """Two arrangements count the same; one of them takes the two of hearts that North was seen to take."""
    south = CardSet.parse("Ac 4c 6d 3h 4h 5h 6h As 4s 6s")
    rest = [card for card in DECK if card not in south]
    upcard = Card.parse("2h")
    rest.remove(upcard)
    random.Random(3).shuffle(rest)
    deal = Deal((south, CardSet.of(rest[:10])), upcard, tuple(rest[10:]), Seat.SOUTH)
    round_ = Round.start(PRESETS["Standard"], deal).play(Take())
    round_ = round_.play(Discard(next(iter(round_.hands[1].without(upcard))))).play(Draw())
    knocking = round_.play(Knock(round_.drawn))
    assert knocking.public.shown is not None
    assert upcard not in exposed(knocking.public.shown)


def test_a_card_that_lies_open_cannot_be_played_again() -> None:
    public = PublicRound.start(PRESETS["Standard"], Seat.SOUTH, Card.parse("Qd"), CardSet.parse("2c"))
    public = public.play(Pass()).play(Pass()).play(Draw())
    for lying in ("Qd", "2c"):
        with pytest.raises(IllegalAction, match="lies elsewhere, for everyone to see"):
            public.play(Discard(Card.parse(lying)))
