"""The arena: how much one player gains on another."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tutor.cli.base import PLAYER_NAMES, PRESET_NAMES, Problem, command, main
from tutor.engine.players import ALL_PLAYERS
from tutor.game.rules import preset

if TYPE_CHECKING:
    from tutor.engine.duel import Duel, PairResult
    from tutor.engine.strength import DuelTally, Estimate


@main.command("arena")
@click.argument("first", metavar="A", type=PLAYER_NAMES)
@click.argument("second", metavar="B", type=PLAYER_NAMES)
@click.option("--rounds", type=click.IntRange(min=2), help="How many single hands to play; an even number.")
@click.option("--games", type=click.IntRange(min=2), help="How many games to play to the target; an even number.")
@click.option("--rules", "rules_name", type=PRESET_NAMES, default="EAAI", show_default=True)
@click.option("--seed", help="Any text: the same text plays the same cards. Without it they are new.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes to play in.")
@click.option("--resume", type=click.Path(dir_okay=False, path_type=Path), help="Keep finished pairs; go on from them.")
@command
def arena_command(
    first: str,
    second: str,
    rounds: int | None,
    games: int | None,
    rules_name: str,
    seed: str | None,
    workers: int,
    resume: Path | None,
) -> tuple[list[str], dict[str, Any]]:
    """Measure player A against player B on the same cards from both sides.

    The players are those of docs/PLAYERS.md, in any case.
    """
    from concurrent.futures import BrokenExecutor

    from tutor.cli.pairs import pairs_kept, seed_in
    from tutor.engine.duel import Duel, DuelError, Kind
    from tutor.engine.strength import DuelTally

    if (rounds is None) == (games is None):
        raise Problem("choose what to play: --rounds 2000, or --games 200")
    kind = Kind.ROUNDS if games is None else Kind.GAMES
    units = rounds or games or 0
    if units % 2:
        raise Problem(f"{kind.value} are played in pairs, from both sides: give an even number, such as {units + 1}")
    if seed is None:
        kept = None if resume is None else seed_in(resume)
        seed = secrets.token_hex(8) if kept is None else kept
    duel = Duel((ALL_PLAYERS[first], ALL_PLAYERS[second]), preset(rules_name), kind, seed)
    with ExitStack() as stack:
        have, keep = stack.enter_context(pairs_kept(resume, duel)) if resume else ({}, lambda _: None)
        wanted = range(units // 2)
        tally = DuelTally.of(kind, (have[number] for number in wanted if number in have))
        missing = [number for number in wanted if number not in have]
        try:
            for pair in _with_bar(played(duel, missing, workers), len(wanted), len(wanted) - len(missing)):
                keep(pair)
                tally = tally.plus(pair)
        except (DuelError, BrokenExecutor) as error:
            raise Problem(str(error)) from None
    return told(duel, tally)


def _with_bar(pairs: Iterator[PairResult], whole: int, done: int) -> Iterator[PairResult]:
    """The same pairs, with a bar on a terminal that is not wanted for JSON."""
    if click.get_current_context().params["as_json"] or not sys.stderr.isatty():
        yield from pairs
        return
    with click.progressbar(length=whole, label="Pairs", file=sys.stderr, show_pos=True) as bar:
        bar.update(done)
        for pair in pairs:
            bar.update(1)
            yield pair


def played(duel: Duel, numbers: Sequence[int], workers: int) -> Iterator[PairResult]:
    """The pairs of these numbers, in the order they are finished."""
    if workers == 1 or len(numbers) < 2:
        for number in numbers:
            yield _play(duel, number)
        return
    from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait

    waiting: set[Future[PairResult]] = set()
    rest = iter(numbers)
    pool = ProcessPoolExecutor(min(workers, len(numbers)), initializer=_begin_worker)
    try:
        while True:
            # A few in advance for each worker, not all at once: stopping should not wait for thousands.
            for number in islice(rest, 4 * workers - len(waiting)):
                waiting.add(pool.submit(_play, duel, number))
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def _play(duel: Duel, number: int) -> PairResult:
    return duel.play(number, time.thread_time)


def _begin_worker() -> None:
    """A worker ends at once on Ctrl-C, without a traceback, and when the process that started it is gone."""
    import os
    import signal
    import threading

    parent = os.getppid()

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=watch, daemon=True).start()


def told(duel: Duel, tally: DuelTally) -> tuple[list[str], dict[str, Any]]:
    """What a duel gave, in lines and as facts."""
    from tutor.engine.duel import Fate

    a, b = (player.name for player in duel.players)
    shares = (tally.share_won(0), tally.share_won(1))
    kind = duel.kind.value
    hands = "" if tally.rounds == tally.units else f" of {tally.rounds} rounds"
    rows = (
        ("knocks and wins", Fate.A_KNOCKS, Fate.B_KNOCKS),
        ("gin", Fate.A_GINS, Fate.B_GINS),
        ("knocks and is undercut", Fate.A_UNDERCUT, Fate.B_UNDERCUT),
    )
    lines = [
        f"{a} against {b}, {duel.rules.preset} rules, {tally.units} {kind}{hands}, seed {duel.seed}",
        f"{a} gains {_signed(tally.gain)} points a round",
        f"{kind.capitalize()} won: {a} {_percent(shares[0])}, {b} {_percent(shares[1])}",
    ]
    for words, mine, theirs in rows:
        lines.append(f"  {words}: {a} {tally.share_of(mine):.1%}, {b} {tally.share_of(theirs):.1%} of rounds")
    lines.append(f"  nobody scores: {tally.share_of(Fate.DEAD):.1%} dead hands, {tally.share_of(Fate.TIE):.1%} ties")
    for name, effort in zip((a, b), tally.efforts, strict=True):
        cost = f"{effort.mean_ms:.3f} ms of processor time each, {effort.longest_ms:.1f} ms the longest"
        lines.append(f"{name}: {effort.decisions} decisions, {cost}")
    facts = {
        "players": [a, b],
        "rules": duel.rules.preset,
        "kind": kind,
        "seed": duel.seed,
        "pairs": tally.pairs,
        "rounds": tally.rounds,
        "points_a_round": _facts(tally.gain),
        "share_won": [_facts(share) for share in shares],
        "endings": {fate.name.lower(): count for fate, count in zip(Fate, tally.fates, strict=True)},
        "decisions": [effort.decisions for effort in tally.efforts],
        "cpu_ms": [{"mean": one.mean_ms, "longest": one.longest_ms} for one in tally.efforts],
    }
    return lines, facts


def _facts(estimate: Estimate) -> dict[str, float | None]:
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def _signed(estimate: Estimate) -> str:
    if estimate.low is None:
        return f"{estimate.value:+.2f} (one pair gives no interval)"
    return f"{estimate.value:+.2f} (95%: {estimate.low:+.2f} to {estimate.high:+.2f})"


def _percent(estimate: Estimate) -> str:
    if estimate.low is None:
        return f"{estimate.value:.1%}"
    return f"{estimate.value:.1%} ({estimate.low:.1%} to {estimate.high:.1%})"
