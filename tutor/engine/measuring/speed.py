"""How fast the kernel counts and plays.

Many different hands are counted a few times each: a processor that meets the same few hands again and again learns the
way through their branches, and would flatter.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from tutor.engine.deals import dealt_states
from tutor.engine.kernel import batches
from tutor.engine.kernel.bits import to_place
from tutor.engine.rollouts import play_on, seeds_for
from tutor.engine.states import Ints, rules_row
from tutor.game.cards import DECK
from tutor.game.rules import preset

Clock = Callable[[], float]
"""Seconds, of processor time or of a wall clock."""


@dataclass(frozen=True, slots=True)
class Speed:
    """Nanoseconds a hand for random and rich hands, playouts a second of one thread and of two together.

    ``ratio_threads`` is what each of two threads keeps of one alone, by a wall clock.
    """

    deadwood_random: float
    deadwood_rich: float
    throw_random: float
    throw_rich: float
    playouts: float
    ratio_threads: float


def hands(count: int, size: int, *, rich: bool, seed: int) -> Ints:
    """Random hands of the kernel, int64 (count,); rich ones come from four to six neighbouring ranks."""
    generator = np.random.default_rng(seed)
    low, width = generator.integers(0, 8, count), generator.integers(4, 7, count)
    places = np.array([to_place(index) for index in range(52)])
    weight = generator.random((count, 52))
    if rich:
        weight += 2.0 * ((places & 15 < low[:, None]) | (places & 15 >= (low + width)[:, None]))
    chosen = np.argsort(weight, axis=1)[:, :size]
    return np.asarray((np.int64(1) << places[chosen]).sum(axis=1))


def _each(count: Callable[[Ints, int, Ints], None], made: Ints, clock: Clock, times: int) -> float:
    points = np.zeros_like(made)
    count(made, 1, points)
    best = float("inf")
    for _ in range(5):
        begin = clock()
        count(made, times, points)
        best = min(best, clock() - begin)
    return best / (times * len(made)) * 1e9


def _played(rows: Ints) -> None:
    play_on(rows, rules_row(preset("EAAI"), DECK[9]), seeds_for(len(rows), 1))


def speed(cpu: Clock, wall: Clock, *, count: int = 50_000, times: int = 4, rounds: int = 20_000) -> Speed:
    """Measure the kernel; the best of five runs each. ``cpu`` counts this thread's processor time."""
    figures = [
        _each(drive, hands(count, size, rich=rich, seed=1), cpu, times)
        for drive, size in ((batches.deadwood_all, 10), (batches.after_throw_all, 11))
        for rich in (False, True)
    ]
    rows = dealt_states(rounds, 1)
    _played(rows[:10])
    alone, one_wall, two_wall = float("inf"), float("inf"), float("inf")
    with ThreadPoolExecutor(2) as pool:
        for _ in range(5):
            begin, begin_wall = cpu(), wall()
            _played(rows)
            alone, one_wall = min(alone, cpu() - begin), min(one_wall, wall() - begin_wall)
            begin_wall = wall()
            list(pool.map(_played, (rows, rows)))
            two_wall = min(two_wall, wall() - begin_wall)
    return Speed(figures[0], figures[1], figures[2], figures[3], rounds / alone, one_wall / two_wall)


def against_openspiel(clock: Clock, *, count: int = 2000) -> float | None:
    """How many times as fast least deadwood of random tens is as OpenSpiel's value through its binding.

    OpenSpiel gets lists in the order of a deal. None where it is not installed.
    """
    try:
        import pyspiel
    except ImportError:
        return None
    utils = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    made = hands(50_000, 10, rich=False, seed=1)
    index = {to_place(index): index for index in range(52)}
    order = np.random.default_rng(2)
    lists = [
        order.permutation([index[place] for place in index if hand >> place & 1]).tolist()
        for hand in made[:count].tolist()
    ]
    best = float("inf")
    for _ in range(5):
        begin = clock()
        for cards in lists:
            utils.min_deadwood(cards)
        best = min(best, clock() - begin)
    return best / count * 1e9 / _each(batches.deadwood_all, made, clock, 4)
