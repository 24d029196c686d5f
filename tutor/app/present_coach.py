"""What the coach says, as models for its panel. No streamlit here.

Every block is made from what one seat knew: a view, and verdicts and beliefs that were made from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tutor.engine.evaluation import Evaluation
from tutor.engine.styles import Floats
from tutor.game.actions import Action, BigGin, Discard, Draw, Knock, LayOff, Pass, Settle, Take
from tutor.game.cards import ALL_CARDS, Card, CardSet, Suit
from tutor.game.view import View
from tutor.teaching.hand import turn_of
from tutor.teaching.reasons import (
    Explanation,
    Hints,
    KnockOrWait,
    Words,
    both_sides,
    cost,
    exceptions,
    in_order,
    points_against_chance,
)
from tutor.teaching.reasons.knocking import LABELS, ORDER
from tutor.teaching.reasons.words import capital, signed
from tutor.teaching.verdict import NEAR, Grade, Verdict, trap, worth_of_loss

Block = dict[str, Any]
Pieces = list[str | dict[str, str]]
LIKELY = 0.4
"""The chance from which on a card is called likely to be in the other side's hand; at the deal each has about 0.3."""
WHOLE = 3.0
"""Points from which on a cost is told in whole points."""
SHOWN = 6
"""Moves listed with their cost, the one played besides."""
_STYLE = {
    Grade.BEST: "best",
    Grade.GOOD: "good",
    Grade.INACCURACY: "inaccuracy",
    Grade.MISTAKE: "mistake",
    Grade.BLUNDER: "blunder",
    Grade.DEPENDS: "depends",
}


def pieces(words: Words) -> Pieces:
    """A sentence as the panel draws it."""
    return [{"card": str(one)} if isinstance(one, Card) else one for one in words]


def did(view: View, action: Action) -> Words:
    """What was done, after "you"."""
    offer = view.public.offer
    match action:
        case Take() if offer is not None:
            return "took ", offer
        case Draw():
            return ("drew from the stock",)
        case Pass():
            return ("passed ", offer) if offer is not None else ("passed",)
        case Discard(card):
            return "threw ", card
        case Knock(card) if card is not None:
            count = view.completed(action)
            left = count.arrangement.deadwood if isinstance(count, Knock) and count.arrangement is not None else 0
            return (f"knocked with {left}, throwing ", card) if left else ("went gin, throwing ", card)
        case BigGin():
            return ("went big gin",)
        case LayOff(card):
            return "laid off ", card
        case Settle():
            return ("settled",)
    return ("acted",)


def named(view: View, action: Action) -> Words:
    """An action as one speaks of it."""
    offer = view.public.offer
    match action:
        case Take() if offer is not None:
            return "taking ", offer
        case Draw():
            return ("drawing from the stock",)
        case Pass():
            return ("passing",)
        case Discard(card):
            return (card,)
        case Knock(card) if card is not None:
            gin = card in view.hand and not view.proposed(view.hand.without(card)).deadwood
            return ("gin, throwing " if gin else "knocking, throwing ", card)
        case BigGin():
            return ("big gin",)
        case LayOff(card):
            return "laying off ", card
        case Settle():
            return ("settling",)
    return ("something else",)


def listed(view: View, actions: Sequence[Action], last: str = "and") -> Words:
    """Actions in a row; at most three, the rest counted."""
    shown = [named(view, one) for one in actions[:3]]
    more = len(actions) - len(shown)
    if more:
        shown.append((f"{more} more",))
    words: list[str | Card] = []
    for place, one in enumerate(shown):
        words += [] if place == 0 else [f" {last} " if place == len(shown) - 1 else ", "]
        words += one
    return tuple(words)


def verdict_block(
    view: View, verdict: Verdict, explanation: Explanation, evaluation: Evaluation, level: str, who: str = "you"
) -> Block:
    """The verdict on one action: grade, headline, one fact; more facts and the other moves behind *More*."""
    plain = level == "beginner"
    lines: list[Pieces] = []
    headline, other = explanation.headline, exceptions(verdict)
    if verdict.grade is Grade.DEPENDS:
        lines.append(pieces(both_sides(verdict) or ("It is better against some players and worse against others.",)))
    elif not verdict.blamed and verdict.equal:
        lines.append(_as_good(view, verdict))
    lines += map(pieces, in_order(headline, [fact.text() for fact in explanation.facts[:1]]))
    lines += _against_points(view, verdict, evaluation)
    return {
        "kind": "verdict",
        "grade": _shade(verdict, plain),
        "over": [f"Turn {turn_of(view)} · {who} ", *pieces(did(view, verdict.action))],
        "title": pieces(_title(view, verdict, plain)),
        "lines": lines,
        "more": [*(pieces(fact.text()) for fact in explanation.facts[1:]), *([] if other is None else [pieces(other)])],
        "candidates": _candidates(view, verdict, evaluation),
        "note": "",
        "buttons": [],
    }


def _shade(verdict: Verdict, plain: bool) -> str:
    if not plain:
        return _STYLE[verdict.grade]
    if verdict.grade in (Grade.MISTAKE, Grade.BLUNDER):
        return "costly"
    return "good" if verdict.grade is Grade.INACCURACY else _STYLE[verdict.grade]


def _title(view: View, verdict: Verdict, plain: bool) -> Words:
    price = cost(verdict.loss)
    match verdict.grade:
        case Grade.BEST:
            return ("Among the best",)
        case Grade.GOOD:
            return ("Good",)
        case Grade.DEPENDS:
            return ("Depends on the opponent",)
        case Grade.INACCURACY if plain:
            return (*_capital(named(view, verdict.best.action)), " was a little better")
        case Grade.MISTAKE | Grade.BLUNDER if plain:
            return (f"This cost {price}",)
    return (f"{verdict.grade.value.capitalize()}: {price}",)


def _capital(words: Words) -> Words:
    first = words[0]
    return (first[0].upper() + first[1:], *words[1:]) if isinstance(first, str) else words


def _as_good(view: View, verdict: Verdict) -> Pieces:
    best = verdict.grade is Grade.BEST
    were = "was" if len(verdict.equal) == 1 else "were"
    if best:
        return pieces((*_capital(listed(view, verdict.equal)), f" {were} just as good."))
    return pieces((*_capital(listed(view, verdict.equal)), f" {were} a little better."))


def _candidates(view: View, verdict: Verdict, evaluation: Evaluation) -> list[Block]:
    found = []
    for place, line in enumerate(evaluation.lines):
        played = line.action == verdict.action
        if place >= SHOWN and not played:
            continue
        loss, error = worth_of_loss(line, verdict.point)
        if line is evaluation.best:
            price = "best"
        elif loss < max(NEAR, error):
            price = "as good"
        elif loss >= WHOLE:
            price = f"−{loss:.0f} ± {max(1, 2 * error):.0f}"
        else:
            price = f"−{loss:.1f} ± {2 * error:.1f}"
        found.append({"words": pieces(_capital(named(view, line.action))), "cost": price, "note": "", "played": played})
    return found


def _against_points(view: View, verdict: Verdict, evaluation: Evaluation) -> list[Pieces]:
    """Where points and chance disagree: the move played, or one passed by, has more points of the hand, less chance."""
    if verdict.against_points:
        return [pieces(points_against_chance(verdict.played))]
    tempting = None if verdict.blamed else trap(evaluation, verdict.point)
    if tempting is None:
        return []
    (said,) = points_against_chance(tempting)
    return [pieces((*_capital(named(view, tempting.action)), str(said).removeprefix("It")))]


def takers_lines(verdict: Verdict, takers: Sequence[CardSet]) -> list[Pieces]:
    """Some hands that would take a thrown card, with what they are; nothing where none does."""
    if not takers or not isinstance(verdict.action, Discard):
        return []
    said = pieces(("Hands that fit what was seen and take ", verdict.action.card, ", for example:"))
    return [said, *(_spaced(tuple(hand.by_rank())) for hand in takers)]


def waiting_block(view: View, action: Action) -> Block:
    """The verdict to come."""
    return {
        "kind": "verdict", "grade": "waiting", "over": [f"Turn {turn_of(view)} · you ", *pieces(did(view, action))],
        "title": ["The coach is looking."], "lines": [], "more": [], "candidates": [], "note": "", "buttons": [],
    }  # fmt: skip


def warning_block(view: View, verdict: Verdict, opponent: str, level: str) -> Block:
    """A move that is held back: what it may cost, and the ways to go on."""
    move = _capital(named(view, verdict.action))
    return {
        "kind": "warning",
        "grade": "costly" if level == "beginner" else _STYLE[verdict.grade],
        "title": pieces((*move, f" may cost {cost(verdict.loss)}")),
        "words": [f"It is not played yet. {opponent} waits."],
        "buttons": [
            {"do": "rethink", "label": ["Rethink"], "primary": True},
            {"do": "hint", "label": ["Hint"]},
            {"do": "anyway", "label": ["Play ", *pieces(named(view, verdict.action)), " anyway"], "far": True},
        ],
    }


def hint_block(view: View, steps: Hints | None, seen: int, *, silent: bool) -> Block:
    """The choice to be made, and the hints asked for so far."""
    shown: list[Block] = []
    if steps is not None:
        where, cards, move = steps
        every = [
            {"label": "Where to look", "words": pieces(where)},
            {"label": "Which cards", "words": _spaced(cards) or ["All of them."]},
            {"label": "The move", "words": pieces(move)},
        ]
        shown = every[:seen]
    following = {"do": "hint", "label": [f"Hint {seen + 1} of 3"]} if seen < 3 else None
    return {
        "kind": "hint",
        "title": [f"Turn {turn_of(view)} · your choice"],
        "words": [] if shown or silent else ["The coach speaks after you act."],
        "steps": shown,
        "next": following,
        "buttons": [],
        "note": "Hints are marked in the record." if seen else "",
    }


def _spaced(cards: Sequence[Card]) -> Pieces:
    words: Pieces = []
    for card in cards:
        words += [" ", {"card": str(card)}]
    return words[1:]


def bars_block(choice: KnockOrWait) -> Block:
    """Knock or wait: the outcomes of each, out of 100."""
    rows = [
        {
            "label": label,
            "value": signed(one.line.points),
            "parts": [
                {"outcome": outcome, "share": share, "name": capital(name)}
                for outcome, name, share in zip(ORDER, LABELS, one.percents, strict=True)
                if share
            ],
        }
        for label, one in ((f"{choice.name} now", choice.now), ("Wait", choice.wait))
    ]
    note = "Out of 100 hands they could hold; average points of this hand."
    return {"kind": "bars", "title": pieces(choice.text()), "rows": rows, "note": note}


def grid_block(view: View, chances: Floats | None, *, is_open: bool) -> Block:
    """What they may hold: every card known, likely, unlikely or impossible for the other side's hand."""
    if not is_open or chances is None:
        return {"kind": "grid", "open": False, "title": "What they may hold", "rows": [], "note": "",
                "button": {"do": "open-grid", "label": ["What they may hold"]}}  # fmt: skip
    rows = []
    for suit in (Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS):
        cards = [card for card in ALL_CARDS if card.suit is suit]
        rows.append(
            {"suit": str(cards[0])[1], "cells": [_cell(card, view, float(chances[card.index])) for card in cards]}
        )
    return {
        "kind": "grid",
        "open": True,
        "title": "What they may hold",
        "rows": rows,
        "note": "Looked at: this is marked in the record." if view.my_turn else "",
        "button": {"do": "close-grid", "label": ["Close"]},
    }


def _cell(card: Card, view: View, chance: float) -> Block:
    possible = card in view.theirs
    known = card in view.known_theirs
    percent = 100 if known else min(99, max(1, round(100 * chance))) if possible else 0
    level = "known" if known else "impossible" if not possible else "likely" if chance >= LIKELY else "unlikely"
    if card in view.hand:
        say = f"{card.spoken}: in your hand"
    elif level in ("known", "impossible"):
        say = f"{card.spoken}: {level if level == 'impossible' else 'they hold it'}"
    else:
        say = f"{card.spoken}: {level}, {percent} of 100"
    return {"card": str(card), "level": level, "percent": percent, "say": say}
