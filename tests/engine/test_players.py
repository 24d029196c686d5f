"""The first players: what their policies say they do."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.helpers import seeds
from tutor.engine.arena import play_game, play_out, play_round
from tutor.engine.players import ALL_PLAYERS, MEASURING, PLAYERS, Camper, Novice, Player, Simple, Steady
from tutor.engine.players.base import helps
from tutor.game.actions import Action, BigGin, Discard, Draw, Knock, LayOff, Pass, Phase, Seat, Settle, Take
from tutor.game.cards import Card, CardSet
from tutor.game.fair import fair_deal
from tutor.game.layoffs import best_arrangement, best_defence
from tutor.game.melds import MELDS
from tutor.game.public import Act
from tutor.game.record import RoundRecord
from tutor.game.round import Round
from tutor.game.rules import PRESETS, preset
from tutor.game.solver import best_discards, deadwood
from tutor.game.view import View


def decisions(player: Player, rounds: int = 60) -> Iterator[tuple[View, Action]]:
    """What a player saw and did in rounds against itself."""
    for number, seed in enumerate(seeds(rounds, label=player.name)):
        rules = list(PRESETS.values())[number % len(PRESETS)]
        round_ = Round.start(rules, fair_deal(seed, Seat.SOUTH))
        while round_.public.turn is not None:
            view = round_.view(round_.public.turn)
            action = player.choose(view, number)
            yield view, action
            round_ = round_.play(action)


def test_novice_plays_as_its_policy_says() -> None:
    taken = thrown = knocked = 0
    for view, action in decisions(Novice()):
        legal = view.legal_actions()
        if isinstance(action, Take):
            assert view.public.offer is not None
            assert helps(view.hand, view.public.offer)
            taken += 1
        elif isinstance(action, Draw) and view.public.offer is not None:
            assert not helps(view.hand, view.public.offer)
        elif isinstance(action, Discard):
            assert not any(isinstance(other, Knock | BigGin) for other in legal)
            loose = [card for card in best_arrangement(view.hand).loose if not view.public.stays(card)]
            assert not loose or action.card.pips == max(card.pips for card in loose)
            thrown += 1
        elif isinstance(action, Knock | BigGin):
            knocked += 1
        elif isinstance(action, LayOff):
            assert action.card in best_arrangement(view.hand).loose
    assert min(taken, thrown, knocked) > 30


def test_steady_defends_exactly_and_waits_for_gin_sometimes() -> None:
    waited = settled = 0
    for view, action in decisions(Steady()):
        if isinstance(action, Discard):
            waited += any(isinstance(other, Knock) for other in view.legal_actions())
        if isinstance(action, Settle):
            melds = () if view.public.gin else view.public.table
            assert deadwood(view.hand) == best_defence(view.hand, melds).deadwood
            settled += 1
    assert waited > 5
    assert settled > 30


def test_the_screen_offers_no_yardsticks() -> None:
    assert list(PLAYERS) == ["Novice", "Casual", "Steady", "Sharp", "Expert"]
    assert list(MEASURING) == ["Simple", "Camper"]
    assert {**PLAYERS, **MEASURING} == ALL_PLAYERS


def in_some_meld(hand: CardSet, card: Card) -> bool:
    """By the list of all melds, whatever their length."""
    return any(card in meld.cards and meld.cards <= hand.with_card(card) for meld in MELDS.values())


def draws_and_throws_simply(view: View, action: Action) -> str:
    """Assert what Simple and Camper have in common; says what was checked."""
    match action:
        case Take() if view.public.phase is not Phase.LAST_DISCARD:
            assert in_some_meld(view.hand, view.public.pile[-1])
            return "taken, loose afterwards" if not helps(view.hand, view.public.pile[-1]) else "taken"
        case Draw() | Pass() if view.public.offer is not None and Take() in view.legal_actions():
            if view.public.phase is not Phase.LAST_DISCARD:
                assert not in_some_meld(view.hand, view.public.offer)
                return "left"
        case Discard(card):
            left = {
                other.card: deadwood(view.hand.without(other.card))
                for other in view.legal_actions()
                if isinstance(other, Discard)
            }
            assert left[card] == min(left.values())
            return "thrown"
        case Settle():
            melds = () if view.public.gin else view.public.table
            assert deadwood(view.hand) == best_defence(view.hand, melds).deadwood
            return "settled"
    return type(action).__name__


def test_simple_plays_as_its_policy_says() -> None:
    seen: Counter[str] = Counter()
    for view, action in decisions(Simple(), 120):
        seen[draws_and_throws_simply(view, action)] += 1
        ends = [other for other in view.legal_actions() if isinstance(other, Knock | BigGin)]
        if ends:
            assert isinstance(action, Knock | BigGin)
            if BigGin() in ends:
                assert action == BigGin()
            else:
                counts = {other.card: deadwood(view.hand.without(other.card)) for other in ends}  # type: ignore
                assert counts[action.card] == min(counts.values())  # type: ignore
        if view.public.phase is Phase.LAST_DISCARD and Take() in view.legal_actions():
            assert (action == Take()) is in_some_meld(view.hand, view.public.pile[-1])
    assert seen["taken, loose afterwards"] > 3
    assert min(seen[what] for what in ("taken", "left", "thrown", "Knock", "settled")) > 30


def test_simple_throws_each_of_the_best_sometimes() -> None:
    for view, action in decisions(Simple(), 5):
        if isinstance(action, Discard):
            keep = view.drawn if view.public.stays(view.drawn) else None
            best = best_discards(view.hand, keep).cards
            thrown = {Simple().choose(view, seed) for seed in range(60)}
            assert thrown == {Discard(card) for card in best}


def test_camper_knocks_in_two_turns_and_then_only_gins() -> None:
    seen: Counter[str] = Counter()
    turns = {Seat.SOUTH: 0, Seat.NORTH: 0}
    for view, action in decisions(Camper(), 240):
        if not view.public.acts:
            turns = {Seat.SOUTH: 0, Seat.NORTH: 0}
        draws_and_throws_simply(view, action)
        turns[view.seat] += isinstance(action, Draw | Take)
        match action:
            case Knock(card) if card is not None and deadwood(view.hand.without(card)):
                assert turns[view.seat] <= 2
                seen["early knock"] += 1
            case Knock() | BigGin():
                seen["gin"] += 1
            case Discard():
                could = [other for other in view.legal_actions() if isinstance(other, Knock | BigGin)]
                seen["waited"] += bool(could)
                assert not could or turns[view.seat] > 2
                for end in could:
                    assert isinstance(end, Knock)
                    assert end.card is not None
                    assert deadwood(view.hand.without(end.card)) > 0
    assert seen["early knock"] > 3
    assert min(seen["gin"], seen["waited"]) > 30


@pytest.mark.parametrize(
    ("hand", "last", "answer"),
    [
        ("Ac 2c 3c 4d 5d 6d 7s 8s 9s Kh", "Ts", Take()),  # gin with it
        ("Ac 2c 3c 4d 5d 6d 7s 8s 2h Kh", "9s", Pass()),  # could knock with two loose, which it does no more
        ("Ac 2c 3c 4d 5d 6d 7s 8s Qh Kh", "9s", Pass()),  # could knock with a queen loose
    ],
)
def test_camper_takes_the_last_discard_only_for_gin(hand: str, last: str, answer: Action) -> None:
    rules = preset("Tournament")
    public = Round.start(rules, fair_deal(bytes(32), Seat.SOUTH)).public
    turns = tuple(Act(Seat.NORTH, Draw(), None) for _ in range(5))
    public = replace(
        public, phase=Phase.LAST_DISCARD, turn=Seat.NORTH, stock_count=2, pile=(Card.parse(last),), acts=turns
    )
    view = View(public, Seat.NORTH, CardSet.parse(hand))
    assert Take() in view.legal_actions()
    assert Camper().choose(view, 1) == answer
    assert Simple().choose(view, 1) == Take()
    early = replace(view, public=replace(public, acts=turns[:1]))
    assert Camper().choose(early, 1) == Take()


@pytest.mark.parametrize("player", ALL_PLAYERS.values(), ids=ALL_PLAYERS)
def test_same_view_and_seed_same_answer(player: Player) -> None:
    for view, _ in decisions(player, 10):
        assert player.choose(view, 7) == player.choose(view, 7)


@pytest.mark.parametrize("player", ALL_PLAYERS.values(), ids=ALL_PLAYERS)
def test_out_of_turn_is_an_error(player: Player) -> None:
    view = Round.start(preset("Standard"), fair_deal(bytes(32), Seat.SOUTH)).view(Seat.SOUTH)
    with pytest.raises(ValueError, match="South is not on turn"):
        player.choose(view, 1)


def test_steady_beats_novice_beyond_chance(times: int) -> None:
    """Mirrored pairs, the same cards from both seats; the measured figure is in docs/PLAYERS.md."""
    rules = preset("EAAI")
    gains = []
    for number, seed in enumerate(seeds(400 * times, label="steady")):
        gain = 0
        for dealer in Seat:
            end = play_out(Round.start(rules, fair_deal(seed, dealer)), (Steady(), Novice()), seed=number)
            assert end.result is not None
            score = end.result.score(rules)
            gain += 0 if score.winner is None else score.points if score.winner is Seat.SOUTH else -score.points
        gains.append(gain / 2)
    mean = sum(gains) / len(gains)
    error = math.sqrt(sum((gain - mean) ** 2 for gain in gains) / (len(gains) - 1) / len(gains))
    assert mean - 2.6 * error > 0, (mean, error)


def test_a_round_is_recorded_and_the_same_seed_plays_the_same() -> None:
    deal = fair_deal(bytes(32), Seat.NORTH)
    first = play_round(preset("Standard"), deal, (Novice(), Steady()), seed=3)
    assert isinstance(first, RoundRecord)
    assert first == play_round(preset("Standard"), deal, (Novice(), Steady()), seed=3)
    assert first.result(preset("Standard")) is not None


def test_a_game_goes_to_the_target_with_the_right_dealers() -> None:
    fresh = random.Random(2)
    for rules in (preset("Casual"), preset("Classic"), preset("Standard")):
        record, game = play_game(
            rules,
            lambda _, dealer: (fair_deal(fresh.randbytes(32), dealer), ()),
            (Novice(), Steady()),
            first=Seat.NORTH,
        )
        assert game.over
        assert max(game.standing.points) >= rules.target
        assert game.results == record.results()
        dealers = [one.source.dealer for one in record.rounds]
        assert dealers[0] is Seat.NORTH
        for number, dealer in enumerate(dealers):
            assert dealer is type(game)(rules, game.results[:number], Seat.NORTH).next_dealer
