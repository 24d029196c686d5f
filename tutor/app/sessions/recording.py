"""A played round as a record: its deal with the seed, takebacks as side lines, help that was used as comments."""

from __future__ import annotations

from dataclasses import replace

from tutor.game.fair import commitment, read_seed
from tutor.game.notation import read_action
from tutor.game.record import Headers, Line, Move, RoundRecord
from tutor.game.round import Round
from tutor.storage.library import Mark, StoredRound, Takeback


def round_record(stored: StoredRound, played: Round) -> RoundRecord:
    """The record of a round that was played and kept here."""
    seed = read_seed(stored.seed)
    headers: Headers = (("Commitment", commitment(seed)), ("Seed", stored.seed))
    moves = [Move(action) for action in played.actions]
    for place, move in enumerate(moves):
        # That a warning was shown is told by what came of it.
        told = (mark for mark in stored.marks if mark.ply == place + 1 and mark.kind != "warned")
        help_used = [_words_of(mark) for mark in told]
        if help_used:
            moves[place] = replace(move, comment=" ".join(help_used))
    _attach(moves, 1, _side_lines(stored.takebacks))
    return RoundRecord(played.deal, Line(tuple(moves)), headers=headers)


def _words_of(mark: Mark) -> str:
    match mark.kind:
        case "hint":
            return f"Hint {mark.detail} of 3 was asked for."
        case "grid":
            return "What they may hold was looked at."
        case "rethought":
            return f"Rethought after a warning: {mark.detail}."
        case "anyway":
            # With the move: it may have been taken back, and another one be played here.
            return f"Played in spite of a warning{mark.detail and f': {mark.detail}'}."
    return f"{mark.kind.capitalize()}: {mark.detail}."


def _side_lines(takebacks: tuple[Takeback, ...]) -> list[tuple[int, Line]]:
    """What was taken back, as side lines with the ply they replace.

    A takeback further back takes along the side lines of the moves it removes.
    """
    lines: list[tuple[int, Line]] = []
    for takeback in takebacks:
        moves = [Move(read_action(text)) for text in takeback.texts]
        _attach(moves, takeback.ply, [line for line in lines if line[0] > takeback.ply])
        lines = [line for line in lines if line[0] <= takeback.ply]
        lines.append((takeback.ply, Line(tuple(moves), "Taken back.")))
    return lines


def _attach(moves: list[Move], first_ply: int, lines: list[tuple[int, Line]]) -> None:
    for ply, line in lines:
        place = ply - first_ply
        if place < len(moves):
            moves[place] = replace(moves[place], lines=(*moves[place].lines, line))
