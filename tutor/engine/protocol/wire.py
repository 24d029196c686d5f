"""Events and actions as JSON objects: what may stand in one, and how cards, melds and hands are written."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from tutor.game.actions import Action, BigGin, Discard, Draw, Knock, LayOff, Pass, Seat, Settle, Take
from tutor.game.cards import Card, CardSet, CardTextError
from tutor.game.melds import Arrangement, Meld, NotAMeld
from tutor.game.result import LEVEL, Standing
from tutor.game.rules import PRESETS, RuleError, RuleSet, preset

Facts = dict[str, Any]

EVENTS: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    name: (frozenset(needed.split()), frozenset(optional.split()))
    for name, needed, optional in (
        ("deal", "seat dealer hand upcard", "standing out_of_play misdeal rules"),
        ("pass", "", ""),
        ("take", "", ""),
        ("draw", "", "card"),
        ("discard", "card", ""),
        ("knock", "melds loose", ""),
        ("big_gin", "melds", ""),
        ("lay_off", "card meld", ""),
        ("settle", "melds loose", ""),
        ("your_turn", "", ""),
        ("abandon", "", ""),
        ("quit", "", ""),
    )
}
"""The events by name: fields each needs, fields it may have."""


class WireError(ValueError):
    """An event that cannot be true or cannot be read, with words for whoever sent it.

    ``card`` is the one that is wrong, ``rule`` the rule that was broken, where there is one.
    """

    def __init__(self, message: str, card: Card | None = None, rule: str | None = None) -> None:
        super().__init__(message)
        self.card = card
        self.rule = rule


def read_event(line: bytes | str) -> tuple[str, Facts]:
    """The event of a line: its name and its fields, which are the right ones; WireError otherwise."""
    try:
        text = line.decode() if isinstance(line, bytes) else line
        facts = json.loads(text, object_pairs_hook=_once)
    except UnicodeDecodeError:
        raise WireError("this line is no UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise WireError(f"this line is no JSON: {error.msg} at character {error.pos + 1}") from None
    except (RecursionError, ValueError) as error:
        if isinstance(error, WireError):
            raise
        raise WireError("this line is no JSON that can be read") from None
    if not isinstance(facts, dict):
        raise WireError('an event is a JSON object such as {"event": "your_turn"}')
    name = facts.pop("event", None)
    if not isinstance(name, str) or name not in EVENTS:
        told = "there is no event" if name is None else f"{_quoted(name)} is no event"
        raise WireError(f"{told}; the events are {', '.join(EVENTS)}")
    needed, optional = EVENTS[name]
    for field in sorted(needed - facts.keys()):
        raise WireError(f'"{field}" is missing: {name} has {_listed(needed)}')
    for field in facts.keys() - needed - optional:
        raise WireError(f"{name} has no {_quoted(field)}, only {_listed(needed | optional)}")
    return name, facts


def _once(pairs: list[tuple[str, Any]]) -> Facts:
    facts = dict(pairs)
    if len(facts) != len(pairs):
        double = next(key for place, (key, _) in enumerate(pairs) if key in dict(pairs[:place]))
        raise WireError(f"{_quoted(double)} is there twice")
    return facts


def _quoted(value: Any) -> str:
    """What was sent, cut where it is long."""
    try:
        text = json.dumps(value)
    except RecursionError:
        return "what is there"
    return text if len(text) <= 60 else f"{text[:57]}..."


def _listed(fields: Iterable[str]) -> str:
    return ", ".join(f'"{field}"' for field in sorted(fields)) or "nothing beside its name"


def read_seat(facts: Facts, field: str) -> Seat:
    """South or North; WireError otherwise."""
    for seat in Seat:
        if facts[field] == seat.label:
            return seat
    raise WireError(f'"{field}" is "South" or "North", not {_quoted(facts[field])}')


def read_card(value: Any, field: str = "card") -> Card:
    """A card; WireError otherwise."""
    if not isinstance(value, str):
        raise WireError(f'"{field}" is a card such as "7h", not {_quoted(value)}')
    try:
        return Card.parse(value)
    except CardTextError as error:
        raise WireError(f'"{field}" is a card such as "7h", not {_quoted(value)}: {error}') from None


def read_cards(value: Any, field: str) -> CardSet:
    """A list of cards; WireError otherwise, also for a card that comes twice."""
    if not isinstance(value, list):
        raise WireError(f'"{field}" is a list of cards such as ["7h", "Kd"], not {_quoted(value)}')
    cards = CardSet()
    for one in value:
        cards = _adding(cards, read_card(one, field))
    return cards


def _adding(cards: CardSet, card: Card) -> CardSet:
    if card in cards:
        raise WireError(f"{card.symbol} is there twice", card)
    return cards.with_card(card)


def read_meld(value: Any, field: str = "meld") -> Meld:
    """A meld as a list of its cards; WireError otherwise."""
    try:
        return Meld.of(read_cards(value, field))
    except NotAMeld as error:
        raise WireError(f'"{field}": {error}') from None


def read_arrangement(facts: Facts) -> Arrangement:
    """``melds`` and ``loose`` as they lie on the table; WireError otherwise."""
    if not isinstance(facts["melds"], list):
        raise WireError('"melds" is a list of melds such as [["7h", "7s", "7d"]]')
    melds = [read_meld(value, "melds") for value in facts["melds"]]
    loose = read_cards(facts.get("loose", []), "loose")
    seen = CardSet()
    for card in [*(card for meld in melds for card in meld.cards), *loose]:
        seen = _adding(seen, card)
    return Arrangement(tuple(melds), loose)


def read_standing(value: Any) -> Standing:
    """Points and boxes by seat, South first; WireError otherwise."""
    if value is None:
        return LEVEL
    if not isinstance(value, dict) or not {"points"} <= value.keys() <= {"points", "boxes"}:
        raise WireError('"standing" is such as {"points": [30, 12], "boxes": [2, 1]}, South first')
    pairs = [value["points"], value.get("boxes", [0, 0])]
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or any(type(number) is not int for number in pair):
            raise WireError('"points" and "boxes" are two whole numbers each, South first')
    try:
        return Standing((pairs[0][0], pairs[0][1]), (pairs[1][0], pairs[1][1]))
    except ValueError as error:
        raise WireError(f'"standing": {error}') from None


def read_rules(value: Any, rules: RuleSet) -> RuleSet:
    """The session's rules with the knobs of a deal changed; WireError names what is possible."""
    if value is None:
        return rules
    if not isinstance(value, dict):
        raise WireError('"rules" is such as {"preset": "Oklahoma", "gin_bonus": 20}')
    knobs = dict(value)
    name = knobs.pop("preset", None)
    if name is not None and not isinstance(name, str):
        raise WireError(f'"preset" is one of {", ".join(PRESETS)}')
    try:
        base = rules if name is None else preset(name)
        return base.with_values({knob: _knob_text(setting) for knob, setting in knobs.items()})
    except RuleError as error:
        raise WireError(f'"rules": {error}') from None


def _knob_text(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else json.dumps(value)


def read_flag(facts: Facts, field: str) -> bool:
    """True or false, false where it is left out; WireError otherwise."""
    value = facts.get(field, False)
    if not isinstance(value, bool):
        raise WireError(f'"{field}" is true or false, not {_quoted(value)}')
    return value


def read_action(name: str, facts: Facts) -> Action:
    """What somebody did, from its event; WireError when its cards cannot be read."""
    match name:
        case "pass":
            return Pass()
        case "take":
            return Take()
        case "draw":
            return Draw(read_card(facts["card"]) if "card" in facts else None)
        case "discard":
            return Discard(read_card(facts["card"]))
        case "knock":
            return Knock(None, read_arrangement(facts))
        case "big_gin":
            return BigGin(read_arrangement(facts))
        case "lay_off":
            return LayOff(read_card(facts["card"]), read_meld(facts["meld"]))
        case "settle":
            return Settle(read_arrangement(facts))
    raise ValueError(f"{name} is nothing done at the table")


def written_action(action: Action) -> Facts:
    """An action as the player's answer."""
    match action:
        case Pass():
            return {"action": "pass"}
        case Take():
            return {"action": "take"}
        case Draw():
            return {"action": "draw"}
        case Discard(card):
            return {"action": "discard", "card": str(card)}
        case Knock(card, arrangement):
            return {"action": "knock", "card": str(card), **_shown(arrangement)}
        case BigGin(arrangement):
            return {"action": "big_gin", "melds": _shown(arrangement)["melds"]}
        case LayOff(card, meld):
            return {"action": "lay_off", "card": str(card), "meld": _cards(meld.cards)}
        case Settle(arrangement):
            return {"action": "settle", **_shown(arrangement)}


def _shown(arrangement: Arrangement | None) -> Facts:
    if arrangement is None:
        raise ValueError("an answer shows its arrangement")
    return {"melds": [_cards(meld.cards) for meld in arrangement.melds], "loose": _cards(arrangement.loose)}


def _cards(cards: CardSet) -> list[str]:
    return [str(card) for card in cards]
