"""Melds, arrangements and what they expose."""

from __future__ import annotations

import pytest

from tutor.game.cards import ALL_CARDS, Card, CardSet
from tutor.game.layoffs import best_arrangement, best_shows, exposed
from tutor.game.melds import MELDS, Arrangement, Meld, MeldKind, NotAMeld
from tutor.game.solver import arrangements, best_discards


def meld(text: str) -> Meld:
    return Meld.of(CardSet.parse(text))


def test_the_known_counts() -> None:
    sets = [one for one in MELDS.values() if one.kind is MeldKind.SET]
    runs = [one for one in MELDS.values() if one.kind is MeldKind.RUN]
    assert (len(MELDS), len(sets), len(runs)) == (329, 65, 264)
    assert len(sets) + sum(len(run.cards) <= 5 for run in runs) == 185
    assert sum(len(one.cards) == 3 for one in sets) == 52
    assert sum(len(one.cards) == 3 for one in runs) == 44


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("7h 8h", "at least three cards, not 7♥ 8♥"),
        ("", "not no cards"),
        ("Qh Kh Ah", "not in unbroken order"),
        ("7h 8h 9d", "neither of one rank nor in order of one suit"),
    ],
)
def test_what_is_no_meld_says_why(text: str, words: str) -> None:
    with pytest.raises(NotAMeld, match=words):
        meld(text)


def test_a_meld_cannot_be_forged() -> None:
    with pytest.raises(NotAMeld):
        Meld(MeldKind.RUN, CardSet.parse("Ac 5d 9h Ks"))
    with pytest.raises(NotAMeld):
        Meld(MeldKind.RUN, CardSet.parse("7c 7d 7h"))


def test_names_and_growth() -> None:
    run = meld("5s 6s 7s")
    assert (run.name, str(run)) == ("Run 5–7 ♠", "5s6s7s")
    assert meld("9h 9s 9d").name == "Set of nines"
    assert meld("Ts Js Qs").name == "Run 10–Q ♠"
    assert run.fits == CardSet.parse("4s 8s")
    assert run.extended(Card.parse("8s")) == meld("5s 6s 7s 8s")
    assert meld("9h 9s 9d 9c").fits == CardSet()
    with pytest.raises(NotAMeld, match="9♠ does not fit the run 5–7 ♠"):
        run.extended(Card.parse("9s"))


def test_a_card_lies_in_one_place() -> None:
    with pytest.raises(ValueError, match="7♥ cannot lie in two places"):
        Arrangement((meld("7h 8h 9h"), meld("7h 7s 7d")))


def test_joined_runs() -> None:
    cut = Arrangement((meld("7d 8d 9d"), meld("4d 5d 6d"), meld("Kc Kd Kh")), CardSet.parse("2s"))
    assert cut.joined() == Arrangement((meld("4d 5d 6d 7d 8d 9d"), meld("Kc Kd Kh")), CardSet.parse("2s"))
    assert cut.deadwood == cut.joined().deadwood == 2
    assert str(cut) == "KcKdKh 4d5d6d 7d8d9d / 2s"


def test_exposure_counts_chains_and_leaves_out_what_was_seen() -> None:
    four_sevens = Arrangement((meld("4h 5h 6h"), meld("7c 7d 7h 7s")), CardSet.parse("Ac 2d 3s"))
    long_run = Arrangement((meld("4h 5h 6h 7h"), meld("7c 7d 7s")), CardSet.parse("Ac 2d 3s"))
    assert exposed(four_sevens) == CardSet.parse("Ah 2h 3h")
    assert exposed(long_run) == CardSet.parse("Ah 2h 3h 8h 9h Th Jh Qh Kh")
    assert exposed(long_run, ALL_CARDS - CardSet.parse("8h 2h")) == CardSet.parse("3h")


def test_the_proposed_arrangement_is_the_least_exposed() -> None:
    hand = CardSet.parse("4h 5h 6h 7h 7c 7d 7s Ac 2d 3s")
    assert len(arrangements(hand)) == 2
    assert best_arrangement(hand).melds == (meld("7c 7d 7h 7s"), meld("4h 5h 6h"))
    # With the three of hearts and the eight of hearts gone, neither gives anything away.
    seen = ALL_CARDS - CardSet.parse("3h 8h")
    assert all(exposed(way, seen) == CardSet() for way in arrangements(hand))
    assert best_arrangement(hand, ALL_CARDS - CardSet.parse("8h")).melds == (meld("7c 7d 7h 7s"), meld("4h 5h 6h"))


def test_long_runs_are_proposed_whole() -> None:
    whole = best_arrangement(CardSet.parse("4d 5d 6d 7d 8d 9d Kc Kh Ks 2s"))
    assert len(whole.melds) == 2


def test_nothing_to_throw_or_show_is_an_error() -> None:
    with pytest.raises(ValueError, match="no card to throw"):
        best_discards(CardSet())
    with pytest.raises(ValueError, match="cannot be shown within 10"):
        best_shows(CardSet.parse("Kc Qd"), CardSet(), 10, lambda mine, theirs: theirs - mine)
