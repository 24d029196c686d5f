"""Rounds and games between players."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from tutor.engine.players import Player
from tutor.game.actions import Seat
from tutor.game.match import Game
from tutor.game.record import Headers, Line, Record, RoundRecord
from tutor.game.result import LEVEL, Standing
from tutor.game.round import Deal, Round
from tutor.game.rules import RuleSet

Pair = tuple[Player, Player]
"""The players of South and North."""

Dealer = Callable[[int, Seat], tuple[Deal, Headers]]
"""Gives the deal of a round (its number from 0, who deals it) and what the record says of it."""


def _seed(*path: int) -> int:
    """A number of its own for each place: the game's seed, the round, the ply."""
    return int.from_bytes(hashlib.sha256(repr(path).encode()).digest()[:8])


def play_out(round_: Round, players: Pair, *, seed: int = 0, standing: Standing = LEVEL) -> Round:
    """Play a round to its end. Same seed, same round. Raises IllegalAction when a player breaks the rules."""
    while (turn := round_.public.turn) is not None:
        view = round_.view(turn, standing)
        round_ = round_.play(players[turn].choose(view, _seed(seed, len(round_.actions))))
    return round_


def play_round(rules: RuleSet, deal: Deal, players: Pair, *, seed: int = 0, standing: Standing = LEVEL) -> RoundRecord:
    """Play one deal and record it. ``seed`` is the players' randomness."""
    played = play_out(Round.start(rules, deal), players, seed=seed, standing=standing)
    return RoundRecord(deal, Line.of(played.actions), None if standing == LEVEL else standing)


def play_game(rules: RuleSet, dealer: Dealer, players: Pair, *, first: Seat, seed: int = 0) -> tuple[Record, Game]:
    """Play rounds until the game is over; its record and its account. ``first`` deals the first round."""
    game = Game(rules, (), first)
    rounds: list[RoundRecord] = []
    while not game.over:
        number = len(rounds)
        deal, headers = dealer(number, game.next_dealer)
        played = play_out(Round.start(rules, deal), players, seed=_seed(seed, number), standing=game.standing)
        rounds.append(RoundRecord(deal, Line.of(played.actions), headers=headers))
        assert played.result is not None
        game = game.after(played.result)
    names = (("South", players[0].name), ("North", players[1].name))
    return Record(rules, tuple(rounds), names), game
