"""What to show and what to lay off: every choice is offered, and its worth is exact."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from tests import naive
from tests.differential.test_naive import plain, way
from tests.engine.driving import RULES, driven, replayed, some_starts
from tests.helpers import rich_hand
from tutor.engine import styles
from tutor.engine.evaluator import evaluate, refine, shows
from tutor.engine.showdown import showdown_result
from tutor.engine.standings import worth_of
from tutor.game.actions import Action, Discard, Draw, IllegalAction, Knock, Pass, Phase, Seat, Settle, Take
from tutor.game.cards import DECK, Card, CardSet
from tutor.game.layoffs import exposed
from tutor.game.melds import Arrangement
from tutor.game.result import Result, Standing
from tutor.game.round import Deal, Round
from tutor.game.rules import PRESETS, RuleSet
from tutor.game.view import View


@cache
def some_showdowns() -> tuple[View, ...]:
    """Views of defenders, under rule sets that price endings differently; most of them could lay off."""
    random_ = random.Random(41)
    found: list[View] = []
    for name in ("Standard", "Classic", "Oklahoma", "OpenSpiel", "tie nothing", "Straight"):
        for start in some_starts(RULES[name], 60, random_):
            pair = random_.randrange(len(styles.ROWS)), random_.randrange(len(styles.ROWS))
            end = replayed(start, driven(start, pair, random_.randrange(2**60)).trace)
            round_ = start
            for action in end.actions:
                round_ = round_.play(action)
                if round_.public.phase is Phase.LAY_OFF and round_.public.turn is not None:
                    view = round_.view(round_.public.turn, Standing((30, 20), (1, 1)))
                    if len(view.legal_actions()) > 1 or random_.random() < 0.1:
                        found.append(view)
    return tuple(found)


def endings(view: View) -> Iterator[Result]:
    """Every way the defence can go on, step by step through the game."""
    for action in view.legal_actions():
        after = view.after(action, Card.parse("Kd") if isinstance(action, Settle) else None)
        if after.public.result is not None:
            yield after.public.result
        else:
            yield from endings(after)


def mine(result: Result, view: View) -> int:
    score = result.score(view.public.rules)
    return score.points if score.winner is view.seat else -score.points


def test_lay_offs_are_worth_the_best_that_can_follow() -> None:
    """All continuations, through the game itself."""
    kinds = set()
    for view in some_showdowns():
        found = evaluate(view, worlds=50, seed=1)
        assert {line.action for line in found.lines} == set(view.legal_actions())
        for line in found.lines:
            after = view.after(line.action)
            results = [after.public.result] if after.public.result is not None else list(endings(after))
            # The defender wants least deadwood: less is never worse under any rules.
            least = min(results, key=lambda result: result.defender_deadwood if result else 0)
            assert least is not None
            assert line.points == mine(least, view) == max(mine(one, view) for one in results if one)
            assert (line.points_se, line.win_se, line.worlds) == (0.0, 0.0, 0)
            score = least.score(view.public.rules)
            box = 0 if score.box is None else 1 if score.box is view.seat else -1
            values = worth_of(view.public.rules).values(view.standing, view.seat, view.public.dealer, 400)
            chance = values.of(np.array([line.points], np.int64), np.array([box], np.int8))[0][0]
            assert line.win == chance
            named = {name: getattr(line.outcomes, name) for name in line.outcomes.__slots__}
            assert sorted(named.values()) == [0] * 6 + [1]
            kinds.add(next(name for name, share in named.items() if share))
            lost = "lose_gin" if view.public.gin else "lose_knock"
            assert named[lost if box < 0 else "win_undercut" if box else "dead"] == 1
        assert found.best.win == max(line.win for line in found.lines)
        assert refine(found, 10_000) is found
    assert kinds >= {"lose_knock", "win_undercut", "lose_gin"}


def test_the_best_defence_can_be_found_step_by_step() -> None:
    """Following the recommendation reaches the best ending of all."""
    longer = 0
    for view in some_showdowns()[::3]:
        best = max(mine(result, view) for result in endings(view))
        steps = 0
        after = view
        while after.public.result is None:
            after = after.after(evaluate(after, worlds=1, seed=1, for_points=True).best.action)
            steps += 1
        assert mine(after.public.result, view) == best
        longer += steps > 1
    assert longer > 5


def test_a_showdown_is_refused_where_there_is_none() -> None:
    start = Round.start(PRESETS["Standard"], some_starts(PRESETS["Standard"], 1, random.Random(1))[0].deal)
    assert start.public.turn is not None
    with pytest.raises(ValueError, match="nobody has knocked yet"):
        showdown_result(start.view(start.public.turn), Pass())
    view = some_showdowns()[0]
    for action in (Pass(), Discard(next(iter(view.hand)))):
        with pytest.raises(IllegalAction, match="The hand is shown"):
            showdown_result(view, action)


def test_a_showdown_that_cannot_be_is_refused_by_card() -> None:
    view = next(view for view in some_showdowns() if len(view.legal_actions()) > 1 and view.public.pile)
    mine = next(iter(view.hand))
    theirs = next(iter(view.known_theirs))
    piled = view.public.pile[0]
    for wrong, words in (
        (replace(view, public=replace(view.public, laid_off=CardSet.of([mine]))), "in this hand and laid off"),
        (replace(view, hand=view.hand.without(mine).with_card(theirs)), "in this hand and in the other hand"),
        (replace(view, hand=view.hand.without(mine).with_card(piled)), "in the pile and in this hand"),
    ):
        card = mine if "laid off" in words else theirs if "other" in words else piled
        with pytest.raises(ValueError, match=f"{card.symbol} cannot be {words}"):
            evaluate(wrong, worlds=10, seed=1)


def throwing(hand: CardSet, limit: int) -> View:
    """A view of eleven cards of which one may be thrown, with this limit."""
    random_ = random.Random(hand.bits)
    rest = [card for card in DECK if card not in hand]
    random_.shuffle(rest)
    south = list(hand)[:10]
    drawn = list(hand)[10]
    deal = Deal((CardSet.of(south), CardSet.of(rest[:10])), rest[10], (drawn, *rest[11:]), Seat.NORTH)
    rules = RuleSet(knock_limit=limit)
    round_ = Round.start(rules, deal).play(Pass()).play(Pass()).play(Draw())
    return round_.view(Seat.SOUTH)


def joined_ways(cards: CardSet, limit: int) -> set[naive.Way]:
    """By the naive solver: all ways within the limit in which no two runs could be one."""
    found = set()
    for melds, loose in naive.all_ways(plain(cards)):
        runs = [meld for meld in melds if len({suit for _, suit in meld}) == 1]
        touching = any(one != two and naive.is_meld(one | two) for one in runs for two in runs)
        if naive.points(loose) <= limit and not touching:
            found.add((melds, loose))
    return found


@pytest.mark.parametrize("limit", [0, 5, 10])
def test_every_arrangement_that_may_be_shown_is_offered(limit: int) -> None:
    random_ = random.Random(limit)
    offered = several = 0
    while offered < 40:
        view = throwing(rich_hand(random_, 11), limit)
        for action in view.legal_actions():
            if not isinstance(action, Knock) or action.card is None:
                continue
            ways = shows(view, action)
            assert all(view.check(one) is None for one in ways)
            assert all(one.card == action.card for one in ways)
            arrangements = [one.arrangement for one in ways if one.arrangement is not None]
            assert len({way(one) for one in arrangements}) == len(ways)
            assert {way(one) for one in arrangements} == joined_ways(view.hand.without(action.card), limit)
            offered += 1
            several += len(ways) > 1
    assert several >= {0: 0, 5: 3, 10: 10}[limit]


def test_a_show_needs_its_card() -> None:
    view = throwing(rich_hand(random.Random(1), 11), 10)
    with pytest.raises(ValueError, match="which card is thrown"):
        shows(view, Knock(None))


def hiding() -> View:
    """Two arrangements count the same; one of them takes the two of hearts that North was seen to take."""
    south = CardSet.parse("Ac 4c 6d 3h 4h 5h 6h As 4s 6s")
    rest = [card for card in DECK if card not in south]
    upcard = Card.parse("2h")
    rest.remove(upcard)
    random.Random(3).shuffle(rest)
    deal = Deal((south, CardSet.of(rest[:10])), upcard, tuple(rest[10:]), Seat.SOUTH)
    round_ = Round.start(PRESETS["Standard"], deal).play(Take())
    return round_.play(Discard(next(iter(round_.hands[1].without(upcard))))).play(Draw()).view(Seat.SOUTH)


def test_what_is_shown_hides_from_what_they_hold() -> None:
    view = hiding()
    assert view.drawn is not None
    ways = shows(view, Knock(view.drawn))
    found = evaluate(view, worlds=160, seed=1, actions=ways, for_points=True)
    assert {line.action for line in found.lines} == set(ways)
    assert Card.parse("2h") not in exposed(arrangement_in(found.best.action))
    plain_knock = evaluate(view, worlds=160, seed=1, actions=[Knock(view.drawn), *ways], for_points=True)
    proposed = plain_knock.line(Knock(view.drawn))
    shown = arrangement_in(view.completed(Knock(view.drawn)))
    assert proposed.points == plain_knock.line(Knock(view.drawn, shown.joined())).points
    exposing = [line for line in found.lines if Card.parse("2h") in exposed(arrangement_in(line.action))]
    assert exposing
    assert all(line.points < found.best.points for line in exposing)


def arrangement_in(action: Action) -> Arrangement:
    assert isinstance(action, Knock)
    assert action.arrangement is not None
    return action.arrangement
