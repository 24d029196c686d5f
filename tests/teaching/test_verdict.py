"""Verdicts: the table of grades, no blame within noise, one currency, and what the coach makes of whole positions."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.engine.test_evaluator import seen, some_rounds
from tests.engine.test_showdown import some_showdowns
from tests.game.test_view import changed, permuted
from tutor.engine.evaluation import NOTHING, Evaluation, Line
from tutor.engine.showdown import showdown_result
from tutor.game.actions import Action, Discard, Draw, IllegalAction, Knock, Pass, Seat, Take
from tutor.game.cards import Card
from tutor.game.result import Standing
from tutor.game.round import Round
from tutor.game.rules import PRESETS
from tutor.game.view import View
from tutor.teaching import coach
from tutor.teaching.coach import Care, look, named, verdict_on
from tutor.teaching.verdict import BLAMED, GRADES, HOLDS, NEAR, SURE, Grade, Side, graded, judge, trap

QUICK = Care(400, (800,), 400)
FEW = Care(64, (128,), 64)


def sides(*losses: float, error: float = 0.1) -> tuple[Side, ...]:
    return tuple(Side(style, loss, error) for style, loss in zip(("early", "waiting", "human"), losses, strict=False))


@pytest.mark.parametrize(
    ("loss", "grade"),
    [
        (-0.3, Grade.BEST), (0.0, Grade.BEST), (0.249, Grade.BEST), (0.25, Grade.GOOD), (0.499, Grade.GOOD),
        (0.5, Grade.INACCURACY), (1.499, Grade.INACCURACY), (1.5, Grade.MISTAKE), (3.999, Grade.MISTAKE),
        (4.0, Grade.BLUNDER), (60.0, Grade.BLUNDER),
    ],
)  # fmt: skip
def test_each_grade_begins_at_its_border(loss: float, grade: Grade) -> None:
    assert graded(loss, 0.0) is grade


def test_there_is_no_blame_under_two_standard_errors() -> None:
    random_ = random.Random(1)
    for _ in range(10_000):
        loss, error = random_.uniform(-1, 12), random_.uniform(0, 6)
        found = graded(loss, error, sides(*(random_.uniform(-5, 12) for _ in range(3)), error=error))
        if loss < SURE * error:
            assert found in (Grade.BEST, Grade.GOOD)
        # One standard error speaks for the player, and another style never makes it worse.
        least = {grade: least for least, grade in GRADES}
        assert found not in BLAMED or loss - error >= least[found]


def test_a_blamed_loss_must_hold_against_every_style() -> None:
    assert graded(6, 0.1, sides(5, 8, 4)) is Grade.BLUNDER
    assert graded(6, 0.1, sides(5, 8, HOLDS * 4 + 0.11)) is Grade.BLUNDER
    assert graded(6, 0.1, sides(5, 8, HOLDS * 4 + 0.09)) is Grade.MISTAKE
    assert graded(6, 0.1, sides(5, 8, HOLDS * 1.5 + 0.09)) is Grade.INACCURACY


def test_where_a_side_turns_it_depends_on_the_opponent() -> None:
    assert graded(6, 0.1, sides(9, 8, -1)) is Grade.DEPENDS
    assert graded(6, 0.1, sides(9, 8, 0)) is Grade.DEPENDS
    assert graded(0.9, 0.1, sides(2, -1, 2)) is Grade.DEPENDS
    assert graded(0.4, 0.1, sides(2, -1, 2)) is Grade.GOOD, "what is not blamed depends on nobody"


Q, K, J = (Discard(Card.parse(card)) for card in ("Qd", "Ks", "Jh"))


def invented(*lines: tuple[Action, float, float, float, float], for_points: bool = False) -> Evaluation:
    """An evaluation from action, points behind with their error, chance behind with its error."""
    made = tuple(Line(a, -b, e, 0.5 - w, we, 0, 0, b, e, w, we, NOTHING, 800) for a, b, e, w, we in lines)
    return Evaluation(seen("As 2s 3s 4h 5h 6h 9c 9d Jh Kd", "9s"), made, 800, 1, for_points, None, {})


BEST = (K, 0.0, 0.0, 0.0, 0.0)


def test_the_loss_is_told_in_points_at_level_score() -> None:
    found = invented(BEST, (Q, 9.0, 0.1, 0.01, 0.001))
    verdict = judge(found, Q, point=0.004)
    assert (verdict.loss, verdict.loss_se, verdict.grade) == (2.5, 0.25, Grade.MISTAKE)
    by_points = judge(found, Q, point=0)
    assert (by_points.loss, by_points.loss_se, by_points.grade) == (9.0, 0.1, Grade.BLUNDER)
    with pytest.raises(KeyError):
        judge(found, J, point=0.004)


def test_near_equal_moves_are_named_as_equal() -> None:
    found = invented(BEST, (Q, NEAR - 0.05, 0.1, 0, 0), (J, NEAR + 0.05, 0.1, 0, 0), (Draw(), 0.1, 2 * NEAR, 0, 0))
    assert judge(found, K, point=0).equal == (Q,)
    assert judge(found, Q, point=0).equal == (K,)
    assert judge(found, J, point=0).equal == (K, Q)
    assert [judge(found, one, point=0).grade for one in (K, Q, J)] == [Grade.BEST, Grade.BEST, Grade.GOOD]


def test_what_is_forced_or_noise_does_not_count() -> None:
    alone = judge(invented(BEST), K, point=0)
    noise = judge(invented(BEST, (Q, 3.0, 1.6, 0, 0)), Q, point=0)
    small = judge(invented(BEST, (Q, 0.45, 0.01, 0, 0)), Q, point=0)
    for verdict in (alone, noise, small):
        assert not verdict.counts
        assert verdict.avoidable == 0
        assert not verdict.blamed
    clear = judge(invented(BEST, (Q, 3.0, 0.2, 0, 0)), K, point=0)
    assert clear.counts
    assert clear.avoidable == 0, "a loss below 0 is none"
    assert judge(invented(BEST, (Q, 3.0, 0.2, 0, 0)), Q, point=0).avoidable == 3.0


def test_a_verdict_is_settled_when_no_border_is_near() -> None:
    assert judge(invented(BEST, (Q, 2.5, 0.4, 0, 0)), Q, point=0).settled
    assert not judge(invented(BEST, (Q, 2.5, 0.6, 0, 0)), Q, point=0).settled
    assert not judge(invented(BEST, (Q, 0.3, 0.1, 0, 0)), Q, point=0).settled


def test_where_points_and_chance_disagree_it_is_said() -> None:
    found = invented(BEST, (Q, -2.0, 0.2, 0.03, 0.002), (J, -0.5, 0.2, 0.03, 0.002))
    assert judge(found, Q, point=0.004).against_points
    assert not judge(found, J, point=0.004).against_points, "half a point is nothing"
    assert not judge(found, Q, point=0).against_points, "a single hand has points only"
    warned = trap(found, 0.004)
    assert warned is not None
    assert warned.action == Q


def with_gin_near(standing: tuple[int, int]) -> View:
    """Two points loose and four cards for gin: waiting is worth five points more than a knock."""
    view = seen("As 2s 3s 4h 5h 6h 9c 9d 9h Kd", "Qc", dealer=Seat.SOUTH)
    for action in (Pass(), Pass(), Draw(), Discard(Card.parse("Kc")), Draw(Card.parse("2d"))):
        view = view.after(action)
    return replace(view, standing=Standing(standing, (3, 3)))


KNOCK, WAIT = Knock(Card.parse("Kd")), Discard(Card.parse("Kd"))


def test_at_a_desperate_score_the_chance_decides() -> None:
    """At 90:99 a knock wins the game, and five points more are worth nothing."""
    level, last = (look(with_gin_near(standing), care=QUICK) for standing in ((0, 0), (90, 99)))
    knocked, _ = verdict_on(level, KNOCK, care=QUICK)
    assert knocked.grade not in (Grade.BEST, Grade.GOOD)
    assert knocked.loss > 2
    assert knocked.best.action == WAIT
    assert verdict_on(last, KNOCK, care=QUICK)[0].grade is Grade.BEST
    waited, _ = verdict_on(last, WAIT, care=QUICK)
    assert waited.blamed
    assert waited.against_points
    assert waited.played.points > waited.best.points + 1


def test_a_single_hand_goes_by_points() -> None:
    view = with_gin_near((0, 0))
    rules = PRESETS["OpenSpiel"]
    verdict, _ = verdict_on(
        look(replace(view, public=replace(view.public, rules=rules)), care=QUICK), KNOCK, care=QUICK
    )
    assert verdict.point == 0
    assert verdict.loss == verdict.played.behind
    assert coach.point_of(rules) == 0
    assert 0.002 < coach.point_of(view.public.rules) < 0.01


def test_the_knock_as_proposed_is_the_plain_knock() -> None:
    view = with_gin_near((0, 0))
    shown = view.completed(KNOCK)
    assert shown != KNOCK
    assert named(view, shown) == KNOCK
    found = look(view, care=QUICK)
    assert repr(verdict_on(found, shown, care=QUICK)) == repr(verdict_on(found, KNOCK, care=QUICK))


def test_a_forced_move_is_among_the_best_and_does_not_count() -> None:
    view = seen("As 2s 3s 4h 5h 6h 9c 9d 9h Kd", "Qc").after(Pass()).after(Pass())
    assert view.legal_actions() == (Draw(),)
    verdict, _ = verdict_on(look(view, care=FEW), Draw(), care=FEW)
    assert (verdict.counts, verdict.grade, verdict.equal) == (False, Grade.BEST, ())
    with pytest.raises(IllegalAction):
        verdict_on(look(view, care=FEW), Take(), care=FEW)


def test_blame_must_hold_against_the_styles_the_opponent_may_have() -> None:
    start = seen("As 3s 3d 4h 6h 7c 9c 9d Jh Kd", "Qs")
    assert coach.likely(look(start, care=FEW)) == ("sharp", "early", "waiting", "human", "simple", "camper")
    view = start.after(Pass()).after(Pass()).after(Draw(Card.parse("Kh"))).after(Discard(Card.parse("Jh")))
    view = view.after(Draw()).after(Discard(Card.parse("2h")))
    assert coach.likely(look(view, care=FEW)) == ("sharp", "early", "waiting"), "who counts points keeps a two"
    verdict, _ = verdict_on(look(with_gin_near((0, 0)), care=QUICK), KNOCK, care=QUICK)
    assert {side.style for side in verdict.sides} <= set(coach.likely(look(with_gin_near((0, 0)), care=QUICK)))
    assert verdict.sides


def test_equal_views_get_equal_verdicts_to_the_letter() -> None:
    random_ = random.Random(9)
    compared = 0
    for round_ in some_rounds()[::4]:
        seat = round_.public.turn
        assert seat is not None
        deal, change = permuted(round_.deal, round_.view(seat).unseen, random_)
        other = Round.start(round_.public.rules, deal)
        try:
            for action in round_.actions:
                other = other.play(changed(action, change))
        except IllegalAction:
            continue
        action = random_.choice(round_.legal_actions())
        views = [one.view(seat) for one in (round_, other, round_)]
        said = {repr(verdict_on(look(view, care=FEW), action, care=FEW)[0]) for view in views}
        assert len(said) == 1
        compared += other.hands[seat.other] != round_.hands[seat.other]
    assert compared >= 3


def test_lay_offs_are_judged_exactly() -> None:
    clear = 0
    for view in some_showdowns()[:150]:
        if len(view.legal_actions()) < 2:
            continue
        found = look(view, care=FEW)
        for action in view.legal_actions():
            verdict, after = verdict_on(found, action, care=FEW)
            assert after is found
            assert (verdict.loss_se, verdict.sides, verdict.settled) == (0.0, (), True)
            assert verdict.loss >= 0
            worse = showdown_result(view, action) != showdown_result(view, verdict.best.action)
            assert worse or verdict.grade is Grade.BEST
            clear += verdict.blamed
    assert clear > 20
