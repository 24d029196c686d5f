"""The luck of a draw: how much the card that came is worth more than the card to expect.

A hand after a card is worth what its best action brings: a small search chooses the action, and worlds that had no part
in the choice tell its worth, so that no figure is flattered by its noise. The search is of one size for the card that
came and for those that could have come, so that all are judged by the same evaluator; for the card that came it is made
several times over, in other worlds each time.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np

from tutor.engine import styles
from tutor.engine.belief import CHAIN, Floats, Ints, belief_of, marginals
from tutor.engine.equity import RoundValues
from tutor.engine.evaluator import seed_of
from tutor.engine.opponents import usual
from tutor.engine.rollouts import play_on
from tutor.engine.states import code_of, rules_row, state_of
from tutor.engine.worlds import Worlds, error_of
from tutor.game.actions import Draw
from tutor.game.cards import Card
from tutor.game.view import View

SEARCH = (2, 6)
"""Blocks of worlds of the search's two rounds: every action in the first, the best ``FINALISTS`` in the second."""
FINALISTS = 4
EACH = 6
"""Fresh blocks of worlds for each card that could have come."""
CAME = 400
"""Fresh blocks for the card that came."""
SEARCHES = 16
"""Searches for the card that came."""
FRESH = 1 << 20
"""The number of the first fresh block; the searches use those below."""
HANDS = 1600
"""Hands of the other side from which it is taken how likely each card is to be next."""


@dataclass(frozen=True, slots=True)
class Luck:
    """A draw from the stock, in points of the hand from the drawing seat's side, with standard errors.

    ``value`` is the hand after the card that came, played on with the best action, ``mean`` the mean of the same over
    the next cards.
    """

    value: float
    value_se: float
    mean: float
    mean_se: float

    @property
    def amount(self) -> float:
        """What the card was worth more than the card to expect; negative for an unlucky one."""
        return self.value - self.mean

    @property
    def amount_se(self) -> float:
        """The standard error of the amount."""
        return math.hypot(self.value_se, self.mean_se)


def next_cards(view: View, *, hands: int, seed: int) -> dict[Card, float]:
    """How likely each unseen card is the next of the stock, by what the other side may hold; adds up to 1."""
    held = marginals(view, hands=hands, seed=seed)
    shares = {card: 1.0 - float(held[card.index]) for card in view.unseen}
    total = sum(shares.values())
    return {card: share / total for card, share in shares.items()}


def luck_of_draw(
    view: View,
    card: Card,
    *,
    each: int = EACH,
    came: int = CAME,
    searches: int = SEARCHES,
    pool: Executor | None = None,
) -> Luck:
    """The luck of drawing ``card`` at a view whose seat may draw from the stock.

    All unseen cards are looked at by their chance to be next, with one search and ``each`` fresh blocks of worlds a
    card; ``searches`` and ``came`` blocks for the card that came, drawn independently. Seeds come from the views. Same
    arguments, same answer, with or without a pool.

    Raises IllegalAction where the seat may not draw, or for a card that cannot come.
    """
    after = view.after(Draw(card))
    chances = next_cards(view, hands=HANDS, seed=seed_of(view))
    cards = sorted(chances, key=lambda one: one.index)
    base = _base(view)
    later = None if pool is None else pool.submit(_values, base, view, cards, each)
    value, value_se = _value(base, after, came, searches, seed_of(after) ^ _OTHER)
    # In a pool that is busy, perhaps with this very call, nobody is waited for.
    rows = _values(base, view, cards, each) if later is None or later.cancel() else later.result()
    shares = np.array([chances[one] for one in cards])
    means, errors = np.array(rows).T
    return Luck(value, value_se, float(shares @ means), float(np.sqrt(shares**2 @ errors**2)))


_OTHER = 0x25_4591_4F6C_DD1D
"""Parts the worlds of the card that came from those of the cards that could have."""


def _base(view: View) -> Worlds:
    """What all worlds of the draw share; points decide, so the values of standings are the least there can be."""
    public = view.public
    row = rules_row(public.rules, public.upcard)
    mix = usual(public, view.seat.other)
    nothing = RoundValues(0, np.zeros(3), np.zeros(3))
    me = styles.NAMES.index("sharp")
    return Worlds(state_of(view), row, belief_of(view, mix=mix), mix, me, 0, nothing)


def _values(base: Worlds, view: View, cards: list[Card], blocks: int) -> list[tuple[float, float]]:
    afters = [view.after(Draw(one)) for one in cards]
    return [_value(base, after, blocks, 1, seed_of(after)) for after in afters]


def _value(base: Worlds, view: View, blocks: int, searches: int, seed: int) -> tuple[float, float]:
    """The mean points of the best action, as so many searches choose it, and the standard error.

    The error is that of fresh blocks and, where the searches do not agree, of their choice.
    """
    worlds = replace(base, state=state_of(view), belief=belief_of(view, mix=base.mix), seed=seed)
    codes = np.array([code_of(action) for action in view.legal_actions()], dtype=np.int64)
    chosen = np.array([_search(worlds, codes, number * sum(SEARCH)) for number in range(searches)])
    places, turns = np.unique(chosen, return_counts=True)
    fresh = _played(worlds, codes[places], FRESH, blocks)
    means = fresh @ (turns / searches)
    each = fresh.mean(axis=0).repeat(turns)
    return float(means.mean()), math.hypot(error_of(means), error_of(each) if searches > 1 else 0.0)


def _search(worlds: Worlds, codes: Ints, first: int) -> int:
    """The place of the action with the most points in two rounds of blocks from number ``first``."""
    if len(codes) == 1:
        return 0
    sums = _played(worlds, codes, first, SEARCH[0]).sum(axis=0)
    running = np.argsort(-sums, kind="stable")[:FINALISTS]
    more = _played(worlds, codes[running], first + SEARCH[0], SEARCH[1]).sum(axis=0)
    return int(running[np.argmax(sums[running] + more)])


def _played(worlds: Worlds, codes: Ints, first: int, blocks: int) -> Floats:
    """The mean points of each block with each action: float64 (blocks, actions)."""
    states, seeds = worlds.block(first, blocks)
    points, _ = play_on(states, worlds.rules, seeds, actions=codes)
    return np.asarray(points.reshape(blocks, CHAIN, len(codes)).mean(axis=1))
