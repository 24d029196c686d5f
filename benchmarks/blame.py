"""Whether blame holds: blamed decisions measured again in fresh worlds with ten times the budget, in the usual mix and
against each style: python -m benchmarks.blame --help

The decisions are those that ``python -m benchmarks.coach ladder`` judged; the file given by --resume is the same.
"""

from __future__ import annotations

from pathlib import Path

import click

from benchmarks.coach import (
    RULES,
    Facts,
    add,
    decisions,
    exact,
    judged_games,
    lines_of,
    option_count,
    option_resume,
    option_seed,
    regraded,
)  # fmt: skip
from tutor.engine import styles
from tutor.engine.evaluator import evaluate, measure
from tutor.engine.states import action_of
from tutor.game.actions import Action
from tutor.game.view import View
from tutor.teaching import coach
from tutor.teaching.verdict import GRADES, HOLDS, Grade, worth_of_loss

BLAME = ("MISTAKE", "BLUNDER")
SEED = 0xA6A1
"""The seed of the fresh worlds."""


def gap_in(view: View, pair: list[Action], worlds: int, style: str | None) -> tuple[float, float]:
    """How far the first action is behind the second in fresh worlds of another seed, and the standard error."""
    mix = None if style is None else styles.only(style)
    found = evaluate(view, worlds=64, seed=SEED, actions=pair, mix=mix)
    found = measure(found, pair, worlds)
    point = coach.point_of(RULES)
    played, best = (worth_of_loss(found.line(action), point) for action in pair)
    return played[0] - best[0], max(played[1], best[1])


def again_of(view: View, one: Facts) -> Facts:
    """The loss measured anew in the mix and against each style."""
    pair = [action_of(code) for code in one["pair"]]
    names = [name for name, share in zip(styles.NAMES, styles.MIX, strict=True) if share]
    asked = {side[0] for side in one["sides"]}
    side = 10 * coach.IN_PLAY.side
    worlds = {name: side if name in asked else side // 10 for name in names}
    return {
        "mix": gap_in(view, pair, 10 * one["worlds"], None),
        "styles": {name: gap_in(view, pair, worlds[name], name) for name in names},
    }


def marked_of(view: View, action: Action) -> list[str]:
    """The styles for which the verdict itself says that the move would be a lesser fault or none."""
    verdict, _ = coach.verdict_on(coach.look(view), action)
    return [side.style for side in verdict.exceptions]


def told(grade: str, rows: list[tuple[Facts, Facts]]) -> None:
    """Print how many of a grade lose what they should: where they are asked to, and everywhere."""
    least = HOLDS * {grade.name: least for least, grade in GRADES}.get(grade, GRADES[-1][0])
    kept: dict[str, list[bool]] = {"the mix": [again["mix"][0] >= least for _, again in rows]}
    for one, again in rows:
        asked = {side[0] for side in one["sides"]}
        losses = {name: loss for name, (loss, _) in again["styles"].items()}
        for name, loss in losses.items():
            if name in asked:
                kept.setdefault(f"{name}, where likely", []).append(loss >= least)
            kept.setdefault(f"{name}, likely or not", []).append(loss >= least)
        of_all = [again["mix"][0], *(losses[name] for name in asked)]
        kept.setdefault("the mix and all likely styles", []).append(min(of_all) >= least)
        kept.setdefault("the mix and all six styles", []).append(min(again["mix"][0], *losses.values()) >= least)
        unmarked = [loss for name, loss in losses.items() if name not in again["marked"]]
        held = min([again["mix"][0], *unmarked]) >= least
        kept.setdefault("the mix and all six styles, or marked", []).append(held)
    for name, held in kept.items():
        if held:
            low, high = exact(sum(held), len(held))
            share = sum(held) / len(held)
            print(f"| {grade.lower()} | {name} | {sum(held)} of {len(held)} | {share:.1%} ({low:.1%} to {high:.1%}) |")


@click.command(help=__doc__)
@click.argument("names", nargs=-1, metavar="PLAYER…")
@click.option("--of", "grades", multiple=True, type=click.Choice([g.name for g in Grade]), default=BLAME)
@click.option("--count", type=int, default=200, show_default=True, help="How many of each player and grade.")
@option_count
@option_seed
@option_resume
def main(names: tuple[str, ...], grades: tuple[str, ...], count: int, wanted: int, seed: int, path: Path) -> None:
    """Measure what was not measured yet, and report."""
    known = {tuple(line["again"]): line for line in lines_of(path) if "again" in line and line["seed"] == seed}
    rows = []
    for name in names or ("Novice", "Casual", "Steady", "Sharp"):
        chosen = [one for one in judged_games(path, name, "coach", seed, wanted) if one["pair"] and one["counts"]]
        chosen = [one for grade in grades for one in [one for one in chosen if regraded(one).name == grade][:count]]
        for number in sorted({one["game"] for one in chosen}):
            places = {tuple(one["place"]): one for one in chosen if one["game"] == number}
            missing = {place for place in places if "marked" not in known.get((name, number, *place), {})}
            for at, ply, view, action in decisions(name, seed, number) if missing else ():
                if (at, ply) in missing:
                    again = (name, number, at, ply)
                    found = known.get(again) or again_of(view, places[at, ply])
                    known[again] = found | {"again": again, "seed": seed, "marked": marked_of(view, action)}
                    add(path, known[again])
            rows += [(one, known[name, number, *place]) for place, one in places.items()]
    for grade in grades:
        told(grade, [(one, again) for one, again in rows if regraded(one).name == grade])


if __name__ == "__main__":
    main()
