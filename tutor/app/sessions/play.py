"""A game against an opponent, kept at every card. Knows nothing of the screen."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from tutor.app.sessions.recording import round_record
from tutor.engine.players import PLAYERS, Player
from tutor.game.actions import Action, BigGin, IllegalAction, Knock, LayOff, Phase, Seat, Settle
from tutor.game.cards import CardSet
from tutor.game.fair import commitment, fair_deal, read_seed
from tutor.game.layoffs import best_defence
from tutor.game.match import Game
from tutor.game.notation import RecordError, action_text, read_action
from tutor.game.record import Record
from tutor.game.result import Standing
from tutor.game.round import Round
from tutor.game.view import View
from tutor.storage.library import Library, Mark, MovedOn, State, StoredGame, StoredRound

ME = Seat.SOUTH
THEM = Seat.NORTH


@dataclass(frozen=True, slots=True)
class Intent:
    """What a player wants to do: the ply it was meant for (actions so far) and the action's text."""

    ply: int
    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of an intent: done, or the reason why not, in words."""

    done: bool
    words: str = ""


STALE = Answer(False, "The table has moved on. Look again.")


class PlaySession:
    """One game of one profile, rebuilt from what is stored and never ahead of it.

    Other tabs may play the same game: ``follow`` catches up, and an action for a ply that is gone is refused.
    """

    def __init__(self, library: Library, game_id: int) -> None:
        self.library = library
        self.game_id = game_id
        self._reload()

    def follow(self) -> bool:
        """Catch up with what is stored; whether anything was new."""
        last = self.stored.rounds[-1] if self.stored.rounds else None
        here = State()
        if last is not None:
            used = len(last.marks)
            here = State(len(self.stored.rounds), len(last.actions), len(last.takebacks), used, last.held)
        if self.library.state(self.game_id) == here:
            return False
        self._reload()
        return True

    def _reload(self) -> None:
        stored = self.library.game(self.game_id)
        if stored is None:
            raise LookupError(f"there is no game {self.game_id}")
        self.stored: StoredGame = stored
        self.rounds = tuple(_replayed(stored, one) for one in stored.rounds)
        self._mark_finished()

    def _mark_finished(self) -> None:
        """Mark a game that is over; also one whose last action was kept and not the mark."""
        if self.over and not self.stored.finished:
            self.library.finish(self.game_id)
            self.stored = replace(self.stored, finished=True)

    @property
    def opponent(self) -> Player:
        """Who plays North."""
        return PLAYERS[self.stored.opponent]

    @property
    def round(self) -> Round:
        """The round under way or just ended."""
        return self.rounds[-1]

    @property
    def dealt(self) -> bool:
        """Whether a first hand lies on the table."""
        return bool(self.rounds)

    @property
    def ply(self) -> int:
        """How many actions the round has."""
        return len(self.round.actions)

    @property
    def committed(self) -> str:
        """The SHA-256 of the hand's secret seed, which may be told before the hand is over."""
        return commitment(read_seed(self.stored.rounds[-1].seed))

    @property
    def finished_rounds(self) -> tuple[Round, ...]:
        """The rounds that have a result."""
        return tuple(one for one in self.rounds if one.result is not None)

    @property
    def game(self) -> Game:
        """The account of the finished rounds."""
        results = tuple(one.result for one in self.finished_rounds if one.result is not None)
        return Game(self.stored.rules, results, self.stored.first_dealer)

    @property
    def standing(self) -> Standing:
        """The standing before the round under way, or after the last one."""
        return self.game.standing

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.game.over

    def view(self) -> View:
        """What the player knows."""
        return self.round.view(ME, self.standing)

    def deal(self, seed: bytes) -> None:
        """Deal the next hand. Does nothing when another tab has dealt it, one is still played or the game is over."""
        if self.over or (self.rounds and self.round.result is None):
            return
        with suppress(MovedOn):
            self.library.deal(self.game_id, len(self.rounds) + 1, self.game.next_dealer, seed.hex())
        self._reload()

    def submit(self, intent: Intent, now: str) -> Answer:
        """Do what the player wants, if it is still their turn at that ply and the rules allow it."""
        wanted = self._wanted(intent)
        return wanted if isinstance(wanted, Answer) else self._do(wanted, now)

    def _wanted(self, intent: Intent) -> Action | Answer:
        """The action that is meant, if it is still the player's turn at that ply; else why not."""
        self.follow()
        if not self.rounds or intent.ply != self.ply or self.round.public.turn is not ME:
            return STALE
        try:
            return read_action(intent.text)
        except RecordError as error:
            return Answer(False, f"That is no action: {error}")

    def _do(self, action: Action, now: str) -> Answer:
        """Play an action and what is forced after it, store all at once, then show it."""
        try:
            after = _with_forced(self.round.play(action))
        except IllegalAction as error:
            return Answer(False, str(error))
        last = self.stored.rounds[-1]
        fresh = tuple(map(action_text, after.actions[self.ply :]))
        order = _ordered(after.hands[ME], self.order)
        try:
            self.library.add_actions(last.id, self.ply + 1, fresh, order, now, taken_back=len(last.takebacks))
        except MovedOn:
            self._reload()
            return STALE
        last = replace(last, actions=(*last.actions, *fresh), hand_order=order, held=None)
        self.stored = replace(self.stored, rounds=(*self.stored.rounds[:-1], last))
        self.rounds = (*self.rounds[:-1], after)
        self._mark_finished()
        return Answer(True)

    @property
    def held(self) -> Action | None:
        """What the player chose as the next action while the coach looks at it: not played yet."""
        text = self.stored.rounds[-1].held if self.rounds else None
        return None if text is None else read_action(text)

    @property
    def held_text(self) -> str:
        """The held action as it was chosen; empty where nothing is held."""
        return (self.stored.rounds[-1].held or "") if self.rounds else ""

    def hold(self, intent: Intent, now: str) -> Answer:
        """Keep what the player wants as the action to come, if it is theirs to do and the rules allow it."""
        wanted = self._wanted(intent)
        if isinstance(wanted, Answer):
            return wanted
        refusal = self.view().refusal(wanted)
        if refusal is not None:
            return Answer(False, str(refusal))
        last = self.stored.rounds[-1]
        with suppress(MovedOn):
            self.library.hold(last.id, self.ply + 1, intent.text, now, taken_back=len(last.takebacks))
        self._reload()
        return Answer(True) if self.held is not None else STALE

    def play_held(self, ply: int, now: str) -> Answer:
        """Play the action that is held."""
        self.follow()
        action = self.held
        if action is None or ply != self.ply:
            return STALE
        return self._do(action, now)

    def play_anyway(self, ply: int, now: str) -> Answer:
        """Play the action that is held in spite of a warning, which leaves a mark."""
        self.follow()
        if self.held is None or ply != self.ply:
            return STALE
        self.mark("anyway", self.stored.rounds[-1].held or "", now)
        return self.play_held(ply, now)

    def rethink(self, ply: int, now: str) -> Answer:
        """Give a held action back. The next choice is not judged before it is played: the coach is no oracle."""
        self.follow()
        if self.held is None or ply != self.ply:
            return STALE
        self.mark("rethought", self.stored.rounds[-1].held or "", now)
        self.let_go()
        return Answer(True)

    def let_go(self) -> None:
        """Give a held action back, as if it had not been chosen."""
        self.library.let_go(self.stored.rounds[-1].id)
        self._reload()

    def mark(self, kind: str, detail: str, now: str) -> None:
        """Remember help that was used before the action to come."""
        last = self.stored.rounds[-1]
        mark = Mark(self.ply + 1, kind, detail)
        if mark not in last.marks and self.library.mark(last.id, mark, now):
            last = replace(last, marks=(*last.marks, mark))
            self.stored = replace(self.stored, rounds=(*self.stored.rounds[:-1], last))

    def marked(self, kind: str) -> tuple[str, ...]:
        """The details of this kind of help that was used before the action to come."""
        here = self.stored.rounds[-1].marks if self.rounds else ()
        return tuple(mark.detail for mark in here if mark.ply == self.ply + 1 and mark.kind == kind)

    def last_decision(self) -> tuple[int, View, Action] | None:
        """The player's last action with a choice in this round: its ply, what was known before, the action."""
        if not self.rounds:
            return None
        acts = self.round.public.acts
        for place in range(len(acts) - 1, -1, -1):
            if acts[place].seat is ME:
                before = self.view_at(place)
                if len(before.legal_actions()) > 1:
                    return place + 1, before, self.round.actions[place]
        return None

    def view_at(self, ply: int) -> View:
        """What the player knew in this round after so many actions."""
        return _played_to(self.round, ply).view(ME, self.standing_before)

    @property
    def standing_before(self) -> Standing:
        """The standing before the round under way or just ended."""
        return self.standing_at(len(self.rounds))

    def standing_at(self, number: int) -> Standing:
        """The standing before a round, by its number from 1."""
        results = tuple(one.result for one in self.rounds[: number - 1] if one.result is not None)
        return Game(self.stored.rules, results, self.stored.first_dealer).standing

    @property
    def opponent_on_turn(self) -> bool:
        """Whether the other side has to act."""
        return bool(self.rounds) and self.round.public.turn is THEM

    def opponent_acts(self, seed: int, now: str) -> None:
        """One action of the opponent, decided on what it knows. RuntimeError when it breaks the rules."""
        if self.follow() or not self.opponent_on_turn:
            return
        view = self.round.view(THEM, self.standing)
        answer = self._do(self.opponent.choose(view, seed), now)
        if answer not in (Answer(True), STALE):
            raise RuntimeError(f"{self.opponent.name} broke the rules: {answer.words}")

    def lay_off_best(self, ply: int, now: str) -> Answer:
        """Let the table lay off for the player, as the best defence does, and settle."""
        self.follow()
        if (
            not self.rounds
            or ply != self.ply
            or self.round.public.turn is not ME
            or self.round.public.phase is not Phase.LAY_OFF
        ):
            return STALE
        plan = best_defence(self.round.hands[ME], self.round.public.table)
        for card, meld in plan.lay_offs:
            if self.round.public.turn is ME:
                self._do(LayOff(card, meld), now)
        return self._do(Settle(), now) if self.round.public.turn is ME else Answer(True)

    @property
    def can_take_back(self) -> bool:
        """Whether the player's own last decision may be undone: in practice, while the hand is played."""
        return self._last_decision() is not None

    def _last_decision(self) -> int | None:
        if not self.rounds or not self.stored.practice or self.round.result is not None:
            return None
        acts = list(enumerate(self.round.public.acts, start=1))
        # Once a hand is shown, what came before stands: it cannot be unseen.
        shown = [ply for ply, act in acts if isinstance(act.action, Knock | BigGin)]
        mine = [ply for ply, act in acts if act.seat is ME and ply > max(shown, default=0)]
        return mine[-1] if mine else None

    def take_back(self, at: int, now: str) -> Answer:
        """Undo the player's own last decision and what followed it; the record keeps it as a side line.

        ``at`` is the ply that the player saw; at another one nothing is undone.
        """
        self.follow()
        if not self.rounds or at != self.ply:
            return STALE
        ply = self._last_decision()
        if ply is None:
            return Answer(False, "There is nothing to take back.")
        with suppress(MovedOn):
            self.library.take_back(self.stored.rounds[-1].id, ply, self.ply, now)
        self._reload()
        return Answer(True)

    @property
    def order(self) -> str:
        """The player's own order of the hand, cards parted by blanks; a new card stands at the right end."""
        return _ordered(self.round.hands[ME], self.stored.rounds[-1].hand_order)

    def keep_order(self, order: str) -> None:
        """Keep the player's order of the hand."""
        last = self.stored.rounds[-1]
        order = _ordered(self.round.hands[ME], order)
        self.library.save_order(last.id, order)
        self.stored = replace(self.stored, rounds=(*self.stored.rounds[:-1], replace(last, hand_order=order)))

    def try_again(self, number: int, ply: int, now: str) -> int:
        """A game for practice from a finished hand's position on, with the same cards and opponent; its id.

        ``number`` is the hand's, from 1; ``ply`` how many actions were played before. LookupError where that is none.
        """
        if 1 <= number <= len(self.rounds) and self.rounds[number - 1].result is None:
            raise LookupError("a hand is tried again when it is over")
        if not 1 <= number <= len(self.rounds) or not 0 <= ply < len(self.rounds[number - 1].actions):
            raise LookupError(f"there is no position {number}/{ply}")
        return self.library.copy_game(self.game_id, number, ply, f"{self.game_id}:{number}/{ply}", now)

    def record(self, names: tuple[str, str]) -> Record:
        """The game as a record, with takebacks as side lines. Unfinished hands are left out: their cards are secret."""
        stored = [one for one, played in zip(self.stored.rounds, self.rounds, strict=True) if played.result is not None]
        rounds = tuple(round_record(one, played) for one, played in zip(stored, self.finished_rounds, strict=True))
        date = self.stored.created_at[:10]
        return Record(self.stored.rules, rounds, (("South", names[0]), ("North", names[1]), ("Date", date)))


def _ordered(hand: CardSet, order: str) -> str:
    """The hand in an order that was kept for it or for an earlier ply; cards that are new follow by rank."""
    kept = [name for name in order.split() if any(str(card) == name for card in hand)]
    return " ".join([*kept, *(str(card) for card in hand.by_rank() if str(card) not in kept)])


def _with_forced(round_: Round) -> Round:
    """Play on where the defender has nothing to decide: nothing fits, or the hand is gin."""
    while round_.public.phase is Phase.LAY_OFF and round_.legal_actions() == (Settle(),):
        round_ = round_.play(Settle())
    return round_


def _played_to(round_: Round, ply: int) -> Round:
    """The round as it was after so many actions."""
    before = Round.start(round_.public.rules, round_.deal)
    for action in round_.actions[:ply]:
        before = before.play(action)
    return before


def _replayed(game: StoredGame, stored: StoredRound) -> Round:
    round_ = Round.start(game.rules, fair_deal(read_seed(stored.seed), stored.dealer))
    for text in stored.actions:
        round_ = round_.play(read_action(text))
    return round_
