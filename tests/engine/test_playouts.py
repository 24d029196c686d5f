"""The compiled driver against the game, action by action: every trace is legal and counts the same."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from tests.engine.brute import cards_in
from tests.engine.driving import (
    PASSES_LAST,
    POLICIES,
    RULES,
    TAKES_ALL,
    WAITS,
    WANDERS,
    WEIGHS_ALL,
    Drive,
    checked,
    driven,
    kinds_of,
    plies,
    some_starts,
    with_stock_of,
)
from tutor.engine import styles
from tutor.engine.deals import dealt_states, swapped
from tutor.engine.decide import decide
from tutor.engine.evaluator import shows
from tutor.engine.kernel import playout as kernel
from tutor.engine.kernel.bits import to_place
from tutor.engine.players.base import defend
from tutor.engine.states import code_of, rules_row, state_of
from tutor.game.actions import Action, BigGin, Discard, Draw, Knock, Pass, Phase, Seat, Take
from tutor.game.cards import ALL_CARDS, Card, CardSet
from tutor.game.layoffs import best_arrangement
from tutor.game.round import Deal, Round
from tutor.game.rules import PRESETS, LastDiscard, RuleSet

ROUNDS = 100
WANTED = {
    "knock": 100, "gin": 100, "big gin": 3, "undercut": 30, "tie undercut": 2, "tie nothing": 1, "tie void": 1,
    "dead hand": 50, "dead hand by the pile limit": 50, "last discard taken": 10, "last discard passed": 10,
    "doubled": 5, "lay-offs": 50,
}  # fmt: skip


def policies_for(name: str, random_: random.Random) -> tuple[int, int]:
    """Two policies; where the last discard or the pile limit matters, half the time those that get there."""
    pool = range(len(POLICIES))
    if name.startswith("pile limit") and random_.random() < 0.5:
        pool = range(TAKES_ALL, WANDERS + 1)
    elif RULES[name].last_discard is LastDiscard.TAKE_TO_END and random_.random() < 0.6:
        pool = range(WANDERS, PASSES_LAST + 1)
    return random_.choice(pool), random_.choice(pool)


def driven_rounds(name: str, count: int) -> list[tuple[Round, Round]]:
    """Rounds under these rules: the start and the checked end."""
    random_ = random.Random(name)
    found = []
    for start in some_starts(RULES[name], count, random_):
        drive = driven(start, policies_for(name, random_), random_.randrange(2**60))
        found.append((start, checked(start, drive)))
    return found


def test_every_round_is_legal_and_counts_the_same(times: int) -> None:
    met: Counter[str] = Counter()
    for name in RULES:
        for _, end in driven_rounds(name, ROUNDS * times):
            met.update(kinds_of(end))
    short = {kind: met[kind] for kind, least in WANTED.items() if met[kind] < least * times}
    assert short == {}


def test_a_round_played_on_from_any_ply_is_legal_and_counts_the_same(times: int) -> None:
    """The state made from a view and the truth behind it: phase, offer, taken card, passes, takes, discards."""
    random_ = random.Random(11)
    phases: Counter[Phase] = Counter()
    for name in RULES:
        for start, end in driven_rounds(name, 25 * times):
            middle = plies(start, end)
            # The last plies are where the rules on ends matter.
            chosen = {*random_.sample(range(len(middle)), min(3, len(middle))), len(middle) - 1}
            for at in sorted(chosen):
                drive = driven(middle[at], policies_for(name, random_), random_.randrange(2**60))
                assert checked(middle[at], drive).result is not None
                phases[middle[at].public.phase] += 1
    assert min(phases[phase] for phase in (Phase.UPCARD, Phase.DRAW, Phase.DISCARD, Phase.LAST_DISCARD)) >= 5 * times


def test_what_the_driver_remembers_is_what_the_view_tells(times: int) -> None:
    """A policy that looks at everything decides from the middle as it did on the way there.

    Equal throws are drawn by lot; where sixteen lots agree there was nothing to draw.
    """
    random_ = random.Random(12)
    same = 0
    for name in ("Standard", "Oklahoma", "OpenSpiel", "Tournament"):
        for start in some_starts(RULES[name], 6 * times, random_):
            pair = (WEIGHS_ALL, WEIGHS_ALL)
            end = checked(start, driven(start, pair, 5))
            for middle in plies(start, end):
                firsts = {driven(middle, pair, seed).trace[0] for seed in range(16)}
                if len(firsts) == 1:
                    did = end.actions[len(middle.actions)]
                    assert firsts == {traced(did)}, middle.actions
                    same += 1
    assert same > 300 * times


def traced(action: Action) -> int:
    """The code of a complete action in a trace."""
    if isinstance(action, Draw) and action.card is not None:
        return kernel.DRAW_CODE + to_place(action.card.index)
    return code_of(action)


def thrown_masks(round_: Round) -> list[CardSet]:
    """Who threw the cards of the pile, from the round's own actions."""
    seat = round_.deal.dealer.other
    by: dict[Card, int] = {}
    for action, act in zip(round_.actions, round_.public.acts, strict=True):
        seat = act.seat
        if isinstance(action, Discard):
            by[action.card] = int(seat)
    pile = round_.public.pile
    return [CardSet.of(card for card in pile if by.get(card) == number) for number in (0, 1)]


def test_a_state_says_what_the_view_knows() -> None:
    """Columns that only a policy looks at are not seen in a replay."""
    for name in ("Standard", "Tournament", "OpenSpiel", "pile limit 5"):
        for start, end in driven_rounds(name, 6):
            for middle in plies(start, end):
                seat = middle.public.turn
                assert seat is not None
                view = middle.view(seat)
                row = dict(zip(kernel.STATE, state_of(view).tolist(), strict=True))
                cards = {
                    "hand0": view.hand, "hand1": view.known_theirs, "known0": middle.public.held[seat],
                    "known1": view.known_theirs, "thrown0": thrown_masks(middle)[seat],
                    "thrown1": thrown_masks(middle)[seat.other], "pile": CardSet.of(middle.public.pile),
                    "out": middle.deal.out_of_play,
                    "taken": CardSet.of([] if view.public.taken is None else [view.public.taken]),
                }  # fmt: skip
                assert {name: cards_in(row[name]) for name in cards} == cards
                assert row["offered"] == (Take() in middle.legal_actions())
                assert row["takes"] == middle.public.pile_takes
                assert row["stock"] == len(middle.stock)
                assert row["dealer"] == (middle.public.dealer is not seat)
                assert row["discards"] == sum(isinstance(action, Discard) for action in middle.actions)
                assert row["passes"] == sum(isinstance(action, Pass) for action in middle.actions)


def forced(round_: Round) -> list[Action]:
    """Every legal action; a knock once more with each arrangement that may be shown."""
    assert round_.public.turn is not None
    view = round_.view(round_.public.turn)
    actions: list[Action] = []
    for action in round_.legal_actions():
        actions += [action, *(shows(view, action) if isinstance(action, Knock) else ())]
    return actions


def test_a_forced_first_action_is_what_is_done_first(times: int) -> None:
    random_ = random.Random(13)
    done: Counter[str] = Counter()
    for name in RULES:
        for start, end in driven_rounds(name, 5 * times):
            middle = plies(start, end)
            for round_ in (middle[-1], random_.choice(middle)):
                for action in forced(round_):
                    drive = driven(round_, policies_for(name, random_), 3, action)
                    after = checked(round_, drive)
                    did = after.actions[len(round_.actions)]
                    match action:
                        case Draw():
                            assert did == Draw(round_.stock[0])
                        case Knock(card, None):
                            assert isinstance(did, Knock)
                            assert did.card == card
                        case BigGin():
                            assert isinstance(did, BigGin)
                        case _:
                            assert did == action
                    shown = isinstance(action, Knock) and action.arrangement is not None
                    done["chosen show" if shown else type(action).__name__] += 1
    assert min(done[name] for name in ("Pass", "Take", "Draw", "Discard", "Knock", "chosen show")) >= 5 * times


def trace_without_shows(drive: Drive) -> list[int]:
    """Codes of actions only: a knock and big gin are followed by two masks."""
    ends = [at for at, code in enumerate(drive.trace) if code == kernel.BIG or 64 <= code < kernel.DRAW_CODE]
    return list(drive.trace[: ends[0] + 1] if ends else drive.trace)


def draws_of(round_: Round, drive: Drive) -> list[list[int]]:
    """The cards drawn by the seat that was on turn and by the other one."""
    draws: list[list[int]] = [[], []]
    done = with_stock_of(round_, trace_without_shows(drive))
    end = checked(done, drive)
    for action, act in zip(end.actions[len(round_.actions) :], end.public.acts[len(round_.public.acts) :], strict=True):
        if isinstance(action, Draw) and action.card is not None:
            draws[act.seat is not round_.public.turn].append(action.card.index)
    return draws


def test_with_a_shuffled_stock_each_side_has_its_own_cards_to_draw(times: int) -> None:
    """As evaluations play: legal, counted the same, and no action changes which cards a side will draw.

    Who takes instead of drawing leaves out the card it would have drawn.
    """
    random_ = random.Random(15)
    longer = 0
    stocks: Counter[int] = Counter()
    for name in RULES:
        for start, end in driven_rounds(name, 6 * times):
            round_ = random_.choice(plies(start, end))
            pair, seed = policies_for(name, random_), random_.randrange(2**60)
            seen: list[list[int]] = [[], []]
            for action in round_.legal_actions():
                draws = draws_of(round_, driven(round_, pair, seed, action, shuffled=True))
                if isinstance(action, Take) and round_.public.phase is Phase.DRAW:
                    draws[0] = [*seen[0][:1], *draws[0]] if seen[0] else []
                for side, cards in enumerate(draws):
                    shorter, more = sorted((cards, seen[side]), key=len)
                    assert more[: len(shorter)] == shorter
                    longer += bool(shorter)
                    seen[side] = more
            stocks.update(seen[0][:1])
    assert longer > 300 * times
    assert len(stocks) > 25, "the stock is really shuffled"


def unnamed(code: int) -> int:
    """A code without the name of a drawn card."""
    return kernel.DRAW_CARD if kernel.DRAW_CODE <= code < kernel.PASS else code


def test_a_policy_looks_only_at_what_its_seat_sees(times: int) -> None:
    """The first thing done is the same whatever lies hidden."""
    random_ = random.Random(14)
    compared = 0
    for name in RULES:
        for start, end in driven_rounds(name, 3 * times):
            for round_ in plies(start, end)[::4]:
                assert round_.public.turn is not None
                view = round_.view(round_.public.turn)
                hidden = list(view.unseen)
                random_.shuffle(hidden)
                hands = [view.hand, view.hand]
                hands[view.seat.other] = CardSet.of(hidden[: view.unknown_theirs]) | view.known_theirs
                other = replace(round_, hands=(hands[0], hands[1]), stock=tuple(hidden[view.unknown_theirs :]))
                for policy in random_.sample(range(len(POLICIES)), 3):
                    pair = (policy, WAITS)
                    here, there = driven(round_, pair, 9), driven(round_, pair, 9, other=other)
                    assert unnamed(here.trace[0]) == unnamed(there.trace[0])
                    compared += 1
    assert compared > 500 * times


@pytest.mark.parametrize("preset", PRESETS)
def test_decide_is_legal_at_every_ply(preset: str, times: int) -> None:
    random_ = random.Random(preset)
    asked = 0
    for start in some_starts(PRESETS[preset], 3 * times, random_):
        round_ = start
        pair = random_.sample(styles.NAMES, 2)
        while (turn := round_.public.turn) is not None:
            view = round_.view(turn)
            if round_.public.phase is Phase.LAY_OFF:
                round_ = round_.play(defend(view))
                continue
            seed = random_.randrange(2**64)
            action = decide(view, pair[turn], seed)
            assert view.check(action) is None
            assert decide(view, pair[turn], seed) == action
            round_ = round_.play(action)
            asked += 1
    assert asked > 20 * times


def test_decide_draws_lots_from_its_seed() -> None:
    (start,) = some_starts(PRESETS["Standard"], 1, random.Random(4))
    round_ = start.play(Take())
    assert round_.public.turn is not None
    view = round_.view(round_.public.turn)
    assert len({decide(view, "human", seed) for seed in range(60)}) > 1


def test_decide_refuses_where_nothing_is_to_be_decided() -> None:
    (start,) = some_starts(PRESETS["Standard"], 1, random.Random(4))
    with pytest.raises(ValueError, match="is on turn"):
        decide(start.view(start.deal.dealer), "sharp", 1)
    with pytest.raises(ValueError, match="a showdown is counted"):
        code_of(Knock(None, best_arrangement(start.hands[0])))


@pytest.mark.parametrize("stays", [True, False])
def test_big_gin_with_the_last_discard_taken(stays: bool) -> None:
    """Eleven melded cards end the hand even where no throw within the limit would."""
    rules = RuleSet(knock_limit=0, last_discard=LastDiscard.TAKE_TO_END, taken_card_stays=stays)
    south = CardSet.parse("Ac 2c 3c 4c 5d 6d 7d 9h 9s 9c")
    top = Card.parse("8d")
    rest = [card for card in ALL_CARDS - south if card != top]
    # North throws the eight at the very end: it draws and throws all the way.
    deal = Deal((south, CardSet.of([*rest[-9:], top])), rest[0], tuple(rest[1:-9]), Seat.SOUTH)
    round_ = Round.start(rules, deal).play(Pass()).play(Pass())
    while round_.public.phase is not Phase.LAST_DISCARD:
        round_ = round_.play(Draw())
        assert round_.drawn is not None
        last = round_.public.stock_count == 2
        round_ = round_.play(Discard(top if last else round_.drawn))
    assert round_.public.turn == 0
    pair = (WAITS, WAITS)
    drive = driven(round_, pair, 1)
    assert drive.trace[:2] == (kernel.TAKE, kernel.BIG)
    assert kinds_of(checked(round_, drive)) == ["big gin", "last discard taken"]
    taken = round_.play(Take())
    assert BigGin() in taken.legal_actions()
    assert kinds_of(checked(taken, driven(taken, pair, 1, BigGin()))) == ["big gin", "last discard taken"]
    refused = driven(round_, (PASSES_LAST, WAITS), 1)
    assert kinds_of(checked(round_, refused)) == ["dead hand", "last discard passed"]


def test_exchanged_seats_exchange_points_and_outcomes() -> None:
    states = dealt_states(400, 6)
    generator = np.random.default_rng(6)
    states[:, kernel.POLICY0], states[:, kernel.POLICY1] = generator.integers(0, len(POLICIES), (2, 400))
    unseen = [[p for p in range(64) if not int(s[0] | s[1] | s[6]) >> p & 1 and p % 16 < 13] for s in states]
    stocks = np.array([generator.permutation(cards) for cards in unseen], dtype=np.int8)
    found = []
    for rows in (states, swapped(states)):
        points, outcomes = np.zeros((400, 1), np.int32), np.zeros((400, 1), np.int8)
        kernel.play_all(
            rows, np.array([kernel.NO_ACTION]), POLICIES, rules_row(PRESETS["Standard"], Card.parse("Kd")), stocks,
            np.arange(400, dtype=np.uint64), points, outcomes, np.zeros((0, 0), np.int64),
        )  # fmt: skip
        found.append((points[:, 0], outcomes[:, 0]))
    mirror = np.array([3, 4, 5, 0, 1, 2, 6])
    assert (found[0][0] == -found[1][0]).all()
    assert (mirror[found[0][1]] == found[1][1]).all()
    assert len(np.unique(found[0][1])) == 7


def test_a_state_whose_stock_does_not_fit_is_refused() -> None:
    states = dealt_states(1, 1)
    states[:, kernel.STOCK] = 30
    points, outcomes = np.zeros((1, 1), np.int32), np.zeros((1, 1), np.int8)
    with pytest.raises(ValueError, match="stock of a state does not fit"):
        kernel.play_all(
            states, np.array([kernel.NO_ACTION]), POLICIES, rules_row(PRESETS["Standard"], Card.parse("Kd")),
            np.zeros((0, 0), np.int8), np.zeros(1, np.uint64), points, outcomes, np.zeros((0, 0), np.int64),
        )  # fmt: skip
