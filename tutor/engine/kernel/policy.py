"""One parametrised policy: every player of the rollouts is a row of its parameters.

A row is float64 of shape (len(PARAMETERS),); ``row`` makes one from names. The policy sees what its seat sees: own
cards, the pile, the cards the other side is known to hold, whose discards are whose, and how far the hand has gone.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tutor.engine.kernel.bits import EACH, LANE, lowest, next_state, popcount, shuffle_word, unit
from tutor.engine.kernel.compiling import compiled
from tutor.engine.kernel.deadwood import (
    after_throw,
    best_sets,
    deadwood,
    gin_outs,
    outs,
    points_of,
    run_cards,
)
from tutor.engine.kernel.tables import NEAR, PIPS

PARAMETERS = (
    "take_any_meld",  # 1: takes whatever lies in a meld of the new hand, and nothing else
    "take_least",  # points that taking must gain
    "take_meld",  # points a new meld counts for more
    "take_turn",  # points asked more for each discard so far (to twelve)
    "points_0",  # weight of a card's points when throwing, by stage: of four discards each, the last one open
    "points_1",
    "points_2",
    "points_3",
    "outs_0",  # points for each live card that would join or make a meld, by stage
    "outs_1",
    "outs_2",
    "outs_3",
    "outs_low",  # the same, more where ten points or less are left
    "near",  # points for each live neighbour of a loose card
    "danger",  # points for each meld the other side could make with the card
    "danger_known",  # points more where it is known to hold a card of the meld
    "danger_both",  # points more where it is known to hold both
    "safe",  # points for each neighbour the other side has thrown
    "noise",  # spread of the misjudgement of a throw, in points (Gumbel)
    "knock",  # knock iff the sum of this and the next ones is above 0
    "knock_turn",  # for each discard so far
    "knock_count",  # for each point of the hand shown
    "knock_outs",  # for each live card that makes gin
    "knock_late",  # where the discard would end the hand dead
    "knock_next",  # where the other side has one draw left
    "knock_until",  # discards so far from which only gin is shown
    "last_take",  # most points with which the last discard is taken to end the hand
    "wander",  # chance to throw any card at all
    "danger_turn",  # weight of all danger for each discard so far (to twelve)
)
"""The parameters by name, in the order of a row."""

_AT = {name: place for place, name in enumerate(PARAMETERS)}
(
    _TAKE_ANY_MELD, _TAKE_LEAST, _TAKE_MELD, _TAKE_TURN, _POINTS, _, _, _, _OUTS, _, _, _, _OUTS_LOW, _NEAR, _DANGER,
    _DANGER_KNOWN, _DANGER_BOTH, _SAFE, _NOISE, _KNOCK, _KNOCK_TURN, _KNOCK_COUNT, _KNOCK_OUTS, _KNOCK_LATE,
    _KNOCK_NEXT, _KNOCK_UNTIL, LAST_TAKE, _WANDER, _DANGER_TURN,
) = range(len(PARAMETERS))  # fmt: skip

_DEFAULTS = {
    "points_0": 1.0, "points_1": 1.0, "points_2": 1.0, "points_3": 1.0, "knock": 1000.0, "knock_until": 1000.0,
    "last_take": 10.0,
}  # fmt: skip


def row(**values: float) -> NDArray[np.float64]:
    """A policy from named parameters; the rest are those of a player that keeps the least deadwood and knocks at once.

    Raises KeyError for a name that is none of PARAMETERS.
    """
    made = np.zeros(len(PARAMETERS))
    for name, value in (_DEFAULTS | values).items():
        made[_AT[name]] = value
    return made


@compiled
def takes(policy: Any, hand: int, offer: int, turn: int, taken_stays: bool) -> bool:
    """Whether the policy takes the card at the bit ``offer`` (a mask of one card) into its ten cards."""
    melds = outs(hand) & offer != 0
    if policy[_TAKE_ANY_MELD] > 0:
        return melds
    if not melds and policy[_TAKE_LEAST] > 20:
        return False
    after = after_throw(hand | offer, offer if taken_stays else 0)
    if after == 0:
        return True
    gain = deadwood(hand) - after
    wanted = policy[_TAKE_LEAST] + policy[_TAKE_TURN] * min(turn, 12)
    return gain + (policy[_TAKE_MELD] if melds else 0.0) > wanted


@compiled
def wants_to_end(policy: Any, shown: int, points: int, live: int, turn: int, stock: int, dead_next: bool) -> bool:
    """Whether the policy shows these ten cards with ``points`` loose instead of playing on."""
    if points == 0:
        return True
    if turn >= policy[_KNOCK_UNTIL]:
        return False
    wish = policy[_KNOCK] + policy[_KNOCK_TURN] * turn + policy[_KNOCK_COUNT] * points
    if stock <= 2 and dead_next:
        wish += policy[_KNOCK_LATE]
    elif stock <= 4:
        wish += policy[_KNOCK_NEXT]
    weight = policy[_KNOCK_OUTS]
    if weight == 0.0 or wish <= 0.0:
        return wish > 0.0
    return wish + weight * gin_outs(shown, live) > 0.0


@compiled
def _danger(policy: Any, card: int, place: int, available: int, known: int) -> float:
    """Points the thrown card may be worth to the other side, by the melds of three it could complete."""
    any_melds = 0
    known_melds = 0
    both = 0
    mates = available & EACH << (place & 15) & ~card
    size = popcount(mates)
    if size >= 2:
        sure = popcount(mates & known)
        any_melds += size * (size - 1) // 2
        known_melds += sure * (size - 1) - sure * (sure - 1) // 2
        both += sure * (sure - 1) // 2
    up1, up2, down1, down2 = card << 1, card << 2, card >> 1, card >> 2
    for pair in (up1 | up2, up1 | down1, down1 | down2):
        # Below the ace of the lowest lane there is no bit: the pair is short, and no meld.
        if available & pair == pair and pair & (pair - 1):
            any_melds += 1
            if known & pair:
                known_melds += 1
                if known & pair == pair:
                    both += 1
    return policy[_DANGER] * any_melds + policy[_DANGER_KNOWN] * known_melds + policy[_DANGER_BOTH] * both


@compiled
def throws(
    policy: Any, hand: int, keep: int, seen: int, known: int, their_discards: int, turn: int, random: np.uint64
) -> tuple[int, np.uint64]:
    """The card (a mask of one) the policy throws from eleven, and the random state after it.

    ``keep`` may not be thrown; ``seen`` are the cards whose place this seat knows, own hand aside; ``known`` those
    the other side is known to hold.
    """
    melded = best_sets(hand)
    melded |= run_cards(hand & ~melded)
    candidates = hand & ~melded & ~keep
    if candidates == 0:
        least = after_throw(hand, keep)
        cards = hand & ~keep
        while cards:
            card = cards & -cards
            cards ^= card
            if deadwood(hand ^ card) == least:
                candidates |= card
    if policy[_WANDER] > 0.0:
        random = next_state(random)
        if unit(shuffle_word(random)) < policy[_WANDER]:
            candidates = hand & ~keep
    if candidates & (candidates - 1) == 0:
        return candidates, random
    stage = min(turn >> 2, 3)
    weight = policy[_POINTS + stage]
    outs_weight = policy[_OUTS + stage]
    low_weight = outs_weight + policy[_OUTS_LOW]
    loose = points_of(hand & ~melded)
    danger_weight = 1.0 + policy[_DANGER_TURN] * min(turn, 12)
    available = ~(seen | hand) & LANE * EACH | known
    live = available & ~known
    noise = policy[_NOISE]
    best_value, best = -1e300, 0
    ties = 0
    while candidates:
        card = candidates & -candidates
        candidates ^= card
        place = lowest(card)
        value = weight * PIPS[place]
        if low_weight != 0.0:
            use = low_weight if loose - PIPS[place] <= 10 else outs_weight
            value += use * popcount(outs(hand ^ card) & live)
        if policy[_NEAR] != 0.0:
            value -= policy[_NEAR] * popcount(NEAR[place] & live)
        if policy[_SAFE] != 0.0:
            value += policy[_SAFE] * popcount(NEAR[place] & their_discards)
        if policy[_DANGER] != 0.0 or NEAR[place] & known != 0:
            value -= danger_weight * _danger(policy, card, place, available, known)
        if noise > 0.0:
            random = next_state(random)
            value -= noise * math.log(-math.log(unit(shuffle_word(random)) + 1e-300) + 1e-300)
        if value > best_value:
            best_value, best = value, card
            ties = 1
        elif value == best_value:
            # Equal throws are drawn by lot, one pass: the k-th replaces the choice with chance 1/k.
            ties += 1
            random = next_state(random)
            if unit(shuffle_word(random)) * ties < 1.0:
                best = card
    return best, random
