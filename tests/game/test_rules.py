"""Knobs, presets, and sentences that cannot disagree with them."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from tutor.game.cards import DECK, Card
from tutor.game.rules import (
    PRESETS,
    LastDiscard,
    MatchFormat,
    MatchKind,
    NextDealer,
    OklahomaAce,
    RuleError,
    RuleSet,
    Shutout,
    Tie,
    preset,
    read_value,
)

# The table of docs/RULES.md, written a second time: knock limit, oklahoma, gin, undercut, big gin, tie, last
# discard, taken card stays, target, game bonus, box bonus, shutout, next dealer, match.
BY_HAND = {
    "Casual": (10, False, 25, 25, 31, "undercut", "dead", True, 100, 0, 0, "none", "winner", "single game"),
    "Classic": (10, False, 20, 10, None, "undercut", "dead", True, 100, 100, 20, "game bonus doubled", "winner",
                "single game"),
    "Standard": (10, False, 25, 25, 31, "undercut", "dead", True, 100, 100, 25, "hand points doubled", "alternate",
                 "single game"),
    "Oklahoma": (10, True, 25, 25, 31, "undercut", "dead", True, 150, 100, 25, "hand points doubled", "alternate",
                 "single game"),
    "Straight": (0, False, 25, 25, 31, "undercut", "dead", True, 100, 100, 25, "hand points doubled", "alternate",
                 "single game"),
    "Tournament": (10, False, 25, 25, 31, "undercut", "take to end", True, 250, 0, 0, "none", "alternate",
                   "best of 5"),
    "EAAI": (10, False, 25, 25, None, "undercut", "dead", True, 100, 0, 0, "none", "alternate", "single game"),
    "OpenSpiel": (10, False, 25, 25, None, "void", "take to end", False, 0, 0, 0, "none", "alternate", "single game"),
}  # fmt: skip

OTHER_VALUES: dict[str, list[object]] = {
    "knock_limit": [0, 7],
    "oklahoma": [True],
    "oklahoma_ace": [OklahomaAce.ONE],
    "spade_doubles": [True],
    "gin_bonus": [20],
    "undercut_bonus": [10, 20],
    "big_gin_bonus": [None, 50],
    "tie": [Tie.NOTHING, Tie.VOID],
    "taken_card_stays": [False],
    "last_discard": [LastDiscard.TAKE_TO_END],
    "first_turn_misdeal": [True],
    "pile_limit": [12],
    "open_discards": [False],
    "target": [0, 50, 250],
    "game_bonus": [0, 50],
    "box_bonus": [0, 20],
    "shutout": [Shutout.GAME_BONUS, Shutout.HAND_POINTS, Shutout.BOTH, Shutout.EVERYTHING],
    "next_dealer": [NextDealer.WINNER, NextDealer.LOSER],
    "match": [
        MatchFormat(MatchKind.BEST_OF, 3),
        MatchFormat(MatchKind.HOLLYWOOD),
        MatchFormat(MatchKind.ACCUMULATE, 500),
    ],
}


@pytest.mark.parametrize("name", BY_HAND)
def test_presets(name: str) -> None:
    rules = preset(name)
    found = (
        rules.knock_limit, rules.oklahoma, rules.gin_bonus, rules.undercut_bonus, rules.big_gin_bonus,
        rules.tie.value, rules.last_discard.value, rules.taken_card_stays, rules.target, rules.game_bonus,
        rules.box_bonus, rules.shutout.value, rules.next_dealer.value, str(rules.match),
    )  # fmt: skip
    assert found == BY_HAND[name]
    assert rules.preset == name
    assert rules.spade_doubles == (name == "Oklahoma")


def test_presets_are_known_in_any_case() -> None:
    assert preset(" classic ") == PRESETS["Classic"]
    with pytest.raises(RuleError, match="the presets are Casual, Classic, Standard"):
        preset("Vegas")


def test_every_knob_and_value_changes_its_own_sentence() -> None:
    """No two values of a knob read the same, so the panel always tells the rule in force."""
    assert set(OTHER_VALUES) == {field.name for field in fields(RuleSet)}
    for knob, values in OTHER_VALUES.items():
        base = RuleSet(oklahoma=knob in ("oklahoma_ace", "spade_doubles"))
        sentences = [base.sentences()[knob]]
        sentences += [replace(base, **{knob: value}).sentences()[knob] for value in values]
        assert len(set(sentences)) == len(sentences), knob
        for sentence in sentences:
            assert sentence[0].isupper()
            assert sentence.endswith((".", ")"))


def test_every_value_reads_back_from_its_text() -> None:
    for knob, values in OTHER_VALUES.items():
        base = RuleSet(oklahoma=knob in ("oklahoma_ace", "spade_doubles"))
        for value in values:
            rules = replace(base, **{knob: value})
            assert read_value(knob, rules.value_text(knob)) == value
            assert base.with_values({knob: rules.value_text(knob)}) == rules
            assert base.differences(rules) == (knob,)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"oklahoma": True, "knock_limit": 0}, "choose one of them"),
        ({"oklahoma": True, "knock_limit": 7}, "leave the knock limit at 10"),
        ({"spade_doubles": True}, "switch Oklahoma on"),
        ({"oklahoma_ace": OklahomaAce.ONE}, "switch Oklahoma on"),
        ({"knock_limit": 0, "tie": Tie.VOID}, "no hand can end in a tie"),
        ({"game_bonus": 0, "shutout": Shutout.GAME_BONUS}, "cannot double a game bonus of 0"),
        ({"game_bonus": 0, "shutout": Shutout.BOTH}, "cannot double a game bonus of 0"),
        ({"target": 0, "shutout": Shutout.HAND_POINTS}, "a shutout means nothing"),
        ({"target": 0, "match": MatchFormat(MatchKind.HOLLYWOOD)}, "set a target"),
        ({"knock_limit": 11}, "knock limit is 0 to 10, not 11"),
        ({"pile_limit": 1}, "pile limit is 2 to 1000, not 1"),
        ({"gin_bonus": -1}, "gin bonus is 0 to 1000, not -1"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_reason(values: dict[str, object], reason: str) -> None:
    with pytest.raises(RuleError, match=reason):
        RuleSet(**values)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("knob", "text", "words"),
    [
        ("luck", "7", '"luck" is no rule; the rules are knock_limit'),
        ("tie", "draw", "tie is one of undercut, nothing, void"),
        ("oklahoma", "maybe", "oklahoma is yes or no"),
        ("gin_bonus", "many", "gin_bonus is a whole number"),
        ("gin_bonus", "²", "gin_bonus is a whole number"),
        ("match", "best of five", "is no match"),
        ("match", "best of 4", "odd n"),
        ("match", "Hollywood 3", "takes no number"),
        ("match", "accumulate to 0", "above 0"),
    ],
)
def test_unreadable_values_say_what_is_possible(knob: str, text: str, words: str) -> None:
    with pytest.raises(RuleError, match=words):
        read_value(knob, text)


def test_a_match_format_takes_a_number_only_where_it_means_something() -> None:
    with pytest.raises(RuleError, match="takes no number"):
        MatchFormat(MatchKind.SINGLE, 3)


def test_the_limit_follows_the_upcard_in_oklahoma() -> None:
    oklahoma = PRESETS["Oklahoma"]
    one = replace(oklahoma, oklahoma_ace=OklahomaAce.ONE)
    for upcard in DECK:
        assert PRESETS["Standard"].knock_limit_for(upcard) == 10
        assert PRESETS["Straight"].knock_limit_for(upcard) == 0
        assert oklahoma.knock_limit_for(upcard) == (0 if upcard.rank == 1 else upcard.pips)
        assert one.knock_limit_for(upcard) == upcard.pips
        assert oklahoma.multiplier_for(upcard) == (2 if upcard.suit.letter == "s" else 1)
        assert PRESETS["Standard"].multiplier_for(upcard) == 1
    assert oklahoma.knock_limit_for(Card.parse("Kd")) == 10
