"""The players: one file each, each with a policy that is told to whoever plays against it."""

from tutor.engine.players.base import Player
from tutor.engine.players.camper import Camper
from tutor.engine.players.casual import Casual
from tutor.engine.players.expert import Expert
from tutor.engine.players.novice import Novice
from tutor.engine.players.simple import Simple
from tutor.engine.players.steady import Steady
from tutor.engine.players.styled import SHARP, Styled

PLAYERS: dict[str, Player] = {player.name: player for player in (Novice(), Casual(), Steady(), SHARP, Expert())}
"""The opponents by name, weakest first, as the screen offers them."""

COMPILED: frozenset[str] = frozenset({"Sharp", "Expert"})
"""The opponents that need compiled code; the others are pure Python."""

MEASURING: dict[str, Player] = {player.name: player for player in (Simple(), Camper())}
"""Yardsticks by name: for measuring the others, on no list on screen."""

ALL_PLAYERS: dict[str, Player] = PLAYERS | MEASURING
"""Every player the command line knows."""

__all__ = [
    "ALL_PLAYERS",
    "COMPILED",
    "MEASURING",
    "PLAYERS",
    "SHARP",
    "Camper",
    "Casual",
    "Expert",
    "Novice",
    "Player",
    "Simple",
    "Steady",
    "Styled",
]
