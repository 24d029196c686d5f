"""Rounds played by the compiled driver, and their replay through the game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tests.helpers import random_deal
from tutor.engine import styles
from tutor.engine.kernel import playout as kernel
from tutor.engine.kernel.bits import to_place
from tutor.engine.kernel.policy import row
from tutor.engine.players.base import defend
from tutor.engine.states import action_of, arrangement_of, card_at, code_of, hand_of, rules_row, shown_masks, state_of
from tutor.game.actions import Action, BigGin, Draw, Knock, Pass, Phase, Seat, Take
from tutor.game.cards import DECK, CardSet
from tutor.game.result import Ending, Outcome
from tutor.game.round import Deal, Round
from tutor.game.rules import PRESETS, LastDiscard, OklahomaAce, RuleSet, Tie

RULES: dict[str, RuleSet] = PRESETS | {
    "limit 0": RuleSet(knock_limit=0),
    "limit 5": RuleSet(knock_limit=5),
    "Oklahoma, ace one": RuleSet(oklahoma=True, oklahoma_ace=OklahomaAce.ONE),
    "Oklahoma, ace gin, spades": RuleSet(oklahoma=True, spade_doubles=True),
    "no big gin": RuleSet(big_gin_bonus=None),
    "big gin 0": RuleSet(big_gin_bonus=0),
    "tie nothing": RuleSet(tie=Tie.NOTHING),
    "tie void": RuleSet(tie=Tie.VOID),
    "thrown back": RuleSet(taken_card_stays=False),
    "take to end": RuleSet(last_discard=LastDiscard.TAKE_TO_END),
    "take to end, thrown back": RuleSet(last_discard=LastDiscard.TAKE_TO_END, taken_card_stays=False),
    "take to end, gin": RuleSet(last_discard=LastDiscard.TAKE_TO_END, knock_limit=0),
    "pile limit 2": RuleSet(pile_limit=2),
    "pile limit 5": RuleSet(pile_limit=5),
    "other bonuses": RuleSet(gin_bonus=7, undercut_bonus=3, big_gin_bonus=11),
}
"""The presets, and rule sets with each knob moved that shapes a round."""

POLICIES: NDArray[np.float64] = np.concatenate(
    [
        styles.ROWS,
        [
            row(take_least=-100.0),
            row(take_least=-100.0, knock=-1000.0),
            row(knock=-1000.0, wander=1.0, last_take=10.0),
            row(knock=-1000.0, last_take=10.0),
            row(knock=-1000.0, last_take=-1.0),
            row(wander=0.3, noise=5.0, danger=1.0, safe=1.0, near=1.0),
            row(
                take_least=-2.0, take_turn=0.9, points_0=0.7, points_1=0.9, points_2=1.1, points_3=1.3, outs_0=0.31,
                outs_1=0.23, outs_2=0.17, outs_3=0.13, near=0.117, danger=0.71, danger_known=1.37, danger_both=2.13,
                danger_turn=0.037, safe=0.917, knock=9.0, knock_turn=-1.1, knock_count=0.3, knock_outs=-0.7,
            ),
        ],
    ]
)  # fmt: skip
"""The styles, and players made to reach what good ones seldom reach."""
TAKES_ALL, TAKES_ALL_QUIETLY, WANDERS, WAITS, PASSES_LAST, MUDDLES, WEIGHS_ALL = range(len(styles.ROWS), len(POLICIES))
ROOM = 1_000


@dataclass(frozen=True)
class Drive:
    """What the driver did: its trace up to the end, the points and the outcome for the seat that was on turn."""

    trace: tuple[int, ...]
    points: int
    outcome: int


def driven(
    round_: Round,
    policies: tuple[int, int],
    seed: int,
    action: Action | None = None,
    *,
    other: Round | None = None,
    shuffled: bool = False,
) -> Drive:
    """Play on from this round by the driver, the seat on turn having seat 0's policy, all cards as they truly lie.

    ``action`` is forced first. ``other`` gives other hidden cards; ``shuffled`` leaves the stock to the driver.
    """
    seat = round_.public.turn
    assert seat is not None
    truth = round_ if other is None else other
    state = state_of(round_.view(seat))
    state[kernel.HAND1] = hand_of(truth.hands[seat.other])
    state[kernel.POLICY0], state[kernel.POLICY1] = policies
    if isinstance(action, Knock) and action.arrangement is not None:
        state[kernel.SETS], state[kernel.RUNS] = shown_masks(action.arrangement)
    first = np.array([kernel.NO_ACTION if action is None else code_of(action)])
    stock = np.array([[to_place(card.index) for card in truth.stock]], dtype=np.int8)
    stock = stock[:0, :0] if shuffled else stock
    points, outcomes = np.zeros((1, 1), np.int32), np.zeros((1, 1), np.int8)
    traces = np.full((1, ROOM), -7, dtype=np.int64)
    rules = rules_row(round_.public.rules, round_.public.upcard)
    seeds = np.array([seed], dtype=np.uint64)
    kernel.play_all(state.reshape(1, -1), first, POLICIES, rules, stock, seeds, points, outcomes, traces)
    end = int(np.argmax(traces[0] == -7))
    return Drive(tuple(int(code) for code in traces[0, :end]), int(points[0, 0]), int(outcomes[0, 0]))


def replayed(round_: Round, trace: Sequence[int]) -> Round:
    """The trace played through the game, which raises for anything that is not allowed, and the best defence."""
    codes = iter(trace)
    for code in codes:
        action = action_of(code)
        assert round_.public.turn is not None
        hand = round_.hands[round_.public.turn]
        match action:
            case Knock(card) if card is not None:
                action = Knock(card, arrangement_of(hand.without(card), next(codes), next(codes)))
            case BigGin():
                action = BigGin(arrangement_of(hand, next(codes), next(codes)))
            case Draw(card):
                assert card is not None
        round_ = round_.play(action)
    while round_.public.phase is Phase.LAY_OFF:
        assert round_.public.turn is not None
        round_ = round_.play(defend(round_.view(round_.public.turn)))
    return round_


def right_values(end: Round, seat: Seat) -> tuple[int, str]:
    """Points and outcome for a seat as the game counts them; the outcome in the kernel's words."""
    result, rules = end.result, end.public.rules
    assert result is not None
    score = result.score(rules)
    points = score.points if score.winner is seat else -score.points
    if not result.ending.scores or score.box is None:
        return points, "dead"
    mine = result.knocker is seat
    match result.outcome():
        case Outcome.GIN | Outcome.BIG_GIN:
            return points, "win_gin" if mine else "lose_gin"
        case Outcome.KNOCK:
            return points, "win_knock" if mine else "lose_knock"
    return points, "undercut" if mine else "win_undercut"


def checked(round_: Round, drive: Drive) -> Round:
    """The end of a drive by the game's rules, which must count what the driver counted."""
    seat = round_.public.turn
    assert seat is not None
    end = replayed(round_, drive.trace)
    assert end.result is not None, "the driver stopped before the end"
    assert (drive.points, kernel.OUTCOMES[drive.outcome]) == right_values(end, seat)
    return end


def kinds_of(end: Round) -> list[str]:
    """The ways in which a round ended that the tests want to meet."""
    result, rules = end.result, end.public.rules
    assert result is not None
    outcome = result.outcome()
    named = result.ending.value if result.ending in (Ending.DEAD, Ending.PILE_LIMIT) else outcome.value
    kinds = [f"tie {rules.tie.value}" if outcome is Outcome.TIE else named]
    acts = [act.action for act in end.public.acts]
    if end.public.stock_count <= 2 and rules.last_discard is LastDiscard.TAKE_TO_END:
        shows = [at for at, act in enumerate(acts) if isinstance(act, Knock | BigGin)]
        if shows and acts[shows[0] - 1] == Take():
            kinds.append("last discard taken")
        if acts[-1] == Pass():
            kinds.append("last discard passed")
    if rules.multiplier_for(end.public.upcard) == 2 and outcome is not Outcome.DEAD:
        kinds.append("doubled")
    if end.public.shown is not None and end.public.laid_off:
        kinds.append("lay-offs")
    return kinds


def some_deal(random_: random.Random) -> Deal:
    """A deal; every second one gives the hands cards of neighbouring ranks, so that much is melded early.

    Now and then some cards are out of play, and the stock is the shorter for it.
    """
    deal = _whole_deal(random_)
    if random_.random() < 0.8:
        return deal
    out = random_.randint(1, 24)
    return replace(deal, stock=deal.stock[:-out], out_of_play=CardSet.of(deal.stock[-out:]))


def _whole_deal(random_: random.Random) -> Deal:
    deal = random_deal(random_, Seat(random_.randint(0, 1)))
    if random_.random() < 0.5:
        return deal
    low = random_.randint(1, 7)
    window = [card for card in DECK if low <= card.rank < low + 7]
    random_.shuffle(window)
    hands = CardSet.of(window[:10]), CardSet.of(window[10:20])
    rest = [card for card in DECK if card not in hands[0] | hands[1]]
    random_.shuffle(rest)
    return replace(deal, hands=hands, upcard=rest[0], stock=tuple(rest[1:]))


def some_starts(rules: RuleSet, count: int, random_: random.Random) -> list[Round]:
    """Rounds that really begin: no misdeals."""
    starts: list[Round] = []
    while len(starts) < count:
        start = Round.start(rules, some_deal(random_))
        if start.public.turn is not None:
            starts.append(start)
    return starts


def plies(start: Round, end: Round) -> list[Round]:
    """The round before each of its actions in which something is to be decided before the showdown."""
    rounds = [start]
    for action in end.actions[len(start.actions) :]:
        rounds.append(rounds[-1].play(action))
    return [one for one in rounds if one.public.turn is not None and one.public.phase is not Phase.LAY_OFF]


def with_stock_of(round_: Round, trace: Sequence[int]) -> Round:
    """The round with its stock in the order in which a trace draws it."""
    drawn = [card_at(code - kernel.DRAW_CODE) for code in trace if kernel.DRAW_CODE <= code < kernel.PASS]
    assert len(set(drawn)) == len(drawn)
    assert set(drawn) <= set(round_.stock)
    return replace(round_, stock=(*drawn, *(card for card in round_.stock if card not in drawn)))
