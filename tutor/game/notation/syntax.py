"""The grammar of the moves part: from tokens to written moves, not yet judged by the rules."""

from __future__ import annotations

from dataclasses import dataclass, field

from tutor.game.actions import Action, BigGin, Discard, Draw, Knock, LayOff, Pass, Seat, Settle, Take
from tutor.game.cards import NO_CARDS, Card, CardSet, CardTextError, parse_cards
from tutor.game.melds import Arrangement, Meld, NotAMeld
from tutor.game.notation.scanner import MAX_DEPTH, Source, Token
from tutor.game.record import Glyph

VERBS = "pass, take, draw, discard, knock, gin, big gin, lay or settle"


@dataclass(slots=True)
class WrittenMove:
    """A move as it stands in the text. ``named`` is the card written after ``take``."""

    start: int
    end: int
    seat: Seat
    turn: int | None
    turn_start: int
    action: Action
    named: Card | None = None
    gin: bool = False
    glyph: Glyph | None = None
    comment: str = ""
    lines: list[WrittenLine] = field(default_factory=list)


@dataclass(slots=True)
class WrittenLine:
    """A line of written moves with its opening comment."""

    moves: list[WrittenMove] = field(default_factory=list)
    comment: str = ""


def read_action(text: str) -> Action:
    """One action from its text, as ``action_text`` writes it; RecordError for anything else."""
    source = Source(text)
    parser = MovesParser(source, 0)
    action = parser.act(Seat.SOUTH)[0]
    rest = parser.peek()
    if rest is not None:
        raise source.error(rest.start, "one action and nothing more")
    return action


class MovesParser:
    """Reads the moves of one round, beginning at ``place``; stops before ``Round:`` or at the end."""

    def __init__(self, source: Source, place: int) -> None:
        self.source = source
        self.place = place

    def peek(self) -> Token | None:
        """The next token, not taken."""
        return self.source.token(self.place)

    def take(self) -> Token | None:
        """The next token, taken."""
        token = self.peek()
        if token is not None:
            self.place = token.end
        return token

    def accept(self, kind: str, text: str | None = None) -> Token | None:
        """The next token if it is of this kind (and text), taken; else None."""
        token = self.peek()
        if token is None or token.kind != kind or (text is not None and token.text.lower() != text):
            return None
        self.place = token.end
        return token

    def expect(self, kind: str, expected: str, text: str | None = None) -> Token:
        """The next token, which must be of this kind; RecordError names what was expected."""
        token = self.accept(kind, text)
        if token is None:
            raise self.source.error(self.missing_at(), expected)
        return token

    def missing_at(self) -> int:
        """Where something is missing: the next token if it is in the same line, else the end of this one."""
        here = self.peek()
        after = len(self.source.text) if here is None else here.start
        return self.place if "\n" in self.source.text[self.place : after] else after

    def line(self, depth: int = 0) -> WrittenLine:
        """A line of moves: the main one (depth 0) or a side line up to its closing parenthesis."""
        if depth > MAX_DEPTH:
            raise self.source.error(self.place - 1, f"side lines nested at most {MAX_DEPTH} deep")
        line = WrittenLine(comment=self._comment())
        while True:
            token = self.peek()
            if token is None or (token.kind == "word" and token.text == "Round"):
                if depth:
                    start = len(self.source.text) if token is None else token.start
                    raise self.source.error(start, 'a ")" that ends the side line')
                return line
            if depth and token.kind == "mark" and token.text == ")":
                return line
            self._turn(line, depth)

    def _comment(self) -> str:
        token = self.accept("comment")
        return "" if token is None else token.text

    def _turn(self, line: WrittenLine, depth: int) -> None:
        number = self.accept("number")
        if number is None:
            here = self.peek()
            assert here is not None
            raise self.source.error(here.start, 'a turn such as "3. South: draw 7h, discard Kd"')
        if len(number.text) > 6:
            raise self.source.error(number.start, "a turn number of at most five digits")
        turn: int | None = int(number.text[:-1])
        name = self.expect("word", "South or North")
        if name.text.lower() not in ("south", "north"):
            raise self.source.error(name.start, "South or North", self.source.quoted(name.start, name.end))
        seat = Seat.SOUTH if name.text.lower() == "south" else Seat.NORTH
        self.expect("mark", f'":" after {seat.label}', ":")
        while True:
            move = self._move(seat, turn, number.start)
            turn = None
            line.moves.append(move)
            glyph = self.accept("glyph")
            if glyph is not None:
                move.glyph = Glyph(glyph.text)
            move.comment = self._comment()
            while self.accept("mark", "(") is not None:
                opened = self.place - 1
                side = self.line(depth + 1)
                self.expect("mark", 'a ")" that ends the side line', ")")
                if not side.moves:
                    raise self.source.error(opened, "a side line with at least one move")
                move.lines.append(side)
            if self.accept("mark", ",") is None:
                return

    def _move(self, seat: Seat, turn: int | None, turn_start: int) -> WrittenMove:
        start = self.missing_at()
        word = self.peek()
        action, named = self.act(seat)
        gin = word is not None and word.text.lower() == "gin"
        return WrittenMove(start, self.place, seat, turn, turn_start, action, named, gin)

    def act(self, seat: Seat) -> tuple[Action, Card | None]:
        """An action, and the card named after ``take``."""
        verb = self.expect("word", f"what {seat.label} did: {VERBS}")
        named: Card | None = None
        action: Action
        match verb.text.lower():
            case "pass":
                action = Pass()
            case "take":
                action, named = Take(), self._card_if_any()
            case "draw":
                action = Draw(self._card_if_any())
            case "discard":
                action = Discard(self._card("discard"))
            case "knock" | "gin" as word:
                action = self._knock(word, verb)
            case "big":
                self.expect("word", '"big gin"', "gin")
                action = BigGin(self._arrangement(verb) if self.accept("mark", ":") else None)
            case "lay":
                card = self._card("lay")
                self.expect("word", '"on" and a meld, as in "lay 8d on 5d6d7d"', "on")
                action = LayOff(card, self._meld(self.expect("word", "a meld such as 5d6d7d")))
            case "settle":
                action = Settle(self._arrangement(verb) if self._cards_follow() else None)
            case _:
                found = self.source.quoted(verb.start, verb.end)
                raise self.source.error(verb.start, f"what {seat.label} did: {VERBS}", found)
        return action, named

    def _knock(self, word: str, verb: Token) -> Knock:
        card = None if self.accept("word", "unknown") else self._card(word)
        arrangement = self._arrangement(verb) if self.accept("mark", ":") else None
        if word == "gin" and arrangement is not None and arrangement.loose:
            raise self.source.error(verb.start, "a knock, for cards are loose", '"gin"')
        return Knock(card, arrangement)

    def _cards_follow(self) -> bool:
        token = self.peek()
        return token is not None and ((token.kind == "word" and token.text != "Round") or token.text == "/")

    def _card_if_any(self) -> Card | None:
        token = self.peek()
        return self._card("") if token is not None and token.kind == "word" and token.text != "Round" else None

    def _card(self, verb: str) -> Card:
        token = self.expect("word", f"a card after {verb}, such as 7h")
        cards = self._cards(token)
        if len(cards) != 1:
            raise self.source.error(token.start, "one card", self.source.quoted(token.start, token.end))
        return cards[0]

    def _cards(self, token: Token) -> tuple[Card, ...]:
        try:
            return parse_cards(token.text)
        except CardTextError as error:
            found = self.source.quoted(token.start, token.end)
            raise self.source.error(token.start + error.position, f"a card such as 7h: {error}", found) from None

    def _meld(self, token: Token) -> Meld:
        cards = self._cards(token)
        try:
            return Meld.of(cards)
        except NotAMeld as error:
            found = self.source.quoted(token.start, token.end)
            raise self.source.error(token.start, f"a meld: {error}", found) from None

    def _arrangement(self, verb: Token) -> Arrangement:
        melds = []
        loose = NO_CARDS
        while (token := self.peek()) is not None and token.kind == "word" and token.text != "Round":
            self.place = token.end
            melds.append(self._meld(token))
        if self.accept("mark", "/") is not None:
            while (token := self.peek()) is not None and token.kind == "word" and token.text != "Round":
                self.place = token.end
                more = CardSet.of(self._cards(token))
                if loose & more:
                    raise self.source.error(token.start, "each card once", self.source.quoted(token.start, token.end))
                loose = loose | more
        elif not melds:
            raise self.source.error(self.missing_at(), 'melds and loose cards, as in "3c4c5c 7d7h7s / Ad 9h Kc"')
        try:
            return Arrangement(tuple(melds), loose)
        except ValueError as error:
            raise self.source.error(verb.start, f"each card once: {error}") from None
