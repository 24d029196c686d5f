"""What the other side may hold: hands sampled from a fitted model of how hands that were really played look.

The model and its features are in ``kernel/beliefs.py``; its weights are data with their provenance
(``data/belief-*.json``), made by ``gin-tutor fit-belief``. Hands drawn uniformly from the unseen cards would be far
too weak: players keep what melds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from tutor.engine.kernel import beliefs as kernel
from tutor.engine.kernel.bits import ALL, from_lanes, from_place, to_place
from tutor.engine.opponents import usual
from tutor.engine.states import check_view, hand_of
from tutor.engine.styles import FAMILIES, MEMBERS
from tutor.game.actions import Discard, Draw, Pass, Phase, Take
from tutor.game.cards import CardSet
from tutor.game.view import View

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST_SIGNS = 48
"""Signs kept of one side; more are possible only in hands that go round the pile, where the oldest are left out."""
BURN, THIN = 200, 12
"""Swaps before a chain's first hand, and between two."""
CHAIN = 16
"""Hands of one chain: neighbours in a chain resemble each other, so errors are taken over chains."""

THROW, REFUSE, TAKE, GET = range(4)
"""What one side did, as far as it tells of its cards; GET is a card from the stock."""
Deed = tuple[int, int]
"""What was done, and with which card (a bit's place; -1 for GET)."""


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge:
    """All that bears on one side's hidden cards.

    ``signs`` int64 (MOST_SIGNS, 2), ended by -1; ``turn`` a class of turn; ``known`` the cards it is known to hold,
    ``pool`` the unseen cards, ``unknown`` how many of them it holds, ``live`` what it may still draw (all masks of the
    kernel); ``extra`` is 1 while it holds an eleventh card just drawn.
    """

    signs: Ints
    turn: int
    known: int
    pool: int
    unknown: int
    live: int
    extra: int


def signs_of(deeds: Iterable[Deed], held: int) -> tuple[Ints, int]:
    """The signs of what one side did (oldest first) and its discards; ``held`` is what it is known to hold."""
    told: list[tuple[int, int, int]] = []
    got = discards = 0
    for kind, place in deeds:
        if kind in (GET, TAKE):
            got += 1
        if kind == THROW:
            discards += 1
        if kind == TAKE:
            told = [one for one in told if not (one[0] == kernel.TAKEN and one[1] == place)]
        if kind != GET:
            told.append(({THROW: kernel.THROWN, REFUSE: kernel.REFUSED, TAKE: kernel.TAKEN}[kind], place, got))
    rows = np.full((MOST_SIGNS, 2), -1, dtype=np.int64)
    kept = [one for one in told if one[0] != kernel.TAKEN or held >> one[1] & 1]
    for at, (kind, place, then) in enumerate(kept[-MOST_SIGNS:]):
        rows[at] = kind + kernel.lag_class(got - then), place
    return rows, discards


def knowledge(view: View) -> Knowledge:
    """What this seat knows of the other side's cards. Raises ValueError for a view that cannot be, or a shown hand."""
    check_view(view)
    public = view.public
    if public.knocker is not None or public.turn is None:
        raise ValueError("the hand is shown: there is nothing left to believe")
    other = view.seat.other
    deeds: list[Deed] = []
    for act in public.acts:
        if act.seat is not other:
            continue
        match act.action:
            case Discard(card):
                deeds.append((THROW, to_place(card.index)))
            case Take() if act.offer is not None:
                deeds.append((TAKE, to_place(act.offer.index)))
            case Pass() if act.offer is not None:
                deeds.append((REFUSE, to_place(act.offer.index)))
            case Draw():
                if act.offer is not None:
                    deeds.append((REFUSE, to_place(act.offer.index)))
                deeds.append((GET, -1))
    signs, discards = signs_of(deeds, hand_of(view.known_theirs))
    extra = int(public.turn is other and public.phase is Phase.DISCARD and public.taken is None)
    seen = 0
    for card in public.pile:
        seen |= 1 << to_place(card.index)
    live = ALL & ~(seen | hand_of(public.out_of_play) | hand_of(public.held[view.seat]))
    return Knowledge(
        signs,
        kernel.turn_class(discards),
        hand_of(view.known_theirs),
        hand_of(view.unseen),
        view.unknown_theirs - extra,
        live,
        extra,
    )


@dataclass(frozen=True, slots=True)
class Model:
    """Fitted weights with where they come from."""

    name: str
    weights: tuple[float, ...]
    provenance: tuple[tuple[str, str], ...]

    def __post_init__(self) -> None:
        if len(self.weights) != kernel.WEIGHTS:
            raise ValueError(f"the belief {self.name} has {len(self.weights)} weights, not {kernel.WEIGHTS}")

    def to_json(self) -> str:
        """The model as a data file."""
        weights = [round(weight, 4) for weight in self.weights]
        return json.dumps({"name": self.name, "provenance": dict(self.provenance), "weights": weights}) + "\n"

    @classmethod
    def from_json(cls, text: str) -> Model:
        """A model from its data file; ValueError when it is none."""
        try:
            read = json.loads(text)
            weights = tuple(float(weight) for weight in read["weights"])
            return cls(str(read["name"]), weights, tuple((str(k), str(v)) for k, v in read["provenance"].items()))
        except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
            raise ValueError(f"this is no belief file: {error}") from None


LIMITS = (0, 5, 10)
"""The knock limits for which weights are shipped; a hand uses those nearest to its own limit."""


@lru_cache(maxsize=16)
def weights_for(limit: int) -> Floats:
    """The shipped weights for hands with this knock limit: float64 (families, WEIGHTS)."""
    nearest = min(LIMITS, key=lambda known: (abs(known - limit), known))
    return np.array([shipped(nearest, family).weights for family in range(len(FAMILIES))])


@cache
def shipped(limit: int, family: int) -> Model:
    """The belief that comes with the program for one of LIMITS and a family of styles."""
    path = files("tutor.engine") / "data" / f"belief-{limit}-{family}.json"
    return Model.from_json(path.read_text(encoding="utf-8"))


UNIFORM: Floats = np.zeros((len(FAMILIES), kernel.WEIGHTS))
"""The beliefs that believe nothing: every hand is equally likely."""


def sample(known: Knowledge, weights: Floats, seeds: NDArray[np.uint64], each: int) -> Ints:
    """Hands of the other side by one family's weights, known cards included: int64 (len(seeds), each).

    A row is a chain of swaps of its own, the same whatever else is drawn. An eleventh card just drawn from the stock
    is any unseen card.
    """
    hands = np.zeros((len(seeds), each), dtype=np.int64)
    kernel.sample_hands(
        weights, known.signs, known.turn, known.known, known.pool, known.unknown, known.live, seeds, BURN, THIN, hands
    )
    if known.extra:
        for chain, seed in zip(hands, seeds, strict=True):
            generator = np.random.default_rng(int(seed))
            for at, hand in enumerate(chain.tolist()):
                rest = [place for place in range(64) if (known.pool & ~hand) >> place & 1]
                chain[at] = hand | 1 << int(generator.choice(rest))
    return hands


@dataclass(frozen=True, slots=True, eq=False)
class Belief:
    """Hands that fit what is known, and the families of styles they may have been kept by.

    ``weights`` float64 (families, WEIGHTS); ``shares`` float64 (families,) adding up to 1.
    """

    known: Knowledge
    weights: Floats
    shares: Floats

    def families(self, seed: int, first: int, count: int) -> Ints:
        """The family of each chain from number ``first``: int64 (count,), by a walk through the shares."""
        begin = (seed * 0x9E3779B97F4A7C15 % 2**64) / 2**64
        walk = (np.arange(first, first + count) * 0.6180339887498949 + begin) % 1.0
        return np.searchsorted(np.cumsum(self.shares), walk, side="right").clip(max=len(self.shares) - 1)

    def hands(self, seed: int, first: int, count: int) -> Ints:
        """Hands as ``sample`` draws them: int64 (count, CHAIN), a row a chain from number ``first``."""
        seeds = chain_seeds(seed, first, count)
        drawn = np.zeros((count, CHAIN), dtype=np.int64)
        families = self.families(seed, first, count)
        for family, weights in enumerate(self.weights):
            chosen = families == family
            drawn[chosen] = sample(self.known, weights, seeds[chosen], CHAIN)
        return drawn


def family_shares(mix: Floats) -> Floats:
    """The shares of the families in a mix of styles: float64 (families,)."""
    return np.asarray(MEMBERS @ mix)


def belief_of(view: View, *, mix: Floats | None = None, weights: Floats | None = None) -> Belief:
    """What this seat may believe of the other side's cards.

    ``mix`` are the shares of styles, by default the usual ones after what this opponent has shown in this round;
    ``weights`` other weights. Raises ValueError for a view that cannot be, or a shown hand.
    """
    known = knowledge(view)
    public = view.public
    chosen = usual(public, view.seat.other) if mix is None else mix
    return Belief(known, weights_for(public.knock_limit) if weights is None else weights, family_shares(chosen))


def chain_seeds(seed: int, first: int, count: int) -> NDArray[np.uint64]:
    """The random seeds of chains ``first`` and on: uint64 (count,)."""
    with np.errstate(over="ignore"):
        words = np.arange(first + 1, first + count + 1, dtype=np.uint64) * np.uint64(0xD1342543DE82EF95)
        return words ^ np.uint64((seed * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019) & 0xFFFF_FFFF_FFFF_FFFF)


def marginals(view: View, *, hands: int = 2000, seed: int = 0, belief: Belief | None = None) -> Floats:
    """The probability of each card to be in the other side's hand: float64 (52,), by card index.

    1 for cards it is known to hold, 0 for cards that lie elsewhere. ``hands`` is the number sampled, rounded up to
    whole chains. Raises ValueError as ``belief_of``, and for less than one hand.
    """
    if hands < 1:
        raise ValueError("marginals need at least one hand")
    drawn = (belief_of(view) if belief is None else belief).hands(seed, 0, -(-hands // CHAIN))
    shares = np.zeros(52)
    for place in range(64):
        if ALL >> place & 1:
            shares[from_place(place)] = float(np.mean(drawn >> place & 1))
    return shares


def sampled_hands(view: View, count: int, *, seed: int = 0, belief: Belief | None = None) -> list[CardSet]:
    """``count`` hands the other side may hold, as likely as the belief says. Raises ValueError as ``marginals``."""
    if count < 1:
        raise ValueError("sampling needs at least one hand")
    drawn = (belief_of(view) if belief is None else belief).hands(seed, 0, -(-count // CHAIN))
    return [CardSet(from_lanes(hand)) for hand in drawn.reshape(-1)[:count].tolist()]
