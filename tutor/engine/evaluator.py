"""How well a hand can be played: figures for every legal action from what one seat knows.

Every action is played out in the same worlds. A search on one series of blocks cuts actions that are hopeless; then
all figures come from fresh blocks that had no part in the choice, so that the best of many noisy means is not
flattered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import astuple, replace

import numpy as np

from tutor.engine import styles
from tutor.engine.belief import CHAIN, Floats, belief_of
from tutor.engine.equity import RoundValues
from tutor.engine.evaluation import Evaluation, Line, Outcomes, Played
from tutor.engine.kernel import playout as kernel
from tutor.engine.opponents import Shown, usual
from tutor.engine.showdown import showdown_result
from tutor.engine.standings import Worth, worth_of
from tutor.engine.states import check_view, rules_row, state_of
from tutor.engine.worlds import Sample, Worlds, apart, error_of
from tutor.game.actions import Action, Knock, Phase
from tutor.game.result import Outcome
from tutor.game.solver import arrangements_within
from tutor.game.view import View

FRESH = 1 << 20
"""The number of the first fresh block; the search uses those below."""
SEARCH = (16, 8, 4)
"""The rounds of the search, each with the asked worlds divided by this."""
RUN_OFF = 2
"""The same for the last round, which decides between the finalists unless thrift is asked for."""
SEARCH_TWO = (8,)
"""The same for a choice between two, where nothing needs to be cut and the worlds are better spent on the figures."""
LEAST_BLOCKS = 4
FINALISTS = 4
"""Actions that are played in all fresh worlds; the others in an eighth of them."""
SURE = 4.0
"""Standard errors behind the leader from which an action is hopeless."""
REACH_OVER = 110
"""Points a round can be worth beyond its bonus, before any multiplier: ten loose cards and some more."""


def seed_of(view: View) -> int:
    """A seed made from the view alone: equal views get equal worlds, whatever lies hidden."""
    public = view.public
    told = (
        int(view.seat), view.hand.bits, view.drawn, view.standing, public.dealer, public.upcard, public.phase,
        public.stock_count, public.acts, public.rules, public.out_of_play.bits,
    )  # fmt: skip
    return int.from_bytes(hashlib.blake2b(repr(told).encode(), digest_size=7).digest())


def evaluate(
    view: View,
    *,
    worlds: int,
    seed: int,
    actions: Sequence[Action] | None = None,
    mix: Floats | None = None,
    earlier: Sequence[Shown] = (),
    weights: Floats | None = None,
    worth: Worth | None = None,
    for_points: bool = False,
    thrifty: bool = False,
    own: str = "sharp",
    pool: Executor | None = None,
) -> Evaluation:
    """Figures for every legal action, or for ``actions`` (such as one knock with several arrangements to show).

    ``worlds`` is how many worlds an action in the running is played in, rounded up to whole blocks; ``mix`` the shares
    of the opponent's styles in the order of ``styles.STYLES``, by default the usual mix shifted by this round so far
    and by what the same opponent has shown in ``earlier`` rounds; ``weights`` other weights of the belief; ``worth``
    what standings are worth, by default under the view's rules. Recommended is the best chance to win the game or,
    with ``for_points``, the most expected points. With ``thrifty``, for who only wants the choice, it rests on all
    worlds and a leader who is alone is not measured exactly. ``own`` is the style by which the deciding seat plays on
    after the action. Same arguments, same answer, with or without a pool of threads.

    Raises ValueError when nothing is to be decided, when the view cannot be, for a style that is none, or for less than
    one world; IllegalAction for an action that is not allowed.
    """
    if worlds < 1:
        raise ValueError(f"an evaluation needs at least one world, not {worlds}")
    check_style(own)
    shown = view.public.phase is Phase.LAY_OFF and view.my_turn
    if shown:
        check_view(view)
    state = np.zeros(0, np.int64) if shown else state_of(view)
    asked = tuple(dict.fromkeys(view.legal_actions() if actions is None else actions))
    if not asked:
        raise ValueError("there is no action to evaluate")
    for action in asked:
        refusal = view.refusal(action)
        if refusal is not None:
            raise refusal
    public = view.public
    row = rules_row(public.rules, public.upcard)
    bonus = max(row[kernel.GIN], row[kernel.UNDERCUT], row[kernel.BIG_GIN])
    reach = int((REACH_OVER + bonus) * row[kernel.MULTIPLIER])
    chosen = worth_of(public.rules) if worth is None else worth
    values = chosen.values(view.standing, view.seat, public.dealer, reach)
    if shown:
        return _counted(view, asked, worlds, seed, for_points, values)
    shares = usual(public, view.seat.other, earlier) if mix is None else mix
    base = Worlds(
        state,
        row,
        belief_of(view, mix=shares, weights=weights),
        shares,
        styles.NAMES.index(own),
        seed,
        values,
    )
    total = _blocks(worlds)
    searched = _search(base, asked, total, for_points, thrifty, pool)
    fresh = _rescore(base, searched, total, for_points, thrifty, pool)
    played = {action: Played(searched[action], fresh[action]) for action in asked}
    lines = _lines(played, _recommended(played, for_points, thrifty), for_points)
    return Evaluation(view, lines, worlds, seed, for_points, base, played)


def check_style(name: str) -> None:
    """Refuse a name that is no style: ValueError."""
    if name not in styles.NAMES:
        raise ValueError(f'"{name}" is no style; the styles are {", ".join(styles.NAMES)}')


def shows(view: View, knock: Knock) -> tuple[Knock, ...]:
    """One knock with every arrangement that could be shown, runs joined: what to show is a decision of its own.

    Raises ValueError for a knock without its card.
    """
    if knock.card is None:
        raise ValueError("which card is thrown has to be told")
    found = arrangements_within(view.hand.without(knock.card), view.public.knock_limit)
    return tuple(Knock(knock.card, way) for way in dict.fromkeys(one.joined() for one in found))


def by_style(
    view: View,
    *,
    worlds: int,
    seed: int,
    names: Sequence[str] = ("early", "waiting", "human"),
    for_points: bool = False,
) -> dict[str, Evaluation]:
    """The same decision against single styles of opponent, to see whether the answer depends on who sits there.

    By the style's name in ``styles.STYLES``; ValueError for another name, and as ``evaluate``.
    """
    found = {}
    for name in names:
        check_style(name)
        found[name] = evaluate(view, worlds=worlds, seed=seed, mix=styles.only(name), for_points=for_points)
    return found


def measure(
    evaluation: Evaluation, actions: Sequence[Action], worlds: int, *, pool: Executor | None = None
) -> Evaluation:
    """The same recommendation, with the figures of some actions from ``worlds`` fresh worlds each.

    An action that was not asked about before joins in, such as a knock with another arrangement. Where the evaluation
    is exact it is returned as it is. Raises IllegalAction for an action that is not allowed.
    """
    base = evaluation.base
    if base is None:
        return evaluation
    played = dict(evaluation.played)
    for action in actions:
        refusal = evaluation.view.refusal(action)
        if refusal is not None:
            raise refusal
        one = played.get(action, Played(Sample.empty(), Sample.empty()))
        played[action] = Played(one.searched, _grown(base, action, one.fresh, FRESH, _blocks(worlds), pool))
    best = evaluation.best.action
    lines = _lines(played, best, evaluation.for_points)
    return replace(evaluation, lines=lines, played=played)


def refine(evaluation: Evaluation, worlds: int, *, pool: Executor | None = None) -> Evaluation:
    """The same evaluation with more worlds, ``worlds`` an action in the running in all; nothing is played twice.

    Half as many new worlds go to the search, on which the recommendation rests; then the fresh ones are made up. An
    evaluation that is exact, or has that many worlds already, is returned as it is.
    """
    base = evaluation.base
    if base is None or worlds <= evaluation.worlds:
        return evaluation
    for_points = evaluation.for_points
    everything = {action: one.searched.more(one.fresh) for action, one in evaluation.played.items()}
    finalists = _in_the_running(everything, for_points, FINALISTS, least=2)
    total = _blocks(worlds)
    played = {}
    for action, one in evaluation.played.items():
        running = action in finalists
        searched = _grown(base, action, one.searched, 0, total // 2, pool) if running else one.searched
        wanted = total if running else max(LEAST_BLOCKS, total // 8)
        # An action that comes back into the running catches up on the blocks it missed.
        played[action] = Played(searched, _grown(base, action, one.fresh, FRESH, wanted, pool))
    lines = _lines(played, _recommended(played, for_points, thrifty=False), for_points)
    return Evaluation(evaluation.view, lines, worlds, evaluation.seed, for_points, base, played)


def _grown(base: Worlds, action: Action, sample: Sample, first: int, wanted: int, pool: Executor | None) -> Sample:
    """A sample of a series that begins with block ``first``, with blocks added up to ``wanted`` in all."""
    missing = wanted - len(sample.blocks)
    if missing <= 0:
        return sample
    return sample.more(base.play([action], first + len(sample.blocks), missing, pool)[0])


def _blocks(worlds: int) -> int:
    return max(LEAST_BLOCKS, -(-worlds // CHAIN))


def _search(
    base: Worlds, asked: Sequence[Action], total: int, for_points: bool, thrifty: bool, pool: Executor | None
) -> dict[Action, Sample]:
    """Rounds on growing numbers of blocks, each with fewer actions: the hopeless and the lower half drop out."""
    samples = {action: Sample.empty() for action in asked}
    running = list(asked)
    first = 0
    parts = SEARCH_TWO if len(asked) <= 2 else SEARCH if thrifty else (*SEARCH, RUN_OFF)
    for part in parts:
        count = max(LEAST_BLOCKS, total // part)
        for action, more in zip(running, base.play(running, first, count, pool), strict=True):
            samples[action] = samples[action].more(more)
        first += count
        room = max(FINALISTS, (len(running) + 1) // 2)
        running = _in_the_running({action: samples[action] for action in running}, for_points, room)
        if len(running) == 1:
            break
    return samples


def _in_the_running(samples: dict[Action, Sample], for_points: bool, room: int, least: int = 1) -> list[Action]:
    """The best actions, at most ``room``, without those that are surely behind (but ``least``); the best first."""
    longest = max(len(sample.blocks) for sample in samples.values())
    eligible = [action for action, sample in samples.items() if 2 * len(sample.blocks) >= longest]
    # Where the game is won anyway, points decide.
    worth = {a: (float(samples[a].of(for_points).mean()), float(samples[a].points.mean())) for a in eligible}
    ranked = sorted(eligible, key=lambda action: worth[action], reverse=True)
    leader = samples[ranked[0]]
    kept = ranked[:1]
    for action in ranked[1:room]:
        gap, error = apart(leader, samples[action], for_points)
        if len(kept) < least or gap <= SURE * error + 1e-12:
            kept.append(action)
    return kept


def _rescore(
    base: Worlds,
    searched: dict[Action, Sample],
    total: int,
    for_points: bool,
    thrifty: bool,
    pool: Executor | None,
) -> dict[Action, Sample]:
    """Fresh worlds: all for the finalists, an eighth for the rest.

    The second best is a finalist even when it is surely behind, so that its distance is known well; if thrifty it is
    not, and a leader who is alone gets a quarter.
    """
    finalists = _in_the_running(searched, for_points, FINALISTS, least=1 if thrifty else 2)
    few = max(LEAST_BLOCKS, total // 8)
    many = total if len(finalists) > 1 or len(searched) == 1 else max(few, total // 4)
    fresh = dict(zip(searched, base.play(list(searched), FRESH, few, pool), strict=True))
    if many > few:
        for action, more in zip(finalists, base.play(finalists, FRESH + few, many - few, pool), strict=True):
            fresh[action] = fresh[action].more(more)
    return fresh


def _recommended(played: dict[Action, Played], for_points: bool, thrifty: bool) -> Action:
    """The best on the search; if thrifty, on all blocks."""
    chosen_on = {action: one.searched.more(one.fresh) if thrifty else one.searched for action, one in played.items()}
    return _in_the_running(chosen_on, for_points, 1)[0]


def _lines(played: dict[Action, Played], best: Action, for_points: bool) -> tuple[Line, ...]:
    """The lines, recommended first; figures are from the fresh blocks."""
    lines = [_line(action, one.fresh, played[best].fresh) for action, one in played.items()]
    return tuple(sorted(lines, key=lambda one: (one.action != best, -(one.points if for_points else one.win))))


def _line(action: Action, sample: Sample, best: Sample) -> Line:
    ends = sample.outcomes.sum(axis=0)
    behind, behind_se = apart(best, sample, for_points=True)
    win_behind, win_behind_se = apart(best, sample, for_points=False)
    return Line(
        action,
        float(sample.points.mean()),
        error_of(sample.points),
        float(sample.chances.mean()),
        error_of(sample.chances),
        float(sample.margins.mean()),
        error_of(sample.margins),
        behind,
        behind_se,
        win_behind,
        win_behind_se,
        Outcomes(*(float(share) for share in ends / ends.sum())),
        len(sample.blocks) * CHAIN,
        Outcomes(*sample.points_by.mean(axis=0).tolist()),
        Outcomes(*sample.chances_by.mean(axis=0).tolist()),
    )


def _counted(
    view: View, asked: tuple[Action, ...], worlds: int, seed: int, for_points: bool, values: RoundValues
) -> Evaluation:
    """The showdown: every action's worth is exact."""
    found: list[tuple[float, float, float, Outcomes, Action]] = []
    for action in asked:
        result = showdown_result(view, action)
        score = result.score(view.public.rules)
        sign = 0 if score.box is None else 1 if score.box is view.seat else -1
        points = float(score.points * sign)
        chances, margins = values.of(np.array([score.points * sign]), np.array([sign], dtype=np.int8))
        found.append((points, float(chances[0]), float(margins[0]), _shares(result.outcome(), sign), action))
    order = (lambda one: (-one[0], -one[1])) if for_points else (lambda one: (-one[1], -one[0]))
    found.sort(key=order)
    most, best = found[0][0], found[0][1]
    lines = tuple(
        Line(
            action,
            mine,
            0.0,
            win,
            0.0,
            margin,
            0.0,
            most - mine,
            0.0,
            best - win,
            0.0,
            shares,
            0,
            _times(shares, mine),
            _times(shares, win - values.void),
        )
        for mine, win, margin, shares, action in found
    )
    return Evaluation(view, lines, worlds, seed, for_points, None, {})


def _times(shares: Outcomes, worth: float) -> Outcomes:
    return Outcomes(*(share * worth for share in astuple(shares)))


def _shares(outcome: Outcome, sign: int) -> Outcomes:
    """The one outcome that is certain, for the defender."""
    if sign > 0:
        return Outcomes(0, 0, 0, 0, 0, 1, 0)
    if sign == 0:
        return Outcomes(0, 0, 0, 0, 0, 0, 1)
    gin = outcome in (Outcome.GIN, Outcome.BIG_GIN)
    return Outcomes(0, 0, 0, int(not gin), int(gin), 0, 0)
