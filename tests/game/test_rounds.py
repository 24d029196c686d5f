"""Whole rounds under every preset by very different players: nothing is lost, everything ends, every ending is met."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice

from tests.helpers import random_deal
from tests.policies import AnyLegal, KnocksAtOnce, NeverKnocks, OnlyGins, TakesThePile, WaitsForBigGin
from tutor.engine.arena import play_out
from tutor.engine.players import Novice, Player, Steady
from tutor.game.actions import (
    Action,
    BigGin,
    Discard,
    Draw,
    Illegality,
    Knock,
    LayOff,
    Pass,
    Seat,
    Settle,
    Take,
)
from tutor.game.cards import ALL_CARDS, DECK, Card, CardSet
from tutor.game.layoffs import best_defence
from tutor.game.melds import MELDS, Meld
from tutor.game.notation import dumps, loads
from tutor.game.record import Line, Record, RoundRecord
from tutor.game.result import Ending, Outcome
from tutor.game.round import Deal, Round
from tutor.game.rules import PRESETS, LastDiscard, RuleSet
from tutor.game.solver import arrangements_within, best_discards, deadwood

PAIRS: tuple[tuple[Player, Player], ...] = (
    (Novice(), Steady()),
    (KnocksAtOnce(), KnocksAtOnce()),
    (AnyLegal(), Novice()),
    (OnlyGins(), OnlyGins()),
    (TakesThePile(), TakesThePile()),
    (TakesThePile(), Steady()),
    (NeverKnocks(), NeverKnocks()),
    (NeverKnocks(), WaitsForBigGin()),
    (Steady(), KnocksAtOnce()),
    (AnyLegal(), AnyLegal()),
)
EACH = 200


def nameable(round_: Round) -> Iterator[Action]:
    """Every action one could name without an arrangement."""
    yield from (Pass(), Take(), Draw(), BigGin(), Settle())
    for card in DECK:
        yield Discard(card)
        yield Knock(card)
        yield from (LayOff(card, meld) for meld in round_.public.table)


def places(round_: Round) -> list[Card]:
    """Every card of the deck where it lies now, the untold stock aside."""
    public = round_.public
    face_down = [] if round_.knock_card is None else [round_.knock_card]
    listed = [*round_.hands[0], *round_.hands[1], *round_.stock, *public.pile, *public.laid_off]
    return [*listed, *public.out_of_play, *face_down]


def check_conserved(round_: Round) -> None:
    lying = places(round_)
    assert len(lying) == 52
    assert CardSet.of(lying) == ALL_CARDS
    assert round_.public.stock_count == len(round_.stock)


def check_agreement(round_: Round) -> None:
    for seat in Seat:
        view = round_.view(seat)
        listed = set(view.legal_actions())
        assert len(listed) == len(view.legal_actions())
        for action in nameable(round_):
            assert (view.check(action) is None) == (action in listed), action


def replayed(end: Round) -> Iterator[Round]:
    round_ = Round.start(end.public.rules, end.deal)
    yield round_
    for action in end.actions:
        round_ = round_.play(action)
        yield round_


def features(end: Round) -> set[str]:
    """The endings and rare events a round shows."""
    result = end.result
    assert result is not None
    found = {result.outcome().value if result.ending is not Ending.PILE_LIMIT else "pile limit"}
    laid = CardSet()
    for act in end.public.acts:
        if isinstance(act.action, LayOff):
            if act.action.meld.cards & laid:
                found.add("chained lay-off")
            laid = laid.with_card(act.action.card)
    if any(round_.public.must_end for round_ in replayed(end)):
        found.add("last discard taken")
    return found


def check_round(end: Round, *, deep: bool) -> None:
    assert end.public.turn is None
    assert end.legal_actions() == ()
    record = Record(end.public.rules, (RoundRecord(end.deal, Line.of(end.actions)),))
    assert loads(dumps(record)) == record
    last = None
    for round_ in replayed(end):
        check_conserved(round_)
        if deep:
            check_agreement(round_)
        last = round_
    assert last == end


def ordinary(count: int) -> Iterator[Round]:
    random_ = random.Random(count)
    rules = cycle(PRESETS.values())
    for number in range(count):
        pair = PAIRS[number // len(PRESETS) % len(PAIRS)]
        deal = random_deal(random_, Seat(random_.randrange(2)))
        yield play_out(Round.start(next(rules), deal), pair, seed=number)


def showdown(random_: random.Random, rules: RuleSet) -> Round:
    """A round that South, taking the upcard, can end at once; North has cards near South's melds."""
    while True:
        melds: list[Meld] = []
        used = CardSet()
        for _ in range(3):
            meld = random_.choice([meld for meld in MELDS.values() if len(meld.cards) <= 4])
            if not meld.cards & used:
                melds.append(meld)
                used = used | meld.cards
        low = [card for card in DECK if card.rank <= 4 and card not in used]
        if not 6 <= len(used) <= 10:
            continue
        hand = used | CardSet.of(random_.sample(low, 10 - len(used)))
        north = defender(random_, hand, used)
        others = [card for card in DECK if card not in hand | north]
        random_.shuffle(others)
        deal = Deal((hand, north), others[0], tuple(others[1:]), Seat.NORTH)
        round_ = Round.start(rules, deal).play(Take())
        if any(isinstance(action, Knock) for action in round_.legal_actions()):
            return round_


def defender(random_: random.Random, hand: CardSet, used: CardSet) -> CardSet:
    """Ten cards beside a knocker's: melds of their own, cards near the knocker's melds, low cards."""
    north = CardSet()
    for _ in range(random_.randint(0, 3)):
        meld = random_.choice(list(MELDS.values()))
        if not meld.cards & (hand | north) and len(meld.cards | north) <= 9:
            north = north | meld.cards
    ranks = {card.rank + step for card in used for step in (-2, -1, 1, 2)}
    suits = {card.suit for card in used}
    rest = [card for card in DECK if card not in hand | north]
    close = [card for card in rest if (card.rank in ranks and card.suit in suits) or card.rank <= 3]
    picked = random_.sample(close, min(len(close), 10 - len(north)))
    others = [card for card in rest if card not in picked]
    return north | CardSet.of(picked + random_.sample(others, 10 - len(north) - len(picked)))


def knock_anyhow(round_: Round, random_: random.Random) -> Round:
    """South knocks with any card that allows it, North defends exactly."""
    knocks = [action for action in round_.legal_actions() if isinstance(action, Knock)]
    return play_out(round_.play(random_.choice(knocks)), (Novice(), Steady()))


def constructed(feature: str, rules: tuple[RuleSet, ...]) -> Iterator[Round]:
    """Rounds in which a rare ending is near, for ever."""
    random_ = random.Random(feature)
    for rule_set in cycle(rules):
        if feature == "big gin":
            yield big_gin(random_, rule_set)
        elif feature == "last discard taken":
            yield last_discard(random_, rule_set)
        elif feature == "pile limit":
            yield play_out(Round.start(rule_set, random_deal(random_)), (TakesThePile(), TakesThePile()))
        elif feature == "dead hand":
            yield play_out(Round.start(rule_set, random_deal(random_)), (NeverKnocks(), NeverKnocks()))
        else:
            yield knock_anyhow(showdown(random_, rule_set), random_)


def big_gin(random_: random.Random, rules: RuleSet) -> Round:
    """South is dealt ten of eleven cards that all meld, and the eleventh lies open."""
    while True:
        melds = random_.sample(list(MELDS.values()), 3)
        eleven = melds[0].cards | melds[1].cards | melds[2].cards
        if len(eleven) != 11 or sum(len(meld.cards) for meld in melds) != 11:
            continue
        upcard = random_.choice(list(eleven))
        rest = [card for card in DECK if card not in eleven]
        random_.shuffle(rest)
        deal = Deal((eleven.without(upcard), CardSet.of(rest[:10])), upcard, tuple(rest[10:]), Seat.NORTH)
        round_ = Round.start(rules, deal).play(Take())
        return play_out(round_, (WaitsForBigGin(), Steady()))


def last_discard(random_: random.Random, rules: RuleSet) -> Round:
    """A stock of three: North draws the 50th card and must throw one that South can end with."""
    while True:
        south = showdown(random_, rules).deal.hands[0]
        wanted = [card for card in DECK if card not in south and can_end(south, card, rules)]
        if len(wanted) < 11:
            continue
        north = CardSet.of(random_.sample(wanted, 10))
        others = [card for card in DECK if card not in south and card not in north]
        random_.shuffle(others)
        upcard, *stock = others[:4]
        if upcard in wanted or stock[0] not in wanted:
            continue
        deal = Deal((south, north), upcard, tuple(stock), Seat.SOUTH, CardSet.of(others[4:]))
        round_ = Round.start(rules, deal)
        for action in (Pass(), Pass(), Draw()):
            round_ = round_.play(action)
        return play_out(round_, (NeverKnocks(), NeverKnocks()))


def can_end(hand: CardSet, card: Card, rules: RuleSet) -> bool:
    return best_discards(hand.with_card(card), card).deadwood <= rules.knock_limit


def test_every_round_is_sound_and_every_ending_is_met(times: int) -> None:
    met: Counter[str] = Counter()
    for number, end in enumerate(ordinary(480 * times)):
        check_round(end, deep=number % 10 == 0)
        met.update(features(end))
    presets = tuple(PRESETS.values())
    knocking = tuple(rules for rules in presets if rules.knock_limit)
    last = tuple(rules for rules in presets if rules.last_discard is LastDiscard.TAKE_TO_END)
    rare = {
        "undercut": knocking,
        "chained lay-off": knocking,
        "tie": knocking,
        "big gin": tuple(rules for rules in presets if rules.big_gin),
        "last discard taken": last,
        "gin": presets,
        "pile limit": presets,
        "dead hand": presets,
    }
    for feature, rules in rare.items():
        number = 0
        for end in islice(constructed(feature, rules), 40_000):
            if met[feature] >= EACH:
                break
            found = features(end)
            if feature in found:
                number += 1
                check_round(end, deep=number % 20 == 0)
                met.update(found)
    wanted = {"gin", "undercut", "tie", "chained lay-off", "dead hand", "last discard taken", "pile limit", "big gin"}
    assert {feature: met[feature] for feature in wanted if met[feature] < EACH} == {}


def test_any_arrangement_within_the_limit_may_be_shown() -> None:
    """``check`` judges an arrangement by the cards and the count it shows, not by whether it is the best."""
    random_ = random.Random(5)
    rules = PRESETS["Standard"]
    shown = refused = 0
    for _ in range(60):
        round_ = showdown(random_, rules)
        view = round_.view(Seat.SOUTH)
        for action in view.legal_actions():
            if not isinstance(action, Knock) or action.card is None:
                continue
            for way in islice(arrangements_within(view.hand.without(action.card), 40), 200):
                verdict = view.check(Knock(action.card, way))
                assert (verdict is None) == (way.deadwood <= 10)
                assert verdict in (None, Illegality.OVER_LIMIT)
                shown += verdict is None
                refused += verdict is not None
    assert shown > 100
    assert refused > 100


def test_the_proposed_settlement_is_the_best() -> None:
    random_ = random.Random(6)
    for _ in range(100):
        round_ = showdown(random_, PRESETS["Standard"])
        end = play_out(round_, (Novice(), Steady()))
        assert end.result is not None
        if end.result.outcome() in (Outcome.KNOCK, Outcome.UNDERCUT, Outcome.TIE):
            knock = next(round_ for round_ in replayed(end) if round_.public.knocker is not None)
            best = best_defence(knock.hands[Seat.NORTH], knock.public.table)
            assert end.result.defender_deadwood == best.deadwood
            assert deadwood(end.hands[Seat.NORTH]) == best.deadwood
