"""The belief: what is known holds in every sampled hand, and the chain samples the distribution it documents."""

from __future__ import annotations

import json
import math
import random
from itertools import combinations

import numpy as np
import pytest

from tests import naive
from tests.differential.test_naive import plain
from tests.engine import brute
from tests.engine.brute import PLACES, cards_in, lanes
from tests.engine.driving import POLICIES, RULES, checked, driven, plies, some_starts
from tests.helpers import random_deal, rich_hand
from tutor.engine import belief, styles
from tutor.engine.belief import (
    CHAIN,
    GET,
    MOST_SIGNS,
    REFUSE,
    TAKE,
    THROW,
    UNIFORM,
    Deed,
    Floats,
    Knowledge,
    Model,
    chain_seeds,
    knowledge,
    marginals,
    sample,
    sampled_hands,
    signs_of,
    weights_for,
)
from tutor.engine.fitting import _moments, _position, beliefs_of, brier, fit, played
from tutor.engine.kernel import beliefs as kernel
from tutor.engine.kernel import playout
from tutor.engine.states import hand_of, rules_row, state_of
from tutor.game.actions import Discard, Draw, Pass, Phase, Seat, Take
from tutor.game.cards import DECK, Card, CardSet
from tutor.game.round import Round
from tutor.game.rules import PRESETS
from tutor.game.view import View


def some_views(count: int, seed: int) -> list[View]:
    """Views of both seats at plies of rounds, before any knock."""
    random_ = random.Random(seed)
    views: list[View] = []
    for number in range(count):
        rules = list(PRESETS.values())[number % len(PRESETS)]
        (start,) = some_starts(rules, 1, random_)
        pair = random_.randrange(len(POLICIES)), random_.randrange(len(POLICIES))
        middle = plies(start, checked(start, driven(start, pair, number)))
        views += [round_.view(seat) for round_ in random_.sample(middle, min(4, len(middle))) for seat in Seat]
    return views


def test_sampled_hands_fit_all_that_is_known() -> None:
    drawn = 0
    for view in some_views(40, seed=1):
        known = knowledge(view)
        size = len(view.known_theirs) + view.unknown_theirs
        drawn += size == 11
        hands = sample(known, weights_for(10)[0], chain_seeds(3, 0, 4), CHAIN)
        assert hands.shape == (4, CHAIN)
        for hand in hands.reshape(-1):
            cards = cards_in(int(hand))
            assert view.known_theirs <= cards <= view.theirs
            assert len(cards) == size
        assert np.array_equal(hands, sample(known, weights_for(10)[0], chain_seeds(3, 0, 4), CHAIN))
        assert np.array_equal(hands[2:], sample(known, weights_for(10)[0], chain_seeds(3, 2, 2), CHAIN))
    assert drawn > 20, "some views are taken while the other side holds eleven"


def test_marginals_add_up_to_their_hand() -> None:
    for view in some_views(20, seed=2):
        shares = marginals(view, hands=160, seed=4)
        assert abs(shares.sum() - len(view.known_theirs) - view.unknown_theirs) < 1e-9
        for card in DECK:
            if card in view.known_theirs:
                assert shares[card.index] == 1
            elif card not in view.unseen:
                assert shares[card.index] == 0
            assert 0 <= shares[card.index] <= 1
    with pytest.raises(ValueError, match="at least one hand"):
        marginals(view, hands=0)


def test_a_shown_hand_is_not_believed_but_seen() -> None:
    (start,) = some_starts(PRESETS["Standard"], 1, random.Random(2))
    end = checked(start, driven(start, (0, 0), 1))
    for seat in Seat:
        with pytest.raises(ValueError, match="nothing left to believe"):
            knowledge(end.view(seat))


def in_a_meld(card: Card, hand: CardSet) -> bool:
    """Whether two cards of the hand make a meld of three with this one."""
    return any(naive.is_meld(plain(CardSet.of([card, *two]))) for two in combinations(hand.without(card), 2))


def loose_in(hand: CardSet) -> CardSet:
    """What lies loose in the arrangement that the kernel prefers, one of the best by the naive solver."""
    found = np.zeros(1, np.int64)
    brute.loose_cards(np.array([lanes(hand)]), found)
    loose = cards_in(int(found[0]))
    assert plain(loose) in {rest for _, rest in naive.judged(plain(hand))[1]}
    return loose


def documented_weight(weights: Floats, known: Knowledge, hand: CardSet) -> float:
    """The log-weight of a hand, feature by feature as the kernel's docstring tells."""
    made = [card for card in DECK if card not in hand and in_a_meld(card, hand)]
    loose = loose_in(hand)
    total = 0.0
    for kind, place in known.signs.tolist():
        if kind < 0:
            break
        (card,) = cards_in(1 << place)
        if kind >= 2 * kernel.LAGS:
            total += 0 if in_a_meld(card, hand) else weights[kernel.UNMELDED + kind - 2 * kernel.LAGS]
            continue
        total += weights[kernel.MELD + kind] * (card in made)
        for cards, mates, neighbours in (
            (hand, kernel.MATES, kernel.NEIGHBOURS),
            (loose, kernel.LOOSE_MATES, kernel.LOOSE_NEIGHBOURS),
        ):
            others = cards - CardSet.of([card])
            total += weights[mates + kind] * sum(other.rank == card.rank for other in others)
            beside = sum(other.suit == card.suit and abs(other.rank - card.rank) <= 2 for other in others)
            total += weights[neighbours + kind] * beside
    wide = [0, 2, 4, 6, 8, 10, 14, 18, 22, 26, 30, 34, 39, 46, 55, 200]
    place = next(at for at, most in enumerate(wide) if loose.pips <= most)
    total += weights[kernel.DEADWOOD + known.turn * kernel.DEADWOODS + place]
    total += weights[kernel.MELDED + known.turn * 12 + len(hand) - len(loose)]
    live = cards_in(known.live)
    total += weights[kernel.OUTS + known.turn] * sum(card in live for card in made)
    stage = 13 * (0 if known.turn <= 2 else 1 if known.turn <= 6 else 2)
    total += sum(weights[kernel.RANKS + stage + card.rank - 1] for card in hand)
    return total + sum(weights[kernel.LOOSE_RANKS + stage + card.rank - 1] for card in loose)


def tiny(random_: random.Random) -> Knowledge:
    """Six unseen cards of which two are theirs, eight known cards, and signs of every kind."""
    cards = list(rich_hand(random_, 14))
    random_.shuffle(cards)
    known, pool = CardSet.of(cards[:8]), CardSet.of(cards[8:])
    rest = [card for card in DECK if card not in cards]
    random_.shuffle(rest)
    signs = np.full((MOST_SIGNS, 2), -1, dtype=np.int64)
    for at in range(10):
        taken = at >= 7
        card = random_.choice(list(known)) if taken else rest[at]
        base = kernel.TAKEN if taken else random_.choice([kernel.THROWN, kernel.REFUSED])
        signs[at] = base + random_.randrange(kernel.LAGS), lanes(CardSet.of([card])).bit_length() - 1
    live = CardSet.of(rest[5:]) | pool
    return Knowledge(signs, random_.randrange(kernel.TURNS), lanes(known), lanes(pool), 2, lanes(live), 0)


@pytest.mark.parametrize("number", range(6))
def test_the_chain_samples_the_documented_distribution(number: int, times: int) -> None:
    random_ = random.Random(number)
    known = tiny(random_)
    weights = np.random.default_rng(number).normal(0.0, 0.5, kernel.WEIGHTS)
    theirs = cards_in(known.known)
    hands = [theirs | CardSet.of(two) for two in combinations(cards_in(known.pool), 2)]
    logs = np.array([documented_weight(weights, known, hand) for hand in hands])
    shares = np.exp(logs - logs.max())
    shares /= shares.sum()
    assert shares.max() > 2 * shares.min(), "the weights make a difference"
    # One hand a chain: these are independent.
    drawn = sample(known, weights, chain_seeds(number, 0, 20_000 * times), 1).reshape(-1)
    counts = np.array([(drawn == lanes(hand)).sum() for hand in hands])
    assert counts.sum() == len(drawn)
    expected = shares * len(drawn)
    chi_square = float(((counts - expected) ** 2 / np.maximum(expected, 1)).sum())
    assert chi_square < 14 + 5 * math.sqrt(28), (counts.tolist(), expected.tolist())
    # Later hands of a chain are of the same distribution.
    later = sample(known, weights, chain_seeds(number, 50_000, 4_000), CHAIN)[:, -1]
    counts = np.array([(later == lanes(hand)).sum() for hand in hands])
    chi_square = float(((counts - shares * 4_000) ** 2 / np.maximum(shares * 4_000, 1)).sum())
    assert chi_square < 14 + 5 * math.sqrt(28)


def test_weights_of_nothing_give_uniform_hands() -> None:
    view = next(view for view in some_views(10, seed=5) if view.unknown_theirs == 10 and view.my_turn)
    known = knowledge(view)
    drawn = sample(known, UNIFORM[0], chain_seeds(9, 0, 20_000), 1).reshape(-1)
    places = [place for place in PLACES.tolist() if known.pool >> place & 1]
    share = 10 / len(places)
    shares = np.array([(drawn >> place & 1).mean() for place in places])
    assert np.abs(shares - share).max() < 5 * math.sqrt(share * (1 - share) / len(drawn))
    both = (drawn >> places[0] & drawn >> places[1] & 1).mean()
    assert abs(both - share * 9 / (len(places) - 1)) < 0.01


def rows(signs: np.ndarray) -> list[tuple[int, int]]:  # type: ignore[type-arg]
    return [(kind, place) for kind, place in signs.tolist() if kind >= 0]


THROWN, REFUSED, TAKEN = kernel.THROWN, kernel.REFUSED, kernel.TAKEN


@pytest.mark.parametrize(
    ("deeds", "held", "expected", "discards"),
    [
        ([], 0, [], 0),
        ([(REFUSE, 5)], 0, [(REFUSED, 5)], 0),
        # Each card got since makes a sign older; the one that came just before the throw is no card since.
        ([(REFUSE, 5), (GET, -1), (THROW, 20)], 0, [(REFUSED + 1, 5), (THROWN, 20)], 1),
        ([(GET, -1), (THROW, 20), (REFUSE, 3), (GET, -1), (THROW, 21)], 0,
         [(THROWN + 1, 20), (REFUSED + 1, 3), (THROWN, 21)], 2),
        # Taken and still held; then taken and thrown again: only the throw is a sign.
        ([(TAKE, 7), (THROW, 33), (GET, -1), (THROW, 34)], 1 << 7, [(TAKEN + 1, 7), (THROWN + 1, 33), (THROWN, 34)], 2),
        ([(TAKE, 7), (THROW, 33), (GET, -1), (THROW, 7)], 0, [(THROWN + 1, 33), (THROWN, 7)], 2),
        # Taken twice counts from the second time.
        ([(TAKE, 7), (THROW, 7), (TAKE, 7), (THROW, 9)], 1 << 7, [(THROWN + 1, 7), (TAKEN, 7), (THROWN, 9)], 2),
        # The classes of lag: 4 and 5 are one, 6 to 8, then all.
        ([(THROW, 20), *[(GET, -1)] * 5], 0, [(THROWN + 4, 20)], 1),
        ([(THROW, 20), *[(GET, -1)] * 8], 0, [(THROWN + 5, 20)], 1),
        ([(THROW, 20), *[(GET, -1)] * 20], 0, [(THROWN + 6, 20)], 1),
    ],
)  # fmt: skip
def test_signs(deeds: list[Deed], held: int, expected: list[tuple[int, int]], discards: int) -> None:
    signs, count = signs_of(deeds, held)
    assert signs.shape == (MOST_SIGNS, 2)
    assert rows(signs) == expected
    assert count == discards


def test_of_too_many_signs_the_oldest_are_left_out() -> None:
    deeds: list[Deed] = [(THROW, at) for at in range(MOST_SIGNS + 5)]
    signs, count = signs_of(deeds, 0)
    assert [place for _, place in rows(signs)] == list(range(5, MOST_SIGNS + 5))
    assert count == MOST_SIGNS + 5


def test_classes_grow_and_are_all_used() -> None:
    for function, most, classes in (
        (kernel.lag_class, 40, kernel.LAGS),
        (kernel.turn_class, 40, kernel.TURNS),
        (kernel.deadwood_class, 110, kernel.DEADWOODS),
    ):
        found = [function(number) for number in range(most)]
        assert found == sorted(found)
        assert sorted(set(found)) == list(range(classes))


def test_what_a_refused_and_a_taken_upcard_tell() -> None:
    deal = random_deal(random.Random(3), Seat.SOUTH)
    round_ = Round.start(PRESETS["Standard"], deal)
    place = lanes(CardSet.of([deal.upcard])).bit_length() - 1
    refused = knowledge(round_.play(Pass()).view(Seat.SOUTH))
    assert rows(refused.signs) == [(REFUSED, place)]
    taken = knowledge(round_.play(Take()).view(Seat.SOUTH))
    assert rows(taken.signs) == [(TAKEN, place)]
    assert taken.known == 1 << place
    assert (taken.unknown, taken.extra) == (10, 0)
    # After two passes nothing is on offer: the draw refuses nothing more.
    drawing = round_.play(Pass()).play(Pass()).play(Draw())
    drew = knowledge(drawing.view(Seat.SOUTH))
    assert rows(drew.signs) == [(REFUSED + 1, place)]
    assert (drew.unknown, drew.extra) == (10, 1)
    # Later a draw refuses the open card, and says so.
    assert drawing.drawn is not None
    later = drawing.play(Discard(drawing.drawn)).play(Draw())
    assert later.drawn is not None
    thrown = lanes(CardSet.of([later.drawn])).bit_length() - 1
    last = knowledge(later.play(Discard(later.drawn)).play(Draw()).view(Seat.SOUTH))
    assert rows(last.signs)[-1] == (REFUSED + 1, thrown)


def test_a_view_and_a_trace_tell_the_same(times: int) -> None:
    """Two ways to the same knowledge: from a seat's view, and from the trace of a fitted round."""
    random_ = random.Random(17)
    compared = 0
    for name in RULES:
        for start in some_starts(RULES[name], 5 * times, random_):
            if start.deal.out_of_play:
                continue
            pair = random_.randrange(len(POLICIES)), random_.randrange(len(POLICIES))
            drive = driven(start, pair, 3)
            end = checked(start, drive)
            seat = start.public.turn
            assert seat is not None
            state = state_of(start.view(seat))
            state[playout.HAND1] = hand_of(start.hands[seat.other])
            deeds, moments = _moments(state, np.array(drive.trace))
            told = [_position(deeds, moment) for moment in moments]
            mine = [round_ for round_ in plies(start, end) if round_.public.turn is seat]
            assert len(told) - len(mine) in (0, -1), "big gin ends a trace before it is looked at"
            for (signs, turn, discards, known, pool, live, truth), round_ in zip(told, mine, strict=False):
                seen = knowledge(round_.view(seat))
                assert rows(seen.signs) == rows(signs)
                assert (seen.turn, seen.known, seen.pool, seen.live) == (turn, known, pool, live)
                assert truth == hand_of(round_.hands[seat.other])
                assert discards == sum(isinstance(action, Discard) for action in round_.actions)
                assert seen.unknown == (truth & ~known).bit_count()
                compared += 1
    assert compared > 500 * times


def test_a_model_is_read_back_and_a_broken_one_refused() -> None:
    model = Model("test", tuple(0.25 * at for at in range(kernel.WEIGHTS)), (("rounds", "7"),))
    assert Model.from_json(model.to_json()) == model
    good = json.loads(model.to_json())
    for broken in (
        "", "[]", "3", "null", "{}", "{", json.dumps(good | {"weights": None}), json.dumps(good | {"provenance": []}),
        json.dumps({key: good[key] for key in ("name", "weights")}), json.dumps(good | {"weights": [[1]]}),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="this is no belief file"):
            Model.from_json(broken)
    with pytest.raises(ValueError, match=f"has 3 weights, not {kernel.WEIGHTS}"):
        Model.from_json(json.dumps(good | {"weights": [1, 2, 3]}))
    with pytest.raises(ValueError, match="could not convert"):
        Model.from_json(json.dumps(good | {"weights": ["much"] * kernel.WEIGHTS}))


def test_a_limit_gets_the_weights_of_the_nearest_one(monkeypatch: pytest.MonkeyPatch) -> None:
    made = {limit: Model(f"{limit}", (float(limit),) * kernel.WEIGHTS, ()) for limit in belief.LIMITS}
    monkeypatch.setattr(belief, "shipped", lambda limit, family: made[limit])
    found = [int(weights_for.__wrapped__(limit)[0, 0]) for limit in range(11)]
    assert found == [0, 0, 0, 5, 5, 5, 5, 5, 10, 10, 10]


def test_shipped_weights_are_numbers() -> None:
    for limit in belief.LIMITS:
        assert weights_for(limit).shape == (2, kernel.WEIGHTS)
        assert np.isfinite(weights_for(limit)).all()
        assert np.abs(weights_for(limit)).max() > 0.1


def test_the_belief_knows_more_than_nothing(times: int) -> None:
    """Later positions of the usual mix: clearly nearer the truth than uniform hands."""
    rules = rules_row(PRESETS["Standard"], Card.parse("Kd"))
    positions = played(styles.ROWS, styles.MIX, 200 * times, 11, rules)
    later = positions.where(positions.discards >= 8)
    assert len(later) > 100 * times
    believed = brier(later, beliefs_of(later, weights_for(10), hands=320, seed=1))
    nothing = brier(later, beliefs_of(later, UNIFORM, hands=320, seed=1))
    assert believed < 0.9 * nothing


def test_fitting_comes_nearer_to_the_truth() -> None:
    rules = rules_row(PRESETS["Standard"], Card.parse("Kd"))
    positions = played(styles.ROWS, styles.MIX, 300, 12, rules)
    others = played(styles.ROWS, styles.MIX, 150, 13, rules)
    weights = fit(positions, steps=60, swaps=10, seed=1)
    assert np.array_equal(weights, fit(positions, steps=60, swaps=10, seed=1))
    believed = brier(others, beliefs_of(others, np.array([weights, weights]), hands=160, seed=1))
    assert believed < 0.985 * brier(others, beliefs_of(others, UNIFORM, hands=160, seed=1))


def test_a_view_on_their_turn_is_known_too() -> None:
    """While they have an eleventh card from the stock it is any unseen card."""
    round_ = Round.start(PRESETS["Standard"], random_deal(random.Random(8), Seat.SOUTH))
    view = round_.play(Pass()).play(Pass()).play(Draw()).view(Seat.SOUTH)
    assert view.public.phase is Phase.DISCARD
    drawn = sample(knowledge(view), UNIFORM[0], chain_seeds(1, 0, 3_000), 1).reshape(-1)
    shares = [(drawn >> place & 1).mean() for place in PLACES.tolist() if knowledge(view).pool >> place & 1]
    assert abs(sum(shares) - 11) < 1e-9
    assert max(abs(share - 11 / len(shares)) for share in shares) < 0.05


def test_sampled_hands_are_card_sets_that_fit() -> None:
    for view in some_views(6, 21):
        if view.public.turn is None or view.public.knocker is not None:
            continue
        size = len(view.known_theirs) + view.unknown_theirs
        hands = sampled_hands(view, 37, seed=3)
        assert len(hands) == 37
        assert hands == sampled_hands(view, 37, seed=3)
        for hand in hands:
            assert len(hand) == size
            assert view.known_theirs <= hand <= view.theirs
    with pytest.raises(ValueError, match="at least one"):
        sampled_hands(view, 0)
