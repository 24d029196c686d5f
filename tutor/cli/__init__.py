"""The command line: gin-tutor …"""

from tutor.cli import bench, cards, engine, records, review, stdio, strength
from tutor.cli.base import main

__all__ = ["bench", "cards", "engine", "main", "records", "review", "stdio", "strength"]
