"""From a record to what one seat knew and did: the one place of teaching that opens a record."""

from __future__ import annotations

from tutor.game.actions import Seat
from tutor.game.record import RoundRecord
from tutor.game.result import LEVEL, Standing
from tutor.game.rules import MatchKind, RuleSet
from tutor.teaching.hand import OwnHand, OwnPly


def judged_at(rules: RuleSet, standing: Standing) -> Standing:
    """The standing by which a hand is judged, of the one that is told.

    Three columns at once are no standing of one game: a hand of Hollywood is looked at as the first of a game.
    """
    return LEVEL if rules.match.kind is MatchKind.HOLLYWOOD else standing


def decisions(record: RoundRecord, rules: RuleSet, standing: Standing, seat: Seat) -> OwnHand:
    """What a seat knew and did in a recorded hand. ValueError for a seat the record does not tell of."""
    standing = judged_at(rules, standing)
    moments = list(record.moments(rules))
    plies = tuple(
        OwnPly(ply, moment.view(seat, standing), move.action)
        for ply, (moment, move) in enumerate(zip(moments, record.line.moves, strict=False))
        if moment.public.turn is seat
    )
    return OwnHand(plies, moments[-1].view(seat, standing))
