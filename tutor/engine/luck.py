"""The luck of a draw: how much the card that came is worth more than the card to expect.

The value of a hand after a card is here what it brings when it is played on soundly, without a choice among looked-up
actions: the mean of a plain playout has no flattery in it, however few worlds it rests on, so that the card that came
and those that could have come are measured alike.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass, replace

import numpy as np

from tutor.engine import styles
from tutor.engine.belief import CHAIN, belief_of, marginals
from tutor.engine.equity import RoundValues
from tutor.engine.evaluator import seed_of
from tutor.engine.opponents import usual
from tutor.engine.rollouts import play_on
from tutor.engine.states import rules_row, state_of
from tutor.engine.worlds import Worlds, error_of
from tutor.game.actions import Draw
from tutor.game.cards import Card
from tutor.game.view import View

EACH = 40
"""Blocks of worlds for each card that could have come."""
CAME = 1000
"""Blocks of worlds for the card that came."""
HANDS = 1600
"""Hands of the other side from which it is taken how likely each card is to be next."""


@dataclass(frozen=True, slots=True)
class Luck:
    """A draw from the stock, in points of the hand from the drawing seat's side, with standard errors.

    ``value`` is the hand after the card that came, ``mean`` the mean of the same over the next cards.
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


def luck_of_draw(view: View, card: Card, *, each: int = EACH, came: int = CAME, pool: Executor | None = None) -> Luck:
    """The luck of drawing ``card`` at a view whose seat may draw from the stock.

    All unseen cards are looked at, each by its chance to be next, ``each`` blocks of worlds a card; ``came`` blocks for
    the card that came, drawn independently. Seeds come from the views. Same arguments, same answer, with or without a
    pool.

    Raises IllegalAction where the seat may not draw, or for a card that cannot come.
    """
    after = view.after(Draw(card))
    chances = next_cards(view, hands=HANDS, seed=seed_of(view))
    cards = sorted(chances, key=lambda one: one.index)
    base = _base(view)
    half = len(cards) // 2
    later = None if pool is None else pool.submit(_values, base, view, cards[half:], each)
    value, value_se = _value(base, after, came, seed_of(after) ^ _OTHER)
    rows = _values(base, view, cards[:half], each)
    # In a pool that is busy, perhaps with this very call, nobody is waited for.
    rows += _values(base, view, cards[half:], each) if later is None or later.cancel() else later.result()
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
    return [_value(base, after, blocks, seed_of(after)) for after in afters]


def _value(base: Worlds, view: View, blocks: int, seed: int) -> tuple[float, float]:
    """The mean points of a hand played on from here, and its standard error over blocks."""
    worlds = replace(base, state=state_of(view), belief=belief_of(view, mix=base.mix), seed=seed)
    states, seeds = worlds.block(0, blocks)
    points, _ = play_on(states, worlds.rules, seeds)
    means = points[:, 0].reshape(blocks, CHAIN).mean(axis=1)
    return float(means.mean()), error_of(means)
