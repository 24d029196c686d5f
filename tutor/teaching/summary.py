"""What a review says in words: the tally, one thing to fix, one thing done well, and both ledgers beside a moment."""

from __future__ import annotations

from tutor.game.cards import Card
from tutor.teaching.ledger import Kind, Swing
from tutor.teaching.reasons.words import Words, cost, number, signed
from tutor.teaching.review import Decision, HandReview
from tutor.teaching.verdict import GRADES, SURE, Grade

NOTED = 2.0
"""Points from which on what followed a decision is worth a word."""
_ORDER = (Grade.BEST, Grade.GOOD, Grade.DEPENDS, Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER)
_PLURAL = {
    Grade.INACCURACY: "inaccuracies",
    Grade.MISTAKE: "mistakes",
    Grade.BLUNDER: "blunders",
    Grade.DEPENDS: "depend on the opponent",
}


def tally(review: HandReview) -> str:
    """The grades counted: ``18 decisions: 12 among the best, 4 good, 1 inaccuracy, 1 mistake.``"""
    counted = review.counted
    if not counted:
        return "No decisions here: there was nothing to choose."
    parts = []
    for grade in _ORDER:
        count = sum(one.grade is grade for one in counted)
        if count:
            parts.append(f"{count} {_PLURAL.get(grade, grade.value) if count > 1 else grade.value}")
    return f"{number(len(counted), 'decision')}: {', '.join(parts)}."


def plain_tally(review: HandReview) -> str:
    """The same without the names of grades, for who is new to the game: ``18 decisions, 16 of them good.``"""
    counted = review.counted
    if not counted:
        return tally(review)
    # An inaccuracy is shown to a beginner as a move that was a little worse, not as a fault.
    fine = sum(not one.blamed or one.grade is Grade.INACCURACY for one in counted)
    if len(counted) == 1:
        return f"1 decision, {'a good one' if fine else 'not a good one'}."
    return f"{len(counted)} decisions, {('all' if fine == len(counted) else fine) or 'none'} of them good."


def spoken(text: str) -> Words:
    """An action of the notation as one speaks of it: ``throwing K♦``, ``taking 5♣``, ``knocking, throwing 7♠``."""
    verb, _, rest = text.partition(" ")
    first = rest.replace(":", " ").split()[:1]
    match verb:
        case "discard" | "take":
            return f"{'throwing' if verb == 'discard' else 'taking'} ", Card.parse(first[0])
        case "knock" | "gin":
            return ("gin, throwing " if verb == "gin" else "knocking, throwing "), Card.parse(first[0])
        case "lay":
            return "laying off ", Card.parse(first[0])
        case "big":
            return ("big gin",)
        case "draw":
            return ("drawing from the stock",)
        case "settle":
            return ("settling",)
    return ("passing",)


def to_fix(review: HandReview) -> tuple[Decision, Words] | None:
    """The decision with the largest avoidable loss, if it is blamed, and what to say of it."""
    if not review.by_loss:
        return None
    one = review.by_loss[0]
    better = _without_verb(one.played, one.best)
    return one, (
        f"Turn {one.turn}: ", *spoken(one.played), f" cost {cost(one.loss)}. ", *_capital(better), " was better.",
    )  # fmt: skip


def done_well(review: HandReview) -> tuple[Decision, Words] | None:
    """The decision among the best where what lies on the surface would have cost most, and what to say of it."""
    found = [
        one
        for one in review.counted
        if one.grade is Grade.BEST
        and one.surface is not None
        and one.surface_loss >= max(GRADES[-1][0], SURE * one.surface_loss_se)
    ]
    if not found:
        return None
    one = max(found, key=lambda each: each.surface_loss)
    assert one.surface is not None
    instead = _without_verb(one.played, one.surface)
    return one, (
        f"Turn {one.turn}: ", *spoken(one.played), ", not ", *instead, f", was worth {cost(one.surface_loss)}.",
    )  # fmt: skip


def _without_verb(first: str, second: str) -> Words:
    """The second action as one speaks of it after the first: a throw beside a throw is only its card."""
    words = spoken(second)
    alike = first.split()[0] == second.split()[0] == "discard"
    return words[1:] if alike else words


def _capital(words: Words) -> Words:
    head, *rest = words
    return (head if isinstance(head, Card) else head[:1].upper() + head[1:], *rest)


def both_ledgers(review: HandReview, decision: Decision) -> str | None:
    """The decision and what came of it: ``Right move, unlucky card.`` None where either is not clear of noise."""
    after = review.followed(decision)
    if after is None or abs(after.amount) < max(NOTED, SURE * after.error):
        return None
    lucky = after.amount > 0
    if not decision.counts:
        return _chance(after, lucky) if after.kind is Kind.CARD else None
    if decision.grade in (Grade.BEST, Grade.GOOD):
        if after.kind is Kind.CARD:
            return f"Right move, {'lucky' if lucky else 'unlucky'} card."
        return "Right move, and it went well." if lucky else "Right move, bad luck after it."
    if decision.blamed:
        return "Wrong move, got away with it." if lucky else "Wrong move, and it cost."
    return None


def _chance(after: Swing, lucky: bool) -> str:
    return f"{'Lucky' if lucky else 'Unlucky'} card: {signed(after.amount)}."


def ledger_lines(review: HandReview) -> tuple[str, ...]:
    """The account of a finished hand in lines that add up but for rounding; nothing for an unfinished one."""
    found = review.account
    if found is None:
        return ()
    rows = (
        ("Your cards", found.cards, found.cards_se),
        ("Your decisions", found.decisions, found.decisions_se),
        ("The rest (their play and the showdown)", found.rest, found.rest_se),
    )
    lines = [f"{name}: {signed(amount)} ± {max(1, round(1.96 * error))}" for name, amount, error in rows]
    return (
        *lines,
        f"Re-estimation: {signed(found.drift)}; to expect at the start: {signed(found.base)}",
        f"The hand: {signed(found.points)}",
    )
