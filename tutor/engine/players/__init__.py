"""The opponents: one file each, each with a policy that is told to whoever plays against it."""

from tutor.engine.players.base import Player
from tutor.engine.players.novice import Novice
from tutor.engine.players.steady import Steady

PLAYERS: dict[str, Player] = {player.name: player for player in (Novice(), Steady())}
"""The players by name, weakest first."""

__all__ = ["PLAYERS", "Novice", "Player", "Steady"]
