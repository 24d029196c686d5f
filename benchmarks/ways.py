"""Where a judge that plays on otherwise blames Expert: who is right? python -m benchmarks.ways --help

Both moves are played on in three ways; each move has the best of them. The judged decisions are those of
``python -m benchmarks.coach expert``; the file given by --resume is the same.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from benchmarks.coach import (
    JUDGES,
    OTHERS,
    RULES,
    decisions,
    judged_games,
    option_count,
    option_resume,
    option_seed,
    regraded,
)  # fmt: skip
from tutor.engine.belief import weights_for
from tutor.engine.evaluator import evaluate
from tutor.engine.opponents import shifted, shown_by
from tutor.engine.states import action_of
from tutor.teaching import coach
from tutor.teaching.verdict import GRADES, Grade

WAYS = ("sharp", "early", "waiting")
CLEAR = GRADES[1][0]


@click.command(help=__doc__)
@click.option("--judge", type=click.Choice(JUDGES), default="early", show_default=True)
@option_count
@option_seed
@option_resume
def main(judge: str, wanted: int, seed: int, path: Path) -> None:
    """Value the blamed decisions again and report."""
    found = [one for one in judged_games(path, "Expert", judge, seed, wanted) if one["pair"] and one["counts"]]
    blamed = [one for one in found if regraded(one) in (Grade.MISTAKE, Grade.BLUNDER)]
    point = coach.point_of(RULES)
    worth: dict[str, list[list[list[float]]]] = {"judge's": [], "usual": []}
    for number in sorted({one["game"] for one in blamed}):
        places = {tuple(one["place"]): one["pair"] for one in blamed if one["game"] == number}
        for at, ply, view, _ in decisions("Expert", seed, number):
            if (at, ply) not in places:
                continue
            pair = [action_of(code) for code in places[at, ply]]
            theirs = (shifted(OTHERS, [shown_by(view.public, view.seat.other)]), weights_for(5))
            for name, (mix, weights) in (("judge's", theirs), ("usual", (None, None))):
                played = [
                    evaluate(view, worlds=8000, seed=77, actions=pair, mix=mix, weights=weights, own=own)
                    for own in WAYS
                ]
                worth[name].append([[one.line(action).win / point for action in pair] for one in played])
    for name, values in worth.items():
        each = np.array(values)
        gain = each.max(axis=1)[:, 0] - each.max(axis=1)[:, 1]
        print(f"{name} belief and opponents: {len(gain)} blamed, as good {np.sum(gain >= -0.25)},", end=" ")
        print(f"behind by {CLEAR} or more {np.sum(gain <= -CLEAR)}")
        for own, mine in zip(WAYS, each.swapaxes(0, 1), strict=True):
            print(f"  playing on {own}: the better move is worth {mine.max(axis=1).mean():.1f}", end=", ")
            print(f"Expert's loses {(mine[:, 1] - mine[:, 0]).mean():+.1f}")


if __name__ == "__main__":
    main()
