"""From a record to its one canonical text."""

from __future__ import annotations

from tutor.game.actions import Action, BigGin, Discard, Draw, Knock, LayOff, Pass, Seat, Settle, Take
from tutor.game.cards import Card
from tutor.game.notation.scanner import MAX_DEPTH, VERSION, escaped
from tutor.game.record import Line, Moment, Move, Record, RoundRecord
from tutor.game.round import Deal
from tutor.game.rules import PRESETS, RuleSet


def dumps(record: Record) -> str:
    """The record as text; ``loads`` gives it back equal.

    Raises IllegalAction for moves the rules refuse, ValueError for moves that are not complete and for side
    lines nested deeper than the notation allows.
    """
    rows = [f"gin {VERSION}"]
    rows += [_header(key, value) for key, value in record.headers]
    rows += _rules(record.rules)
    if record.comment:
        rows += ["", _comment(record.comment)]
    for number, one in enumerate(record.rounds, start=1):
        rows += ["", f"Round: {number}", *_deal(one), *(_header(key, value) for key, value in one.headers)]
        moves = _line(one.line, one.start(record.rules), 0)
        rows += ["", *moves] if moves else []
    return "\n".join(rows) + "\n"


def _header(key: str, value: str) -> str:
    return f"{key}: {escaped(value, one_line=True)}" if value else f"{key}:"


def _comment(text: str) -> str:
    return "{" + escaped(text, one_line=False) + "}"


def _rules(rules: RuleSet) -> list[str]:
    name, base = min(PRESETS.items(), key=lambda item: len(rules.differences(item[1])))
    return [f"Rules: {name}"] + [f"Rule: {knob} = {rules.value_text(knob)}" for knob in rules.differences(base)]


def _deal(record: RoundRecord) -> list[str]:
    source = record.source
    rows = [f"Dealer: {source.dealer.label}"]
    standing = record.standing
    if standing is not None:
        points, boxes = standing.points, standing.boxes
        rows.append(f"Standing: {points[0]}-{points[1]}, boxes {boxes[0]}-{boxes[1]}")
    if isinstance(source, Deal):
        rows += [f"{seat.label} holds: {source.hands[seat]}" for seat in Seat]
    else:
        rows += [f"Seat: {source.seat.label}", f"{source.seat.label} holds: {source.hand}"]
        rows += ["Misdeal: yes"] if source.misdeal else []
    rows.append(f"Upcard: {source.upcard}")
    if isinstance(source, Deal):
        rows.append(f"Stock: {_listed(source.stock)}".rstrip())
    if source.out_of_play:
        rows.append(f"Out of play: {source.out_of_play}")
    return rows


def _listed(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))


def _line(line: Line, moment: Moment, turns: int, depth: int = 0) -> list[str]:
    if depth > MAX_DEPTH:
        raise ValueError(f"side lines are nested at most {MAX_DEPTH} deep")
    rows = [_comment(line.comment)] if line.comment else []
    row = ""
    last = moment.public.acts[-1].seat if moment.public.acts else None
    for ply, move in enumerate(line.moves, start=1):
        complete, after = moment.played(move.action)
        if complete != move.action:
            raise ValueError(f"ply {ply} of a line is not complete: {move.action}")
        seat = moment.public.on_turn
        turns += seat is not last
        if row and seat is last:
            row += ", "
        else:
            rows += [row] if row else []
            row = f"{turns}. {seat.label}: "
        row += _written(move, moment.public.offer)
        if move.lines:
            rows.append(row)
            row = ""
            for side in move.lines:
                rows += _side_line(_line(side, moment, turns - (seat is not last), depth + 1))
        moment, last = after, seat
    return [*rows, row] if row else rows


def _side_line(rows: list[str]) -> list[str]:
    opened = [f"  ( {rows[0]}"] + [f"    {row}" for row in rows[1:]]
    return [*opened[:-1], opened[-1] + " )"]


def _written(move: Move, offer: Card | None) -> str:
    glyph = f" {move.glyph.value}" if move.glyph else ""
    comment = f" {_comment(move.comment)}" if move.comment else ""
    return action_text(move.action, offer) + glyph + comment


def action_text(action: Action, offer: Card | None = None) -> str:
    """One action as a record writes it; ``offer`` is the pile's top card, named after ``take``."""
    match action:
        case Pass():
            return "pass"
        case Take():
            return "take" if offer is None else f"take {offer}"
        case Draw(card):
            return "draw" if card is None else f"draw {card}"
        case Discard(card):
            return f"discard {card}"
        case Knock(card, arrangement):
            thrown = "unknown" if card is None else str(card)
            if arrangement is None:
                return f"knock {thrown}"
            return f"{'knock' if arrangement.loose else 'gin'} {thrown}: {arrangement}"
        case BigGin(arrangement):
            return "big gin" if arrangement is None else f"big gin: {arrangement}"
        case LayOff(card, meld):
            return f"lay {card} on {meld}"
        case Settle(arrangement):
            if arrangement is None:
                return "settle"
            return f"settle {arrangement}" if arrangement.cards else "settle /"
