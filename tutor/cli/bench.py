"""Measuring the engine: bench."""

from __future__ import annotations

import json
import time
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from tutor.cli.base import command, main
from tutor.engine.players import ALL_PLAYERS
from tutor.game.notation import action_text, read_action
from tutor.game.rules import preset

if TYPE_CHECKING:
    from tutor.engine.measuring.quality import Reference
    from tutor.game.view import View


@main.command("bench")
@click.option("--quality", "with_quality", is_flag=True, help="Also measure the evaluator's answers (half an hour).")
@click.option("--strength", "with_strength", is_flag=True, help="Also play the measured matches (an hour or two).")
@click.option("--decisions", type=click.IntRange(2), default=150, show_default=True, help="Decisions for --quality.")
@click.option("--reference-ms", type=click.IntRange(50), default=4000, show_default=True, help="Time of a reference.")
@click.option("--scale", type=click.FloatRange(0.001, 10), default=1.0, show_default=True, help="Part of the matches.")
@click.option("--workers", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes to play in.")
@command
def bench_command(
    with_quality: bool, with_strength: bool, decisions: int, reference_ms: int, scale: float, workers: int
) -> tuple[list[str], dict[str, Any]]:
    """Measure speed, and on request the quality of the evaluator's answers and the strength of the players.

    Figures are of this machine; ratios in one run compare across machines.
    """
    from tutor.engine.kernel import kernel_hash
    from tutor.engine.measuring.speed import against_openspiel, speed

    measured = speed(time.thread_time, time.perf_counter)
    ratio = against_openspiel(time.thread_time)
    lines = [
        f"Kernel {kernel_hash()}",
        f"Deadwood of ten: {measured.deadwood_random:.1f} ns random, {measured.deadwood_rich:.1f} ns rich",
        f"Best of eleven throws: {measured.throw_random:.1f} ns random, {measured.throw_rich:.1f} ns rich, "
        f"{measured.throw_random / measured.deadwood_random:.2f} times one deadwood",
        "OpenSpiel is not installed: no ratio"
        if ratio is None
        else f"Deadwood of random tens: {ratio:.0f} times as fast as OpenSpiel through its binding",
        f"Playouts of the tuned policy: {measured.playouts:,.0f} a second of processor time; "
        f"each of two threads keeps {measured.ratio_threads:.2f} of that",
    ]
    facts: dict[str, Any] = {"kernel": kernel_hash(), "speed": asdict(measured), "openspiel_ratio": ratio}
    if with_quality:
        more, facts["quality"] = _quality(decisions, reference_ms)
        lines += more
    if with_strength:
        more, facts["strength"] = _strength(scale, workers)
        lines += more
    return lines, facts


def _quality(count: int, reference_ms: int) -> tuple[list[str], dict[str, Any]]:
    from tutor.engine.budget import worlds_for
    from tutor.engine.measuring.quality import brier_against, decisions, honesty, quality

    lines: list[str] = []
    facts: dict[str, Any] = {}
    with ThreadPoolExecutor(1) as pool:
        # The calling thread works too, so a pool of one makes two.
        for name, throws, budget in (("draws, 100 ms of one core", False, 100), ("throws, 250 ms of two", True, 500)):
            views = decisions(count, throws=throws, seed=1)
            references = _references("throws" if throws else "draws", views, reference_ms, pool)
            found = quality(views, references, worlds_for(budget, time.thread_time, throws=throws), 1000, pool)
            lines.append(
                f"{name.capitalize()}, {found.decisions} decisions: standard error of best against second "
                f"{found.second_se:.3f}, regret {found.regret:.4f} ± {1.96 * found.regret_se:.4f} points, "
                f"same best {found.same_best:.1%} of {found.clear} clear ones"
            )
            facts["throws" if throws else "draws"] = asdict(found)
    views = decisions(max(2, count * 40 // 150), throws=True, seed=2)
    ratio = honesty(views, pairs=10, worlds=400, seed=5)
    lines.append(f"Honest errors: spread over stated error {ratio:.3f} ({len(views)} positions, 10 pairs each)")
    told: dict[str, Any] = {}
    for player in ALL_PLAYERS.values():
        score, even, positions = brier_against(player, rounds=count * 2, seed=1)
        told[player.name] = {"brier": score, "uniform": even, "positions": positions}
        lines.append(
            f"Belief about {player.name} after 12 discards: Brier score a card {score:.4f}, uniform {even:.4f} "
            f"({positions} positions)"
        )
    return lines, facts | {"honesty": ratio, "belief": told}


def _references(name: str, views: list[View], reference_ms: int, pool: Executor) -> list[Reference]:
    """Long evaluations of the views: read where this kernel has made them before, else made and kept."""
    from tutor.engine.budget import worlds_for
    from tutor.engine.kernel import cache_folder, kernel_hash
    from tutor.engine.measuring.quality import reference

    path = cache_folder() / f"references-{kernel_hash()}-{name}-{len(views)}-{reference_ms}.json"
    if path.exists():
        kept = json.loads(path.read_text(encoding="utf-8"))
        return [{read_action(text): (gap, error) for text, (gap, error) in one.items()} for one in kept]
    long = worlds_for(reference_ms, time.thread_time, throws=name == "throws")
    made = [reference(view, long, pool) for view in views]
    path.parent.mkdir(parents=True, exist_ok=True)
    told = [{action_text(action): list(gap) for action, gap in one.items()} for one in made]
    path.write_text(json.dumps(told), encoding="utf-8")
    return made


MATCHES = (
    ("Expert", "Simple", "games", 900),
    ("Expert", "Camper", "games", 400),
    ("Expert", "Sharp", "games", 400),
    ("Sharp", "Steady", "games", 2000),
    ("Steady", "Casual", "games", 2000),
    ("Casual", "Novice", "games", 2000),
    ("Sharp", "Simple", "rounds", 100_000),
    ("Sharp", "Camper", "rounds", 100_000),
)
"""The measured matches: who against whom, over how many games or rounds."""


def _strength(scale: float, workers: int) -> tuple[list[str], dict[str, Any]]:
    from tutor.cli.strength import played, told
    from tutor.engine.duel import Duel, Kind
    from tutor.engine.strength import DuelTally

    lines: list[str] = []
    facts: dict[str, Any] = {}
    for first, second, kind, units in MATCHES:
        duel = Duel((ALL_PLAYERS[first], ALL_PLAYERS[second]), preset("EAAI"), Kind(kind), "measured")
        tally = DuelTally(duel.kind)
        for pair in played(duel, range(max(2, round(units * scale / 2))), workers):
            tally = tally.plus(pair)
        more, facts[f"{first} {second}"] = told(duel, tally)
        lines += more
    return lines, facts
