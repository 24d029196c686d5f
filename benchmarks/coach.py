"""What the coach says of players it should tell apart, and what others say of Expert: python -m benchmarks.coach --help

Rounds are those of games to 100 under the Casual rules against Sharp, with the standing kept. Each game that was judged
is a line of the file given by --resume, so a run can be stopped and continued; several may write to the same file.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np

from tutor.engine.belief import weights_for
from tutor.engine.evaluator import evaluate, seed_of
from tutor.engine.opponents import shifted, shown_by
from tutor.engine.players import PLAYERS
from tutor.engine.states import code_of
from tutor.game.actions import Action, BigGin, Knock, Phase, Seat
from tutor.game.fair import fair_deal
from tutor.game.match import Game
from tutor.game.round import Round
from tutor.game.rules import preset
from tutor.game.view import View
from tutor.teaching import coach
from tutor.teaching.verdict import Grade, Side, Verdict, graded

Facts = dict[str, Any]
RULES = preset("Casual")
KINDS = ("upcard", "draw", "throw", "knock or wait", "lay off")
JUDGES = ("coach", "other belief", "early", "waiting")
LIGHT = coach.Care(1_000, (2_000,), 64)
"""Ten times as fast, for mean losses only: their spread is between rounds, not in the figures. Grades need more."""
OTHERS = np.array([0.1, 0.3, 0.0, 0.4, 0.2, 0.0, 0.0])
"""The mix of styles of the other judges, in the order of ``styles.STYLES``."""


def seed_at(*path: object) -> int:
    """A number of its own for each place."""
    return int.from_bytes(hashlib.sha256(repr(path).encode()).digest()[:8])


def decisions(name: str, seed: int, number: int) -> Iterator[tuple[int, int, View, Action]]:
    """Round, ply, view and action of each decision with a choice that the player has in one game."""
    me = Seat(number % 2)
    player, sharp = PLAYERS[name], PLAYERS["Sharp"]
    game, count = Game(RULES, (), Seat(number // 2 % 2)), 0
    while not game.over:
        deal = fair_deal(hashlib.sha256(f"coach {seed} {number} {count}".encode()).digest(), game.next_dealer)
        round_ = Round.start(RULES, deal)
        while (turn := round_.public.turn) is not None:
            view, ply = round_.view(turn, game.standing), len(round_.actions)
            action = (player if turn is me else sharp).choose(view, seed_at(seed, number, count, ply))
            if turn is me and len(view.legal_actions()) > 1:
                yield count, ply, view, action
            round_ = round_.play(action)
        assert round_.result is not None
        game, count = game.after(round_.result), count + 1


def kind_of(view: View) -> str:
    """What is to be decided, one of ``KINDS``."""
    if view.public.phase is Phase.LAY_OFF:
        return "lay off"
    if view.public.phase is Phase.DISCARD:
        ends = any(isinstance(action, Knock | BigGin) for action in view.legal_actions())
        return "knock or wait" if ends else "throw"
    return "upcard" if view.public.phase is Phase.UPCARD else "draw"


def judged(view: View, action: Action, judge: str) -> Verdict:
    """What the coach says, with its care or lightly, or one of ``JUDGES``: all others believe something else."""
    care = LIGHT if judge == "light" else coach.IN_PLAY
    if judge in ("coach", "light") or view.public.phase is Phase.LAY_OFF:
        return coach.verdict_on(coach.look(view, care=care), action, care=care)[0]
    own = "sharp" if judge == "other belief" else judge
    mix = shifted(OTHERS, [shown_by(view.public, view.seat.other)])
    seed = seed_of(view) ^ 0x07E4
    found = evaluate(view, worlds=care.look, seed=seed, mix=mix, weights=weights_for(5), own=own)
    return coach.verdict_on(found, action, care=care)[0]


def facts_of(place: tuple[int, int], view: View, verdict: Verdict) -> Facts:
    """A verdict as plain values, from which it can be graded again."""
    pair = (verdict.action, verdict.best.action)
    shown = view.public.phase is Phase.LAY_OFF
    again = not shown and not any(isinstance(one, Knock) and one.arrangement for one in pair)
    return {
        "place": place, "kind": kind_of(view), "counts": verdict.counts, "loss": verdict.loss, "se": verdict.loss_se,
        "sides": [[side.style, side.loss, side.loss_se] for side in verdict.sides],
        "pair": [code_of(one) for one in pair] if again else None, "worlds": verdict.best.worlds,
    }  # fmt: skip


def regraded(facts: Facts) -> Grade:
    """The grade by the rule as it stands now."""
    sides = tuple(Side(*side) for side in facts["sides"])
    return graded(facts["loss"], facts["se"], sides)


def judged_games(path: Path, name: str, judge: str, seed: int, wanted: int) -> list[Facts]:
    """The decisions of whole games until ``wanted`` count, taken from the file or judged now and added to it."""
    kept = {
        line["game"]: line["found"]
        for line in lines_of(path)
        if (line.get("player"), line.get("judge"), line["seed"]) == (name, judge, seed) and "found" in line
    }
    found: list[Facts] = []
    number = 0
    while sum(one["counts"] for one in found) < wanted:
        if number not in kept:
            kept[number] = []
            for count, ply, view, action in decisions(name, seed, number):
                kept[number].append(facts_of((count, ply), view, judged(view, action, judge)))
            add(path, {"player": name, "judge": judge, "seed": seed, "game": number, "found": kept[number]})
        found += [one | {"player": name, "game": number} for one in kept[number]]
        number += 1
    return found


def lines_of(path: Path) -> list[Facts]:
    """What the file holds so far."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def add(path: Path, line: Facts) -> None:
    """Append one line at once."""
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def mean_by_round(found: list[Facts]) -> tuple[float, float]:
    """Mean avoidable loss of a counted decision and half its 95% interval; rounds are the clusters."""
    rounds: dict[tuple[str, int, int], list[float]] = {}
    for one in found:
        if one["counts"]:
            rounds.setdefault((one["player"], one["game"], one["place"][0]), []).append(max(0.0, one["loss"]))
    totals = np.array([sum(losses) for losses in rounds.values()])
    counts = np.array([len(losses) for losses in rounds.values()])
    mean = totals.sum() / counts.sum()
    off = totals - mean * counts
    return float(mean), float(1.96 * math.sqrt(len(off) / (len(off) - 1) * (off @ off)) / counts.sum())


def table_of(title: str, groups: dict[str, list[Facts]]) -> None:
    """Print losses and shares of the grades, a row a group, as a table of docs/COACH.md."""
    print(f"| {title} | decisions | loss | {' | '.join(grade.value for grade in Grade)} |")
    print("|---" * (3 + len(Grade)) + "|")
    for name, found in groups.items():
        counted = [one for one in found if one["counts"]]
        if len(counted) < 2:
            continue
        mean, half = mean_by_round(counted)
        grades = Counter(regraded(one) for one in counted)
        shares = " | ".join(f"{grades[grade] / len(counted):.1%}" for grade in Grade)
        print(f"| {name} | {len(counted)} | {mean:.2f} ± {half:.2f} | {shares} |", flush=True)


def exact(hits: int, tries: int) -> tuple[float, float]:
    """The exact 95% interval of a share (Clopper and Pearson, 1934)."""

    def at_most(k: int, share: float) -> float:
        return sum(math.comb(tries, i) * share**i * (1 - share) ** (tries - i) for i in range(k + 1))

    ends = []
    for aim, k in ((0.975, hits - 1), (0.025, hits)):
        low, high = 0.0, 1.0
        for _ in range(50):
            middle = (low + high) / 2
            low, high = (middle, high) if at_most(k, middle) > aim else (low, middle)
        ends.append(low)
    return (ends[0] if hits else 0.0), (ends[1] if hits < tries else 1.0)


option_seed = click.option("--seed", type=int, default=1, show_default=True)
option_resume = click.option("--resume", "path", type=click.Path(path_type=Path), required=True, help="Kept here.")
option_count = click.option("--decisions", "wanted", type=int, default=1000, show_default=True, help="A player.")


@click.group(help=__doc__)
def main() -> None:
    """The commands."""


@main.command()
@click.argument("names", nargs=-1, metavar="PLAYER…")
@click.option("--light", is_flag=True, help="Look at few worlds, for the means only.")
@option_count
@option_seed
@option_resume
def ladder(names: tuple[str, ...], light: bool, wanted: int, seed: int, path: Path) -> None:
    """Loss and grades of the players (all five unless named), and the steps between them."""
    judge = "light" if light else "coach"
    found = {name: judged_games(path, name, judge, seed, wanted) for name in names or PLAYERS}
    table_of("player", found)
    for (weaker, low), (stronger, high) in pairwise(found.items()):
        (one, half), (other, rest) = mean_by_round(low), mean_by_round(high)
        print(f"{weaker} to {stronger}: {one - other:.2f} ± {math.hypot(half, rest):.2f}")
    everything = [one for many in found.values() for one in many]
    table_of("to decide", {kind: [one for one in everything if one["kind"] == kind] for kind in KINDS})


@main.command()
@click.option("--judge", "judges", multiple=True, type=click.Choice(JUDGES), default=JUDGES)
@option_count
@option_seed
@option_resume
def expert(judges: tuple[str, ...], wanted: int, seed: int, path: Path) -> None:
    """Expert, judged with another belief, other opponents and other ways to play on."""
    found = {judge: judged_games(path, "Expert", judge, seed, wanted) for judge in judges}
    table_of("judge", found)
    for judge, many in found.items():
        counted = [one for one in many if one["counts"]]
        bad = sum(regraded(one) in (Grade.MISTAKE, Grade.BLUNDER) for one in counted)
        low, high = exact(bad, len(counted))
        print(f"{judge}: mistakes or worse {bad / len(counted):.1%} ({low:.1%} to {high:.1%})")


@main.command()
@click.option("--decisions", "wanted", type=int, default=50, show_default=True, help="Of each of three players.")
@option_seed
def times(wanted: int, seed: int) -> None:
    """Milliseconds of processor time for a look and a verdict in play, one thread."""
    spent = []
    for name in ("Novice", "Casual", "Sharp"):
        for _, _, view, action in islice(decisions(name, seed, 0), wanted):
            begin = time.process_time()
            verdict, _ = coach.verdict_on(coach.look(view), action)
            spent.append((1000 * (time.process_time() - begin), bool(verdict.sides)))
    told = {"all": [ms for ms, _ in spent[1:]], "with sides": [ms for ms, sided in spent[1:] if sided]}
    for name, ms in told.items():
        print(f"{name}: {len(ms)}, median {np.median(ms):.0f} ms, 95% under {np.percentile(ms, 95):.0f} ms")


if __name__ == "__main__":
    main()
