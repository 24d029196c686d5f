"""What endings are worth, games, matches; the worked examples of the rules."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutor.game.actions import Seat
from tutor.game.cards import Card
from tutor.game.match import Game, HollywoodMatch, Match, next_dealer
from tutor.game.result import LEVEL, NO_SCORE, Ending, Outcome, Result, Score, Standing
from tutor.game.rules import MatchFormat, MatchKind, NextDealer, RuleSet, Shutout, Tie, preset

SOUTH, NORTH = Seat.SOUTH, Seat.NORTH
PLAIN, SPADE = Card.parse("8h"), Card.parse("8s")
STANDARD = preset("Standard")


def knock(mine: int, theirs: int, knocker: Seat = SOUTH, upcard: Card = PLAIN) -> Result:
    return Result(Ending.KNOCK, knocker, mine, theirs, upcard)


def gin(theirs: int, ending: Ending = Ending.GIN, upcard: Card = PLAIN) -> Result:
    return Result(ending, SOUTH, 0, theirs, upcard)


@pytest.mark.parametrize(
    ("result", "rules", "outcome", "winner", "points"),
    [
        (knock(2, 22), STANDARD, Outcome.KNOCK, SOUTH, 20),
        (knock(8, 1), STANDARD, Outcome.UNDERCUT, NORTH, 32),
        (knock(3, 3), STANDARD, Outcome.TIE, NORTH, 25),
        (knock(3, 3), replace(STANDARD, tie=Tie.NOTHING), Outcome.TIE, None, 0),
        (knock(3, 3), replace(STANDARD, tie=Tie.VOID), Outcome.TIE, None, 0),
        (gin(31), preset("Classic"), Outcome.GIN, SOUTH, 51),
        (gin(0), STANDARD, Outcome.GIN, SOUTH, 25),
        (gin(17, Ending.BIG_GIN), replace(STANDARD, big_gin_bonus=50), Outcome.BIG_GIN, SOUTH, 67),
        (gin(12, upcard=SPADE), preset("Oklahoma"), Outcome.GIN, SOUTH, 74),
        (knock(10, 4, upcard=SPADE), preset("Oklahoma"), Outcome.UNDERCUT, NORTH, 62),
        (knock(10, 4, upcard=SPADE), STANDARD, Outcome.UNDERCUT, NORTH, 31),
        (Result(Ending.DEAD, None, None, None, PLAIN), STANDARD, Outcome.DEAD, None, 0),
        (Result(Ending.PILE_LIMIT, None, None, None, PLAIN), STANDARD, Outcome.DEAD, None, 0),
        (Result(Ending.MISDEAL, None, None, None, PLAIN), STANDARD, Outcome.DEAD, None, 0),
    ],
)
def test_scores(result: Result, rules: RuleSet, outcome: Outcome, winner: Seat | None, points: int) -> None:
    score = result.score(rules)
    assert (result.outcome(), score.winner, score.points) == (outcome, winner, points)


def test_who_gets_the_box_of_a_tie() -> None:
    assert knock(3, 3).score(STANDARD).box is NORTH
    assert knock(3, 3).score(replace(STANDARD, tie=Tie.NOTHING)).box is NORTH
    assert knock(3, 3).score(replace(STANDARD, tie=Tie.VOID)) == NO_SCORE


@given(
    st.integers(0, 10), st.integers(0, 98), st.sampled_from(Seat), st.sampled_from(Tie), st.sampled_from([PLAIN, SPADE])
)
def test_the_words_add_up_to_the_score(mine: int, theirs: int, knocker: Seat, tie: Tie, upcard: Card) -> None:
    rules = replace(preset("Oklahoma"), tie=tie)
    result = Result(Ending.KNOCK if mine else Ending.GIN, knocker, mine, theirs, upcard)
    words = result.explain(rules, ("Ann", "Bob"))
    score = result.score(rules)
    if score.winner is None:
        assert "nobody scores" in words
        return
    left, right = re.search(r": ([\d −+]+) = (\d+)", words).groups()  # type: ignore[union-attr]
    total = eval(left.replace("−", "-"))  # digits, plus and minus only, by the pattern above
    assert total == int(right)
    assert total * rules.multiplier_for(upcard) == score.points
    assert words.endswith(f"{('Ann', 'Bob')[score.winner]} scores {score.points}.")


@pytest.mark.parametrize(
    "facts",
    [
        (Ending.KNOCK, None, None, None),
        (Ending.DEAD, SOUTH, 3, 4),
        (Ending.GIN, SOUTH, 3, 4),
        (Ending.KNOCK, SOUTH, 0, 4),
        (Ending.KNOCK, SOUTH, 3, -4),
        (Ending.DEAD, SOUTH, None, None),
    ],
)
def test_contradictory_facts_are_refused(facts: tuple[Ending, Seat | None, int | None, int | None]) -> None:
    with pytest.raises(ValueError, match=r"does not go with|leaves no deadwood|is gin|negative"):
        Result(*facts, PLAIN)


def test_big_gin_has_no_price_where_it_is_not_played() -> None:
    with pytest.raises(ValueError, match="not played under these rules"):
        gin(4, Ending.BIG_GIN).score(preset("Classic"))


def test_points_need_a_winner() -> None:
    with pytest.raises(ValueError, match="need a winner"):
        Score(None, 5, None)
    with pytest.raises(ValueError, match="are 0 to 999999"):
        Standing((-1, 0), (0, 0))


def test_the_worked_example_of_the_classic_rules() -> None:
    """Hands 9 to A, 13 to A (undercut), 42 to B (gin), 19 to A, 11 to B, 32 to A, 50 to A (gin): 323 to 93."""
    hands = (
        knock(5, 14),
        knock(7, 4, NORTH),
        Result(Ending.GIN, NORTH, 0, 22, PLAIN),
        knock(3, 22),
        knock(2, 13, NORTH),
        knock(1, 33),
        gin(30),
    )
    game = Game(preset("Classic"), hands)
    assert [score.points for score in game.scores] == [9, 13, 42, 19, 11, 32, 50]
    assert game.standing == Standing((123, 53), (5, 2))
    assert game.winner is SOUTH
    tally = game.tally(("Ann", "Bob"))
    assert tally.totals == (323, 93)
    assert tally.margin == 230
    assert [line.title for line in tally.lines] == ["Hands", "Boxes", "Game"]
    assert "Ann 5 × 20 = 100, Bob 2 × 20 = 40" in tally.lines[1].words


@pytest.mark.parametrize(
    ("shutout", "total"),
    [
        (Shutout.NONE, 110 + 100 + 75),
        (Shutout.GAME_BONUS, 110 + 200 + 75),
        (Shutout.HAND_POINTS, 220 + 100 + 75),
        (Shutout.BOTH, 220 + 200 + 75),
        (Shutout.EVERYTHING, 2 * (110 + 100 + 75)),
    ],
)
def test_shutouts(shutout: Shutout, total: int) -> None:
    hands = tuple(Score.won(NORTH, points) for points in (30, 40, 40))
    game = Game(replace(STANDARD, shutout=shutout), hands)
    assert game.shutout
    tally = game.tally()
    assert tally.totals == (0, total)
    assert all("South won no hand" in line.words for line in tally.lines if line.title == "Shutout")


def test_a_tie_that_gives_a_box_is_no_shutout() -> None:
    rules = replace(STANDARD, tie=Tie.NOTHING)
    game = Game(rules, (knock(3, 3, SOUTH), Score.won(SOUTH, 120)))
    assert not game.shutout


def test_a_game_ends_at_the_target_and_takes_no_more() -> None:
    game = Game(STANDARD, (Score.won(SOUTH, 60), Score.won(NORTH, 40)))
    assert not game.over
    over = game.after(Score.won(SOUTH, 40))
    assert over.over
    assert over.tally().totals == (100 + 50 + 100, 40 + 25)
    with pytest.raises(ValueError, match="the game was over after hand 3"):
        over.after(Score.won(SOUTH, 1))
    assert Game(STANDARD).standing == LEVEL


def test_a_single_hand_is_a_game_even_when_it_is_dead() -> None:
    rules = preset("OpenSpiel")
    for result, winner in ((NO_SCORE, None), (Score.won(NORTH, 8), NORTH)):
        game = Game(rules, (result,))
        assert game.over
        assert game.winner is winner
        with pytest.raises(ValueError, match="over after hand 1"):
            game.after(NO_SCORE)


@pytest.mark.parametrize("rule", NextDealer)
@pytest.mark.parametrize("dealer", Seat)
@pytest.mark.parametrize("winner", [None, *Seat])
def test_next_dealer(rule: NextDealer, dealer: Seat, winner: Seat | None) -> None:
    found = next_dealer(RuleSet(next_dealer=rule), dealer, winner)
    if winner is None:
        assert found is dealer
    else:
        wanted = {NextDealer.WINNER: winner, NextDealer.LOSER: winner.other, NextDealer.ALTERNATE: dealer.other}
        assert found is wanted[rule]


def test_dead_hands_keep_the_dealer_through_a_game() -> None:
    game = Game(STANDARD, (Score.won(SOUTH, 5), NO_SCORE, NO_SCORE, Score.won(SOUTH, 5)), first_dealer=NORTH)
    assert game.next_dealer is NORTH
    assert Game(STANDARD, game.results[:2], NORTH).next_dealer is SOUTH


def won(rules: RuleSet, winner: Seat) -> Game:
    return Game(rules, (Score.won(winner.other, 10), Score.won(winner, rules.target)))


def test_best_of_five_ends_at_three() -> None:
    rules = preset("Tournament")
    games = tuple(won(rules, seat) for seat in (SOUTH, NORTH, SOUTH, SOUTH))
    match = Match(rules, games)
    assert match.games_won == (3, 1)
    assert match.winner is SOUTH
    assert match.lines(("Ann", "Bob")) == ("Games: Ann 3, Bob 1; 3 win the match.", "Ann wins the match.")
    with pytest.raises(ValueError, match="the match was over after game 4"):
        Match(rules, (*games, won(rules, NORTH)))
    with pytest.raises(ValueError, match="game 1 is not over"):
        Match(rules, (Game(rules), won(rules, NORTH)))


def test_accumulation_adds_up_the_final_totals() -> None:
    rules = replace(STANDARD, shutout=Shutout.GAME_BONUS, match=MatchFormat(MatchKind.ACCUMULATE, 500))
    first = Game(rules, (Score.won(SOUTH, 100),))
    assert first.tally().totals == (100 + 25 + 100 + 100, 0)
    second = won(rules, SOUTH)
    match = Match(rules, (first, second))
    assert match.totals == (325 + 225, 35)
    assert match.winner is SOUTH
    assert Match(rules, (first,)).lines() == ("Totals: South 325, North 0; 500 win.",)


def test_a_single_game_is_its_own_match() -> None:
    match = Match(STANDARD, (won(STANDARD, NORTH),))
    assert match.over
    assert match.winner is NORTH
    with pytest.raises(ValueError, match="the match was over after game 1"):
        Match(STANDARD, (won(STANDARD, NORTH), Game(STANDARD)))
    with pytest.raises(ValueError, match="scored in columns"):
        Match(replace(STANDARD, match=MatchFormat(MatchKind.HOLLYWOOD)))


HOLLYWOOD = replace(STANDARD, match=MatchFormat(MatchKind.HOLLYWOOD))


def columns(*hands: tuple[Seat, int]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    match = HollywoodMatch(HOLLYWOOD, tuple(Score.won(*hand) for hand in hands))
    return [(column.standing.points, column.standing.boxes) for column in match.columns]


def test_hollywood_fills_one_column_then_two_then_three() -> None:
    found = columns((SOUTH, 18), (NORTH, 12), (SOUTH, 25), (NORTH, 30), (SOUTH, 15), (SOUTH, 22), (NORTH, 20))
    assert found == [((80, 62), (4, 3)), ((62, 50), (3, 2)), ((37, 20), (2, 1))]


def test_a_side_that_missed_a_closed_column_begins_in_the_next() -> None:
    assert columns((SOUTH, 99), (SOUTH, 5), (NORTH, 7), (NORTH, 8), (SOUTH, 90)) == [
        ((104, 0), (2, 0)),
        ((95, 15), (2, 2)),
        ((90, 8), (1, 1)),
    ]


def test_a_column_already_entered_does_not_open_two_at_once() -> None:
    assert columns((NORTH, 5), (SOUTH, 100), (NORTH, 8))[1:] == [((0, 8), (0, 1)), ((0, 0), (0, 0))]


def test_hollywood_shutouts_go_by_column_and_the_match_ends_with_the_last() -> None:
    hands = ((SOUTH, 60), (SOUTH, 60), (NORTH, 10), (SOUTH, 60), (SOUTH, 60))
    match = HollywoodMatch(HOLLYWOOD, tuple(Score.won(*hand) for hand in hands))
    assert match.over
    assert [column.shutout for column in match.columns] == [True, False, True]
    assert match.totals[0] == sum(column.tally().totals[0] for column in match.columns)
    assert match.next_dealer is NORTH
    assert match.winner is SOUTH
    lines = match.lines(("Ann", "Bob"))
    assert [line for line in lines if line.startswith("Column")][1].startswith("Column 2 (closed): Ann ")
    assert lines[-1] == "Ann wins the match."
    with pytest.raises(ValueError, match="the match was over after hand 5"):
        replace(match, results=(*match.results, NO_SCORE))
