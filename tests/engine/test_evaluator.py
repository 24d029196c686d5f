"""Evaluations: complete, repeatable, refinable, and told apart from what cannot be evaluated."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from tests.engine.driving import POLICIES, checked, driven, plies, some_starts
from tests.game.test_view import changed, permuted
from tutor.engine import styles
from tutor.engine.belief import CHAIN, belief_of, knowledge
from tutor.engine.evaluation import Evaluation, Line
from tutor.engine.evaluator import FINALISTS, FRESH, LEAST_BLOCKS, by_style, evaluate, refine, seed_of
from tutor.engine.kernel import playout as kernel
from tutor.engine.opponents import Shown, usual
from tutor.engine.states import cards_of
from tutor.engine.worlds import Sample
from tutor.game.actions import Action, BigGin, Discard, Draw, IllegalAction, Knock, Pass, Phase, Seat, Take
from tutor.game.cards import Card, CardSet
from tutor.game.melds import Arrangement
from tutor.game.public import PublicRound
from tutor.game.result import Standing
from tutor.game.round import Round
from tutor.game.rules import PRESETS
from tutor.game.solver import deadwood
from tutor.game.view import View


@cache
def some_rounds() -> tuple[Round, ...]:
    """Rounds just before a decision: of every phase, under four presets, with at least two choices."""
    random_ = random.Random(21)
    found: list[Round] = []
    for name in ("Standard", "Oklahoma", "Tournament", "OpenSpiel"):
        middles: list[Round] = []
        for start in some_starts(PRESETS[name], 12, random_):
            pair = random_.randrange(len(POLICIES)), random_.randrange(len(POLICIES))
            middles += plies(start, checked(start, driven(start, pair, random_.randrange(2**60))))
        for phase in (Phase.UPCARD, Phase.DRAW, Phase.DISCARD, Phase.LAST_DISCARD):
            fitting = [one for one in middles if one.public.phase is phase and len(one.legal_actions()) > 1]
            found += random_.sample(fitting, min(2, len(fitting)))
        knocks = [one for one in middles if any(isinstance(action, Knock) for action in one.legal_actions())]
        found.append(random_.choice(knocks))
    return tuple(found)


def on_turn(round_: Round, standing: Standing | None = None) -> View:
    assert round_.public.turn is not None
    return round_.view(round_.public.turn, standing or Standing())


def same_samples(one: Sample, other: Sample) -> bool:
    columns = ("blocks", "points", "chances", "outcomes")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in columns)


def test_there_is_a_line_for_every_action_and_it_adds_up() -> None:
    phases = set()
    for round_ in some_rounds():
        view = on_turn(round_)
        phases.add(view.public.phase)
        found = evaluate(view, worlds=160, seed=1)
        assert {line.action for line in found.lines} == set(view.legal_actions())
        assert len(found.lines) == len(view.legal_actions())
        best = found.best
        assert (best.behind, best.behind_se, best.win_behind, best.win_behind_se) == (0.0, 0.0, 0.0, 0.0)
        assert found.line(best.action) is best
        rest = [line.win for line in found.lines[1:]]
        assert rest == sorted(rest, reverse=True)
        for line in found.lines:
            shares = [getattr(line.outcomes, name) for name in kernel.OUTCOMES]
            assert abs(sum(shares) - 1) < 1e-12
            assert min(shares) >= 0
            assert 0 <= line.win <= 1
            assert line.worlds % CHAIN == 0
            assert LEAST_BLOCKS * CHAIN <= line.worlds <= 160
            assert line.points_se >= 0
        in_the_running = [line for line in found.lines if line.worlds == 160]
        assert len(in_the_running) <= FINALISTS
    assert phases >= {Phase.UPCARD, Phase.DRAW, Phase.DISCARD, Phase.LAST_DISCARD}


def test_same_arguments_same_answer_with_and_without_threads() -> None:
    with ThreadPoolExecutor(2) as pool:
        for round_ in some_rounds()[::2]:
            view = on_turn(round_)
            one = evaluate(view, worlds=250, seed=5)
            assert evaluate(view, worlds=250, seed=5) == one
            threaded = evaluate(view, worlds=250, seed=5, pool=pool)
            assert threaded == one
            assert all(same_samples(threaded.played[a].fresh, one.played[a].fresh) for a in one.played)
            assert refine(one, 600, pool=pool) == refine(one, 600)
            assert evaluate(view, worlds=250, seed=6) != one


def test_refining_keeps_what_was_played_and_adds_to_it() -> None:
    for round_ in some_rounds()[::2]:
        first = evaluate(on_turn(round_), worlds=200, seed=7)
        assert refine(first, 200) is first
        assert refine(first, 1) is first
        more = refine(first, 500)
        assert more.worlds == 500
        assert max(line.worlds for line in more.lines) == 512
        for action, before in first.played.items():
            after = more.played[action]
            searched = len(before.searched.blocks)
            assert np.array_equal(after.searched.blocks, np.arange(len(after.searched.blocks)))
            assert np.array_equal(after.searched.points[:searched], before.searched.points)
            size = len(before.fresh.blocks)
            assert np.array_equal(after.fresh.blocks, np.arange(FRESH, FRESH + len(after.fresh.blocks)))
            assert np.array_equal(after.fresh.points[:size], before.fresh.points)
            assert np.array_equal(after.fresh.outcomes[:size], before.fresh.outcomes)


def test_a_block_is_the_same_however_it_was_reached() -> None:
    """In steps, at once, from the start, or alone: equal numbers of fresh blocks are equal blocks."""
    compared = 0
    for round_ in some_rounds()[::2]:
        first = evaluate(on_turn(round_), worlds=200, seed=8)
        ways = [refine(refine(first, 400), 800), refine(first, 800), evaluate(on_turn(round_), worlds=800, seed=8)]
        assert first.base is not None
        for action in first.played:
            for way in ways:
                fresh = way.played[action].fresh
                (alone,) = first.base.play([action], FRESH, len(fresh.blocks))
                assert same_samples(alone, fresh)
                line = way.line(action)
                assert line.points == float(fresh.points.mean())
                assert line.win == float(fresh.chances.mean())
                compared += 1
    assert compared > 100


def test_worlds_of_a_block_do_not_share_their_random_words() -> None:
    """The generator is a counter: seeds a few of its steps apart would shuffle alike, shifted by as many cards."""
    base = evaluate(on_turn(some_rounds()[0]), worlds=16, seed=1).base
    assert base is not None
    _, words = base.block(FRESH, 4)
    inverse = pow(0x9E3779B97F4A7C15, -1, 1 << 64)
    steps = sorted(int(word) * inverse % (1 << 64) for word in words)
    assert min(high - low for low, high in pairwise(steps)) > 10_000


def test_every_world_fits_the_view_and_the_mix() -> None:
    for round_ in some_rounds():
        view = on_turn(round_)
        base = evaluate(view, worlds=16, seed=1, mix=styles.MIX).base
        assert base is not None
        states, _ = base.block(0, 40)
        for hand in states[:, kernel.HAND1]:
            cards = cards_of(int(hand))
            assert view.known_theirs <= cards
            assert cards <= view.theirs
            assert len(cards) == 10
        shares = np.bincount(states[:, kernel.POLICY1], minlength=len(styles.MIX)) / len(states)
        assert np.abs(shares - styles.MIX).max() < 0.05


def test_the_mix_is_shifted_by_what_was_seen_and_by_earlier_rounds() -> None:
    view = on_turn(some_rounds()[2])
    earlier = (Shown((10, 10, 9, 10, 8, 7, 10, 10, 6, 9, 10)),) * 3
    found = [evaluate(view, worlds=160, seed=1, earlier=told).base for told in ((), earlier)]
    for base, told in zip(found, ((), earlier), strict=True):
        assert base is not None
        assert np.array_equal(base.mix, usual(view.public, view.seat.other, told))
        assert abs(base.mix.sum() - 1) < 1e-12
        assert (base.mix[styles.MIX == 0] == 0).all()
    early = styles.NAMES.index("early")
    assert usual(view.public, view.seat.other, earlier)[early] < styles.MIX[early] / 2
    assert np.array_equal(usual(seen(GIN, "4s", preset="Straight").public, Seat.NORTH, earlier), styles.MIX)


GIN = "As 2s 3s 4h 5h 6h 9c 9d 9h 9s"


def seen(hand: str, upcard: str, dealer: Seat = Seat.NORTH, preset: str = "Standard") -> View:
    public = PublicRound.start(PRESETS[preset], dealer, Card.parse(upcard))
    return View.start(public, Seat.SOUTH, CardSet.parse(hand))


def best_of(view: View) -> Line:
    return evaluate(view, worlds=300, seed=2).best


def test_gin_is_shown_and_counts_their_cards() -> None:
    view = seen("As 2s 3s 4h 5h 6h 9c 9d 9h Kd", "9s").after(Take())
    found = evaluate(view, worlds=300, seed=2, thrifty=True)
    assert found.best.action == Knock(Card.parse("Kd"))
    assert found.best.outcomes.win_gin == 1
    # Where the leader is alone a quarter of the worlds is enough.
    assert found.best.worlds < 100
    hands = belief_of(view).hands(2, FRESH, found.best.worlds // CHAIN).reshape(-1)
    right = 25 + np.mean([deadwood(cards_of(int(hand))) for hand in hands])
    assert abs(found.best.points - right) < 1e-9


def test_big_gin_is_shown() -> None:
    view = seen(GIN, "4s").after(Take())
    found = evaluate(view, worlds=300, seed=2)
    assert found.best.action == BigGin()
    assert found.best.outcomes.win_gin == 1
    knock = Knock(Card.parse("As"))
    assert abs(found.line(knock).behind - 6) < 1e-9, "31 for big gin, 25 for gin"
    without = seen(GIN, "4s", preset="EAAI").after(Take())
    assert isinstance(best_of(without).action, Knock)


def test_a_card_that_makes_gin_is_taken() -> None:
    assert best_of(seen("As 2s 3s 4h 5h 6h 9c 9d 9h Kd", "9s")).action == Take()
    assert best_of(seen("As 2s 3s 4h 5h 6h 9c 9d 9h 2d", "Kc")).action == Pass()


def test_the_card_that_hands_over_gin_is_kept() -> None:
    """North's hand is known to the last card; the king of spades gives it gin, the other one nothing."""
    view = seen("Ks Kd 2h 3s 5s 6h 7h 9d Th 8c", "Jd", dealer=Seat.SOUTH)
    view = view.after(Pass()).after(Pass()).after(Draw()).after(Discard(Card.parse("Jc"))).after(Draw(Card.parse("8s")))
    held = (CardSet(), CardSet.parse("Ac 2c 3c 4c 4d 5d 6d Js Qs 9h"))
    view = replace(view, public=replace(view.public, held=held))
    kings = [Discard(Card.parse(king)) for king in ("Ks", "Kd")]
    found = evaluate(view, worlds=200, seed=3, actions=kings)
    assert found.best.action == kings[1]
    assert found.line(kings[0]).outcomes.lose_gin == 1
    assert found.line(kings[1]).outcomes.lose_gin < 0.9
    assert found.line(kings[0]).behind > 2 * found.line(kings[0]).behind_se > 0


@pytest.mark.parametrize("thrifty", [True, False])
@pytest.mark.parametrize("for_points", [True, False])
def test_what_is_best_is_best_by_what_was_asked_for(for_points: bool, thrifty: bool) -> None:
    """On the search, which has no part in the figures; if thrifty on all that was played."""
    for round_ in some_rounds()[::3]:
        found = evaluate(on_turn(round_), worlds=160, seed=9, for_points=for_points, thrifty=thrifty)
        everything = {a: one.searched.more(one.fresh) if thrifty else one.searched for a, one in found.played.items()}
        longest = max(len(one.blocks) for one in everything.values())
        running = [action for action, one in everything.items() if 2 * len(one.blocks) >= longest]
        worth = {a: everything[a].of(for_points).mean() for a in running}
        assert worth[found.best.action] == max(worth.values())


def test_one_point_from_the_target_the_chance_is_that_of_the_hand() -> None:
    """At 99 to 99 whoever wins this hand wins the game; a dead hand is dealt again."""
    for round_ in some_rounds()[:8]:
        if round_.public.rules.target != 100:
            continue
        level = evaluate(on_turn(round_, Standing((99, 99), (4, 4))), worlds=160, seed=4)
        turn = round_.public.turn
        assert turn is not None
        sides = [points if turn is Seat.SOUTH else points[::-1] for points in ((99, 1), (1, 99))]
        ahead, behind = (evaluate(on_turn(round_, Standing(points, (1, 1))), worlds=160, seed=4) for points in sides)
        assert level.base is not None
        again = float(level.base.values.chances[level.base.values.reach + 1])
        assert 0.4 < again < 0.6
        for line in level.lines:
            ends = line.outcomes
            won = ends.win_knock + ends.win_gin + ends.win_undercut
            assert abs(line.win - (won + ends.dead * again)) < 1e-9
            # The same worlds with another standing.
            if level.played[line.action].fresh.blocks.size == ahead.played[line.action].fresh.blocks.size:
                assert ahead.line(line.action).win >= line.win - 1e-12
                assert ahead.line(line.action).points == line.points
        assert ahead.best.win > 0.7
        assert behind.best.win < 0.5


def test_equal_views_are_evaluated_equally_to_the_letter() -> None:
    random_ = random.Random(6)
    compared = 0
    for round_ in some_rounds():
        seat = round_.public.turn
        assert seat is not None
        for _ in range(3):
            deal, change = permuted(round_.deal, round_.view(seat).unseen, random_)
            other = Round.start(round_.public.rules, deal)
            try:
                for action in round_.actions:
                    other = other.play(changed(action, change))
            except IllegalAction:
                continue
            views = [one.view(seat) for one in (round_, other)]
            seeds = {seed_of(view) for view in views}
            assert len(seeds) == 1
            if other.hands[seat.other] != round_.hands[seat.other]:
                seed = seeds.pop()
                assert len({repr(evaluate(view, worlds=64, seed=seed)) for view in views}) == 1
                compared += 1
    assert compared > 50


def test_other_views_have_other_seeds() -> None:
    views = [on_turn(round_) for round_ in some_rounds()]
    views += [replace(view, standing=Standing((10, 0), (1, 0))) for view in views]
    assert len({seed_of(view) for view in views}) == len(set(views))
    assert all(0 <= seed_of(view) < 1 << 56 for view in views)


def test_whatever_is_known_goes_into_the_seed() -> None:
    """Views that differ in one thing only."""
    view = seen("As 2s 3s 4h 5h 6h 9c 9d 9h Kd", "9s", dealer=Seat.SOUTH)
    drew = view.after(Pass()).after(Pass()).after(Draw())
    views = [
        view,
        seen("As 2s 3s 4h 5h 6h 9c 9d 9h Kc", "9s", dealer=Seat.SOUTH),
        seen("As 2s 3s 4h 5h 6h 9c 9d 9h Kd", "8s", dealer=Seat.SOUTH),
        seen("As 2s 3s 4h 5h 6h 9c 9d 9h Kd", "9s", dealer=Seat.SOUTH, preset="Classic"),
        replace(view, standing=Standing((0, 1), (0, 1))),
        view.after(Pass()),
        drew.after(Discard(Card.parse("Jc"))),
        drew.after(Discard(Card.parse("Jd"))),
        *(drew.after(Discard(Card.parse("Jc"))).after(Draw(Card.parse(card))) for card in ("4c", "4d")),
    ]
    # The same eleven cards, another one of them just drawn.
    views.append(replace(views[-1], drawn=Card.parse("Kd")))
    assert len({seed_of(one) for one in views}) == len(views)


def test_a_question_without_worlds_or_actions_is_refused() -> None:
    view = seen(GIN, "4s")
    with pytest.raises(ValueError, match="at least one world, not 0"):
        evaluate(view, worlds=0, seed=1)
    with pytest.raises(ValueError, match="no action to evaluate"):
        evaluate(view, worlds=10, seed=1, actions=[])
    assert evaluate(view, worlds=1, seed=1).best.worlds == LEAST_BLOCKS * CHAIN


def test_an_action_asked_about_twice_is_one_line() -> None:
    view = seen(GIN, "4s")
    once = evaluate(view, worlds=200, seed=1, actions=[Pass(), Take()])
    assert evaluate(view, worlds=200, seed=1, actions=[Pass(), Take(), Pass()]) == once
    assert len(once.lines) == 2


def test_a_seed_is_any_whole_number() -> None:
    view = seen("As 3s 3d 4h 6h 7c 9c 9d 9h Kd", "9s")
    found = [evaluate(view, worlds=100, seed=seed) for seed in (-1, 0, 1, 2**64 + 1, 2**80 + 5)]
    assert found[2].lines == found[3].lines, "seeds count by their last 64 bits"
    assert len({one.best.points for one in found}) == 4


def test_an_action_that_is_not_allowed_is_refused() -> None:
    view = seen(GIN, "4s").after(Take())
    for action, words in ((Pass(), "your card for this turn"), (Discard(Card.parse("4s")), "stays in your hand")):
        with pytest.raises(IllegalAction, match=words):
            evaluate(view, worlds=10, seed=1, actions=[action])
    too_much = Knock(Card.parse("As"), Arrangement((), view.hand.without(Card.parse("As"))))
    with pytest.raises(IllegalAction, match="limit is 10"):
        evaluate(view, worlds=10, seed=1, actions=[too_much])


def test_where_nothing_is_to_be_decided_it_says_why() -> None:
    view = seen(GIN, "Kd")
    with pytest.raises(ValueError, match="South has nothing to decide here: North is on turn"):
        evaluate(view.after(Pass()), worlds=10, seed=1)
    start = some_starts(PRESETS["Standard"], 1, random.Random(2))[0]
    end = checked(start, driven(start, (0, 0), 1))
    with pytest.raises(ValueError, match="the hand is over"):
        evaluate(end.view(Seat.SOUTH), worlds=10, seed=1)
    knocked = seen("As 2s 3s 4h 5h 6h 9c 9d 9h Kd", "9s").after(Take()).after(Knock(Card.parse("Kd")))
    with pytest.raises(ValueError, match="North is on turn"):
        evaluate(knocked, worlds=10, seed=1)


def impossible() -> dict[str, tuple[View, str]]:
    view = seen("As 2s 3s 4h 5h 6h 9c 9d 9h Kd", "9s")
    took, public = view.after(Take()), view.public
    they_took = view.after(Pass()).after(Take()).after(Discard(Card.parse("Kc")))
    many = replace(they_took.public, held=(CardSet(), CardSet.parse("2c 3c 4c 5c 6c 7c 8c 10c Jc Qc 2d")))
    return {
        "twice in the pile": (
            replace(view, public=replace(public, pile=public.pile * 2)), "9♠ lies in the pile twice"
        ),
        "in hand and pile": (
            replace(view, public=replace(public, pile=(Card.parse("Kd"),))), "K♦ cannot be in the pile and in this hand"
        ),
        "taken and in the pile": (
            replace(they_took, public=replace(they_took.public, pile=(Card.parse("9s"), Card.parse("Kc")))),
            "9♠ cannot be in the pile and in the other hand",
        ),
        "out of play and in hand": (
            replace(view, public=replace(public, out_of_play=CardSet.parse("5h"))),
            "5♥ cannot be in this hand and out of play",
        ),
        "taken and gone": (replace(took, hand=took.hand.without(Card.parse("9s"))), "9♠ was taken and is neither"),
        "too few": (replace(view, hand=view.hand.without(Card.parse("Kd"))), "9 cards where there should be 10"),
        "ten to throw from": (
            replace(took, public=replace(took.public, taken=None, held=(CardSet(), CardSet())),
                    hand=took.hand.without(Card.parse("9s"))),
            "10 cards where there should be 11",
        ),
        "too many known": (replace(they_took, public=many), "known to hold 11 cards, which is too many"),
        "a wrong stock": (
            replace(view, public=replace(public, stock_count=30)), "41 cards are unseen, but the stock has 30"
        ),
    }  # fmt: skip


@pytest.mark.parametrize("name", impossible())
def test_a_view_that_cannot_be_is_refused_by_card(name: str) -> None:
    view, words = impossible()[name]
    with pytest.raises(ValueError, match=words):
        evaluate(view, worlds=10, seed=1)
    with pytest.raises(ValueError, match=words):
        knowledge(view)


def gap(found: Evaluation, first: Action, second: Action) -> tuple[float, float]:
    """How much the first was found better than the second, and the error that was told."""
    other = found.line(second if found.best.action == first else first)
    return (other.behind if found.best.action == first else -other.behind), other.behind_se


def test_errors_are_honest(times: int) -> None:
    """The spread of the gap between the two best over independent seeds is what each evaluation tells."""
    count, seeds = (6, 16) if times == 1 else (40, 20)
    random_ = random.Random(30)
    variances, told = [], []
    for start in some_starts(PRESETS["Standard"], count, random_):
        middle = plies(start, checked(start, driven(start, (0, 0), 1)))
        round_ = random_.choice([one for one in middle if len(one.legal_actions()) > 1])
        ranked = evaluate(on_turn(round_), worlds=400, seed=1, for_points=True).lines
        pair = ranked[0].action, ranked[1].action
        gaps = [
            gap(evaluate(on_turn(round_), worlds=320, seed=100 + n, actions=pair, for_points=True), *pair)
            for n in range(seeds)
        ]
        variances.append(np.var([difference for difference, _ in gaps], ddof=1))
        told.append(np.mean([error**2 for _, error in gaps]))
    ratio = float(np.sqrt(np.sum(variances) / np.sum(told)))
    low, high = (0.7, 1.4) if times == 1 else (0.85, 1.15)
    assert low < ratio < high


def test_single_styles_are_told_apart() -> None:
    """Against who knocks at once the hand ends otherwise than against who waits for gin."""
    view = seen("As 3s 3d 4h 6h 7c 9c 9d Jh Kd", "Qs")
    found = by_style(view, worlds=600, seed=3)
    assert set(found) == {"early", "waiting", "human"}
    early, waiting = (found[name].best.outcomes for name in ("early", "waiting"))
    assert early.lose_knock > waiting.lose_knock + 0.2
    assert waiting.lose_gin > early.lose_gin + 0.1
    with pytest.raises(ValueError, match="no style"):
        by_style(view, worlds=100, seed=3, names=("shark",))


def test_how_the_seat_plays_on_can_be_chosen() -> None:
    """Who never knocks has gin more often, and wins by knocking only where the action itself knocks."""
    view = seen("As 3s 3d 4h 6h 7c 9c 9d Jh Kd", "Qs")
    sharp, never = (evaluate(view, worlds=600, seed=3, own=own).best.outcomes for own in ("sharp", "gin only"))
    assert sharp.win_knock > 0.02
    assert never.win_knock == 0
    assert never.win_gin > sharp.win_gin
    assert evaluate(view, worlds=100, seed=3) == evaluate(view, worlds=100, seed=3, own="sharp")
    with pytest.raises(ValueError, match='"shark" is no style'):
        evaluate(view, worlds=100, seed=3, own="shark")


def test_the_margin_to_expect_counts_boxes_and_bonuses() -> None:
    """In a single hand it is the hand itself; near the target it holds the bonus of the game."""
    view = seen("As 2s 3s 4h 5h 6h 9c 9d 9h Kd", "9s", preset="EAAI").after(Take())
    best = evaluate(view, worlds=200, seed=2, for_points=True).best
    assert abs(best.margin) < 250
    last = replace(view, standing=Standing((90, 0), (3, 0)))
    won = evaluate(last, worlds=200, seed=2).best
    assert won.win == 1
    assert abs(won.margin - 90 - won.points) < 1e-9, "no box or game bonus under these rules"


def test_in_its_own_pool_nobody_waits_for_ever() -> None:
    view = seen("As 3s 3d 4h 6h 7c 9c 9d Jh Kd", "Qs")
    alone = evaluate(view, worlds=200, seed=4)
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(lambda: evaluate(view, worlds=200, seed=4, pool=pool)).result(timeout=60)
    assert found.lines == alone.lines


def test_a_drawn_card_is_no_choice() -> None:
    view = seen("As 3s 3d 4h 6h 7c 9c 9d Jh Kd", "Qs").after(Pass()).after(Pass())
    with pytest.raises(ValueError, match="no choice"):
        evaluate(view, worlds=50, seed=1, actions=[Draw(Card.parse("2c"))])


def test_the_figures_of_the_best_are_not_flattered(times: int) -> None:
    """Over many seeds the recommended action's points are on average what that action is worth."""
    view = seen("3c 4c 7d 8d 9d Jh Js 2s Qs 5h", "Kd").after(Pass()).after(Pass()).after(Draw(Card.parse("6s")))
    worth = {line.action: line.points for line in evaluate(view, worlds=20_000, seed=99, for_points=True).lines}
    bests = [evaluate(view, worlds=64, seed=seed, for_points=True).best for seed in range(150 * times)]
    gaps = np.array([best.points - worth[best.action] for best in bests])
    assert abs(gaps.mean()) < 4 * gaps.std() / len(gaps) ** 0.5 + 0.25
