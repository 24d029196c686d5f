"""Duels: mirrored pairs, their counts, and the intervals made of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from tests.policies import KnocksAtOnce, NeverKnocks, WaitsForBigGin
from tutor.engine.arena import play_out
from tutor.engine.duel import FATES, Duel, DuelError, Effort, Fate, Kind, PairResult
from tutor.engine.players import ALL_PLAYERS, Novice, Player, Simple
from tutor.engine.strength import DuelTally, Estimate, Ratio, wilson
from tutor.game.actions import Action, Discard, Phase, Seat
from tutor.game.fair import fair_deal
from tutor.game.round import Round
from tutor.game.rules import PRESETS, Tie, preset
from tutor.game.view import View

EAAI = preset("EAAI")


def tally(duel: Duel, pairs: int) -> DuelTally:
    return DuelTally.of(duel.kind, (duel.play(number) for number in range(pairs)))


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("player", [Novice(), Simple(), KnocksAtOnce()], ids=lambda player: player.name)
def test_a_player_against_itself_gains_exactly_nothing(player: Player, kind: Kind) -> None:
    for number in range(4):
        pair = Duel((player, player), EAAI, kind, "same").play(number)
        assert pair.points == 0
        assert pair.won[0] == pair.won[1]
        count = dict(zip(FATES, pair.fates, strict=True))
        assert count[Fate.A_KNOCKS] == count[Fate.B_KNOCKS]
        assert count[Fate.A_GINS] == count[Fate.B_GINS]
        assert count[Fate.A_UNDERCUT] == count[Fate.B_UNDERCUT]


@pytest.mark.parametrize("kind", Kind)
def test_exchanging_the_players_mirrors_the_pair(kind: Kind) -> None:
    for number in range(4):
        one = Duel((Novice(), Simple()), EAAI, kind, "mirror").play(number)
        other = Duel((Simple(), Novice()), EAAI, kind, "mirror").play(number)
        assert (one.points, one.won) == (-other.points, other.won[::-1])
        assert one.fates[:3] == other.fates[3:6]


@dataclass(frozen=True)
class Remembering:
    """Plays as another player does and notes the first view of each round."""

    player: Player
    seen: list[View]
    policy: str = ""

    @property
    def name(self) -> str:
        return self.player.name

    def choose(self, view: View, seed: int) -> Action:
        if not any(act.seat is view.seat for act in view.public.acts):
            self.seen.append(view)
        return self.player.choose(view, seed)


def test_each_deal_is_played_from_both_sides_and_the_dealer_alternates() -> None:
    starts: list[tuple[View, ...]] = []
    for number in range(4):
        seen: tuple[list[View], list[View]] = ([], [])
        Duel((Remembering(Novice(), seen[0]), Remembering(Novice(), seen[1])), EAAI, Kind.ROUNDS, "d").play(number)
        mine, theirs = seen
        assert [view.seat for view in mine] == [Seat.SOUTH, Seat.NORTH]
        assert [view.seat for view in theirs] == [Seat.NORTH, Seat.SOUTH]
        assert (mine[0].hand, mine[1].hand) == (theirs[1].hand, theirs[0].hand)
        assert len({(view.public.upcard, view.public.dealer) for view in mine + theirs}) == 1
        starts.append(tuple(mine))
    assert [views[0].public.dealer for views in starts] == [Seat.SOUTH, Seat.NORTH] * 2
    assert len({views[0].hand for views in starts}) == 4


def test_games_of_a_pair_use_the_same_deals() -> None:
    seen: tuple[list[View], list[View]] = ([], [])
    players = (Remembering(Novice(), seen[0]), Remembering(Novice(), seen[1]))
    pair = Duel(players, EAAI, Kind.GAMES, "g").play(1)
    half = len(seen[0]) // 2
    assert pair.rounds == len(seen[0]) == 2 * half
    assert seen[0][0].public.dealer is Seat.NORTH
    assert [view.hand for view in seen[0][:half]] == [view.hand for view in seen[1][half:]]
    assert [view.hand for view in seen[0][half:]] == [view.hand for view in seen[1][:half]]
    assert len({view.hand for view in seen[0][:half]}) == half
    assert any(max(view.standing.points) > 0 for view in seen[0])


@pytest.mark.parametrize("rules", PRESETS)
def test_a_pair_adds_up_under_every_preset(rules: str) -> None:
    for kind in Kind:
        pair = Duel((Novice(), Simple()), preset(rules), kind, "p").play(3)
        assert pair.rounds >= 2
        assert pair == PairResult.from_facts(pair.facts())
        assert min(effort.decisions for effort in pair.efforts) > 0
        if kind is Kind.GAMES and preset(rules).target:
            assert sum(pair.won) == 2


def test_the_points_are_those_of_the_rounds() -> None:
    """One pair recounted from the rounds themselves."""
    duel = Duel((Novice(), KnocksAtOnce()), EAAI, Kind.ROUNDS, "recount")
    for number in range(6):
        seed, chances = duel._digest("deal", number, 0), int.from_bytes(duel._digest("chances", number)[:6])
        points, won = 0, [0, 0]
        for seated, sign in (((Novice(), KnocksAtOnce()), 1), ((KnocksAtOnce(), Novice()), -1)):
            end = play_out(Round.start(EAAI, fair_deal(seed, Seat(number % 2))), seated, seed=chances)
            assert end.result is not None
            score = end.result.score(EAAI)
            if score.winner is not None:
                gained = sign * (score.points if score.winner is Seat.SOUTH else -score.points)
                points += gained
                won[gained < 0] += 1
        pair = duel.play(number)
        assert (pair.points, pair.won) == (points, (won[0], won[1]))


def test_fates() -> None:
    """Ties without points, dead hands, gins and undercuts are told apart."""
    dead = Duel((NeverKnocks(), NeverKnocks()), EAAI, Kind.ROUNDS, "f").play(0)
    assert dead.fates[FATES.index(Fate.DEAD)] == 2
    assert dead.won == (0, 0)
    duel = Duel((WaitsForBigGin(), KnocksAtOnce()), replace(preset("Standard"), tie=Tie.NOTHING), Kind.ROUNDS, "f")
    total = tally(duel, 150)
    count = dict(zip(FATES, total.fates, strict=True))
    assert count[Fate.A_KNOCKS] == count[Fate.A_UNDERCUT] == 0
    assert min(count[fate] for fate in (Fate.B_KNOCKS, Fate.B_GINS, Fate.B_UNDERCUT, Fate.TIE)) > 0
    assert total.wins[0].y == count[Fate.A_GINS] + count[Fate.B_UNDERCUT]
    assert total.wins[1].y == count[Fate.B_KNOCKS] + count[Fate.B_GINS]
    assert total.rounds == total.units == 300


def ticking() -> Callable[[], float]:
    """A clock by which the n-th decision takes n milliseconds."""
    times = iter(value for count in range(1, 10_000) for value in (0.0, count / 1000))
    return lambda: next(times)


def test_decisions_are_timed_by_the_given_clock() -> None:
    pair = Duel((Novice(), Simple()), EAAI, Kind.ROUNDS, "t").play(0, ticking())
    first, second = pair.efforts
    count = first.decisions + second.decisions
    assert first.spent + second.spent == 1_000_000 * count * (count + 1) // 2
    assert max(first.longest_ms, second.longest_ms) == count
    assert first.mean_ms == pytest.approx(first.spent / first.decisions / 1e6)
    assert Effort().mean_ms == 0
    assert pair == Duel((Novice(), Simple()), EAAI, Kind.ROUNDS, "t").play(0)


@dataclass(frozen=True)
class Cheat:
    name: str = "Cheat"
    policy: str = "throws what it does not have"

    def choose(self, view: View, seed: int) -> Action:
        if view.public.phase is Phase.DISCARD:
            return Discard(next(iter(view.unseen)))
        return view.legal_actions()[0]


def test_a_player_that_breaks_the_rules_is_named() -> None:
    with pytest.raises(DuelError, match=r"in pair 5 Cheat broke the rules: .* is not in your hand"):
        Duel((Novice(), Cheat()), EAAI).play(5)


def test_the_interval_of_pairs_by_hand() -> None:
    """Pair gains 10, 2 in two rounds each: means 5 and 1, mean 3, standard deviation √8, error √8/√2 = 2."""
    found = Ratio().plus(10, 2).plus(2, 2).estimate()
    assert found.value == 3
    assert (found.low, found.high) == pytest.approx((3 - 1.96 * 2, 3 + 1.96 * 2), abs=1e-3)


def test_the_interval_of_pairs_of_different_length_by_hand() -> None:
    """3 in one round and 0 in two: ratio 1, residuals 2 and −2, variance 2/1 · 8 / 3² = 16/9, error 4/3."""
    found = Ratio().plus(3, 1).plus(0, 2).estimate()
    assert found.value == 1
    assert (found.low, found.high) == pytest.approx((1 - 1.96 * 4 / 3, 1 + 1.96 * 4 / 3), abs=1e-3)


def test_no_interval_from_one_pair_and_nothing_from_none() -> None:
    assert Ratio().plus(4, 2).estimate() == Estimate(2.0, None, None)
    for empty in (Ratio().estimate, lambda: wilson(0, 0), lambda: DuelTally(Kind.GAMES).gain):
        with pytest.raises(ValueError, match="nothing was played"):
            empty()


@pytest.mark.parametrize(
    ("won", "played", "low", "high"),
    [(5, 10, 0.2366, 0.7634), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_wilson_against_published_values(won: int, played: int, low: float, high: float) -> None:
    """The last one is the example of Newcombe 1998, table I, method 3."""
    found = wilson(won, played)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)


def test_the_interval_covers_the_truth_as_often_as_it_says(times: int) -> None:
    random_ = random.Random(3)
    covered = 0
    trials = 400 * times
    for _ in range(trials):
        ratio = Ratio()
        for _ in range(60):
            luck = random_.gauss(0, 20)  # shared by both rounds of a pair
            gain = sum(round(1.5 + luck + random_.gauss(0, 5)) for _ in range(2))
            ratio = ratio.plus(gain, 2)
        found = ratio.estimate()
        assert found.low is not None
        assert found.high is not None
        covered += found.low <= 1.5 <= found.high
    assert 0.91 < covered / trials < 0.98


def test_pairs_in_any_order_give_the_same_tally() -> None:
    duel = Duel((Novice(), Simple()), EAAI, Kind.GAMES, "order")
    pairs = [duel.play(number, lambda: 0.0) for number in range(5)]
    assert DuelTally.of(duel.kind, pairs) == DuelTally.of(duel.kind, reversed(pairs))


def test_shares() -> None:
    pairs = [PairResult(0, 7, (2, 0), (2, 0, 0, 0, 0, 0, 0, 0)), PairResult(1, 7, (2, 0), (1, 1, 0, 0, 0, 0, 0, 0))]
    rounds, games = DuelTally.of(Kind.ROUNDS, pairs), DuelTally.of(Kind.GAMES, pairs)
    assert rounds.share_won(0) == games.share_won(0) == wilson(4, 4)
    assert rounds.share_won(1).value == 0
    assert rounds.share_of(Fate.A_KNOCKS) == 0.75
    assert rounds.gain == Estimate(3.5, 3.5, 3.5)


def test_shares_of_many_pairs_are_clustered() -> None:
    """Mirrored cards: one each in most pairs. 30 pairs of 1 : 1 and 10 of 2 : 0 by hand, share 50/80 = 0.625.

    Residuals −0.25 (30 times) and 0.75 (10 times): squares 7.5; variance 40/39 · 7.5 / 80² = 0.0012019, error 0.03467.
    """
    split, swept = (PairResult(0, 0, won, (1, 0, 0, 1, 0, 0, 0, 0)) for won in ((1, 1), (2, 0)))
    for kind in Kind:
        many = DuelTally.of(kind, [split] * 30 + [swept] * 10)
        share = many.share_won(0)
        assert (share.value, share.low, share.high) == pytest.approx((0.625, 0.5570, 0.6930), abs=1e-4)
        assert DuelTally.of(kind, [split] * 15 + [swept] * 4).share_won(0) == wilson(23, 38)
        assert DuelTally.of(kind, [swept] * 40).share_won(1) == wilson(0, 80)


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"pair": 0, "points": 1, "won": [1, 1], "fates": [1] * 7},
        {"pair": 0, "points": 1.5, "won": [1, 1], "fates": [1] * 8, "efforts": [[1, 1, 1]] * 2},
        {"pair": 0, "points": 1, "won": [1, 2], "fates": [1] * 8, "efforts": [[1, 1, 1]] * 2},
        {"pair": 0, "points": 1, "won": [1, 1], "fates": [1] * 7, "efforts": [[1, 1, 1]] * 2},
        {"pair": -1, "points": 1, "won": [1, 1], "fates": [1] * 8, "efforts": [[1, 1, 1]] * 2},
        {"pair": 0, "points": 1, "won": "11", "fates": [1] * 8, "efforts": [[1, 1, 1]] * 2},
        {"pair": 0, "points": 1, "won": [True, 1], "fates": [1] * 8, "efforts": [[1, 1, 1]] * 2},
        {"pair": 0, "points": 1, "won": [1, 1], "fates": [1] * 8, "efforts": [[1, 1, 1]]},
    ],
)
def test_what_is_no_pair_is_refused(facts: dict[str, object]) -> None:
    with pytest.raises(DuelError):
        PairResult.from_facts(facts)


def test_every_player_can_be_sent_to_a_worker() -> None:
    import pickle

    for player in ALL_PLAYERS.values():
        duel = Duel((player, player), EAAI, Kind.GAMES, "x")
        assert pickle.loads(pickle.dumps(duel)) == duel
