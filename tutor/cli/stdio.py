"""Playing over standard input and output, for programs in any language: docs/PROTOCOL.md."""

from __future__ import annotations

import json
import secrets
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from tutor.cli.base import PLAYER_NAMES, PRESET_NAMES, Problem, main
from tutor.engine.players import ALL_PLAYERS, Expert
from tutor.game.rules import preset

if TYPE_CHECKING:
    from tutor.engine.players import Player


@main.command("play-stdio")
@click.option("--player", "player_name", type=PLAYER_NAMES, default="Steady", show_default=True)
@click.option("--rules", "rules_name", type=PRESET_NAMES, default="Standard", show_default=True)
@click.option("--seed", help="Any text: with the same text and events the player does the same.")
@click.option("--cpu-ms", type=float, help="Processor time Expert takes for a throw on average, in milliseconds.")
@click.option("--worlds", type=click.IntRange(1, 200_000), help="Worlds Expert looks at, instead of a time.")
def play_stdio_command(
    player_name: str, rules_name: str, seed: str | None, cpu_ms: float | None, worlds: int | None
) -> None:
    """Let a player be played by another program, in JSON lines (docs/PROTOCOL.md)."""
    from tutor.engine.protocol import Session, answer, hello

    player = _made(player_name, cpu_ms, worlds)
    session = Session(player, preset(rules_name), secrets.token_hex(8) if seed is None else seed)
    _say(hello(session))
    for number, line in enumerate(sys.stdin.buffer, start=1):
        if not line.strip():
            continue
        session, reply = answer(session, line, number)
        _say(reply)
        if session.over:
            return


def _made(name: str, cpu_ms: float | None, worlds: int | None) -> Player:
    """The player of this name; Expert with these worlds or as many as fit into the time, its code loaded then."""
    player = ALL_PLAYERS[name]
    if cpu_ms is None and worlds is None:
        return player
    if not isinstance(player, Expert):
        raise Problem(f"{name} decides at once: --cpu-ms and --worlds are for Expert")
    if worlds is not None:
        return replace(player, worlds=worlds)
    assert cpu_ms is not None
    if not 1 <= cpu_ms <= 60_000:
        raise Problem(f"--cpu-ms is 1 to 60000, not {cpu_ms:g}")
    from tutor.engine.budget import worlds_for

    return replace(player, worlds=worlds_for(cpu_ms, time.thread_time))


def _say(facts: dict[str, Any]) -> None:
    # One whole line at once and in plain ASCII: whoever waits for it cannot hang on a buffer or an encoding.
    click.echo(json.dumps(facts))
