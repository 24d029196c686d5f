"""From text to a record: headers, then moves, each judged by the rules as it is replayed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple, TypeVar

from tutor.game.actions import Action, Draw, IllegalAction, Knock, Seat
from tutor.game.cards import Card, CardSet, CardTextError, parse_cards
from tutor.game.notation.scanner import MAX_CHARACTERS, VERSION, RecordError, Source
from tutor.game.notation.syntax import MovesParser, WrittenLine, WrittenMove
from tutor.game.public import HAND
from tutor.game.record import (
    RECORD_KEYS,
    ROUND_KEYS,
    Headers,
    Line,
    Moment,
    Move,
    Record,
    RoundRecord,
    SeatDeal,
    header_fault,
)
from tutor.game.result import Standing
from tutor.game.round import Deal, UnknownCard
from tutor.game.rules import PRESETS, RuleError, RuleSet, preset, read_value
from tutor.game.view import View

T = TypeVar("T")

_HEADER = re.compile(r"([A-Z][A-Za-z -]*):[ \t]*(.*)", re.ASCII)
_STANDING = re.compile(r"(\d{1,6})-(\d{1,6})(?:, boxes (\d{1,6})-(\d{1,6}))?", re.ASCII)


class Field(NamedTuple):
    """A header line: key and raw value, and where each starts."""

    key: str
    start: int
    raw: str
    value_start: int


def loads(text: str) -> Record:
    """Read a record. Raises RecordError that names line, column, what was found and what was expected."""
    if len(text) > MAX_CHARACTERS:
        raise RecordError(1, 1, f"{len(text)} characters", f"a record of at most {MAX_CHARACTERS}")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    return _Reader(Source(text)).record()


class _Reader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.place = 0
        self.fields_end = 0

    def record(self) -> Record:
        self._version()
        fields = self._fields()
        rules = self._rules(fields)
        headers = self._free(fields, RECORD_KEYS)
        parser = MovesParser(self.source, self.place)
        opening = parser.accept("comment")
        self.place = parser.place
        rounds: list[RoundRecord] = []
        while (token := self.source.token(self.place)) is not None:
            if token.text != "Round":
                raise self.source.error(token.start, 'a round that begins with "Round: 1"')
            self.place = token.start
            rounds.append(self._round(rules, len(rounds) + 1))
        comment = "" if opening is None else opening.text
        return Record(rules, tuple(rounds), headers, comment)

    def _version(self) -> None:
        match = re.compile(r"\s*gin (\d{1,6})[ \t]*(?:\n|$)").match(self.source.text)
        if match is None:
            raise self.source.error(0, f'"gin {VERSION}" in the first line')
        if int(match.group(1)) != VERSION:
            where = match.start(1)
            raise self.source.error(where, f"version {VERSION}, the one this program reads", f'"{match.group(1)}"')
        self.place = match.end()

    def _fields(self) -> list[Field]:
        """Header lines from here on, up to the first line that is none."""
        fields: list[Field] = []
        text = self.source.text
        while self.place < len(text):
            end = text.find("\n", self.place)
            end = len(text) if end < 0 else end
            line = text[self.place : end]
            if line.strip():
                match = _HEADER.fullmatch(line)
                if match is None or match[1] == "Round":
                    break
                start = self.place + match.start(2)
                fields.append(Field(match[1], self.place, match[2].rstrip(" \t"), start))
            self.place = end + 1
        self.place = self.fields_end = min(self.place, len(text))
        return fields

    def _free(self, fields: list[Field], reserved: frozenset[str]) -> Headers:
        headers: dict[str, str] = {}
        for key, start, raw, value_start in fields:
            if key in reserved:
                if reserved is ROUND_KEYS and key in RECORD_KEYS:
                    raise self.source.error(start, "rules before the first round: they hold for the whole record")
                continue
            value = self.source.unescaped(value_start, value_start + self._written_length(raw, value_start))
            fault = f'header "{key}" is there twice' if key in headers else header_fault(key, value, reserved)
            if fault is not None:
                raise self.source.error(start, f"a header of its own ({fault})")
            headers[key] = value
        return tuple(headers.items())

    def _written_length(self, raw: str, start: int) -> int:
        """The raw value's length, a trailing escaped blank included."""
        odd = (len(raw) - len(raw.rstrip("\\"))) % 2
        return len(raw) + (1 if odd and self.source.text[start + len(raw) : start + len(raw) + 1] == " " else 0)

    def _rules(self, fields: list[Field]) -> RuleSet:
        named = self._required(fields, "Rules")
        rules = self._read(named.value_start, partial(preset, named.raw), f"a rule set: {', '.join(PRESETS)}")
        texts: dict[str, str] = {}
        last = named.value_start
        for key, _, raw, start in fields:
            if key != "Rule":
                continue
            knob, equals, value = (piece.strip() for piece in raw.partition("="))
            if not equals:
                raise self.source.error(start, 'a rule and its value, as in "tie = void"')
            if knob in texts:
                raise self.source.error(start, f"{knob} once")
            self._read(start, partial(read_value, knob, value), "a rule and its value")
            texts[knob] = value
            last = start
        return self._read(last, partial(rules.with_values, texts), "rules that go together")

    def _read(self, start: int, make: Callable[[], T], expected: str) -> T:
        try:
            return make()
        except RuleError as error:
            raise self.source.error(start, f"{expected} ({error})") from None

    def _optional(self, fields: list[Field], key: str) -> Field | None:
        found = [field for field in fields if field.key == key]
        if len(found) > 1:
            raise self.source.error(found[1].start, f'"{key}" once')
        return found[0] if found else None

    def _required(self, fields: list[Field], key: str) -> Field:
        found = self._optional(fields, key)
        if found is None:
            raise self.source.error(self.fields_end, f'the header "{key}: …"')
        return found

    def _round(self, rules: RuleSet, number: int) -> RoundRecord:
        begin = self.place
        text = self.source.text
        end = text.find("\n", begin)
        end = len(text) if end < 0 else end
        first = text[begin:end]
        if re.fullmatch(rf"Round:[ \t]*{number}[ \t]*", first) is None:
            raise self.source.error(begin, f'"Round: {number}"', self.source.quoted(begin, end))
        self.place = min(end + 1, len(text))
        fields = self._fields()
        headers = self._free(fields, ROUND_KEYS)
        standing = self._standing(fields)
        parser = MovesParser(self.source, self.place)
        written = parser.line()
        self.place = parser.place
        source = self._deal(fields, begin, written)
        record = RoundRecord(source, standing=standing, headers=headers)
        try:
            moment = record.start(rules)
        except ValueError as error:
            raise self.source.error(begin, f"a deal that can be: {error}") from None
        line = self._judged(written, moment, 0)
        return RoundRecord(source, line, standing, headers)

    def _standing(self, fields: list[Field]) -> Standing | None:
        found = self._optional(fields, "Standing")
        if found is None:
            return None
        match = _STANDING.fullmatch(found.raw)
        if match is None:
            raise self.source.error(found.value_start, 'points and boxes, South first, as in "30-12, boxes 2-1"')
        south, north, south_boxes, north_boxes = (int(group or 0) for group in match.groups())
        return Standing((south, north), (south_boxes, north_boxes))

    def _deal(self, fields: list[Field], begin: int, written: WrittenLine) -> Deal | SeatDeal:
        dealer = self._seat(self._required(fields, "Dealer"))
        only = self._optional(fields, "Seat")
        upcards = self._required(fields, "Upcard")
        upcard = self._cards(upcards)
        if len(upcard) != 1:
            raise self.source.error(upcards.value_start, "one upcard")
        out_of_play = CardSet.of(self._cards(self._optional(fields, "Out of play")))
        if only is not None:
            seat = self._seat(only)
            for key in (f"{seat.other.label} holds", "Stock"):
                hidden = self._optional(fields, key)
                if hidden is not None:
                    raise self.source.error(hidden.start, f"only what {seat.label} knew")
            misdeal = self._optional(fields, "Misdeal")
            if misdeal is not None and misdeal.raw != "yes":
                raise self.source.error(misdeal.value_start, '"Misdeal: yes", or no such header')
            hand = self._hand(fields, seat)
            self._check_places(fields)
            return SeatDeal(seat, hand, upcard[0], dealer, out_of_play, misdeal is not None)
        south, north = (self._hand(fields, seat) for seat in Seat)
        self._check_places(fields)
        told = self._optional(fields, "Stock")
        drawn = (move.action.card for move in written.moves if isinstance(move.action, Draw))
        stock = tuple(card for card in drawn if card is not None) if told is None else self._cards(told)
        try:
            return Deal((south, north), upcard[0], stock, dealer, out_of_play)
        except ValueError as error:
            raise self.source.error(begin, f"a deal that can be: {error}") from None

    def _hand(self, fields: list[Field], seat: Seat) -> CardSet:
        field = self._required(fields, f"{seat.label} holds")
        hand = CardSet.of(self._cards(field))
        if len(hand) != HAND:
            raise self.source.error(field.value_start, f"{HAND} cards, not {len(hand)}")
        return hand

    def _check_places(self, fields: list[Field]) -> None:
        """Each card in one place of the deal; the error names the second one."""
        seen: set[Card] = set()
        for field in fields:
            if field.key in ("South holds", "North holds", "Upcard", "Stock", "Out of play"):
                for card in self._cards(field):
                    if card in seen:
                        raise self.source.error(field.value_start, f"each card once: {card.symbol} is dealt twice")
                    seen.add(card)

    def _seat(self, field: Field) -> Seat:
        if field.raw.lower() not in ("south", "north"):
            end = field.value_start + len(field.raw)
            raise self.source.error(field.value_start, "South or North", self.source.quoted(field.value_start, end))
        return Seat[field.raw.upper()]

    def _cards(self, field: Field | None) -> tuple[Card, ...]:
        if field is None:
            return ()
        try:
            return parse_cards(field.raw)
        except CardTextError as error:
            place = field.value_start + error.position
            raise self.source.error(place, f"cards such as 7h Td Ac: {error}") from None

    def _judged(self, written: WrittenLine, moment: Moment, turns: int) -> Line:
        """The line with its side lines, each move replayed by the rules. ``turns`` began before it."""
        moves = []
        last = moment.public.acts[-1].seat if moment.public.acts else None
        for move in written.moves:
            self._check_seat(move, moment)
            turn = turns + (move.seat is not last)
            if move.turn is not None and move.turn != turn:
                raise self.source.error(move.turn_start, f'"{turn}."', f'"{move.turn}."')
            action, after = self._played(move, moment)
            lines = tuple(self._judged(line, moment, turns) for line in move.lines)
            moves.append(Move(action, move.glyph, move.comment, lines))
            moment, turns, last = after, turn, move.seat
        return Line(tuple(moves), written.comment)

    def _check_seat(self, move: WrittenMove, moment: Moment) -> None:
        turn = moment.public.turn
        if turn is None:
            found = self.source.quoted(move.start, move.end)
            raise self.source.error(move.start, "nothing more, for the hand is over", found)
        if move.seat is not turn:
            raise self.source.error(move.turn_start, f"{turn.label}, who is on turn", move.seat.label)

    def _played(self, move: WrittenMove, moment: Moment) -> tuple[Action, Moment]:
        """The move's action, complete, and the moment after it."""
        found = self.source.quoted(move.start, move.end)
        public = moment.public
        if move.named is not None and public.offer is not None and move.named != public.offer:
            raise self.source.error(move.start, f"take {public.offer}, the card on the pile", found)
        action = move.action
        if (
            isinstance(action, Draw)
            and isinstance(moment.state, View)
            and (action.card is None) == moment.state.my_turn
        ):
            expected = (
                "draw and the card, as in draw 7h" if moment.state.my_turn else "draw alone: the card is not seen"
            )
            raise self.source.error(move.start, expected, found)
        try:
            action, after = moment.played(action)
        except IllegalAction as error:
            raise self.source.error(move.start, f"a legal move. {error}", found) from None
        except UnknownCard as error:
            raise self.source.error(move.start, f"a stock that is told far enough: {error}", found) from None
        if move.gin and isinstance(action, Knock) and action.arrangement is not None and action.arrangement.loose:
            raise self.source.error(move.start, f"a knock, for {action.arrangement.loose} stays loose", found)
        return action, after
