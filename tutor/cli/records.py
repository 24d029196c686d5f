"""Commands about records: check one, verify its deals, play one."""

from __future__ import annotations

import hashlib
import secrets
from pathlib import Path
from typing import Any, NoReturn

import click

from tutor.cli.base import PLAYER_NAMES, PRESET_NAMES, Problem, command, main
from tutor.engine.arena import play_game
from tutor.engine.players import ALL_PLAYERS
from tutor.game.actions import Seat
from tutor.game.fair import SeedError, check_deal, commitment, fair_deal, read_seed
from tutor.game.match import Game, HollywoodMatch
from tutor.game.notation import RecordError, dump, load
from tutor.game.record import Headers, Record, breaches
from tutor.game.result import Result
from tutor.game.round import Deal
from tutor.game.rules import RuleSet, preset

FILE = click.argument("file", type=click.Path(path_type=Path))
"""The record a command reads."""


def loaded(file: Path) -> Record:
    """The record in a file; Problem tells what is wrong with it."""
    try:
        return load(file)
    except RecordError as error:
        facts = {"line": error.line, "column": error.column, "found": error.found, "expected": error.expected}
        raise Problem(f"{file.name}: {error}", **facts) from None
    except OSError as error:
        raise Problem(f"{file.name}: cannot be read ({error.strerror})") from None


@main.command("check")
@FILE
@click.option("--against", type=PRESET_NAMES, help="Also report every move these rules forbid (not how hands end).")
@command
def check_command(file: Path, against: str | None) -> tuple[list[str], dict[str, Any]]:
    """Read a record, replay it by its rules, and say how each hand ended."""
    record = loaded(file)
    lines, rounds = [], []
    broken = 0
    for number, (one, result) in enumerate(zip(record.rounds, record.results(), strict=True), start=1):
        words = "unfinished" if result is None else result.explain(record.rules, record.names)
        lines.append(f"Hand {number}: {words}")
        rounds.append(_round_facts(record.rules, result, len(one.line.moves)))
        if against is not None:
            found = breaches(one, record.rules, preset(against))
            broken += len(found)
            lines += [f"  move {breach.ply}: {breach.message}" for breach in found]
            rounds[-1]["breaches"] = [
                {"move": breach.ply, "rule": breach.why.name.lower(), "message": breach.message} for breach in found
            ]
    account, totals = _account(record)
    facts = {"ok": True, "rules": record.rules.preset, "rounds": rounds, "totals": totals}
    if broken:
        count = "1 move is" if broken == 1 else f"{broken} moves are"
        raise Problem("\n".join([*lines, f"{count} forbidden by {against}"]), **(facts | {"ok": False}))
    return [*lines, *account], facts


def _round_facts(rules: RuleSet, result: Result | None, moves: int) -> dict[str, Any]:
    if result is None:
        return {"moves": moves, "ending": None}
    score = result.score(rules)
    return {
        "moves": moves,
        "ending": result.outcome().value,
        "knocker": None if result.knocker is None else result.knocker.label,
        "knocker_deadwood": result.knocker_deadwood,
        "defender_deadwood": result.defender_deadwood,
        "winner": None if score.winner is None else score.winner.label,
        "points": score.points,
    }


def _account(record: Record) -> tuple[list[str], list[int] | None]:
    """The tally of a record's games in words, and the totals of the last one."""
    if any(one.standing is not None for one in record.rounds):
        return [], None
    try:
        match = record.match()
    except ValueError as error:
        return [f"No account: {error}."], None
    if isinstance(match, HollywoodMatch):
        return list(match.lines(record.names)), list(match.totals)
    lines = [line for game in match.games for line in _tally_lines(game, record)]
    return [*lines, *match.lines(record.names)], list(match.games[-1].tally().totals)


def _tally_lines(game: Game, record: Record) -> list[str]:
    title = "The game:" if game.over else "The game so far:"
    return [title, *(f"  {line.words}" for line in game.tally(record.names).lines), f"  {_sum(game, record)}"]


def _sum(game: Game, record: Record) -> str:
    totals = game.tally(record.names).totals
    return f"{record.names[0]} {totals[0]}, {record.names[1]} {totals[1]}."


@main.command("verify-deal")
@FILE
@command
def verify_deal_command(file: Path) -> tuple[list[str], dict[str, Any]]:
    """Check that each deal of a record is the one its commitment promised."""
    record = loaded(file)
    lines, rounds = [], []
    for number, one in enumerate(record.rounds, start=1):
        committed, seed = one.header("Commitment"), one.header("Seed")
        if committed is None or seed is None or not isinstance(one.source, Deal):
            state, words = "untold", "nothing to verify: commitment, seed and both hands are needed"
        else:
            try:
                check_deal(one.source, read_seed(seed), committed)
            except SeedError as error:
                state, words = "wrong", str(error)
            else:
                state, words = "fair", "dealt as committed"
        lines.append(f"Hand {number}: {words}")
        rounds.append({"state": state, "words": words})
    states = {one["state"] for one in rounds}
    if states != {"fair"}:
        _fail(lines or ["the record has no hands"], {"fair": False, "rounds": rounds})
    return lines, {"fair": True, "rounds": rounds}


def _fail(lines: list[str], facts: dict[str, Any]) -> NoReturn:
    raise Problem("\n".join(lines), **facts)


@main.command("demo")
@click.option("--south", type=PLAYER_NAMES, default="Novice", show_default=True)
@click.option("--north", type=PLAYER_NAMES, default="Steady", show_default=True)
@click.option("--rules", "rules_name", type=PRESET_NAMES, default="Standard", show_default=True)
@click.option("--seed", help="Any text: the same text plays the same game. Without it each game is new.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Where to write the record.")
@click.option("--force", is_flag=True, help="Write over an existing file.")
@command
def demo_command(
    south: str, north: str, rules_name: str, seed: str | None, out: Path | None, force: bool
) -> tuple[list[str], dict[str, Any]]:
    """Play a game between two players and write its record."""
    path = _free_path(out, force)
    rules = preset(rules_name)
    players = (ALL_PLAYERS[south], ALL_PLAYERS[north])
    secret = secrets.token_bytes(32) if seed is None else hashlib.sha256(seed.encode(errors="surrogateescape")).digest()
    record, game = play_game(
        rules,
        lambda number, dealer: _deal_fairly(secret, number, dealer),
        players,
        first=Seat(secret[0] & 1),
        seed=int.from_bytes(secret[:6]),
    )
    try:
        dump(record, path)
    except OSError as error:
        raise Problem(f"{path}: cannot be written ({error.strerror})") from None
    lines = [f"{south} (South) against {north} (North), {rules_name} rules"]
    for number, result in enumerate(game.results, start=1):
        assert isinstance(result, Result)
        lines.append(f"Hand {number}: {result.explain(rules, (south, north))}")
    lines += [*_tally_lines(game, record), f"The record is in {path}"]
    facts = {
        "south": south,
        "north": north,
        "hands": len(record.rounds),
        "winner": None if game.winner is None else game.winner.label,
        "totals": list(game.tally().totals),
        "record": str(path),
    }
    return lines, facts


def _deal_fairly(secret: bytes, number: int, dealer: Seat) -> tuple[Deal, Headers]:
    seed = hashlib.sha256(secret + number.to_bytes(4)).digest()
    return fair_deal(seed, dealer), (("Commitment", commitment(seed)), ("Seed", seed.hex()))


def _free_path(out: Path | None, force: bool) -> Path:
    if out is None:
        names = (Path("demo.gin" if number == 1 else f"demo-{number}.gin") for number in range(1, 10_000))
        return next(path for path in names if not path.exists())
    if out.exists() and not force:
        raise Problem(f"{out} is there already: choose another name, or --force to write over it")
    if not out.parent.is_dir():
        raise Problem(f"{out.parent} is no folder: make it first, or choose another")
    return out
