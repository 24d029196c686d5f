"""Looking at a played hand, one action at a time. Knows nothing of the screen."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tutor.app.sessions.play import PlaySession
from tutor.engine.arena import play_out
from tutor.engine.players import Player
from tutor.game.actions import Action, Seat
from tutor.game.cards import CardSet
from tutor.game.match import Names
from tutor.game.record import Line, Moment, Position, Record, RoundRecord, SeatDeal
from tutor.game.result import Standing
from tutor.game.round import Round
from tutor.game.rules import RuleSet
from tutor.game.view import View
from tutor.teaching.moments import judged_at


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand to step through: a moment for each ply, the actions between them, the standing before it."""

    moments: tuple[Moment, ...]
    actions: tuple[Action, ...]
    standing: Standing

    @property
    def finished(self) -> bool:
        """Whether it was played to its end; only then all cards may be shown."""
        return self.moments[-1].public.result is not None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats it can be seen from: of a hand that is not over only one, for the other's cards are secret."""
        state = self.moments[0].state
        if isinstance(state, View):
            return (state.seat,)
        return tuple(Seat) if self.finished else (Seat.SOUTH,)


@dataclass(frozen=True, slots=True)
class ReplaySession:
    """Hands of a game or a record, and a place in them. Stepping gives a new session."""

    rules: RuleSet
    names: Names
    hands: tuple[Hand, ...]
    hand: int = 1
    ply: int = 0
    seat: Seat = Seat.SOUTH
    open_cards: bool = False
    as_played: Hand | None = None

    @classmethod
    def of_record(cls, record: Record) -> ReplaySession:
        """All hands of a record."""
        pairs = zip(record.rounds, record.standings(), strict=True)
        hands = tuple(_hand(record.rules, one, standing) for one, standing in pairs)
        first = record.rounds[0].source if record.rounds else None
        seat = first.seat if isinstance(first, SeatDeal) else Seat.SOUTH
        return cls(record.rules, record.names, hands, seat=seat)

    @classmethod
    def of_game(cls, session: PlaySession, me: str) -> ReplaySession:
        """All hands of a game of one's own, the unfinished one too."""
        hands = []
        standing = Standing()
        for played in session.rounds:
            one = RoundRecord(played.deal, Line.of(played.actions))
            hands.append(_hand(session.stored.rules, one, standing))
            if played.result is not None:
                standing = standing.after(played.result.score(session.stored.rules))
        return cls(session.stored.rules, (me, session.stored.opponent), tuple(hands))

    @property
    def current(self) -> Hand:
        """The hand looked at."""
        return self.hands[self.hand - 1]

    @property
    def plies(self) -> int:
        """How many actions the hand has."""
        return len(self.current.actions)

    @property
    def at(self) -> str:
        """The place as links spell it."""
        return str(Position(self.hand, self.ply))

    def to(self, hand: int, ply: int) -> ReplaySession:
        """The nearest place there is to this one."""
        hand = min(max(hand, 1), len(self.hands))
        if hand != self.hand and self.as_played is not None:
            return self.back().to(hand, ply)
        seats = self.hands[hand - 1].seats
        plies = len(self.hands[hand - 1].actions)
        seat = self.seat if self.seat in seats else seats[0]
        return replace(self, hand=hand, ply=min(max(ply, 0), plies), seat=seat)

    def to_text(self, at: str) -> ReplaySession:
        """The place a link names; the beginning when it names none."""
        try:
            position = Position.parse(at)
        except ValueError:
            return self.to(1, 0)
        return self.to(position.round, position.ply)

    def step(self, kind: str) -> ReplaySession:
        """``first``, ``back``, ``forward``, ``last``, or ``showdown``: the next end of a hand."""
        match kind:
            case "first":
                return self.to(self.hand, 0)
            case "back":
                return self.to(self.hand, self.ply - 1)
            case "forward":
                return self.to(self.hand, self.ply + 1)
            case "last":
                return self.to(self.hand, self.plies)
            case "showdown":
                there = self.hand if self.ply < self.plies else self.hand + 1
                after = self.to(there, 0)
                return after.to(after.hand, after.plies)
        return self

    def seen_from(self, seat: Seat, *, open_cards: bool) -> ReplaySession:
        """The same place from a seat, if the hand may be seen from there."""
        seat = seat if seat in self.current.seats else self.current.seats[0]
        return replace(self, seat=seat, open_cards=open_cards)

    def better(self, ply: int, action: Action, players: tuple[Player, Player], seed: int) -> ReplaySession:
        """The current hand as it could have gone on, with the cards as they lay, had ``action`` been played at ``ply``.

        ``ply`` is how many actions were played before; ``players`` play on from there. ``as_played`` keeps the hand.
        Raises ValueError for a hand that is not over or not known whole; IllegalAction for an action that is none.
        """
        hand = self.current if self.as_played is None else self.as_played
        state = hand.moments[ply].state
        if not isinstance(state, Round) or not hand.finished:
            raise ValueError("only a finished hand with all cards known can be played on in another way")
        round_ = play_out(state.play(action), players, seed=seed, standing=hand.standing)
        source = RoundRecord(round_.deal, Line.of(round_.actions))
        other = _hand(self.rules, source, hand.standing)
        hands = (*self.hands[: self.hand - 1], other, *self.hands[self.hand :])
        return replace(self, hands=hands, as_played=hand).to(self.hand, ply + 1)

    def back(self) -> ReplaySession:
        """The hand as it was played, where another way to go on is shown."""
        if self.as_played is None:
            return self
        hands = (*self.hands[: self.hand - 1], self.as_played, *self.hands[self.hand :])
        return replace(self, hands=hands, as_played=None).to(self.hand, self.ply)

    @property
    def view(self) -> View:
        """What the seat knew at this ply. Raises ValueError for a seat that may not be looked from."""
        if self.seat not in self.current.seats:
            raise ValueError(f"this hand cannot be seen from {self.seat.label}")
        return self.current.moments[self.ply].view(self.seat, self.current.standing)

    @property
    def decision(self) -> tuple[View, Action] | None:
        """The choice of the seat looked from that led here: what it knew, what it did. None where it had none."""
        if self.ply == 0 or self.current.moments[self.ply - 1].public.turn is not self.seat:
            return None
        before = self.current.moments[self.ply - 1].view(self.seat, judged_at(self.rules, self.current.standing))
        return (before, self.current.actions[self.ply - 1]) if len(before.legal_actions()) > 1 else None

    @property
    def last_action(self) -> Action | None:
        """The action that led here, as far as the seat may see it."""
        if self.ply == 0:
            return None
        act = self.view.public.acts[self.ply - 1]
        full = act.seat is self.seat or self.shows_all
        return self.current.actions[self.ply - 1] if full else act.action

    @property
    def shows_all(self) -> bool:
        """Whether all cards are shown: on request, for a finished hand with both sides told."""
        return self.open_cards and self.current.finished and len(self.current.seats) == 2

    @property
    def their_cards(self) -> CardSet | None:
        """The other side's cards when all are shown."""
        state = self.current.moments[self.ply].state
        return state.hands[self.seat.other] if self.shows_all and isinstance(state, Round) else None


def _hand(rules: RuleSet, one: RoundRecord, standing: Standing) -> Hand:
    return Hand(tuple(one.moments(rules)), one.line.actions, standing)
