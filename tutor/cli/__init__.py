"""The command line: gin-tutor …"""

from tutor.cli import bench, cards, engine, records, stdio, strength
from tutor.cli.base import main

__all__ = ["bench", "cards", "engine", "main", "records", "stdio", "strength"]
