"""The one driver: a round played on from any state, under any rules, by policies of the kernel.

A state is a row of int64 with the columns below; seat 0 is the seat that asks. The pile needs no order: only its top
card can be taken, and a discard covers it before the turn ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tutor.engine.kernel.bits import ALL, below, lowest, next_state, popcount, shuffle_word
from tutor.engine.kernel.compiling import compiled, driver
from tutor.engine.kernel.deadwood import after_throw, deadwood, points_of, run_cards
from tutor.engine.kernel.layoffs import least_after_lay_offs, shown_sets
from tutor.engine.kernel.policy import LAST_TAKE, takes, throws, wants_to_end

STATE = (
    "hand0",  # cards of each seat
    "hand1",
    "known0",  # cards each seat is known by all to hold
    "known1",
    "thrown0",  # cards in the pile by who threw them
    "thrown1",
    "pile",  # all cards in the pile
    "out",  # cards out of play
    "top",  # the pile's top card (a mask; 0 when the pile is empty)
    "offered",  # 1 when the top card may be taken
    "phase",  # UPCARD, DRAW, DISCARD or LAST_DISCARD
    "turn",  # the seat that has to act
    "dealer",
    "taken",  # the card taken from the pile in this turn (a mask or 0)
    "takes",  # takes from the pile in a row
    "stock",  # undrawn cards
    "discards",  # discards of both sides so far
    "passes",  # refusals of the upcard so far
    "policy0",  # rows of the policies
    "policy1",
    "sets",  # what a forced knock shows: cards in sets and in runs; -1 leaves the choice to the table
    "runs",
)
"""The columns of a state."""
(
    HAND0, HAND1, KNOWN0, KNOWN1, THROWN0, THROWN1, PILE, OUT, TOP, OFFERED, PHASE, TURN, DEALER, TAKEN, TAKES, STOCK,
    DISCARDS, PASSES, POLICY0, POLICY1, SETS, RUNS,
) = range(len(STATE))  # fmt: skip

UPCARD, DRAW, DISCARD, LAST_DISCARD = range(4)

RULES = (
    "limit", "gin", "undercut", "big_gin", "tie", "taken_stays", "take_to_end", "pile_limit", "multiplier",
)  # fmt: skip
"""The knobs that shape a round, a row of int64. ``big_gin`` -1: not played; ``tie``: 0 undercut, 1 nothing, 2 void."""
LIMIT, GIN, UNDERCUT, BIG_GIN, TIE, TAKEN_STAYS, TAKE_TO_END, PILE_LIMIT, MULTIPLIER = range(len(RULES))

PASS, TAKE, DRAW_CARD, BIG = 256, 257, 258, 259
"""Codes of actions without a card; a discard is the card's bit, a knock 64 more, a draw in a trace 128 more."""
KNOCK_CODE, DRAW_CODE = 64, 128
NO_ACTION = -1

OUTCOMES = ("win_knock", "win_gin", "undercut", "lose_knock", "lose_gin", "win_undercut", "dead")
"""How a round ends for seat 0, by code; ties count as the undercut they are, a void tie as dead."""
WIN_KNOCK, WIN_GIN, LOSE_UNDERCUT, LOSE_KNOCK, LOSE_GIN, WIN_UNDERCUT, DEAD = range(len(OUTCOMES))
_TURNS = 400


@compiled
def _price(rules: Any, knocker: int, shown: int, left: int, eleven: bool) -> tuple[int, int]:
    """Points for seat 0 and the outcome of a hand shown with ``shown`` against ``left``."""
    sign = 1 if knocker == 0 else -1
    if shown == 0:
        bonus = rules[BIG_GIN] if eleven else rules[GIN]
        return sign * (left + bonus) * rules[MULTIPLIER], WIN_GIN if sign > 0 else LOSE_GIN
    if shown < left:
        return sign * (left - shown) * rules[MULTIPLIER], WIN_KNOCK if sign > 0 else LOSE_KNOCK
    if shown == left and rules[TIE] == 2:
        return 0, DEAD
    bonus = rules[UNDERCUT]
    if shown == left and rules[TIE] == 1:
        bonus = 0
    return -sign * (shown - left + bonus) * rules[MULTIPLIER], LOSE_UNDERCUT if sign > 0 else WIN_UNDERCUT


@compiled
def _play(
    state: Any, action: int, policies: Any, rules: Any, stock: Any, own_ends: bool, random: np.uint64, trace: Any
) -> tuple[int, int]:
    """Play one round to its end: points for seat 0 and the outcome. ``action`` is done first unless NO_ACTION."""
    seat = state[TURN]
    mine, theirs = state[HAND0], state[HAND1]
    known_mine, known_theirs = state[KNOWN0], state[KNOWN1]
    thrown_mine, thrown_theirs = state[THROWN0], state[THROWN1]
    policy_mine, policy_theirs = state[POLICY0], state[POLICY1]
    if seat == 1:
        mine, theirs = theirs, mine
        known_mine, known_theirs = known_theirs, known_mine
        thrown_mine, thrown_theirs = thrown_theirs, thrown_mine
        policy_mine, policy_theirs = policy_theirs, policy_mine
    pile, top, offered = state[PILE], state[TOP], state[OFFERED] != 0
    phase, taken, takes_in_row = state[PHASE], state[TAKEN], state[TAKES]
    left, turn, passes = state[STOCK], state[DISCARDS], state[PASSES]
    dealer, out = state[DEALER], state[OUT]
    taken_stays, take_to_end = rules[TAKEN_STAYS] != 0, rules[TAKE_TO_END] != 0
    limit = rules[LIMIT]
    front, back = 0, left - 1
    if own_ends and action == TAKE and phase == DRAW and seat == 0:
        # The card it would have drawn stays out of the way, so that its later draws are those after drawing, too.
        front = 1
    written, room = 0, trace.shape[0]
    for _ in range(_TURNS):
        if phase != DISCARD:
            # To take or not to take.
            if action != NO_ACTION:
                take = action == TAKE
            elif not offered:
                take = False
            elif phase == LAST_DISCARD:
                hand = mine | top
                least = after_throw(hand, top if taken_stays else 0)
                can = least <= limit or (rules[BIG_GIN] >= 0 and deadwood(hand) == 0)
                take = can and least <= policies[policy_mine, LAST_TAKE]
            else:
                take = takes(policies[policy_mine], mine, top, turn, taken_stays)
            action = NO_ACTION
            if take:
                mine |= top
                known_mine |= top
                pile &= ~top
                thrown_theirs &= ~top
                taken = top
                # What lies below is covered again before anyone could take it.
                top = 0
                takes_in_row += 1
                if written < room:
                    trace[written] = TAKE
                    written += 1
            elif phase == LAST_DISCARD:
                if written < room:
                    trace[written] = PASS
                return 0, DEAD
            elif phase == UPCARD:
                if written < room:
                    trace[written] = PASS
                    written += 1
                passes += 1
                if seat == dealer:
                    phase = DRAW
                    offered = False
                seat = 1 - seat
                mine, theirs = theirs, mine
                known_mine, known_theirs = known_theirs, known_mine
                thrown_mine, thrown_theirs = thrown_theirs, thrown_mine
                policy_mine, policy_theirs = policy_theirs, policy_mine
                continue
            else:
                if own_ends and seat == 1:
                    drawn = stock[back]
                    back -= 1
                else:
                    drawn = stock[front]
                    front += 1
                mine |= np.int64(1) << drawn
                left -= 1
                takes_in_row = 0
                taken = 0
                if written < room:
                    trace[written] = DRAW_CODE + drawn
                    written += 1
            phase = DISCARD
        # To end the hand or to throw.
        policy = policies[policy_mine]
        keep = taken if taken_stays else 0
        must_end = taken != 0 and left <= 2
        dead_next = left <= 2 and not take_to_end
        sets = np.int64(-1)
        runs = np.int64(-1)
        thrown = np.int64(0)
        ends = False
        big = False
        if action != NO_ACTION:
            big = action == BIG
            ends = big or action >= KNOCK_CODE
            thrown = 0 if big else np.int64(1) << (action & 63)
            sets, runs = state[SETS], state[RUNS]
            action = NO_ACTION
        else:
            seen = pile | out
            big = rules[BIG_GIN] >= 0 and deadwood(mine) == 0
            if big:
                ends = True
            else:
                least = after_throw(mine, keep)
                if least <= limit:
                    thrown = _thrown_for(mine, keep, least)
                    live = ALL & ~(seen | mine | known_theirs)
                    ends = must_end or wants_to_end(policy, mine ^ thrown, least, live, turn, left, dead_next)
            if not ends:
                thrown, random = throws(policy, mine, keep, seen, known_theirs, thrown_theirs, turn, random)
        if ends:
            if written < room:
                trace[written] = BIG if big else KNOCK_CODE + lowest(thrown)
                written += 1
            shown = mine ^ thrown
            if sets < 0:
                theirs_may = ALL & ~(pile | out | mine)
                sets = shown_sets(shown, theirs_may, known_theirs)
                runs = run_cards(shown & ~sets)
            points = points_of(shown & ~sets & ~runs)
            defence = deadwood(theirs) if points == 0 else least_after_lay_offs(theirs, sets, runs)
            if written + 1 < room:
                trace[written] = sets
                trace[written + 1] = runs
            return _price(rules, seat, points, defence, big)
        if written < room:
            trace[written] = lowest(thrown)
            written += 1
        mine ^= thrown
        known_mine &= ~thrown
        pile |= thrown
        thrown_mine |= thrown
        top = thrown
        offered = True
        taken = 0
        turn += 1
        if left <= 2:
            if not take_to_end:
                return 0, DEAD
            phase = LAST_DISCARD
        elif takes_in_row >= rules[PILE_LIMIT]:
            return 0, DEAD
        else:
            phase = DRAW
        seat = 1 - seat
        mine, theirs = theirs, mine
        known_mine, known_theirs = known_theirs, known_mine
        thrown_mine, thrown_theirs = thrown_theirs, thrown_mine
        policy_mine, policy_theirs = policy_theirs, policy_mine
        if phase == LAST_DISCARD:
            hand = mine | top
            least = after_throw(hand, top if taken_stays else 0)
            offered = least <= limit or (rules[BIG_GIN] >= 0 and deadwood(hand) == 0)
    return 0, DEAD


@compiled
def _thrown_for(hand: int, keep: int, least: int) -> int:
    """The first card (a mask) whose throw leaves the least deadwood."""
    cards = hand & ~keep
    while cards:
        card = cards & -cards
        cards ^= card
        if deadwood(hand ^ card) == least:
            return card
    return 0


@compiled
def _shuffled(cards: int, stock: Any, random: np.uint64) -> np.uint64:
    """Write the cards' bits into ``stock`` in random order; the random state after it."""
    size = 0
    while cards:
        stock[size] = lowest(cards)
        cards &= cards - 1
        size += 1
    for place in range(size - 1, 0, -1):
        random = next_state(random)
        other = below(shuffle_word(random), place + 1)
        stock[place], stock[other] = stock[other], stock[place]
    return random


@driver
def play_all(
    states: Any, actions: Any, policies: Any, rules: Any, stocks: Any, seeds: Any, points: Any, outcomes: Any,
    traces: Any,
) -> None:  # fmt: skip
    """Play every state on with every first action, on common cards and common random numbers.

    ``states`` int64 (worlds, len(STATE)); ``actions`` int64 (actions,), NO_ACTION for what the policy does;
    ``policies`` float64 (policies, len(PARAMETERS)); ``rules`` int64 (len(RULES),); ``stocks`` int8 (worlds, cards) in
    the order drawn, or (0, 0): then the unseen cards are shuffled by the world's seed and each side draws from its own
    end; ``seeds`` uint64 (worlds,). Written: ``points`` int32 and ``outcomes`` int8 (worlds, actions), points for
    seat 0; ``traces`` int64 (worlds, room) what was done with the last action (a knock is followed by the masks of the
    sets and runs shown), or (0, 0).
    """
    stock = np.empty(64, np.int8)
    nothing = np.empty(0, np.int64)
    dealt = stocks.shape[0] > 0
    traced = traces.shape[0] > 0
    for world in range(states.shape[0]):
        state = states[world]
        random = seeds[world]
        if dealt:
            for place in range(stocks.shape[1]):
                stock[place] = stocks[world, place]
        else:
            unseen = ALL & ~(state[HAND0] | state[HAND1] | state[PILE] | state[OUT])
            random = _shuffled(unseen, stock, random)
            if popcount(unseen) != state[STOCK]:
                raise ValueError("the stock of a state does not fit its cards")
        for place in range(actions.shape[0]):
            trace = traces[world] if traced else nothing
            won, outcome = _play(state, actions[place], policies, rules, stock, not dealt, random, trace)
            points[world, place] = won
            outcomes[world, place] = outcome
