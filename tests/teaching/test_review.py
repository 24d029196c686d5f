"""Reviews: what they hold, that they judge by what the seat knew, and what they say."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import astuple, replace
from functools import cache
from pathlib import Path

import pytest

from tests.helpers import seeds
from tutor.engine.arena import play_round
from tutor.engine.evaluator import seed_of
from tutor.engine.players import PLAYERS
from tutor.engine.version import digest_of, engine_version
from tutor.game.actions import Draw, Knock, Seat
from tutor.game.cards import Card
from tutor.game.fair import fair_deal
from tutor.game.notation import load, read_action
from tutor.game.record import Line, RoundRecord, SeatDeal
from tutor.game.result import LEVEL
from tutor.game.round import Deal, Round
from tutor.game.rules import preset
from tutor.teaching.coach import Care, look, named, verdict_on
from tutor.teaching.hand import OwnHand
from tutor.teaching.history import ADJUST_FROM, SPLIT_FROM, History, history_lines
from tutor.teaching.ledger import Kind
from tutor.teaching.moments import decisions
from tutor.teaching.reasons import both_sides, exceptions, explain
from tutor.teaching.reasons.words import plain
from tutor.teaching.review import (
    FACTS,
    FORM,
    HandReview,
    ReviewError,
    finished,
    judged,
    review_hand,
    review_version,
)
from tutor.teaching.summary import both_ledgers, done_well, ledger_lines, plain_tally, spoken, tally, to_fix
from tutor.teaching.verdict import Grade

FEW = Care(400, (800,), 400)
RULES = preset("Standard")


@cache
def recorded(number: int = 0) -> RoundRecord:
    deal = fair_deal(seeds(number + 1, label="review")[number], Seat(number % 2))
    return play_round(RULES, deal, (PLAYERS["Casual"], PLAYERS["Steady"]), seed=number)


def poor() -> RoundRecord:
    """A hand with decisions that are blamed."""
    deal = fair_deal(seeds(2, label="poor review")[1], Seat.SOUTH)
    return play_round(RULES, deal, (PLAYERS["Novice"], PLAYERS["Sharp"]), seed=1)


@cache
def reviewed_hand(number: int = 0) -> HandReview:
    return review_hand(decisions(recorded(number), RULES, LEVEL, Seat.SOUTH), care=FEW)


def from_one_seat(record: RoundRecord, seat: Seat) -> RoundRecord:
    """The record as this seat would have written it."""
    assert isinstance(record.source, Deal)
    source = SeatDeal(seat, record.source.hands[seat], record.source.upcard, record.source.dealer)
    actions = []
    for moment, move in zip(record.moments(RULES), record.line.moves, strict=False):
        action = move.action
        if moment.public.turn is not seat:
            action = Draw() if isinstance(action, Draw) else action
            action = replace(action, card=None) if isinstance(action, Knock) else action
        actions.append(action)
    return RoundRecord(source, Line.of(tuple(actions)))


def test_every_own_action_is_judged_and_the_account_adds_up() -> None:
    for number in range(3):
        hand = decisions(recorded(number), RULES, LEVEL, Seat.SOUTH)
        review = reviewed_hand(number)
        assert [one.ply for one in review.decisions] == [own.ply for own in hand.plies]
        for one, own in zip(review.decisions, hand.plies, strict=True):
            assert own.view.check(read_action(one.played)) is None
            assert own.view.check(read_action(one.best)) is None
            assert one.forced == (len(own.view.legal_actions()) == 1)
            assert not (one.forced and one.counts)
            assert sum(astuple(one.split)) == pytest.approx(1)
            assert sum(astuple(one.best_split)) == pytest.approx(1)
            assert (one.luck is None) == (not isinstance(own.action, Draw))
        found = review.account
        assert found is not None
        assert found.points == review.points == hand.points
        assert found.base + found.cards + found.decisions + found.rest + found.drift == pytest.approx(review.points)
        assert len(ledger_lines(review)) == 5


def test_a_review_survives_as_text() -> None:
    for number in range(3):
        # Whatever pieces the sentences are made of.
        assert HandReview.from_json(reviewed_hand(number).to_json()) == reviewed_hand(number)
    review = reviewed_hand()
    for text in ("", "[]", "{}", f'{{"form": {FORM}}}', review.to_json().replace(f'"form": {FORM}', '"form": 99')):
        with pytest.raises(ReviewError):
            HandReview.from_json(text)


def test_a_verdict_is_made_again_from_text() -> None:
    """Equal to the one that was given, so that its explanation is the same to the letter."""
    blamed = 0
    for record in (recorded(0), recorded(1), poor()):
        hand = decisions(record, RULES, LEVEL, Seat.SOUTH)
        read = HandReview.from_json(review_hand(hand, care=FEW).to_json())
        for one, own in zip(read.decisions, hand.plies, strict=True):
            care = Care(max(1, FEW.look // 2), (), 0) if one.forced else FEW
            given, _ = verdict_on(look(own.view, care=care), named(own.view, own.action), care=care)
            again = one.verdict(own.view)
            assert again == given
            if not one.forced:
                told = explain(own.view, again, seed=seed_of(own.view))
                words = [fact.text() for fact in told.facts[:FACTS]]
                if told.headline is not None:
                    # The one that says least comes after the first fact.
                    words.insert(int(bool(words) and plain(told.headline) == "A sum of small things."), told.headline)
                words = [*([sides] if (sides := both_sides(again)) else []), *words]
                words += [other for other in [exceptions(again)] if other]
                assert [plain(each) for each in one.reasons] == [plain(each) for each in words]
            blamed += one.blamed
    assert blamed, "no blamed decision was looked at"


def test_the_same_hand_gets_the_same_review_in_any_order_and_with_threads() -> None:
    hand = decisions(recorded(), RULES, LEVEL, Seat.SOUTH)
    with ThreadPoolExecutor(2) as pool:
        places = range(len(hand.plies))
        backwards = [judged(hand, place, care=FEW, pool=pool) for place in reversed(places)]
    assert finished(hand, backwards[::-1], FEW) == reviewed_hand()


def test_what_lay_hidden_does_not_matter() -> None:
    """The same hand from a record of one seat, and with the undrawn stock in another order."""
    full = recorded()
    mine = from_one_seat(full, Seat.SOUTH)
    assert decisions(mine, RULES, LEVEL, Seat.SOUTH).plies == decisions(full, RULES, LEVEL, Seat.SOUTH).plies
    assert isinstance(full.source, Deal)
    drawn = sum(isinstance(action, Draw) for action in full.line.actions)
    stock = full.source.stock
    other = replace(full, source=replace(full.source, stock=stock[:drawn] + stock[: drawn - 1 : -1]))
    assert review_hand(decisions(other, RULES, LEVEL, Seat.SOUTH), care=FEW) == reviewed_hand()
    assert review_hand(decisions(mine, RULES, LEVEL, Seat.SOUTH), care=FEW) == reviewed_hand()


def test_the_other_seat_of_a_one_seat_record_cannot_be_reviewed() -> None:
    with pytest.raises(ValueError, match="only what South knew"):
        decisions(from_one_seat(recorded(), Seat.SOUTH), RULES, LEVEL, Seat.NORTH)


def test_an_unfinished_hand_is_reviewed_as_far_as_it_goes() -> None:
    full = recorded()
    draws = [ply for ply, own in enumerate(full.line.actions) if isinstance(own, Draw)]
    part = replace(full, line=Line(full.line.moves[: draws[2] + 1]))
    review = review_hand(decisions(part, RULES, LEVEL, Seat.SOUTH), care=FEW)
    assert review.points is None
    assert review.account is None
    assert ledger_lines(review) == ()
    whole = reviewed_hand().decisions
    assert review.decisions == whole[: len(review.decisions)]


def test_a_misdealt_or_empty_hand_has_nothing_to_review() -> None:
    empty = replace(recorded(), line=Line())
    review = review_hand(decisions(empty, RULES, LEVEL, Seat.SOUTH), care=FEW)
    assert review.decisions == ()
    assert tally(review) == "No decisions here: there was nothing to choose."
    assert to_fix(review) is None
    assert done_well(review) is None


def test_the_version_tells_engines_and_care_apart() -> None:
    assert review_version(FEW) != review_version()
    assert len(engine_version()) == 16
    assert reviewed_hand().engine == review_version(FEW)


def test_a_version_follows_names_and_contents(tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("a = 1")
    other.write_text("")
    first = digest_of(tmp_path, [one, other])
    assert digest_of(tmp_path, [other, one]) == first
    one.write_text("a = 2")
    assert digest_of(tmp_path, [one, other]) != first
    one.write_text("a = 1")
    assert digest_of(tmp_path, [one.rename(tmp_path / "once.py"), other]) != first


@cache
def planted() -> HandReview:
    """A review with one decision of each sort, from a real one."""
    review = reviewed_hand()
    draw, throw, *_ = (
        next(one for one in review.decisions if one.kind == kind and one.luck is None) for kind in ("upcard", "throw")
    )
    first = next(one for one in review.decisions if one.luck is not None and one.luck is not draw)
    best = replace(throw, ply=100, grade=Grade.BEST, counts=True, surface="discard Kd", surface_loss=3.2,
                   surface_loss_se=0.2, played="discard 8s", best="discard 8s", loss=0.0)  # fmt: skip
    wrong = replace(throw, ply=101, turn=4, grade=Grade.MISTAKE, counts=True, played="discard 5c", best="discard Jc",
                    loss=2.4, loss_se=0.1, surface=None)  # fmt: skip
    worse = replace(wrong, ply=102, turn=5, grade=Grade.BLUNDER, loss=6.1, played="knock 7s: 3c4c5c / Ad",
                    best="discard 7s")  # fmt: skip
    noise = replace(wrong, ply=103, grade=Grade.GOOD, counts=False)
    return replace(review, decisions=(first, best, wrong, worse, noise))


def test_the_words_of_a_review() -> None:
    review = planted()
    review = replace(review, decisions=review.decisions[1:])
    assert tally(review) == "3 decisions: 1 among the best, 1 mistake, 1 blunder."
    assert plain_tally(review) == "3 decisions, 1 of them good."
    assert plain_tally(replace(review, decisions=review.decisions[:1])) == "1 decision, a good one."
    assert plain_tally(replace(review, decisions=review.decisions[1:3])) == "2 decisions, none of them good."
    assert plain_tally(replace(review, decisions=review.decisions[:1] * 2)) == "2 decisions, all of them good."
    fix, well = to_fix(review), done_well(review)
    assert fix is not None
    assert plain(fix[1]) == "Turn 5: knocking, throwing 7♠ cost about 6 points. Throwing 7♠ was better."
    assert well is not None
    assert plain(well[1]).endswith(": throwing 8♠, not K♦, was worth about 3 points.")
    assert [one.ply for one in review.by_loss] == [102, 101]


def test_actions_as_one_speaks_of_them() -> None:
    for text, words in (
        ("pass", "passing"),
        ("draw", "drawing from the stock"),
        ("take 5c", "taking 5♣"),
        ("discard Kd", "throwing K♦"),
        ("knock 7s", "knocking, throwing 7♠"),
        ("gin 7s: 3c4c5c", "gin, throwing 7♠"),
        ("big gin: 3c4c5c", "big gin"),
        ("lay 8s on 5s6s7s", "laying off 8♠"),
        ("settle / Ad", "settling"),
    ):
        assert plain(spoken(text)) == words


def test_both_ledgers_beside_a_moment() -> None:
    review = planted()
    draw = review.decisions[0]
    assert draw.luck is not None
    for counts, grade, came, words in (
        (True, Grade.BEST, 6.0, "Right move, lucky card."),
        (True, Grade.GOOD, -6.0, "Right move, unlucky card."),
        (True, Grade.MISTAKE, 6.0, "Wrong move, got away with it."),
        (True, Grade.BLUNDER, -6.0, "Wrong move, and it cost."),
        (True, Grade.DEPENDS, -6.0, None),
        (True, Grade.BEST, 1.0, None),
        (False, Grade.BEST, -6.0, "Unlucky card: −6."),
    ):
        luck = replace(draw.luck, value=draw.luck.mean + came, value_se=0.1, mean_se=0.1)
        one = replace(draw, counts=counts, grade=grade, luck=luck)
        assert both_ledgers(replace(review, decisions=(one,)), one) == words
    noisy = replace(draw, luck=replace(draw.luck, value=draw.luck.mean + 6, value_se=4.0))
    assert both_ledgers(replace(review, decisions=(noisy,)), noisy) is None, "not clear of noise"


def test_hands_together() -> None:
    one = reviewed_hand()
    few, many = History.of([one] * 3), History.of([one, reviewed_hand(1)] * 20)
    assert few.adjusted is None
    assert few.by_kind == ()
    assert len(many.swings) == 3
    assert many.hands == 40 >= ADJUST_FROM
    assert many.adjusted is not None
    assert many.loss is not None
    assert many.loss.decisions >= SPLIT_FROM
    assert sum(kind.decisions for kind in many.by_kind) == many.loss.decisions
    total = many.base + many.cards + many.decisions + many.rest + many.drift
    assert total == pytest.approx(many.points)
    assert any("residual" in line for line in history_lines(many))
    assert History.of([]).loss is None


def test_hands_and_not_decisions_are_the_independent_units() -> None:
    """The same hands twice tell no more of each hand: the interval follows from sums over hands."""
    hands = [reviewed_hand(number) for number in range(3)]
    loss = History.of(hands).loss
    assert loss is not None
    assert loss.half is not None
    rows = [[one.loss for one in hand.counted] for hand in hands]
    count = sum(map(len, rows))
    mean = sum(map(sum, rows)) / count
    assert loss.mean == pytest.approx(mean)
    spread = sum((sum(row) - mean * len(row)) ** 2 for row in rows)
    assert loss.half == pytest.approx(1.96 * (spread * 3 / 2) ** 0.5 / count)
    alone = History.of(hands[:1]).loss
    assert alone is not None
    assert alone.half is None, "a single hand has no interval"
    assert "±" not in next(line for line in history_lines(History.of(hands[:1])) if "Lost a decision" in line)


def test_what_cannot_be_said_yet_says_how_much_is_missing() -> None:
    one = reviewed_hand()
    few = "\n".join(history_lines(History.of([one] * 3)))
    missing = SPLIT_FROM - 3 * len(one.counted)
    assert f"By kind of decision: not enough decisions yet to say. {missing} more will do." in few
    assert f"Without the luck of your cards: not enough hands yet to say. {ADJUST_FROM - 3} more will do." in few
    many = "\n".join(history_lines(History.of([one, reviewed_hand(1)] * 20)))
    assert "not enough" not in many


def test_swings_name_what_happened() -> None:
    found = History.of([reviewed_hand()])
    review = reviewed_hand()
    largest = max(review.swings, key=lambda swing: abs(swing.amount))
    assert found.swings[0].amount == largest.amount
    if largest.kind is Kind.CARD:
        card = next(one.card for one in review.decisions if one.ply == largest.ply)
        assert card is not None
        assert Card.parse(card).symbol in found.swings[0].words


def test_golden_records_are_reviewed() -> None:
    record = load(Path(__file__).parents[1] / "data" / "golden" / "rare-endings.gin")
    for one, standing in zip(record.rounds, record.standings(), strict=True):
        for seat in Seat:
            try:
                hand = decisions(one, record.rules, standing, seat)
            except ValueError:
                continue
            review = review_hand(hand, care=Care(64, (64,), 64))
            assert HandReview.from_json(review.to_json()) == review
            for judged_one, own in zip(review.decisions, hand.plies, strict=True):
                again = judged_one.verdict(own.view)
                assert again.action == named(own.view, own.action)
                assert own.view.check(again.best.action) is None


def test_rounds_under_way_have_no_points() -> None:
    round_ = Round.start(RULES, fair_deal(seeds(1, label="review")[0], Seat.SOUTH))
    assert OwnHand((), round_.view(Seat.SOUTH)).points is None
