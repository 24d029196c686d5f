"""Positions with their right values, run through the public code: ``python -m tests.conformance FILE``.

Each line of FILE is a JSON object with an id, a kind, a position and the expected value. An unknown kind or
field fails its case: nothing is skipped. Exit status 1 when a case failed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from tests.game import test_policies
from tutor.game.actions import Action, BigGin, Discard, Draw, Knock, Pass, Phase, Seat, Take
from tutor.game.cards import Card, CardSet, CardTextError, parse_cards, parse_dotted, parse_hand
from tutor.game.layoffs import best_defence, best_shows, show_points
from tutor.game.match import Game, HollywoodMatch, next_dealer
from tutor.game.melds import Arrangement, Meld, NotAMeld
from tutor.game.public import PublicRound
from tutor.game.result import Ending, Result, Score
from tutor.game.round import Deal, Round
from tutor.game.rules import LastDiscard, NextDealer, OklahomaAce, RuleSet, Shutout, Tie
from tutor.game.solver import arrangements, best_discards, deadwood
from tutor.game.view import View

Case = dict[str, Any]

NOTES = {"question", "reasoning", "source", "cards_from", "public_report", "peers", "peer_wrong"}
COMMON = {"id", "kind", "expected"} | NOTES
PLAIN_UPCARD, SPADE_UPCARD = Card.parse("Th"), Card.parse("Ts")


class UnknownField(ValueError):
    """A case asks something this runner does not know."""


def cards(names: Iterable[str]) -> CardSet:
    return CardSet.of(Card.parse(name) for name in names)


def names(card_set: Iterable[Card]) -> list[str]:
    return sorted(str(card) for card in card_set)


def melds(groups: Iterable[Iterable[str]]) -> tuple[Meld, ...]:
    return tuple(Meld.of(cards(group)) for group in groups)


def known(given: dict[str, Any], allowed: set[str], what: str) -> None:
    unknown = set(given) - allowed
    if unknown:
        raise UnknownField(f"unknown {what}: {', '.join(sorted(unknown))}")


def meld_groups(arrangement: Arrangement) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(names(meld.cards)) for meld in arrangement.melds)


def groups(listed: Iterable[Iterable[Iterable[str]]]) -> list[frozenset[tuple[str, ...]]]:
    return sorted((frozenset(tuple(sorted(meld)) for meld in way) for way in listed), key=sorted)


def min_deadwood(case: Case) -> Any:
    return deadwood(cards(case["hand"]))


def arrangement_counts(case: Case) -> Any:
    hand = cards(case["hand"])
    ways = arrangements(hand)
    joined = {way.joined() for way in ways}
    got = {
        "min_deadwood": deadwood(hand),
        "count": len(ways),
        "count_joined": len(joined),
        "deadwood_sets": len({way.loose for way in ways}),
        "joined": sorted((meld_groups(way) for way in joined), key=sorted),
    }
    expected = case["expected"]
    if "joined" in expected:
        case["expected"] = expected | {"joined": groups(expected["joined"])}
    return got


def after_discard(case: Case) -> Any:
    hand = cards(case["hand"])
    taken = Card.parse(case["taken"]) if case.get("taken") else None
    best = best_discards(hand, taken)
    if "discards" in case["expected"]:
        case["expected"] = case["expected"] | {"discards": sorted(case["expected"]["discards"])}
    return {"deadwood": best.deadwood, "discards": names(best.cards), "big_gin": deadwood(hand) == 0}


def layoff(case: Case) -> Any:
    shown = () if case.get("gin", False) else melds(case["shown"])
    return best_defence(cards(case["hand"]), shown).deadwood


def knock_points(rules: RuleSet) -> Callable[[int, int], int]:
    def points(mine: int, theirs: int) -> int:
        ending = Ending.KNOCK if mine else Ending.GIN
        score = Result(ending, Seat.SOUTH, mine, theirs, PLAIN_UPCARD).score(rules)
        return score.points if score.winner is Seat.SOUTH else -score.points

    return points


def knocker_choice(case: Case) -> Any:
    hand, defender = cards(case["knocker"]), cards(case["defender"])
    points = knock_points(RuleSet())
    best, shows = best_shows(hand, defender, 10, points)
    case["expected"] = dict(case["expected"])
    if "best_shows" in case["expected"]:
        listed = [json.loads(way) if isinstance(way, str) else way for way in case["expected"]["best_shows"]]
        case["expected"]["best_shows"] = groups(listed)
    return {
        "best_net": best,
        "worst_net_at_min_deadwood": min(show_points(way, defender, points) for way in arrangements(hand)),
        "best_shows": sorted((meld_groups(way) for way in shows), key=sorted),
    }


def score(case: Case) -> Any:
    given = case.get("rules", {})
    known(given, {"gin_bonus", "undercut_bonus", "big_gin_bonus", "tie_is_undercut", "spade_multiplier"}, "rule")
    multiplier = given.get("spade_multiplier", 1)
    if multiplier not in (1, 2):
        raise UnknownField(f"a multiplier of {multiplier}")
    rules = RuleSet(
        gin_bonus=given.get("gin_bonus", 25),
        undercut_bonus=given.get("undercut_bonus", 25),
        big_gin_bonus=given.get("big_gin_bonus", 31),
        tie=Tie.UNDERCUT if given.get("tie_is_undercut", True) else Tie.VOID,
        oklahoma=multiplier == 2,
        spade_doubles=multiplier == 2,
    )
    upcard = SPADE_UPCARD if multiplier == 2 else PLAIN_UPCARD
    if case["outcome"] == "dead":
        result = Result(Ending.DEAD, None, None, None, upcard)
    else:
        mine, theirs = _counts(case)
        wanted = {"knock": Ending.KNOCK, "gin": Ending.GIN, "big_gin": Ending.BIG_GIN}[case["outcome"]]
        ending = Ending.GIN if wanted is Ending.KNOCK and mine == 0 else wanted
        result = Result(ending, Seat.SOUTH, mine, theirs, upcard)
    priced = result.score(rules)
    winner = {None: None, Seat.SOUTH: "knocker", Seat.NORTH: "defender"}[priced.winner]
    return {"winner": winner, "points": priced.points}


def _counts(case: Case) -> tuple[int, int]:
    if "knocker" not in case:
        return case["knocker_deadwood"], case["defender_deadwood"]
    hand, shown = cards(case["knocker"]), melds(case["shown"])
    loose = hand
    for meld in shown:
        if not meld.cards <= loose:
            raise ValueError(f"the meld {meld} is not in the knocker's hand")
        loose = loose - meld.cards
    laid_out = Arrangement(shown, loose)
    open_melds = shown if laid_out.deadwood and case["outcome"] == "knock" else ()
    return laid_out.deadwood, best_defence(cards(case["defender"]), open_melds).deadwood


SHUTOUTS = {
    "none": Shutout.NONE,
    "double_points": Shutout.HAND_POINTS,
    "double_game_bonus": Shutout.GAME_BONUS,
    "double_points_and_game": Shutout.BOTH,
    "double_all": Shutout.EVERYTHING,
}


def game_rules(case: Case, allowed: set[str]) -> RuleSet:
    given = case.get("rules", {})
    known(given, allowed, "rule")
    return RuleSet(
        target=given.get("target", 100),
        game_bonus=100,
        box_bonus=given.get("box_bonus", 25),
        shutout=SHUTOUTS[given.get("shutout", "none")],
    )


def game(case: Case) -> Any:
    played = Game(game_rules(case, {"target", "box_bonus", "shutout"}))
    for side, points in case["hands"]:
        if played.over:
            break
        played = played.after(Score.won(Seat(side), points))
    tally = played.tally()
    return {
        "hands_used": len(played.results),
        "over": played.over,
        "winner": None if played.winner is None else int(played.winner),
        "raw": list(played.standing.points),
        "boxes": list(played.standing.boxes),
        "shutout": played.shutout,
        "final": list(tally.totals),
        "margin": tally.margin,
    }


def hollywood(case: Case) -> Any:
    match = HollywoodMatch(game_rules(case, {"target"}))
    for side, points in case["hands"]:
        if match.over:
            break
        match = HollywoodMatch(match.rules, (*match.results, Score.won(Seat(side), points)))
    return [
        {
            "score": list(column.standing.points),
            "boxes": list(column.standing.boxes),
            "winner": None if column.winner is None else int(column.winner),
        }
        for column in match.columns
    ]


def knock_limit(case: Case) -> Any:
    oklahoma = case.get("oklahoma", True)
    gin_only = case.get("ace_gin_only", True) or not oklahoma
    rules = RuleSet(oklahoma=oklahoma, oklahoma_ace=OklahomaAce.GIN_ONLY if gin_only else OklahomaAce.ONE)
    return rules.knock_limit_for(Card.parse(case["upcard"]))


def who_deals(case: Case) -> Any:
    rule = {"alternate": NextDealer.ALTERNATE, "winner_deals": NextDealer.WINNER, "loser_deals": NextDealer.LOSER}
    rules = RuleSet(next_dealer=rule[case["rule"]])
    winner = None if case["winner"] is None else Seat(case["winner"])
    return int(next_dealer(rules, Seat(case["dealer"]), winner))


def meld(case: Case) -> Any:
    try:
        Meld.of(parse_cards(" ".join(case["cards"])))
    except (NotAMeld, CardTextError):
        return False
    return True


ACTS: dict[str, Callable[[], Action]] = {
    "pass": Pass,
    "upcard": Take,
    "discard_pile": Take,
    "stock": Draw,
    "big": BigGin,
}


def act(text: str) -> Action:
    if text in ACTS:
        return ACTS[text]()
    verb, _, card = text.partition(":")
    return {"d": Discard, "k": Knock}[verb](Card.parse(card))


def is_legal(round_: Round, text: str) -> bool:
    turn = round_.public.turn
    if turn is None or round_.public.phase is Phase.LAY_OFF:
        return False
    if text == "upcard" and round_.public.phase is not Phase.UPCARD:
        return False
    if text == "discard_pile" and round_.public.phase is Phase.UPCARD:
        return False
    return round_.view(turn).check(act(text)) is None


def legal(case: Case) -> Any:
    options = case.get("options", {})
    known(options, {"limit", "big_gin", "last_discard_rule"}, "option")
    dealer_hand, other_hand = cards(case["dealer_hand"]), cards(case["other_hand"])
    upcard = Card.parse(case["upcard"])
    stock = tuple(Card.parse(card) for card in case["stock"])
    in_play = dealer_hand | other_hand | CardSet.of([upcard, *stock])
    rules = RuleSet(
        knock_limit=options.get("limit", 10),
        big_gin_bonus=31 if options.get("big_gin", True) else None,
        last_discard={"none": LastDiscard.DEAD, "knock_only": LastDiscard.TAKE_TO_END}[
            options.get("last_discard_rule", "none")
        ],
    )
    deal = Deal((dealer_hand, other_hand), upcard, stock, Seat.SOUTH, CardSet((1 << 52) - 1) - in_play)
    round_ = Round.start(rules, deal)
    for text in case["history"]:
        if not is_legal(round_, text):
            raise ValueError(f"the history has an illegal {text}")
        round_ = round_.play(act(text))
    public = round_.public
    over: list[Any] | None = None
    if public.phase is Phase.LAY_OFF and public.knocker is not None and public.shown is not None:
        big = len(public.shown.cards) == 11
        over = ["big_gin" if big else "gin" if public.gin else "knock", int(public.knocker)]
    elif public.phase is Phase.OVER:
        over = ["dead"]
    turn = None if over else {Seat.SOUTH: "dealer", Seat.NORTH: "non_dealer"}[public.on_turn]
    asked = case["ask"]
    return {
        "turn": turn,
        "over": over,
        "legal": sorted(text for text in asked if is_legal(round_, text)),
        "illegal": sorted(text for text in asked if not is_legal(round_, text)),
    }


def parse(case: Case) -> Any:
    what, text = case.get("what", "hand"), case["text"]
    sizes = tuple(case.get("sizes", [10]))
    try:
        if what == "card":
            got: list[Card] = [Card.parse(text)]
        elif what == "dotted":
            got = list(parse_dotted(text, sizes))
        elif what in ("hand", "suit_first"):
            parse_hand(text, sizes)
            got = list(parse_cards(text))
        elif what == "deal":
            got = _parse_deal(case)
        else:
            raise UnknownField(f"cannot parse a {what}")
    except UnknownField:
        raise
    except ValueError as error:
        return {"ok": False} if str(error) else {"ok": "refused without a message"}
    listed = case["expected"].get("cards")
    if what == "dotted" and listed is not None:
        case["expected"] = case["expected"] | {"cards": sorted(listed)}
        return {"ok": True, "cards": names(got)}
    return {"ok": True, "cards": [str(card) for card in got]}


def _parse_deal(case: Case) -> list[Card]:
    for key in ("hand0", "hand1"):
        parse_hand(case[key], (10, 11))
    return list(parse_cards(" ".join(case.get(key, "") for key in ("hand0", "hand1", "discards"))))


def view(case: Case) -> Any:
    observer = Seat(case["observer"])
    hands = [cards(hand) for hand in case["hands"]]
    pile = tuple(Card.parse(card) for card in case.get("discards", []))
    stock = cards(case["stock"])
    in_play = hands[0] | hands[1] | stock | CardSet.of(pile)
    phase = {"play": Phase.DRAW, "layoff": Phase.LAY_OFF, "over": Phase.OVER}[case["phase"]]
    knocker = None if case.get("knocker") is None else Seat(case["knocker"])
    held = [CardSet(), CardSet()]
    held[observer.other] = cards(case.get("known_taken", []))
    if phase is Phase.OVER:
        held = hands
    elif phase is Phase.LAY_OFF and knocker is not None:
        held[knocker] = hands[knocker]
    public = PublicRound(
        rules=RuleSet(),
        dealer=Seat.SOUTH,
        upcard=pile[0],
        stock_count=len(stock),
        pile=pile,
        out_of_play=CardSet((1 << 52) - 1) - in_play,
        phase=phase,
        turn=None if phase is Phase.OVER else observer,
        held=(held[0], held[1]),
        knocker=knocker,
    )
    case["expected"] = {"hidden": sorted(case["expected"]["hidden"])}
    return {"hidden": names(View(public, observer, hands[observer]).unseen)}


def policy(case: Case) -> Any:
    test = test_policies.HOLDS.get(case["id"])
    if test is None:
        raise UnknownField(f"no test holds the policy {case['id']}")
    test()
    return case["expected"]


Runner = Callable[[Case], Any]
KINDS: dict[str, tuple[Runner, set[str]]] = {
    "min_deadwood": (min_deadwood, {"hand"}),
    "arrangements": (arrangement_counts, {"hand"}),
    "after_discard": (after_discard, {"hand", "taken"}),
    "layoff": (layoff, {"shown", "hand", "gin"}),
    "knocker_choice": (knocker_choice, {"knocker", "defender"}),
    "score": (
        score,
        {"outcome", "knocker_deadwood", "defender_deadwood", "knocker", "defender", "shown", "rules"},
    ),
    "game": (game, {"hands", "rules"}),
    "hollywood": (hollywood, {"hands", "rules"}),
    "knock_limit": (knock_limit, {"upcard", "oklahoma", "ace_gin_only"}),
    "next_dealer": (who_deals, {"dealer", "winner", "rule"}),
    "meld": (meld, {"cards"}),
    "legal": (legal, {"dealer_hand", "other_hand", "upcard", "stock", "history", "ask", "options"}),
    "parse": (parse, {"text", "what", "sizes", "hand0", "hand1", "discards"}),
    "view": (
        view,
        {"phase", "observer", "knocker", "hands", "shown", "stock", "discards", "known_taken"},
    ),
    "policy": (policy, set()),
}


def outcome(case: Case) -> str | None:
    """What is wrong with a case, or None when it holds."""
    case = dict(case)
    kind = case.get("kind")
    if kind not in KINDS:
        return f"unknown kind {kind!r}"
    run, fields = KINDS[kind]
    try:
        known(case, COMMON | fields, "field")
        got = run(case)
    except Exception as error:  # a case must not stop the others
        return f"{type(error).__name__}: {error}"
    expected = case["expected"]
    if isinstance(expected, dict) and isinstance(got, dict):
        missing = set(expected) - set(got)
        if missing:
            return f"unknown expected field: {', '.join(sorted(missing))}"
        got = {key: got[key] for key in expected}
    return None if same(got, expected) else f"expected {_shown(expected)}, got {_shown(got)}"


def same(got: Any, expected: Any) -> bool:
    """Equality in which true is not 1."""
    if isinstance(got, dict) and isinstance(expected, dict):
        return set(got) == set(expected) and all(same(got[key], expected[key]) for key in got)
    if isinstance(got, list) and isinstance(expected, list):
        return len(got) == len(expected) and all(map(same, got, expected))
    return isinstance(got, bool) == isinstance(expected, bool) and bool(got == expected)


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shown(one)}" for key, one in value.items()) + "}"
    if isinstance(value, frozenset):
        return str(sorted(value))
    return str([_shown(one) for one in value]) if isinstance(value, list) else repr(value)


def run_file(path: Path) -> tuple[int, list[str]]:
    """Run the cases of a file: how many passed, and a line for each that failed."""
    passed, failures = 0, []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            case = json.loads(line)
            wrong = outcome(case) if isinstance(case, dict) else "not a JSON object"
        except json.JSONDecodeError as error:
            case, wrong = {}, f"not JSON: {error}"
        label = case.get("id", f"line {number}") if isinstance(case, dict) else f"line {number}"
        if wrong is None:
            passed += 1
        else:
            failures.append(f"{label}: {wrong}")
    return passed, failures


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python -m tests.conformance FILE", file=sys.stderr)
        return 2
    try:
        passed, failures = run_file(Path(arguments[0]))
    except (OSError, UnicodeDecodeError) as error:
        print(f"{arguments[0]}: cannot be read ({error})", file=sys.stderr)
        return 2
    for failure in failures:
        print(failure)
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
