"""Properties that public bug reports asked for, each a test; ``HOLDS`` maps a report's id to its test."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

from tests.helpers import play_randomly, seeds, some_rounds
from tutor.engine.arena import play_round
from tutor.engine.players import Novice, Steady
from tutor.game.actions import Discard, Illegality, Knock, Seat, Take
from tutor.game.cards import DECK
from tutor.game.fair import deck, fair_deal, shuffled
from tutor.game.match import Game, Match
from tutor.game.record import Line, RoundRecord, breaches
from tutor.game.result import Ending, Score
from tutor.game.round import Deal, Round
from tutor.game.rules import PRESETS, preset

# Critical values of chi-square at p = 0.0001; the seeds are fixed, so the tests do not vary.
CHI_SQUARE_23 = 56.0
CHI_SQUARE_51 = 102.0


def chi_square(counts: Counter[object], cells: int) -> float:
    expected = sum(counts.values()) / cells
    seen = sum((count - expected) ** 2 / expected for count in counts.values())
    return seen + (cells - len(counts)) * expected


def test_same_seed_same_deck_and_other_seed_other_deck() -> None:
    first, second = seeds(2, label="po-01")
    assert deck(first) == deck(first)
    assert deck(first) != deck(second)
    assert sorted(deck(first)) == list(DECK)


def test_a_sorted_pile_leaves_no_trace_in_the_next_deal() -> None:
    # The deck is always shuffled from one fixed order; what the last hand left on the table has no way in.
    played = some_rounds(1)[0]
    assert played.public.pile
    counts: Counter[object] = Counter(deck(seed)[0] for seed in seeds(20_800, label="po-03"))
    assert chi_square(counts, 52) < CHI_SQUARE_51


def test_a_single_game_has_no_match_line() -> None:
    score = Score.won(Seat.SOUTH, 120)
    for name, rules in PRESETS.items():
        lines = Match(rules, (Game(rules, (score,)),) if rules.target else ()).lines()
        assert bool(lines) == (name == "Tournament")


def test_a_knock_called_off_gives_back_the_same_eleven_cards() -> None:
    checked = 0
    for round_ in some_rounds(40):
        before = Round.start(round_.public.rules, round_.deal)
        for action in round_.actions:
            if isinstance(action, Knock):
                hand = before.hands[before.public.on_turn]
                assert len(hand) == 11
                before.play(action)
                assert before.hands[before.public.on_turn] == hand
                checked += 1
            before = before.play(action)
    assert checked >= 10


def test_a_hand_in_which_both_take_the_pile_for_ever_ends() -> None:
    for rules in PRESETS.values():
        round_ = Round.start(rules, fair_deal(seeds(1, label="po-12")[0], Seat.SOUTH))
        while round_.public.turn is not None:
            legal = round_.legal_actions()
            take = next((action for action in legal if isinstance(action, Take)), None)
            throw = next((action for action in legal if isinstance(action, Discard)), None)
            round_ = round_.play(take or throw or legal[0])
        assert round_.result is not None
        assert round_.result.ending is Ending.PILE_LIMIT
        assert sum(isinstance(action, Take) for action in round_.actions) == rules.pile_limit


def test_swapped_seats_swap_results() -> None:
    rules = preset("Standard")
    for seed in seeds(60, label="po-13"):
        south = play_round(rules, fair_deal(seed, Seat.SOUTH), (Novice(), Steady()), seed=1)
        north = play_round(rules, fair_deal(seed, Seat.NORTH), (Steady(), Novice()), seed=1)
        first, second = south.result(rules), north.result(rules)
        assert first is not None
        assert second is not None
        one, other = first.score(rules), second.score(rules)
        assert one.points == other.points
        assert (one.winner is None) == (other.winner is None)
        assert one.winner is None or one.winner is not other.winner


def test_every_order_of_four_cards_is_equally_likely() -> None:
    counts: Counter[object] = Counter(tuple(shuffled("abcd", seed)) for seed in seeds(24_000, label="po-16"))
    assert set(counts) == set(permutations("abcd"))
    assert chi_square(counts, 24) < CHI_SQUARE_23


def test_each_card_is_dealt_first_equally_often() -> None:
    counts: Counter[object] = Counter(deck(seed)[0] for seed in seeds(52_000, label="po-18"))
    assert chi_square(counts, 52) < CHI_SQUARE_51


def test_each_card_keeps_its_place_once_in_52() -> None:
    deals = 52_000
    counts: Counter[object] = Counter()
    for seed in seeds(deals, label="po-19"):
        counts.update(place for place, card in enumerate(deck(seed)) if card.index == place)
    # Each place is a binomial of 52,000 at 1/52: sd 31.3. Five of them leave room for 52 places.
    assert all(abs(counts[place] - deals / 52) < 5 * 31.3 for place in range(52))


def test_each_breach_of_a_record_is_told_with_its_move_number() -> None:
    lenient = preset("OpenSpiel")
    strict = replace(preset("Standard"), last_discard=lenient.last_discard)
    random_ = random.Random(21)
    for _ in range(200):
        cards = list(DECK)
        random_.shuffle(cards)
        round_ = play_randomly(Round.start(lenient, Deal.from_deck(cards, Seat.SOUTH)), random_)
        thrown_back = []
        taken = None
        for ply, (action, act) in enumerate(zip(round_.actions, round_.public.acts, strict=True), start=1):
            if isinstance(action, Discard | Knock) and action.card == taken:
                thrown_back.append(ply)
            taken = act.offer if isinstance(action, Take) else None
        if len(thrown_back) < 2:
            continue
        found = breaches(RoundRecord(round_.deal, Line.of(round_.actions)), lenient, strict)
        assert [breach.ply for breach in found] == thrown_back
        assert {breach.why for breach in found} == {Illegality.TAKEN_STAYS}
        return
    raise AssertionError("no round with two throw-backs was played")


HOLDS: dict[str, Callable[[], None]] = {
    "po-01": test_same_seed_same_deck_and_other_seed_other_deck,
    "po-03": test_a_sorted_pile_leaves_no_trace_in_the_next_deal,
    "po-10": test_a_single_game_has_no_match_line,
    "po-11": test_a_knock_called_off_gives_back_the_same_eleven_cards,
    "po-12": test_a_hand_in_which_both_take_the_pile_for_ever_ends,
    "po-13": test_swapped_seats_swap_results,
    "po-16": test_every_order_of_four_cards_is_equally_likely,
    "po-18": test_each_card_is_dealt_first_equally_often,
    "po-19": test_each_card_keeps_its_place_once_in_52,
    "po-21": test_each_breach_of_a_record_is_told_with_its_move_number,
}
