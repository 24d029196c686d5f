"""The command line: gin-tutor …"""

from tutor.cli import cards, records, stdio, strength
from tutor.cli.base import main

__all__ = ["cards", "main", "records", "stdio", "strength"]
