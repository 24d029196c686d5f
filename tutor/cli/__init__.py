"""The command line: gin-tutor …"""

from tutor.cli import cards, engine, records, stdio, strength
from tutor.cli.base import main

__all__ = ["cards", "engine", "main", "records", "stdio", "strength"]
