"""Reasons: every figure counted again, every one a difference that speaks for the better action, none that is false."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.game.test_view import changed, permuted
from tests.helpers import seeds
from tests.teaching import recount
from tutor.engine.evaluation import Evaluation, Line, Outcomes
from tutor.engine.evaluator import seed_of
from tutor.engine.players import PLAYERS
from tutor.game.actions import Action, Discard, Draw, IllegalAction, Knock, LayOff, Pass, Phase, Seat, Settle, Take
from tutor.game.cards import ALL_CARDS, NO_CARDS, Card, CardSet
from tutor.game.fair import fair_deal
from tutor.game.public import PublicRound
from tutor.game.result import Standing
from tutor.game.round import Round
from tutor.game.rules import PRESETS, LastDiscard, RuleSet
from tutor.game.view import View
from tutor.teaching.coach import Care, look, point_of
from tutor.teaching.reasons import (
    Reason,
    Sampling,
    both_sides,
    explain,
    facts_of,
    fitting,
    headline,
    hints,
    knock_or_wait,
    plain,
    points_against_chance,
    reasons,
)
from tutor.teaching.reasons.ending import Exposure
from tutor.teaching.reasons.headline import contributions
from tutor.teaching.reasons.knocking import ORDER
from tutor.teaching.reasons.throwing import Taken
from tutor.teaching.verdict import Grade, Side, Verdict, judge

CARE = Care(512, (), 0)
HANDS = 48
NAMES = ("Novice", "Casual", "Sharp")
BAD = {"undercut", "lose_knock", "lose_gin"}
STANDINGS = (Standing(), Standing((80, 20), (3, 1)), Standing((10, 90), (1, 4)))


def played(count: int, label: str, names: tuple[str, ...] = NAMES) -> Iterator[tuple[View, Action, Round]]:
    """Decisions of rounds under every preset, with what was done there and the state they were in."""
    rules = list(PRESETS.values())
    for number, seed in enumerate(seeds(count, label=label)):
        state = Round.start(rules[number % len(rules)], fair_deal(seed, Seat(number % 2)))
        pair = PLAYERS[names[number % len(names)]], PLAYERS[names[number // 2 % len(names)]]
        standing = STANDINGS[number % len(STANDINGS)] if state.public.rules.target else STANDINGS[0]
        while (turn := state.public.turn) is not None:
            view = state.view(turn, standing)
            action = pair[turn].choose(view, 1000 * number + len(state.actions))
            if len(view.legal_actions()) > 1:
                yield view, action, state
            state = state.play(action)


def judged(view: View, action: Action, random_: random.Random) -> Iterator[tuple[Evaluation, Verdict]]:
    """The action and two others that were not done, so that there is much to explain."""
    evaluation = look(view, care=CARE)
    point = point_of(view.public.rules)
    others = [line.action for line in evaluation.lines if line.action != action]
    random_.shuffle(others)
    listed = [action] if any(line.action == action for line in evaluation.lines) else []
    for one in [*listed, *others[:2]]:
        yield evaluation, judge(evaluation, one, point=point)


def planted(fact: Reason) -> Iterator[Reason]:
    """The reason with one value changed, each in turn."""
    for field in fields(fact):
        value = getattr(fact, field.name)
        if field.name in ("better", "worse", "sampling"):
            continue
        if isinstance(value, bool):
            other: Any = not value
        elif isinstance(value, int):
            other = value + 1
        elif isinstance(value, CardSet):
            other = CardSet(value.bits ^ 1)
        elif isinstance(value, Card):
            other = Card((value.index + 1) % 52)
        else:
            assert value is None
            other = 1
        yield replace(fact, **{field.name: other})


def values_of(fact: Reason) -> tuple[list[Any], list[Any]]:
    """The values of the better action and of the worse, as far as a theme has one of each."""
    named = [field.name for field in fields(fact)]
    couples = [("kept", "left"), ("ways", "ways_worse"), ("taken", "taken_worse"), ("gone", "gone_worse"),
               ("takers", "takers_worse"), ("open", "open_worse"), ("caught", "caught_worse")]  # fmt: skip
    found = [(a, b) for a, b in couples if a in named and b in named]
    return [getattr(fact, a) for a, _ in found], [getattr(fact, b) for _, b in found]


def check_reason(view: View, fact: Reason) -> None:
    recount.check(view, fact)
    assert fact.holds(view)
    assert not any(one.holds(view) for one in planted(fact))
    mine, theirs = values_of(fact)
    if mine and type(fact).__name__ != "Undercut":
        assert mine != theirs
    assert fact.better != fact.worse
    assert fact.differs
    assert fact.speaks
    assert fact.weight > 0
    assert all(piece for piece in fact.text())
    assert plain(fact.text()).endswith(".")


def check_headline(verdict: Verdict) -> None:
    told = headline(verdict)
    parts = contributions(verdict.played, verdict.best, verdict.point)
    worth = "win_by" if verdict.point else "points_by"
    for name in Outcomes.__dataclass_fields__:
        mine, best = (getattr(getattr(line, worth), name) for line in (verdict.played, verdict.best))
        assert parts[name] == best - mine
    if told is None:
        return
    whole = sum(parts.values())
    own = sum(parts[name] for name in told.story.outcomes)
    assert own > 0
    assert own >= whole / 2 > 0
    text = plain(told.text())
    shares = [sum(getattr(line.outcomes, name) for name in told.story.outcomes)
              for line in (verdict.played, verdict.best)]  # fmt: skip
    if told.each:
        each = [abs(sum(getattr(line.points_by, name) for name in told.story.outcomes)) / share
                for line, share in zip((verdict.played, verdict.best), shares, strict=True)]  # fmt: skip
        # What is to be wished for brings less, what is not costs more.
        assert (each[0] > each[1]) == bool(set(told.story.outcomes) & BAD)
        assert f"about {told.played} point" in text
        assert abs(told.played - each[0]) <= 0.5
        assert abs(told.best - each[1]) <= 0.5
    else:
        rise = shares[0] - shares[1]
        assert (rise if set(told.story.outcomes) & BAD else -rise) >= 0.02
        assert f"{told.played} of 100, not {told.best}" in text
        assert abs(told.played - 100 * shares[0]) <= 0.5 + 1e-9
        assert abs(told.best - 100 * shares[1]) <= 0.5 + 1e-9


def test_every_figure_of_every_reason_is_counted_again(times: int) -> None:
    wanted = 10_000 if times > 1 else 400
    random_ = random.Random(5)
    themes: Counter[str] = Counter()
    headlines: Counter[bool] = Counter()
    for view, action, _ in played(100_000, "reasons"):
        # Neighbouring decisions of a hand resemble each other.
        if random_.random() < 0.5 and view.public.phase is not Phase.LAY_OFF:
            continue
        for _, verdict in judged(view, action, random_):
            told = explain(view, verdict, seed=seed_of(view), hands=HANDS)
            better = verdict.best.action if verdict.blamed else verdict.action
            assert told.headline is None or verdict.blamed
            assert verdict.blamed or len(told.facts) <= 1
            for fact in told.facts:
                assert fact.better == better
                check_reason(view, fact)
                themes[type(fact).__name__] += 1
            if verdict.blamed:
                check_headline(verdict)
                headlines[headline(verdict) is not None] += 1
        if themes.total() >= wanted:
            break
    print(dict(themes), dict(headlines))
    assert themes.total() >= wanted
    assert len(themes) >= (16 if times > 1 else 8), themes
    assert headlines[True] > headlines[False]


@settings(max_examples=25)
@given(st.randoms(use_true_random=False))
def test_facts_that_are_not_reasons_are_true_as_well(random_: random.Random) -> None:
    """Whichever way they point, between any two legal actions of a seat."""
    rules = random_.choice(list(PRESETS.values()))
    state = Round.start(rules, fair_deal(random_.randbytes(32), Seat.SOUTH))
    for _ in range(random_.randrange(30)):
        if state.public.turn is None:
            return
        state = state.play(random_.choice(state.legal_actions()))
    if state.public.turn is None:
        return
    view = state.view(state.public.turn)
    legal = view.legal_actions()
    if len(legal) < 2:
        return
    better, worse = random_.sample(legal, 2)
    for fact in facts_of(view, better, worse, Sampling(3, 16)):
        recount.counted(view, fact)
        told = {f.name: recount.as_pairs(getattr(fact, f.name)) for f in fields(fact)}
        assert recount.counted(view, fact).items() <= told.items()
        assert fact.holds(view)


def test_equal_views_get_the_same_words() -> None:
    random_ = random.Random(8)
    same = 0
    for view, _, state in itertools.islice(played(60, "equal words"), 0, None, 25):
        deal, change = permuted(state.deal, view.unseen, random_)
        try:
            other = Round.start(view.public.rules, deal)
            for one in state.actions:
                other = other.play(changed(one, change))
        except IllegalAction:
            continue
        assert deal != state.deal
        twin = other.view(view.seat, view.standing)
        words = []
        for one in (view, twin):
            fitting._hands.cache_clear()
            evaluation = look(one, care=CARE)
            worst = evaluation.lines[-1].action
            verdict = judge(evaluation, worst, point=point_of(one.public.rules))
            told = explain(one, verdict, seed=seed_of(one), hands=HANDS)
            facts = [plain(fact.text()) for fact in told.facts]
            words.append((told.headline, facts, hints(one, evaluation, verdict.point, hands=HANDS)))
        assert words[0] == words[1]
        same += 1
    assert same > 20


# Planted positions. The stranger cards are out of play, so that all know where they are.

CLUB_KING, NINE_HEARTS = Card.parse("Kc"), Card.parse("9h")


def planted_view(hand: str, drawn: str, gone: str = "", upcard: str = "Kd", rules: RuleSet | None = None) -> View:
    """South to throw, on its first turn: both have passed the upcard, and it drew a card."""
    public = PublicRound.start(
        rules or PRESETS["Standard"], Seat.NORTH, Card.parse(upcard), CardSet.parse(gone) if gone else NO_CARDS
    )
    view = View.start(public, Seat.SOUTH, CardSet.parse(hand))
    return view.after(Pass()).after(Pass()).after(Draw(Card.parse(drawn)))


def given_reasons(view: View, better: str, worse: str) -> dict[str, Reason]:
    found = reasons(view, Discard(Card.parse(better)), Discard(Card.parse(worse)), Sampling(1, HANDS))
    for fact in found:
        check_reason(view, fact)
    return {fact.theme: fact for fact in found}


HAND = "8h 5c 5s 2c 2d 2h Jc Qc As 9d"


def test_a_card_whose_partners_are_all_seen_is_not_said_to_feed() -> None:
    open_ = planted_view(HAND, "6s")
    assert (
        plain(given_reasons(open_, "As", "8h")["feeds"].text()) == "A♠ fits 4 melds they could still make, 8♥ fits 6."
    )
    shut = planted_view(HAND, "6s", "7h 9h 8c 8d")
    found = given_reasons(shut, "As", "8h")
    assert not found.keys() & {"feeds", "taken", "beside"}
    assert plain(given_reasons(shut, "8h", "As")["feeds"].text()) == "8♥ fits no meld they could still make, A♠ fits 4."


def test_outs_that_are_gone_are_no_reason_to_keep_a_pair() -> None:
    open_ = planted_view(HAND, "Ks")
    lost = given_reasons(open_, "Ks", "5c")["outs"]
    assert {"5d", "5h"} <= {str(card) for card in lost.kept - lost.left}  # type: ignore[attr-defined]
    shut = planted_view(HAND, "Ks", "5d 5h 4c 6c 3c 7c")
    assert "outs" not in given_reasons(shut, "Ks", "5c")


def test_outs_in_the_own_hand_are_none() -> None:
    view = planted_view("5c 5s 5d 5h 2c 2d 2h Jc Qc As", "9d")
    found = facts_of(view, Discard(Card.parse("As")), Discard(Card.parse("9d")), Sampling(1, HANDS))
    outs = next(fact for fact in found if fact.theme == "outs")
    assert not any(card.rank == 5 for card in outs.kept)  # type: ignore[attr-defined]


def taker(thrown: str) -> View:
    """North took the 9♥ and threw a card; two turns later it throws another."""
    public = PublicRound.start(PRESETS["Standard"], Seat.NORTH, NINE_HEARTS)
    view = View.start(public, Seat.SOUTH, CardSet.parse(HAND))
    view = view.after(Pass()).after(Take()).after(Discard(Card.parse("Kh")))
    view = view.after(Draw(Card.parse("Ks"))).after(Discard(Card.parse("Ks")))
    view = view.after(Draw()).after(Discard(Card.parse(thrown)))
    return view.after(Draw(Card.parse("6s")))


def test_a_card_they_took_counts_while_they_hold_it() -> None:
    held = given_reasons(taker("Qd"), "As", "8h")["beside"]
    assert plain(held.text()) == "They took 9♥, and 8♥ goes with it. A♠ does not."
    gone = taker("9h")
    found = given_reasons(gone, "As", "8h")
    assert "beside" not in found
    assert not held.holds(gone)


def test_a_card_they_took_is_nothing_beside_without_a_third() -> None:
    public = PublicRound.start(PRESETS["Standard"], Seat.NORTH, NINE_HEARTS, CardSet.parse("7h"))
    view = View.start(public, Seat.SOUTH, CardSet.parse("8h 10h 5c 5s 2c 2d 2h Jc Qc As"))
    view = view.after(Pass()).after(Take()).after(Discard(Card.parse("Kh"))).after(Draw(Card.parse("6s")))
    assert "beside" not in given_reasons(view, "As", "8h")
    # The other way the run can still be made.
    assert "beside" in given_reasons(view, "As", "10h")


def test_a_reason_that_speaks_for_the_move_played_is_not_given_for_the_best() -> None:
    view = planted_view(HAND, "6s", "7h 9h 8c 8d")
    facts = {fact.theme: fact for fact in
             facts_of(view, Discard(Card.parse("As")), Discard(Card.parse("8h")), Sampling(1, HANDS))}  # fmt: skip
    assert facts["feeds"].differs
    assert not facts["feeds"].speaks
    assert facts["deadwood"].differs
    assert not facts["deadwood"].speaks
    assert not given_reasons(view, "As", "8h").keys() & {"feeds", "deadwood"}


def test_waiting_for_gin_is_no_reason_where_its_cards_are_gone() -> None:
    hand = "3d 4d 5d 7c 8c 9c Jh Js Jd 2s"
    both = Discard(Card.parse("Kc")), Knock(Card.parse("Kc"))
    view = planted_view(hand, "Kc", upcard="Ks")
    assert "gin outs" in {fact.theme for fact in reasons(view, *both, Sampling(1, HANDS))}
    shut = planted_view(hand, "Kc", "2d 6d 6c 10c Jc", upcard="Ks")
    assert "gin outs" not in {fact.theme for fact in reasons(shut, *both, Sampling(1, HANDS))}
    for one, pair in ((view, both), (shut, both), (view, both[::-1]), (shut, both[::-1])):
        for fact in reasons(one, *pair, Sampling(1, HANDS)):
            check_reason(one, fact)


def test_gin_that_ends_the_game_is_told_from_the_standing() -> None:
    view = planted_view("3d 4d 5d 7c 8c 9c Jh Js Jd Jc", "Kc", upcard="Ks")
    near = replace(view, standing=Standing((80, 0)))
    pair = Knock(Card.parse("Kc")), Discard(Card.parse("Kc"))
    first = reasons(near, *pair, Sampling(1, HANDS))[0]
    assert plain(first.text()) == "You need 20 points to win the game; this brings 25 and their count."
    check_reason(near, first)
    assert "standing" not in {fact.theme for fact in reasons(view, *pair, Sampling(1, HANDS))}


UNSEEN = "6h 7h 9h 10h 8c 8d 8s Ac Ad Ah 2s 3s"


def late_view(unseen: str, rules: str) -> View:
    """The same hand with all other cards but these out of play."""
    here = CardSet.parse(f"{HAND} {unseen} 6s Kd")
    return planted_view(HAND, "6s", str(ALL_CARDS - here), rules=PRESETS[rules])


@pytest.mark.parametrize(("rules", "takes"), [("Standard", False), ("Tournament", True)])
def test_a_card_that_nobody_can_take_feeds_nobody(rules: str, takes: bool) -> None:
    pair = Discard(Card.parse("As")), Discard(Card.parse("8h"))
    soon = late_view(f"{UNSEEN} 5d 5h", rules)
    assert soon.public.stock_count == 4
    assert {"outs", "feeds", "taken"} <= {fact.theme for fact in facts_of(soon, *pair, Sampling(1, HANDS))}
    last = late_view(UNSEEN, rules)
    assert last.public.stock_count == 2
    themes = {fact.theme for fact in facts_of(last, *pair, Sampling(1, HANDS))}
    assert themes >= {"feeds", "taken"} if takes else not themes & {"feeds", "taken", "beside", "let go"}
    assert not themes & {"outs", "gin outs"}


def test_the_last_discard_is_taken_only_to_end_the_hand() -> None:
    pair = Discard(Card.parse("As")), Discard(Card.parse("8h"))
    rules = replace(PRESETS["Straight"], last_discard=LastDiscard.TAKE_TO_END)
    here = CardSet.parse(f"{HAND} {UNSEEN} 6s Kd")
    last = planted_view(HAND, "6s", str(ALL_CARDS - here), rules=rules)
    taken = next(fact for fact in facts_of(last, *pair, Sampling(1, 320)) if isinstance(fact, Taken))
    gladly = [hand for hand in Sampling(1, 320).of(last) if fitting.takes(hand, Card.parse("8h"))]
    assert 0 < taken.takers_worse < len(gladly), "only for gin"
    check_reason(last, taken)


def test_a_way_of_showing_that_nothing_fits_is_told_in_a_whole_sentence() -> None:
    pair = Knock(CLUB_KING), Knock(Card.parse("2s"))
    told = plain(Exposure(*pair, CardSet(), CardSet.parse("2d")).text())
    assert told == "No card they may hold fits this way of showing, 1 the other: 2♦."


def test_gin_is_not_said_to_be_undercut_seldom() -> None:
    view = planted_view("3d 4d 5d 7c 8c 9c Jh Js Jd Jc", "Kc", upcard="Ks")
    pair = Knock(Card.parse("Kc")), Discard(Card.parse("Kc"))
    assert "undercut" not in {fact.theme for fact in facts_of(view, *pair, Sampling(1, HANDS))}
    view = planted_view("3d 4d 5d 7c 8c 9c Jh Js Jd As", "Kc", upcard="Ks")
    assert "undercut" in {fact.theme for fact in facts_of(view, *pair, Sampling(1, HANDS))}


@pytest.mark.parametrize("given", [True, False])
def test_an_action_that_is_not_allowed_holds_no_reason(given: bool) -> None:
    view = planted_view(HAND, "6s")
    fact = next(iter(given_reasons(view, "As", "8h").values()))
    assert fact.holds(view) is True
    other = replace(fact, **{"better" if given else "worse": Discard(CLUB_KING)})
    assert not other.holds(view)


def test_fitting_hands_that_take_a_card_are_shown() -> None:
    view = planted_view(HAND, "6s")
    count, shown = fitting.punished(view, Card.parse("8h"), Sampling(1, 320))
    assert 0 < count < 320
    assert 0 < len(shown) <= 5
    assert all(len(hand) == 10 and not hand & view.hand for hand in shown)
    assert all(recount.takes(recount.pairs(hand), recount.pair(Card.parse("8h"))) for hand in shown)


# Knock or wait, hints, and the words of a verdict.


def test_knock_or_wait_has_the_figures_of_its_lines() -> None:
    found = 0
    for view, _, _ in played(24, "knock or wait"):
        legal = view.legal_actions()
        if view.public.phase is not Phase.DISCARD or not any(isinstance(one, Knock) for one in legal):
            continue
        evaluation = look(view, care=CARE)
        both = knock_or_wait(evaluation, point_of(view.public.rules))
        if not any(isinstance(one, Discard) for one in legal):
            assert both is None
            continue
        assert both is not None
        assert not isinstance(both.now.line.action, Discard)
        assert isinstance(both.wait.line.action, Discard)
        for side in (both.now, both.wait):
            assert sum(side.percents) == 100
            exact = [100 * getattr(side.line.outcomes, name) for name in ORDER]
            assert all(abs(whole - one) < 1 for whole, one in zip(side.percents, exact, strict=True))
        text = plain(both.text())
        assert "-" not in text
        assert ("undercut" in text) == (both.now.line.outcomes.undercut >= 0.01)
        assert text.endswith(".")
        found += 1
    assert found >= 8


def line(action: Action, points: float, undercut: float, **more: float) -> Line:
    split = Outcomes(1 - undercut, 0, undercut, 0, 0, 0, 0)
    figures = {"behind": 0.0, "behind_se": 0.1, "win_behind": 0.0, "win_behind_se": 0.001} | more
    return Line(action, points, 0.1, 0.5, 0.001, 0, 0, **figures, outcomes=split, worlds=100)


def test_the_sentence_of_knock_or_wait() -> None:
    view = planted_view("3d 4d 5d 7c 8c 9c Jh Js Jd 2s", "Kc", upcard="Ks")
    lines = line(Knock(CLUB_KING), 14.2, 0.0714), line(Discard(CLUB_KING), 9.4, 0.0)
    both = knock_or_wait(Evaluation(view, lines, 100, 0, True, None, {}), 0)
    assert both is not None
    assert plain(both.text()) == "Knock now +14; undercut 1 in 14. Wait one turn +9."
    lines = line(Knock(CLUB_KING), -3.6, 0.004), line(Discard(CLUB_KING), 0.2, 0.0)
    both = knock_or_wait(Evaluation(view, lines, 100, 0, True, None, {}), 0)
    assert both is not None
    assert plain(both.text()) == "Knock now −4. Wait one turn 0."


def test_hints_end_with_the_best_move_and_do_not_name_it_before() -> None:
    for view, _, _ in itertools.islice(played(40, "hints"), 0, None, 9):
        evaluation = look(view, care=CARE)
        where, cards, step = hints(view, evaluation, point_of(view.public.rules), hands=HANDS)
        assert not any(isinstance(piece, Card) for piece in where)
        assert set(cards) <= set(view.hand) | set(view.public.pile[-1:])
        best = evaluation.best.action
        if isinstance(best, Discard):
            assert best.card in cards
            assert best.card in step
            assert len(cards) > 1 or len(evaluation.lines) == 1 or all(gap.behind < 1 for gap in evaluation.lines)
        assert plain(step).endswith(".")


def test_the_second_hint_names_the_cards_that_could_be_laid_off_also_where_none_should() -> None:
    seen = 0
    for view, _, _ in played(60, "lay-off hints", ("Novice", "Casual")):
        lay_offs = {one.card for one in view.legal_actions() if isinstance(one, LayOff)}
        if lay_offs:
            evaluation = look(view, care=CARE)
            assert set(hints(view, evaluation, point_of(view.public.rules), hands=HANDS)[1]) == lay_offs
            seen += isinstance(evaluation.best.action, Settle)
    assert seen


def test_both_sides_are_said_where_the_answer_turns() -> None:
    card = Discard(CLUB_KING)
    sides = (Side("early", 1.2, 0.1), Side("waiting", -0.1, 0.1), Side("human", 0.9, 0.1))
    verdict = Verdict(card, line(card, 1, 0), line(card, 2, 0), Grade.DEPENDS, 0.8, 0.1, (), True, True, sides, 0.01, 1)
    told = both_sides(verdict)
    assert told is not None
    assert plain(told) == (
        "As good against one who waits for gin; about 1 point worse against one who keeps pairs and knocks early and "
        "one who knocks at once."
    )
    assert both_sides(replace(verdict, grade=Grade.GOOD)) is None
    many = (
        *sides,
        Side("sharp", 2.2, 0.1),
        Side("camper", 0.5, 0.1),
        Side("simple", -0.2, 0.1),
        Side("gin only", 0.0, 0.1),
    )
    told = both_sides(replace(verdict, sides=many))
    assert told is not None
    assert plain(told) == (
        "As good against one who keeps the least deadwood and knocks at once, one who waits for gin and one who never "
        "knocks; about 2 points worse against one who weighs turn, count and cards for gin before knocking."
    )


def test_points_against_chance_has_both_figures() -> None:
    words = points_against_chance(line(Discard(CLUB_KING), 3, 0, behind=-2.2, win_behind=0.031))
    assert plain(words) == "It gains 2 points of this hand but costs 3% of the game."
