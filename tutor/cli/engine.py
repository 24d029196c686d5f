"""The evaluator and its belief: evaluate, fit-belief."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tutor.cli.base import Problem, command, main
from tutor.cli.records import FILE, loaded
from tutor.game.actions import Discard, Knock, LayOff
from tutor.game.notation import action_text
from tutor.game.record import Position
from tutor.game.result import LEVEL
from tutor.game.rules import MatchKind

if TYPE_CHECKING:
    from tutor.engine.evaluation import Evaluation, Line
    from tutor.game.view import View


@main.command("evaluate")
@FILE
@click.option(
    "--hand", "number", type=click.IntRange(1), default=1, show_default=True, help="Which hand of the record."
)
@click.option("--ply", type=click.IntRange(0), required=True, help="Actions before the decision; 0 is the upcard.")
@click.option(
    "--worlds", type=click.IntRange(1), default=4000, show_default=True, help="Worlds an action is played in."
)
@click.option("--points", "for_points", is_flag=True, help="Recommend by points, not by the chance to win the game.")
@command
def evaluate_command(
    file: Path, number: int, ply: int, worlds: int, for_points: bool
) -> tuple[list[str], dict[str, Any]]:
    """Figures for every action at one decision of a record, from what the seat on turn could know."""
    from tutor.engine.evaluator import evaluate, seed_of

    record = loaded(file)
    try:
        moment = record.moment(Position(number, ply))
        if moment.public.turn is None:
            raise Problem(f"hand {number} is over after {ply} actions: choose an earlier --ply")
        standing = record.standings()[number - 1]
        if record.rules.match.kind is MatchKind.HOLLYWOOD:
            # Three columns at once are no standing of one game: the hand is looked at as the first of a game.
            standing = LEVEL
        view = moment.view(moment.public.turn, standing)
        found = evaluate(view, worlds=worlds, seed=seed_of(view), for_points=for_points)
    except ValueError as error:
        raise Problem(f"{file.name}: {error}") from None
    seat = record.names[view.seat]
    lines = [f"Hand {number}, ply {ply}: {seat} holds {' '.join(card.symbol for card in view.hand)}"]
    lines += [_line_text(view, line) for line in found.lines]
    return lines, _facts(found)


def _named(view: View, line: Line) -> str:
    action = line.action
    match action:
        case Discard(card):
            return f"discard {card.symbol}"
        case Knock(card) if card is not None:
            rest = view.proposed(view.hand.without(card)).deadwood
            return f"{'gin' if rest == 0 else f'knock with {rest}'}, throwing {card.symbol}"
        case LayOff(card, meld):
            return f"lay off {card.symbol} on the {meld.inline}"
    return action_text(action, view.public.offer)


def _line_text(view: View, line: Line) -> str:
    ends = line.outcomes
    split = (
        f"wins {ends.win_knock:.0%} by knock, {ends.win_gin:.0%} by gin, {ends.win_undercut:.0%} by undercut; "
        f"loses {ends.lose_knock:.0%}, {ends.lose_gin:.0%}, {ends.undercut:.0%}; dead {ends.dead:.0%}"
    )
    return (
        f"  {_named(view, line):28} {line.points:+6.2f} ± {1.96 * line.points_se:.2f} points, "
        f"behind {line.behind:.2f} ± {1.96 * line.behind_se:.2f}, wins the game {line.win:.1%} ± "
        f"{1.96 * line.win_se:.1%}, margin {line.margin:+.1f}; {split}"
    )


def _facts(found: Evaluation) -> dict[str, Any]:
    def facts(line: Line) -> dict[str, Any]:
        values = {key: value for key, value in asdict(line).items() if key not in ("action", "outcomes")}
        return {"action": action_text(line.action)} | values | {"outcomes": asdict(line.outcomes)}

    return {
        "seat": found.view.seat.label,
        "worlds": found.worlds,
        "seed": found.seed,
        "lines": [facts(line) for line in found.lines],
    }


@main.command("fit-belief")
@click.option("--limit", type=click.IntRange(0, 10), default=10, show_default=True, help="The knock limit it is for.")
@click.option("--rounds", type=click.IntRange(100), default=40_000, show_default=True, help="Rounds to fit on.")
@click.option("--steps", type=click.IntRange(10), default=250, show_default=True, help="Steps of the fit.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="The folder to write the weights into.")
@command
def fit_belief_command(
    limit: int, rounds: int, steps: int, seed: int, out: Path | None
) -> tuple[list[str], dict[str, Any]]:
    """Fit what the other side may hold to rounds of many kinds of players, and measure it on other rounds."""
    import numpy as np

    from tutor.engine.fitting import fitted_models, late_positions, quality
    from tutor.engine.styles import NAMES

    models = fitted_models(limit, rounds=rounds, steps=steps, seed=seed)
    if out is not None:
        try:
            for family, model in enumerate(models):
                (out / f"belief-{limit}-{family}.json").write_text(model.to_json(), encoding="utf-8")
        except OSError as error:
            raise Problem(f"{out}: cannot be written ({error.strerror})") from None
    late = late_positions(limit, rounds=max(100, rounds // 5), seed=seed + 1_000_000)
    weights = np.array([model.weights for model in models])
    whole = quality(late, weights, hands=800, seed=seed)
    lines = [
        f"{whole.positions} positions after 12 discards or more, of other rounds:",
        f"  Brier score a card {whole.brier:.4f}, of uniform hands {whole.uniform:.4f}",
    ]
    kinds = {}
    for place, name in enumerate(NAMES):
        mine = late.where(late.styles == place)
        if len(mine):
            one = quality(mine, weights, hands=800, seed=seed)
            kinds[name] = {"brier": one.brier, "uniform": one.uniform, "positions": one.positions}
            lines.append(f"    {name}: {one.brier:.4f}, uniform {one.uniform:.4f} ({one.positions} positions)")
    lines += [f"  believed {mean:.2f}: held {held:.3f} of {cards} cards" for cards, mean, held in whole.calibration]
    return lines, {
        "limit": limit,
        "positions": whole.positions,
        "brier": whole.brier,
        "uniform": whole.uniform,
        "players": kinds,
        "calibration": [list(row) for row in whole.calibration],
    }
