"""A conversation with one player: each event gives one answer, and what cannot be true changes nothing."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from tutor.engine.players import Player
from tutor.engine.protocol.wire import (
    Facts,
    WireError,
    read_action,
    read_card,
    read_cards,
    read_event,
    read_flag,
    read_rules,
    read_seat,
    read_standing,
    written_action,
)
from tutor.game.actions import Action, Draw, IllegalAction
from tutor.game.cards import Card
from tutor.game.public import PublicRound
from tutor.game.rules import RuleSet
from tutor.game.solver import deadwood
from tutor.game.view import View

PROTOCOL = 1
"""Version of docs/PROTOCOL.md."""
LONGEST = 400
"""Characters of an error; what was sent may be quoted in it."""


@dataclass(frozen=True, slots=True)
class Session:
    """Where a conversation stands.

    ``seed`` fixes the player's chances; ``view`` is what its seat knows of the round dealt last; ``rounds`` counts
    the deals; ``drawing`` is whether the player draws and has not been told its card; ``over`` is after ``quit``.
    """

    player: Player
    rules: RuleSet
    seed: str = ""
    view: View | None = None
    rounds: int = 0
    drawing: bool = False
    over: bool = False


def hello(session: Session) -> Facts:
    """The first line: who plays, by which rules."""
    return {
        "hello": "gin-tutor",
        "protocol": PROTOCOL,
        "player": session.player.name,
        "policy": session.player.policy,
        "rules": session.rules.preset,
        "knobs": {knob: session.rules.value_text(knob) for knob in session.rules.sentences()},
        "seed": session.seed,
    }


def answer(session: Session, line: bytes | str, number: int) -> tuple[Session, Facts]:
    """The session after a line and the one answer to it; ``number`` is the line's, for errors.

    After an error the session is the same as before.
    """
    try:
        return _answer(session, line)
    except WireError as error:
        facts: Facts = {"error": f"line {number}: {str(error)[:LONGEST]}", "line": number}
        if error.card is not None:
            facts["card"] = str(error.card)
        if error.rule is not None:
            facts["rule"] = error.rule
        return session, facts


def _answer(session: Session, line: bytes | str) -> tuple[Session, Facts]:
    name, facts = read_event(line)
    match name:
        case "deal":
            return _dealt(session, facts)
        case "quit":
            return replace(session, over=True), {"ok": True}
        case "abandon":
            _under_way(session)
            return replace(session, view=None, drawing=False), {"ok": True}
        case "your_turn":
            return _on_turn(session)
        case _:
            return _happened(session, read_action(name, facts))


def _dealt(session: Session, facts: Facts) -> tuple[Session, Facts]:
    if session.view is not None and session.view.public.turn is not None:
        raise WireError("a hand is under way: play it out, or abandon it first")
    seat, dealer = read_seat(facts, "seat"), read_seat(facts, "dealer")
    hand, upcard = read_cards(facts["hand"], "hand"), read_card(facts["upcard"], "upcard")
    out_of_play = read_cards(facts.get("out_of_play", []), "out_of_play")
    rules = read_rules(facts.get("rules"), session.rules)
    misdeal = read_flag(facts, "misdeal")
    if misdeal and not rules.first_turn_misdeal:
        raise WireError("these rules know no misdeal")
    for card in hand & out_of_play.with_card(upcard):
        raise WireError(f"{card.symbol} cannot be dealt and lie on the table or out of play", card)
    # Ten own cards that could be shown at once are a misdeal whether told or not.
    misdeal = misdeal or (rules.first_turn_misdeal and deadwood(hand) <= rules.knock_limit_for(upcard))
    try:
        public = PublicRound.start(rules, dealer, upcard, out_of_play, misdeal=misdeal)
        standing = read_standing(facts.get("standing"))
        if rules.target and max(standing.points) >= rules.target:
            raise WireError(f"at {standing.points[0]} to {standing.points[1]} the game to {rules.target} is over")
        view = View.start(public, seat, hand, standing)
    except WireError:
        raise
    except ValueError as error:
        raise WireError(str(error)) from None
    return _now(replace(session, rounds=session.rounds + 1), view, {"ok": True})


def _under_way(session: Session) -> View:
    if session.view is None or session.view.public.turn is None:
        raise WireError("no hand is under way: send a deal first")
    return session.view


def _on_turn(session: Session) -> tuple[Session, Facts]:
    view = _under_way(session)
    if session.drawing:
        raise WireError('the player draws: send the card first, such as {"event": "draw", "card": "7h"}')
    if not view.my_turn:
        raise WireError(f"it is {view.seat.other.label}'s turn: send what {view.seat.other.label} does")
    action = view.completed(session.player.choose(view, _chance(session, view)))
    refusal = view.refusal(action)
    if refusal is not None:
        raise RuntimeError(f"{session.player.name} broke the rules: {refusal}") from refusal
    if isinstance(action, Draw):
        return replace(session, drawing=True), written_action(action)
    return _now(session, view.after(action), written_action(action))


def _happened(session: Session, action: Action) -> tuple[Session, Facts]:
    view = _under_way(session)
    if session.drawing:
        if not isinstance(action, Draw) or action.card is None:
            raise WireError('the player draws: send the card, such as {"event": "draw", "card": "7h"}')
        who = view.seat.label
    elif view.my_turn:
        raise WireError(f"it is the turn of {view.seat.label}, the player itself: send your_turn")
    else:
        who = view.seat.other.label
    try:
        after = view.after(action)
    except IllegalAction as error:
        card = getattr(action, "card", None)
        named = card if isinstance(card, Card) else None
        raise WireError(f"{who} cannot have done this: {error}", named, error.why.name.lower()) from None
    return _now(replace(session, drawing=False), after, {"ok": True})


def _now(session: Session, view: View, reply: Facts) -> tuple[Session, Facts]:
    """The session with this view; the reply tells the result where the round is over."""
    result = view.public.result
    if result is not None:
        score = result.score(view.public.rules)
        standing = view.standing.after(score)
        reply = reply | {
            "over": {
                "ending": result.outcome().value,
                "knocker": None if result.knocker is None else result.knocker.label,
                "knocker_deadwood": result.knocker_deadwood,
                "defender_deadwood": result.defender_deadwood,
                "winner": None if score.winner is None else score.winner.label,
                "points": score.points,
                "standing": {"points": list(standing.points), "boxes": list(standing.boxes)},
            }
        }
    return replace(session, view=view), reply


def _chance(session: Session, view: View) -> int:
    path = (session.seed, session.rounds, len(view.public.acts))
    return int.from_bytes(hashlib.sha256(repr(path).encode()).digest()[:8])
