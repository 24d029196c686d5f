"""Rounds add up to games, games to a match; every line of a tally in words and numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from tutor.game.actions import Seat
from tutor.game.result import LEVEL, Result, Score, Standing
from tutor.game.rules import MatchKind, NextDealer, RuleSet, Shutout

Names = tuple[str, str]
SEAT_NAMES: Names = ("South", "North")


def next_dealer(rules: RuleSet, dealer: Seat, winner: Seat | None) -> Seat:
    """Who deals after a round; ``winner`` None is a round that does not count, and the dealer stays."""
    if winner is None:
        return dealer
    match rules.next_dealer:
        case NextDealer.WINNER:
            return winner
        case NextDealer.LOSER:
            return winner.other
        case NextDealer.ALTERNATE:
            return dealer.other


@dataclass(frozen=True, slots=True)
class TallyLine:
    """One line of a tally: what it is, why it counts, and the points it gives each seat."""

    title: str
    words: str
    points: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Tally:
    """All lines of a game's account, which add up to ``totals`` (points by seat)."""

    lines: tuple[TallyLine, ...]

    @property
    def totals(self) -> tuple[int, int]:
        """The sums of the lines by seat."""
        return sum(line.points[0] for line in self.lines), sum(line.points[1] for line in self.lines)

    @property
    def margin(self) -> int:
        """Points between the two totals."""
        return abs(self.totals[0] - self.totals[1])


@dataclass(frozen=True, slots=True)
class Game:
    """Rounds played to the target. ``results`` are facts, or bare scores as a score pad has them.

    Raises ValueError for rounds after the one that ended the game.
    """

    rules: RuleSet
    results: tuple[Result | Score, ...] = ()
    first_dealer: Seat = Seat.SOUTH

    def __post_init__(self) -> None:
        standing = LEVEL
        for count, score in enumerate(self.scores[:-1], start=1):
            standing = standing.after(score)
            if self.rules.target == 0 or max(standing.points) >= self.rules.target:
                raise ValueError(f"the game was over after hand {count}")

    @property
    def scores(self) -> tuple[Score, ...]:
        """The rounds priced by the rules."""
        return tuple(_price(self.rules, result) for result in self.results)

    @property
    def standing(self) -> Standing:
        """Points from hands and boxes so far, by seat."""
        return _standing(self.scores)

    @property
    def winner(self) -> Seat | None:
        """The side that reached the target; None while nobody has, or in a single hand without a winner."""
        points = self.standing.points
        if self.rules.target == 0:
            return None if points[0] == points[1] else Seat(points[1] > points[0])
        return next((seat for seat in Seat if points[seat] >= self.rules.target), None)

    @property
    def over(self) -> bool:
        """Whether no further round belongs to this game."""
        return self.winner is not None or (self.rules.target == 0 and bool(self.results))

    @property
    def next_dealer(self) -> Seat:
        """Who deals the next round."""
        dealer = self.first_dealer
        for score in self.scores:
            dealer = next_dealer(self.rules, dealer, score.box)
        return dealer

    @property
    def shutout(self) -> bool:
        """Whether the game is over and the loser won no hand."""
        return self.winner is not None and self.standing.boxes[self.winner.other] == 0

    def after(self, result: Result | Score) -> Game:
        """The game with one more round; ValueError when it is over."""
        return replace(self, results=(*self.results, result))

    def tally(self, names: Names = SEAT_NAMES) -> Tally:
        """The account as it stands, boxes included; the bonuses of the game once it is over."""
        return Tally(tuple(_lines(self, names)))


def _price(rules: RuleSet, result: Result | Score) -> Score:
    return result if isinstance(result, Score) else result.score(rules)


def _standing(scores: Iterable[Score]) -> Standing:
    standing = LEVEL
    for score in scores:
        standing = standing.after(score)
    return standing


def _pair(seat: Seat, points: int) -> tuple[int, int]:
    return (points, 0) if seat is Seat.SOUTH else (0, points)


def _hands(count: int) -> str:
    return f"{count} hand{'' if count == 1 else 's'}"


def _lines(game: Game, names: Names) -> list[TallyLine]:
    rules, standing, winner = game.rules, game.standing, game.winner
    lines = [
        TallyLine(
            "Hands",
            f"{names[0]} scored {standing.points[0]} in {_hands(standing.boxes[0])} won, "
            f"{names[1]} {standing.points[1]} in {_hands(standing.boxes[1])}.",
            standing.points,
        )
    ]
    if rules.box_bonus:
        boxes = (standing.boxes[0] * rules.box_bonus, standing.boxes[1] * rules.box_bonus)
        words = (
            f"Each hand won is a box of {rules.box_bonus}: "
            f"{names[0]} {standing.boxes[0]} × {rules.box_bonus} = {boxes[0]}, "
            f"{names[1]} {standing.boxes[1]} × {rules.box_bonus} = {boxes[1]}."
        )
        lines.append(TallyLine("Boxes", words, boxes))
    if winner is None:
        return lines
    if rules.game_bonus:
        words = f"{names[winner]} won the game: {rules.game_bonus}."
        lines.append(TallyLine("Game", words, _pair(winner, rules.game_bonus)))
    if game.shutout and rules.shutout is not Shutout.NONE:
        lines += _shutout_lines(game, winner, names)
    return lines


def _shutout_lines(game: Game, winner: Seat, names: Names) -> list[TallyLine]:
    rules, standing = game.rules, game.standing
    why = f"{names[winner.other]} won no hand, so"
    doubled = {
        Shutout.HAND_POINTS: ("hands",),
        Shutout.GAME_BONUS: ("game",),
        Shutout.BOTH: ("hands", "game"),
        Shutout.EVERYTHING: ("hands", "game", "boxes"),
    }[rules.shutout]
    parts = {
        "hands": ("points from hands", standing.points[winner]),
        "game": ("game bonus", rules.game_bonus),
        "boxes": ("boxes", rules.box_bonus * standing.boxes[winner]),
    }
    return [
        TallyLine("Shutout", f"{why} the {name} of {names[winner]} count twice: {points} more.", _pair(winner, points))
        for name, points in (parts[part] for part in doubled)
        if points
    ]


@dataclass(frozen=True, slots=True)
class Match:
    """Games in a row. The last one may still be under way. Hollywood is a ``HollywoodMatch`` instead.

    Raises ValueError for games after the one that ended the match, or after one that is not over.
    """

    rules: RuleSet
    games: tuple[Game, ...] = ()

    def __post_init__(self) -> None:
        if self.rules.match.kind is MatchKind.HOLLYWOOD:
            raise ValueError("Hollywood is scored in columns, not in games one after another")
        for count, game in enumerate(self.games[:-1], start=1):
            if not game.over:
                raise ValueError(f"game {count} is not over")
            if self._winner_after(count) is not None or self.rules.match.kind is MatchKind.SINGLE:
                raise ValueError(f"the match was over after game {count}")

    @property
    def games_won(self) -> tuple[int, int]:
        """Games won by seat."""
        return self._won(len(self.games))

    @property
    def totals(self) -> tuple[int, int]:
        """Final totals of the finished games added up, by seat."""
        return self._totals(len(self.games))

    @property
    def winner(self) -> Seat | None:
        """The side that has won the match, if one has."""
        return self._winner_after(len(self.games))

    @property
    def over(self) -> bool:
        """Whether no further game belongs to this match."""
        alone = self.rules.match.kind is MatchKind.SINGLE
        return self.winner is not None or (alone and any(game.over for game in self.games))

    def lines(self, names: Names = SEAT_NAMES) -> tuple[str, ...]:
        """The state of the match in words; nothing for a single game."""
        match self.rules.match.kind:
            case MatchKind.BEST_OF:
                won = self.games_won
                need = self.rules.match.number // 2 + 1
                state = f"Games: {names[0]} {won[0]}, {names[1]} {won[1]}; {need} win the match."
            case MatchKind.ACCUMULATE:
                totals = self.totals
                state = f"Totals: {names[0]} {totals[0]}, {names[1]} {totals[1]}; {self.rules.match.number} win."
            case _:
                return ()
        return (state,) if self.winner is None else (state, f"{names[self.winner]} wins the match.")

    def _finished(self, count: int) -> tuple[Game, ...]:
        return tuple(game for game in self.games[:count] if game.over)

    def _won(self, count: int) -> tuple[int, int]:
        winners = [game.winner for game in self._finished(count)]
        return winners.count(Seat.SOUTH), winners.count(Seat.NORTH)

    def _totals(self, count: int) -> tuple[int, int]:
        tallies = [game.tally().totals for game in self._finished(count)]
        return sum(totals[0] for totals in tallies), sum(totals[1] for totals in tallies)

    def _winner_after(self, count: int) -> Seat | None:
        number = self.rules.match.number
        match self.rules.match.kind:
            case MatchKind.BEST_OF:
                won = self._won(count)
                return next((seat for seat in Seat if won[seat] > number // 2), None)
            case MatchKind.ACCUMULATE:
                totals = self._totals(count)
                if max(totals) < number or totals[0] == totals[1]:
                    return None
                return Seat(totals[1] > totals[0])
            case _:
                return self.games[0].winner if count else None


@dataclass(frozen=True, slots=True)
class HollywoodMatch:
    """Three games scored at once in columns.

    Each hand a side wins goes into the open columns it has already entered and into the next one it has
    not: so its first win goes into the first column, its second into two, every later one into all that are
    open. A column closes when it reaches the target, and takes no more. Raises ValueError for rounds after
    the last column closed.
    """

    rules: RuleSet
    results: tuple[Result | Score, ...] = ()
    first_dealer: Seat = Seat.SOUTH
    columns: tuple[Game, Game, Game] = field(init=False)

    def __post_init__(self) -> None:
        columns = [Game(self.rules)] * 3
        entered: tuple[set[int], set[int]] = (set(), set())
        for count, result in enumerate(self.results, start=1):
            if all(column.over for column in columns):
                raise ValueError(f"the match was over after hand {count - 1}")
            score = _price(self.rules, result)
            if score.box is None:
                continue
            mine = entered[score.box]
            fresh = (i for i in range(3) if i not in mine and not columns[i].over)
            mine.update(list(fresh)[:1])
            columns = [
                column.after(score) if i in mine and not column.over else column for i, column in enumerate(columns)
            ]
        object.__setattr__(self, "columns", (columns[0], columns[1], columns[2]))

    @property
    def over(self) -> bool:
        """Whether all columns are closed."""
        return all(column.over for column in self.columns)

    @property
    def next_dealer(self) -> Seat:
        """Who deals the next round."""
        dealer = self.first_dealer
        for result in self.results:
            dealer = next_dealer(self.rules, dealer, _price(self.rules, result).box)
        return dealer

    @property
    def totals(self) -> tuple[int, int]:
        """Totals of the three columns as they stand, added up by seat."""
        tallies = [column.tally().totals for column in self.columns]
        return sum(totals[0] for totals in tallies), sum(totals[1] for totals in tallies)

    @property
    def winner(self) -> Seat | None:
        """The side with the higher total once all columns are closed; None before, or when they are level."""
        totals = self.totals
        return Seat(totals[1] > totals[0]) if self.over and totals[0] != totals[1] else None

    def lines(self, names: Names = SEAT_NAMES) -> tuple[str, ...]:
        """Each column's account line by line, then the sum, in words."""
        words = []
        for number, column in enumerate(self.columns, start=1):
            state = "closed" if column.over else "open"
            totals = column.tally(names).totals
            words.append(f"Column {number} ({state}): {names[0]} {totals[0]}, {names[1]} {totals[1]}.")
            words += [f"  {line.words}" for line in column.tally(names).lines]
        words.append(f"All columns: {names[0]} {self.totals[0]}, {names[1]} {self.totals[1]}.")
        return (*words, f"{names[self.winner]} wins the match.") if self.winner is not None else tuple(words)
