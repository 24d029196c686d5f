"""How good the evaluator's answers are: its errors against long references, and whether it is honest about them."""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass

import numpy as np

from tutor.engine.belief import marginals
from tutor.engine.evaluation import Evaluation
from tutor.engine.evaluator import evaluate
from tutor.engine.players import ALL_PLAYERS, Player
from tutor.game.actions import Action, Discard, Phase, Seat
from tutor.game.fair import fair_deal
from tutor.game.round import Round
from tutor.game.rules import preset
from tutor.game.view import View

_PLAYERS = ("Novice", "Casual", "Steady", "Sharp", "Simple")
"""Who plays the rounds from which the decisions come."""


def decisions(count: int, *, throws: bool, seed: int) -> list[View]:
    """Decisions from mixed play under EAAI rules, at most one a round: throws, or draws with a card on offer."""
    found: list[View] = []
    number = 0
    while len(found) < count:
        chosen = random.Random(f"{seed} {number}")
        views = [view for view in _views(number, seed, chosen) if _wanted(view, throws)]
        if views:
            found.append(chosen.choice(views))
        number += 1
    return found


def _wanted(view: View, throws: bool) -> bool:
    if throws:
        return view.public.phase is Phase.DISCARD
    return view.public.phase is Phase.DRAW and view.public.offer is not None


def _views(number: int, seed: int, chosen: random.Random) -> Iterator[View]:
    players = [ALL_PLAYERS[chosen.choice(_PLAYERS)] for _ in Seat]
    deal = fair_deal(hashlib.sha256(f"decisions {seed} {number}".encode()).digest(), Seat(number % 2))
    round_ = Round.start(preset("EAAI"), deal)
    while round_.public.turn is not None:
        view = round_.view(round_.public.turn)
        yield view
        round_ = round_.play(players[round_.public.turn].choose(view, chosen.getrandbits(32)))


Reference = dict[Action, tuple[float, float]]
"""By action how many points it is behind the best, and the standard error of that."""


def reference(view: View, worlds: int, pool: Executor | None) -> Reference:
    """Points behind the best by action with their standard errors, by a long evaluation with a seed of its own."""
    found = evaluate(view, worlds=worlds, seed=0x5EED, for_points=True, pool=pool)
    return {line.action: (line.behind, line.behind_se) for line in found.lines}


@dataclass(frozen=True, slots=True)
class Quality:
    """Over decisions: mean standard error of best against second, mean regret in points, share of the same best action.

    The share is over ``clear`` decisions, whose gap in the reference is more than two of its standard errors.
    """

    decisions: int
    second_se: float
    regret: float
    regret_se: float
    same_best: float
    clear: int


def quality(
    views: list[View],
    references: list[dict[Action, tuple[float, float]]],
    worlds: int,
    seed: int,
    pool: Executor | None,
) -> Quality:
    """Measure evaluations with ``worlds`` worlds against the references."""
    errors, regrets, same = [], [], []
    for number, (view, truth) in enumerate(zip(views, references, strict=True)):
        found = evaluate(view, worlds=worlds, seed=seed + number, for_points=True, pool=pool)
        errors.append(_second(found))
        best = min(truth, key=lambda action: truth[action][0])
        regrets.append(max(0.0, truth[found.best.action][0] - truth[best][0]))
        gaps = sorted(truth.values())
        if len(gaps) > 1 and gaps[1][0] - gaps[0][0] > 2 * gaps[1][1]:
            same.append(found.best.action == best)
    deviation = float(np.std(regrets)) / math.sqrt(len(regrets))
    share = float(np.mean(same)) if same else math.nan
    return Quality(len(views), float(np.mean(errors)), float(np.mean(regrets)), deviation, share, len(same))


def _second(found: Evaluation) -> float:
    """The standard error of the closest other action's difference to the best."""
    others = [line for line in found.lines[1:] if line.worlds == found.best.worlds]
    return min(others, key=lambda line: line.behind).behind_se if others else 0.0


def honesty(views: list[View], *, pairs: int, worlds: int, seed: int) -> float:
    """The spread of differences between independent evaluations, in units of the errors they state: 1 is honest.

    Of each view the difference between its best two actions (by one longer evaluation) is looked at, ``pairs`` times.
    """
    ratios = []
    for number, view in enumerate(views):
        first = evaluate(view, worlds=4 * worlds, seed=seed + 7_000_000 + number, for_points=True)
        if len(first.lines) < 2:
            continue
        two = tuple(line.action for line in first.lines[:2])
        for pair in range(pairs):
            gaps = []
            for side in range(2):
                found = evaluate(
                    view, worlds=worlds, seed=seed + number * 1000 + 2 * pair + side, actions=two, for_points=True
                )
                sign = 1 if found.best.action == two[0] else -1
                gaps.append((sign * found.lines[1].behind, found.lines[1].behind_se))
            spread = math.hypot(gaps[0][1], gaps[1][1])
            if spread > 0:
                ratios.append((gaps[0][0] - gaps[1][0]) / spread)
    return float(np.sqrt(np.mean(np.square(ratios))))


def brier_against(player: Player, *, rounds: int, seed: int) -> tuple[float, float, int]:
    """Brier score a card of the belief about this player's hand, that of uniform hands, and the positions measured.

    One position a round against Sharp, after twelve discards or more, from Sharp's view; rounds that end sooner give
    none. ValueError where none came so far.
    """
    believed, even, positions = [], [], 0
    sharp = ALL_PLAYERS["Sharp"]
    for number in range(rounds):
        chosen = random.Random(f"brier {seed} {number}")
        deal = fair_deal(hashlib.sha256(f"brier {seed} {number}".encode()).digest(), Seat(number % 2))
        late = []
        round_ = Round.start(preset("EAAI"), deal)
        while round_.public.turn is not None and round_.public.knocker is None:
            view = round_.view(round_.public.turn)
            throws = sum(isinstance(act.action, Discard) for act in round_.public.acts)
            if throws >= 12 and view.seat is Seat.SOUTH:
                late.append((view, round_.hands[Seat.NORTH]))
            round_ = round_.play((sharp, player)[view.seat].choose(view, chosen.getrandbits(32)))
        if not late:
            continue
        view, truth = chosen.choice(late)
        shares = marginals(view, hands=800, seed=number)
        unseen = [card.index for card in view.unseen]
        held = np.array([card in truth for card in view.unseen], dtype=float)
        believed += list((shares[unseen] - held) ** 2)
        even += list((view.unknown_theirs / len(unseen) - held) ** 2)
        positions += 1
    if not positions:
        raise ValueError(f"no round against {player.name} came to twelve discards")
    return float(np.mean(believed)), float(np.mean(even)), positions
