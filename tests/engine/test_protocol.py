"""The protocol: what a player is told makes the view its seat has, and what cannot be true changes nothing."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from tests.helpers import seeds
from tests.policies import AnyLegal, KnocksAtOnce, NeverKnocks, WaitsForBigGin
from tests.referee import seen, told
from tutor.engine.players import Player, Simple, Steady
from tutor.engine.protocol import Session, answer, hello
from tutor.game.actions import Draw, Seat
from tutor.game.fair import fair_deal
from tutor.game.result import Standing
from tutor.game.round import Deal, Round
from tutor.game.rules import PRESETS, RuleSet, preset

SHOWABLE = ["7s", "8s", "9s", "Ad", "2d", "3d", "4d", "Ac", "2c", "5h"]
HAND = ["7h", "7s", "7d", "8s", "9s", "Kc", "2d", "3d", "4d", "Ac"]
DEAL: dict[str, Any] = {"event": "deal", "seat": "South", "dealer": "North", "hand": HAND, "upcard": "Jh"}
STANDING = Standing((30, 12), (2, 1))


def say(session: Session, event: dict[str, Any] | str, number: int = 1) -> tuple[Session, dict[str, Any]]:
    return answer(session, event if isinstance(event, str) else json.dumps(event), number)


def accepted(session: Session, event: dict[str, Any]) -> tuple[Session, dict[str, Any]]:
    session, reply = say(session, event)
    assert "error" not in reply, reply
    return session, reply


def refused(session: Session, event: dict[str, Any] | str) -> dict[str, Any]:
    after, reply = say(session, event, 17)
    assert after == session
    assert reply["error"].startswith("line 17: ")
    assert reply["line"] == 17
    assert len(reply["error"]) < 500
    return reply


def deal_event(deal: Deal, seat: Seat, *, misdeal: bool) -> dict[str, Any]:
    return {
        "event": "deal",
        "seat": seat.label,
        "dealer": deal.dealer.label,
        "hand": [str(card) for card in deal.hands[seat]],
        "upcard": str(deal.upcard),
        "standing": {"points": list(STANDING.points), "boxes": list(STANDING.boxes)},
        "misdeal": misdeal,
    }


def follow(session: Session, rules: RuleSet, deal: Deal, seat: Seat, other: Player) -> tuple[Session, str]:
    """One round over the protocol; at every ply the session's view is the one the round gives."""
    round_ = Round.start(rules, deal)
    session, reply = accepted(session, deal_event(deal, seat, misdeal=round_.result is not None))
    while round_.public.turn is not None:
        assert "over" not in reply
        assert session.view == round_.view(seat, STANDING)
        if round_.public.turn is seat:
            session, reply = accepted(session, {"event": "your_turn"})
            round_ = round_.play(told(reply))
            if isinstance(round_.actions[-1], Draw):
                assert refused(session, {"event": "your_turn"})["error"].startswith("line 17: the player draws")
                session, reply = accepted(session, {"event": "draw", "card": str(round_.drawn)})
        else:
            round_ = round_.play(other.choose(round_.view(seat.other), len(round_.actions)))
            name, fields = seen(round_.actions[-1])
            session, reply = accepted(session, {"event": name} | fields)
    result = round_.result
    assert result is not None
    score = result.score(rules)
    over = reply["over"]
    assert (over["points"], over["ending"]) == (score.points, result.outcome().value)
    assert over["winner"] == (None if score.winner is None else score.winner.label)
    after = STANDING.after(score)
    assert over["standing"] == {"points": list(after.points), "boxes": list(after.boxes)}
    assert session.view is not None
    wanted = round_.view(seat, STANDING)
    if round_.public.knocker is seat.other:
        # What the other side threw face down stays its secret.
        wanted = replace(wanted, public=replace(wanted.public, knock_card=session.view.public.knock_card))
    assert session.view == wanted
    return session, result.outcome().value


@pytest.mark.parametrize("name", PRESETS)
def test_the_view_is_that_of_the_seat_at_every_ply(name: str) -> None:
    rules = replace(preset(name), first_turn_misdeal=name == "Casual")
    others = (KnocksAtOnce(), NeverKnocks(), AnyLegal(), WaitsForBigGin())
    endings: Counter[str] = Counter()
    for player in (Steady(), WaitsForBigGin(), NeverKnocks()):
        session = Session(player, rules, "s")
        for number, seed in enumerate(seeds(8, label=f"protocol {name}")):
            seat, dealer = Seat(number % 2), Seat(number // 2 % 2)
            session, ending = follow(session, rules, fair_deal(seed, dealer), seat, others[number % 4])
            endings[ending] += 1
        assert session.rounds == 8
    assert endings["gin"] + endings["knock"] > 5
    assert endings["dead hand"] + endings["undercut"] > 0


def test_same_seed_and_events_same_answers() -> None:
    def answers(seed: str) -> list[dict[str, Any]]:
        session = Session(Simple(), preset("EAAI"), seed)
        replies = []
        hand = ["Kc", "Kd", "Qh", "Qs", "9c", "9d", "5h", "5s", "3c", "3d"]
        for event in ({**DEAL, "hand": hand}, *TO_DISCARD, {"event": "your_turn"}):
            session, reply = accepted(session, event)
            replies.append(reply)
        assert replies[-1]["action"] == "discard"
        return replies

    assert answers("a") == answers("a")
    assert len({str(answers(str(number))) for number in range(12)}) > 1


TO_DISCARD = (
    {"event": "your_turn"},
    {"event": "pass"},
    {"event": "your_turn"},
    {"event": "draw", "card": "Jc"},
)


def test_hello() -> None:
    told_ = hello(Session(Steady(), preset("Oklahoma"), "x"))
    assert (told_["protocol"], told_["player"], told_["rules"], told_["seed"]) == (1, "Steady", "Oklahoma", "x")
    assert told_["knobs"]["spade_doubles"] == "yes"
    assert told_["policy"] == Steady().policy


def test_rules_of_one_deal() -> None:
    session = Session(Steady(), preset("EAAI"))
    changed = {"preset": "Oklahoma", "spade_doubles": False, "gin_bonus": 20, "big_gin_bonus": None}
    after, _ = accepted(session, {**DEAL, "upcard": "4h", "rules": changed})
    assert after.view is not None
    assert after.view.public.knock_limit == 4
    assert after.view.public.rules == replace(preset("Oklahoma"), spade_doubles=False, gin_bonus=20, big_gin_bonus=None)
    after, _ = accepted(after, {"event": "abandon"})
    after, _ = accepted(after, DEAL)
    assert after.view is not None
    assert after.view.public.rules == preset("EAAI")


def test_a_misdeal_is_over_at_once() -> None:
    session = Session(Steady(), preset("EAAI"))
    rules = {"first_turn_misdeal": True}
    _, reply = accepted(session, {**DEAL, "hand": SHOWABLE, "rules": rules})
    assert reply["over"]["ending"] == "dead hand"
    after, reply = accepted(session, {**DEAL, "rules": rules})
    assert "over" not in reply  # a king is loose: for its own cards the hand goes on
    _, reply = accepted(session, {**DEAL, "rules": rules, "misdeal": True})
    assert reply["over"]["points"] == 0
    assert "no misdeal" in refused(session, {**DEAL, "misdeal": True})["error"]
    assert after.view is not None


FRESH = Session(Steady(), preset("Standard"))
NORTH_DEALT = accepted(FRESH, DEAL)[0]
NORTH_TO_ACT = accepted(NORTH_DEALT, {"event": "your_turn"})[0]  # South passed the jack


def north_took() -> Session:
    session, _ = accepted(NORTH_TO_ACT, {"event": "take"})
    return session


SHOWN = {"melds": [["Jh", "Jc", "Jd"], ["Qh", "Qc", "Qd"], ["4h", "4c", "4s"]], "loose": ["Ah"]}


@pytest.mark.parametrize(
    ("session", "event", "words"),
    [
        (FRESH, "nonsense", "this line is no JSON: Expecting value at character 1"),
        (FRESH, "[" * 100_000, "this line is no JSON that can be read"),
        (FRESH, "[1]", "an event is a JSON object"),
        (FRESH, '{"event": "quit", "event": "quit"}', '"event" is there twice'),
        (FRESH, {}, "there is no event; the events are deal, pass"),
        (FRESH, {"event": ["deal"]}, '["deal"] is no event'),
        (FRESH, {"event": "x" * 10_000}, "is no event"),
        (FRESH, {"event": "knok"}, '"knok" is no event'),
        (FRESH, {"event": "pass"}, "no hand is under way: send a deal first"),
        (FRESH, {"event": "your_turn"}, "no hand is under way"),
        (FRESH, {"event": "abandon"}, "no hand is under way"),
        (FRESH, {"event": "discard"}, '"card" is missing: discard has "card"'),
        (FRESH, {"event": "pass", "card": "7h"}, 'pass has no "card", only nothing beside its name'),
        (FRESH, {**DEAL, "seat": "East"}, '"seat" is "South" or "North", not "East"'),
        (FRESH, {**DEAL, "upcard": 7}, '"upcard" is a card such as "7h", not 7'),
        (FRESH, {**DEAL, "upcard": "7x"}, "'X' is neither a rank"),
        (FRESH, {**DEAL, "upcard": "7h 8h"}, "one card is wanted here, not 2"),
        (FRESH, {**DEAL, "hand": "7h 8h"}, '"hand" is a list of cards such as'),
        (FRESH, {**DEAL, "hand": [*HAND[:9], "7h"]}, "7♥ is there twice"),
        (FRESH, {**DEAL, "hand": HAND[:9]}, "a dealt hand has 10 cards, not 9"),
        (FRESH, {**DEAL, "upcard": "7h"}, "7♥ cannot be dealt and lie on the table"),
        (FRESH, {**DEAL, "out_of_play": ["Ac"]}, "A♣ cannot be dealt and lie on the table or out of play"),
        (FRESH, {**DEAL, "out_of_play": ["Jh"]}, "J♥ cannot be the upcard and out of play"),
        (FRESH, {**DEAL, "standing": [1, 2]}, '"standing" is such as'),
        (FRESH, {**DEAL, "standing": {"points": [1, "2"]}}, "two whole numbers each"),
        (FRESH, {**DEAL, "standing": {"points": [-1, 2]}}, "points and boxes are 0 to 999999"),
        (FRESH, {**DEAL, "rules": {"knock_limit": 11}}, "knock limit is 0 to 10, not 11"),
        (FRESH, {**DEAL, "rules": {"nock_limit": 1}}, '"nock_limit" is no rule'),
        (FRESH, {**DEAL, "rules": {"preset": "Vegas"}}, '"Vegas" is no preset'),
        (FRESH, {**DEAL, "rules": "Classic"}, '"rules" is such as'),
        (FRESH, {**DEAL, "rules": {"tie": "x" * 10_000}}, "tie is one of undercut, nothing, void"),
        (FRESH, {**DEAL, "misdeal": 1}, '"misdeal" is true or false, not 1'),
        (NORTH_DEALT, DEAL, "a hand is under way: play it out, or abandon it first"),
        (NORTH_DEALT, {"event": "pass"}, "it is the turn of South, the player itself: send your_turn"),
        (NORTH_TO_ACT, {"event": "your_turn"}, "it is North's turn: send what North does"),
        (NORTH_TO_ACT, {"event": "draw"}, "North cannot have done this: First take the upcard or pass"),
        (NORTH_TO_ACT, {"event": "discard", "card": "Kd"}, "Take the upcard or pass first"),
        (NORTH_TO_ACT, {"event": "settle", "melds": [], "loose": []}, "Nobody has knocked yet"),
        (north_took(), {"event": "discard", "card": "7h"}, "7♥ cannot be in their hand: its place is known"),
        (north_took(), {"event": "discard", "card": "Jh"}, "so it stays in your hand"),
        (north_took(), {"event": "take"}, "You have your card for this turn"),
        (
            north_took(),
            {"event": "knock", "melds": SHOWN["melds"][:2], "loose": ["Ah", "4h", "Kh", "Kd"]},
            "North cannot have done this: You would show 25, and the limit is 10",
        ),
        (north_took(), {"event": "knock", **SHOWN, "loose": ["7h"]}, "7♥ cannot be in their hand"),
        (north_took(), {"event": "knock", **SHOWN, "loose": ["Jh"]}, "J♥ is there twice"),
        (north_took(), {"event": "knock", **SHOWN, "loose": []}, "Show exactly the ten cards"),
        (north_took(), {"event": "knock", **SHOWN, "card": "Kd"}, 'knock has no "card"'),
        (north_took(), {"event": "knock", **SHOWN, "melds": [["Jh", "Jc"]]}, "a meld has at least three cards"),
        (north_took(), {"event": "knock", **SHOWN, "melds": "JhJcJd"}, '"melds" is a list of melds'),
        (north_took(), {"event": "big_gin", "melds": SHOWN["melds"]}, "Show exactly your eleven cards"),
    ],
)
def test_what_cannot_be_true_changes_nothing(session: Session, event: dict[str, Any] | str, words: str) -> None:
    assert words in refused(session, event)["error"]


def test_an_error_names_card_and_rule() -> None:
    assert refused(FRESH, {**DEAL, "hand": [*HAND[:9], "7h"]})["card"] == "7h"
    reply = refused(north_took(), {"event": "discard", "card": "Jh"})
    assert (reply["card"], reply["rule"]) == ("Jh", "taken_stays")
    assert "card" not in refused(FRESH, "nonsense")


def test_bytes_that_are_no_text() -> None:
    after, reply = answer(FRESH, b'{"event": "\xff"}', 3)
    assert after == FRESH
    assert reply == {"error": "line 3: this line is no UTF-8 text", "line": 3}


@pytest.mark.parametrize("depth", [100, 900, 2_000, 100_000])
def test_lists_in_lists(depth: int) -> None:
    for before, after in (("[", "]"), ('{"a":', "}")):
        line = json.dumps({**DEAL, "upcard": "HERE"}).replace('"HERE"', before * depth + "1" + after * depth)
        refused(FRESH, line)


def test_the_own_card_must_be_told_and_possible() -> None:
    session, _ = accepted(NORTH_TO_ACT, {"event": "pass"})
    session, reply = accepted(session, {"event": "your_turn"})
    assert reply == {"action": "draw"}
    assert 'such as {"event": "draw", "card": "7h"}' in refused(session, {"event": "draw"})["error"]
    assert "the player draws" in refused(session, {"event": "pass"})["error"]
    assert refused(session, {"event": "draw", "card": "Jh"})["card"] == "Jh"
    assert "South cannot have done this" in refused(session, {"event": "draw", "card": "7h"})["error"]
    session, _ = accepted(session, {"event": "draw", "card": "Jc"})
    session, reply = accepted(session, {"event": "your_turn"})
    assert "card" in reply
    if reply["action"] == "discard":
        assert "Only they see which card" in refused(session, {"event": "draw", "card": "Qd"})["error"]


def test_after_quit_it_is_over() -> None:
    session, reply = accepted(NORTH_DEALT, {"event": "quit"})
    assert session.over
    assert reply == {"ok": True}
