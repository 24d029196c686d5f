"""The figures of every reason counted again from the rules, with sets of (rank, suit) pairs and the naive solver.

Nothing of ``tutor.teaching.reasons`` is used here but the names of its fields. Even who holds what is told from the
acts, one by one. Only two things are taken over: the fitting hands as the engine samples them, and which arrangement a
knock without one shows.
"""

from __future__ import annotations

import re
from dataclasses import fields
from functools import lru_cache
from typing import Any

from tests import naive
from tutor.engine.belief import sampled_hands
from tutor.game.actions import Action, BigGin, Discard, Draw, Knock, LayOff, Pass, Settle, Take
from tutor.game.cards import Card, CardSet
from tutor.game.rules import Tie
from tutor.game.view import View

Pair = tuple[int, int]
Pairs = frozenset[Pair]
DECK: Pairs = frozenset((rank, suit) for rank in range(1, 14) for suit in range(4))


def pair(card: Card) -> Pair:
    return card.index % 13 + 1, card.index // 13


def pairs(cards: Any) -> Pairs:
    return frozenset(pair(card) for card in cards)


@lru_cache(maxsize=400_000)
def least(cards: Pairs) -> int:
    return naive.least(cards)


def points(card: Pair) -> int:
    return naive.points([card])


@lru_cache(maxsize=1)
def threes() -> tuple[Pairs, ...]:
    """Every meld of three."""
    runs = [frozenset((rank + step, suit) for step in range(3)) for rank in range(1, 12) for suit in range(4)]
    sets = [
        frozenset((rank, suit) for suit in range(4) if suit != missing) for rank in range(1, 14) for missing in range(4)
    ]
    return (*runs, *sets)


class Seen:
    """What one seat can know, told from the acts."""

    def __init__(self, view: View) -> None:
        public = view.public
        self.view = view
        self.hand = pairs(view.hand)
        pile = [public.upcard]
        took: set[Card] = set()
        self.let_go: set[Pair] = set()
        for act in public.acts:
            theirs = act.seat is not view.seat
            match act.action:
                case Take():
                    card = pile.pop()
                    if theirs:
                        took.add(card)
                case Discard(card):
                    pile.append(card)
                    if theirs:
                        took.discard(card)
                        self.let_go.add(pair(card))
                case Pass():
                    if theirs and act.offer is not None:
                        self.let_go.add(pair(act.offer))
                case Draw():
                    if theirs and act.offer is not None:
                        self.let_go.add(pair(act.offer))
        self.took = pairs(took)
        self.let_go -= self.took
        self.top = pair(pile[-1]) if pile else None
        self.unseen = DECK - self.hand - pairs(pile) - self.took - pairs(public.out_of_play)
        self.theirs = self.unseen | self.took

    def outs(self, ten: Pairs) -> Pairs:
        now = least(ten)
        return frozenset(card for card in self.unseen if least(ten | {card}) < now + points(card))

    def gin_outs(self, ten: Pairs) -> Pairs:
        return frozenset(
            card
            for card in self.unseen
            if least(ten | {card}) <= 10 and any(least((ten | {card}) - {thrown}) == 0 for thrown in ten | {card})
        )

    def ways(self, card: Pair) -> list[Pairs]:
        return [meld for meld in threes() if card in meld and meld - {card} <= self.theirs]

    def beside(self, card: Pair) -> Pairs:
        return frozenset(other for meld in self.ways(card) for other in meld & self.took) - {card}

    def same_rank(self, card: Pair) -> Pairs:
        return frozenset(other for other in self.let_go if other[0] == card[0] and other != card)

    def rung(self, card: Pair) -> int:
        ways = len(self.ways(card))
        if ways == 0:
            return 0
        if self.beside(card):
            return 4
        if ways == 1:
            return 1
        return 2 if self.same_rank(card) else 3

    def tens_after(self, card: Pair) -> tuple[int, list[Pairs]]:
        after = {thrown: least((self.hand | {card}) - {thrown}) for thrown in self.hand}
        few = min(after.values())
        return few, [(self.hand | {card}) - {thrown} for thrown, count in after.items() if count == few]

    def may_take(self, hand: Pairs, card: Pair) -> bool:
        """The last discard is taken only to end the hand."""
        public = self.view.public
        left = [least((hand | {card}) - {thrown}) for thrown in hand | {card}]
        if public.rules.taken_card_stays:
            left = [least((hand | {card}) - {thrown}) for thrown in hand]
        big = public.rules.big_gin and least(hand | {card}) == 0
        return public.stock_count > 2 or big or min(left) <= public.knock_limit

    def hands(self, sampling: Any) -> list[Pairs]:
        return [pairs(hand) for hand in sampled_hands(self.view, sampling.hands, seed=sampling.seed)]


def takes(hand: Pairs, card: Pair) -> bool:
    if not naive.melds_with(card, hand):
        return False
    now = least(hand)
    left = {thrown: least((hand | {card}) - {thrown}) for thrown in hand}
    few = min(left.values())
    melded = [thrown for thrown, count in left.items() if count == few and few < least(hand - {thrown}) + points(card)]
    return few < now and bool(melded)


def open_to(melds: list[Pairs], theirs: Pairs) -> Pairs:
    """The cards that could be laid off on a meld, one after another."""
    found: set[Pair] = set()
    for meld in melds:
        lying = meld
        while True:
            more = [card for card in theirs - lying if naive.is_meld(lying | {card})]
            if not more:
                break
            lying |= {more[0]}
        found |= lying - meld
    return frozenset(found)


def ended(view: View, action: Action) -> tuple[list[Pairs], int] | None:
    """The melds shown and the points loose, after a check that they can be shown so."""
    done = view.completed(action)
    if not isinstance(done, Knock | BigGin) or done.arrangement is None:
        return None
    cards = pairs(view.hand)
    if isinstance(done, Knock):
        assert done.card is not None
        cards -= {pair(done.card)}
    melds = [pairs(meld.cards) for meld in done.arrangement.melds]
    loose = pairs(done.arrangement.loose)
    assert all(naive.is_meld(meld) for meld in melds)
    assert sum(map(len, melds)) + len(loose) == len(cards)
    assert frozenset().union(loose, *melds) == cards
    if action != done:
        assert naive.points(loose) == least(cards)
    return melds, naive.points(loose)


def after_throw(view: View, action: Action) -> Pairs | None:
    return pairs(view.hand) - {pair(action.card)} if isinstance(action, Discard) else None


def counted(view: View, fact: Any) -> dict[str, Any]:
    """The fields of a reason by name, as they ought to be."""
    seen = Seen(view)
    better, worse = fact.better, fact.worse
    kind = type(fact).__name__
    if kind in ("Outs", "GinOuts", "Deadwood", "Feeds", "Beside", "LetGo", "Taken"):
        return _throws(seen, fact, kind, better, worse)
    if kind in ("Melds", "Trims", "Shapes", "Shows", "Ends", "Offered"):
        return _offers(seen, fact, kind)
    return _endings(seen, fact, kind, better, worse)


def _throws(seen: Seen, fact: Any, kind: str, better: Action, worse: Action) -> dict[str, Any]:
    one, two = after_throw(seen.view, better), after_throw(seen.view, worse)
    if kind == "Deadwood" and one is None:
        mine, yours = ended(seen.view, better), ended(seen.view, worse)
        assert mine is not None
        assert yours is not None
        return {"kept": mine[1], "left": yours[1], "knocks": True}
    assert one is not None
    assert two is not None
    card, other = next(iter(seen.hand - one)), next(iter(seen.hand - two))
    if kind == "Outs":
        kept, left = seen.outs(one), seen.outs(two)
        melding = frozenset(c for c in kept if least(one | {c}) < least(one))
        melding_left = frozenset(c for c in left if least(two | {c}) < least(two))
        held = sum(len(hand & kept) for hand in seen.hands(fact.sampling))
        return {"kept": kept, "left": left, "melding": melding, "melding_left": melding_left, "held": held}
    if kind == "GinOuts":
        return {"kept": seen.gin_outs(one), "left": seen.gin_outs(two)}
    if kind == "Deadwood":
        return {"kept": least(one), "left": least(two), "knocks": False}
    if kind == "Feeds":
        ways = len(seen.ways(card)), len(seen.ways(other))
        return {"ways": ways[0], "ways_worse": ways[1], "rung": seen.rung(card), "rung_worse": seen.rung(other)}
    if kind == "Beside":
        return {"taken": seen.beside(card), "taken_worse": seen.beside(other)}
    if kind == "LetGo":
        return {"gone": seen.same_rank(card), "gone_worse": seen.same_rank(other)}
    hands = seen.hands(fact.sampling)
    few, many = (sum(takes(hand, thrown) and seen.may_take(hand, thrown) for hand in hands) for thrown in (card, other))
    return {"takers": few, "takers_worse": many}


def _offers(seen: Seen, fact: Any, kind: str) -> dict[str, Any]:
    card = seen.top
    assert card is not None
    before = least(seen.hand)
    after, tens = seen.tens_after(card)
    melds = least(seen.hand | {card}) < before + points(card)
    expected: dict[str, Any] = {"card": card}
    if kind == "Melds":
        expected |= {"melds": melds, "before": before, "after": after}
    elif kind == "Trims":
        assert not melds
        expected |= {"before": before, "after": after}
    elif kind == "Shapes":
        expected |= {"taken": max(len(seen.outs(ten)) for ten in tens), "left": len(seen.outs(seen.hand))}
    elif kind == "Shows":
        assert not melds
        around = [meld - {card} for meld in threes() if card in meld and meld - {card} <= seen.theirs | seen.hand]
        expected |= {"cards": frozenset().union(*around) & seen.theirs}
    elif kind == "Ends":
        expected |= {"count": after if after <= seen.view.public.knock_limit else None}
    else:
        expected |= {"takers": sum(takes(hand, card) for hand in seen.hands(fact.sampling))}
    return expected


def _endings(seen: Seen, fact: Any, kind: str, better: Action, worse: Action) -> dict[str, Any]:
    view = seen.view
    rules = view.public.rules
    if kind == "Settled":
        return {"kept": _defended(view, better), "left": _defended(view, worse)}
    shows = [ended(view, action) for action in (better, worse)]
    shown = shows[0] or shows[1]
    assert shown is not None
    if kind == "Count":
        return {"shown": shown[1], "limit": view.public.knock_limit}
    if kind == "Exposure":
        opened = [open_to(one[0], seen.theirs) if one is not None and one[1] else frozenset() for one in shows]
        return {"open": opened[0], "open_worse": opened[1]}
    if kind == "Undercut":
        hands = seen.hands(fact.sampling)
        caught = [0 if one is None else sum(_caught(hand, one, rules.tie) for hand in hands) for one in shows]
        return {"caught": caught[0], "caught_worse": caught[1]}
    if kind == "GinChance":
        ten = after_throw(view, better) or after_throw(view, worse)
        assert ten is not None
        return {"outs": seen.gin_outs(ten)}
    if kind == "TurnsLeft":
        turns, left, mine = 0, view.public.stock_count, False
        while left > 2:
            left -= 1
            turns += mine
            mine = not mine
        return {"turns": turns}
    assert kind == "Standing"
    assert shown[1] == 0
    bonus = rules.big_gin_bonus if isinstance(better, BigGin) else rules.gin_bonus
    assert bonus is not None
    doubled = rules.spade_doubles and pair(view.public.upcard)[1] == 3
    need = rules.target - view.standing.points[view.seat]
    return {"need": need, "brings": bonus * 2 if doubled else bonus}


def _caught(hand: Pairs, shown: tuple[list[Pairs], int], tie: Tie) -> bool:
    melds, count = shown
    if not count:
        return False
    theirs = naive.best_defence(hand, tuple(melds))
    return theirs < count or (theirs == count and tie is Tie.UNDERCUT)


def _defended(view: View, action: Action) -> int:
    hand = pairs(view.hand)
    table = [pairs(meld.cards) for meld in view.public.table]
    if isinstance(action, Settle):
        return least(hand)
    assert isinstance(action, LayOff)
    place = table.index(pairs(action.meld.cards))
    table[place] |= {pair(action.card)}
    return naive.best_defence(hand - {pair(action.card)}, tuple(table))


def as_pairs(value: Any) -> Any:
    """A field's value in this module's terms."""
    if isinstance(value, CardSet):
        return pairs(value)
    return pair(value) if isinstance(value, Card) else value


def check(view: View, fact: Any) -> dict[str, Any]:
    """Every field of the reason against the recount, and every figure and card of its text."""
    expected = counted(view, fact)
    told = {f.name: as_pairs(getattr(fact, f.name)) for f in fields(fact)}
    for name in ("better", "worse", "sampling"):
        told.pop(name, None)
    assert told == expected, (fact, expected)
    _check_text(fact, expected)
    return expected


def _check_text(fact: Any, expected: dict[str, Any]) -> None:
    cards = {pair(piece) for piece in fact.text() if isinstance(piece, Card)}
    named = {pair(action.card) for action in (fact.better, fact.worse) if isinstance(action, Discard | LayOff)}
    named |= {expected["card"]} if "card" in expected else set()
    sets = [value for value in expected.values() if isinstance(value, frozenset)]
    assert cards <= named.union(*sets), fact
    text = "".join(piece if isinstance(piece, str) else "" for piece in fact.text())
    shares = [
        expected[name] / fact.sampling.hands
        for name in ("takers", "takers_worse", "caught", "caught_worse")
        if name in expected
    ]
    for first, second in re.findall(r"(\d+) in (\d+)", text):
        if second == "10" and first != "1":
            assert any(abs(part - int(first) / 10) <= 0.051 for part in shares), fact
        else:
            assert any(part and abs(1 / part - int(second)) <= 0.51 for part in shares), fact
    if "half the" in text:
        assert any(abs(part - 0.5) <= 0.051 for part in shares), fact
    counts = {value for value in expected.values() if isinstance(value, int)} | {len(value) for value in sets}
    if "held" in expected:
        counts.add(round(len(expected["kept"]) - expected["held"] / fact.sampling.hands))
        counts.add(int(len(expected["kept"]) - expected["held"] / fact.sampling.hands + 0.5))
    if len(sets) > 1:
        counts |= {len(one - other) - 6 for one in sets for other in sets}
    counts |= {len(value) - 6 for value in sets}
    for figure in re.findall(r"\d+", re.sub(r"\d+ in \d+", "", text)):
        assert int(figure) in counts, (fact, figure, counts)
