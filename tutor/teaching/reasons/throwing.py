"""Reasons to throw one card rather than another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from tutor.game.actions import Action, Discard
from tutor.game.cards import Card, CardSet
from tutor.game.solver import deadwood
from tutor.game.view import View
from tutor.teaching.reasons import counts
from tutor.teaching.reasons.fitting import Sampling, punished, theirs_of
from tutor.teaching.reasons.reason import Bearing, Reason, kept_by, shown_by, thrown
from tutor.teaching.reasons.words import Words, about, capital, fitting, listed, number, rounded, some


@dataclass(frozen=True, slots=True)
class Throws(Reason):
    """A reason between two throws that go on with the hand."""

    @property
    def cards(self) -> tuple[Card, Card]:
        """The card the better action throws, and the one the worse does."""
        assert isinstance(self.better, Discard)
        assert isinstance(self.worse, Discard)
        return self.better.card, self.worse.card


@dataclass(frozen=True, slots=True)
class Outs(Throws):
    """Cards of use that stay: unseen, and how many of them are likely still in the stock.

    ``kept`` and ``left`` are the outs after the better and the worse throw, ``melding`` and ``melding_left`` those of
    them that bring loose cards into a meld; ``held`` how often the fitting hands hold one of ``kept``, all hands added
    up.
    """

    kept: CardSet
    left: CardSet
    melding: CardSet
    melding_left: CardSet
    held: int
    sampling: Sampling
    theme: ClassVar[str] = "outs"
    bearing: ClassVar[Bearing] = Bearing.MINE

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        one, other = kept_by(view, better, 1), kept_by(view, worse, 1)
        if one is None or other is None:
            return None
        kept, left = counts.outs(one, view.unseen), counts.outs(other, view.unseen)
        melding, melding_left = counts.new_melds(one, kept), counts.new_melds(other, left)
        return cls(better, worse, kept, left, melding, melding_left, theirs_of(view, kept, sampling), sampling)

    @property
    def sampled(self) -> Sampling:
        """See ``Reason``."""
        return self.sampling

    @property
    def in_stock(self) -> int:
        """How many of the cards kept are likely still in the stock."""
        return rounded(len(self.kept) - self.held / self.sampling.hands)

    def text(self) -> Words:
        """See ``Reason``."""
        card, other = self.cards
        stock = f"about {self.in_stock}" if self.in_stock else "hardly any"
        many = f" {number(len(self.kept), 'unseen card helps', 'unseen cards help')} you, {stock} of them in the stock"
        few = str(len(self.left)) if self.left else "none"
        lost: Words = (*listed(self.kept - self.left),)
        gained: Words = (" and gains ", *listed(self.left - self.kept)) if self.left - self.kept else ()
        return "Without ", card, f"{many}; without ", other, f" {few}. Throwing ", other, " loses ", *lost, *gained, "."

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("Which cards still to come would help you? Keep what they would go with.",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return self.kept != self.left

    @property
    def speaks(self) -> bool:
        """More cards of use, and no fewer that make a new meld."""
        return len(self.kept) > len(self.left) and len(self.melding) >= len(self.melding_left)

    @property
    def weight(self) -> float:
        """0.4 a card, and as much again where it makes a new meld."""
        return 0.4 * (len(self.kept) - len(self.left) + len(self.melding) - len(self.melding_left))


@dataclass(frozen=True, slots=True)
class GinOuts(Throws):
    """Unseen cards that would be gin next."""

    kept: CardSet
    left: CardSet
    theme: ClassVar[str] = "gin outs"
    bearing: ClassVar[Bearing] = Bearing.MINE

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        one, other = kept_by(view, better, 1), kept_by(view, worse, 1)
        if one is None or other is None:
            return None
        return cls(better, worse, counts.gin_outs(one, view.unseen), counts.gin_outs(other, view.unseen))

    def text(self) -> Words:
        """See ``Reason``."""
        card, other = self.cards
        named: Words = (": ", *listed(self.kept)) if self.kept else ()
        few = str(len(self.left)) if self.left else "none"
        found = f" {number(len(self.kept), 'unseen card')} would give you gin"
        return "Without ", card, found, *named, ". Without ", other, f" {few}."

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("You are close to gin. Which cards would complete it?",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return self.kept != self.left

    @property
    def speaks(self) -> bool:
        """See ``Reason``."""
        return len(self.kept) > len(self.left)

    @property
    def weight(self) -> float:
        """A point a card."""
        return 1.0 * (len(self.kept) - len(self.left))


@dataclass(frozen=True, slots=True)
class Deadwood(Reason):
    """Points left loose, after two throws or in two knocks."""

    kept: int
    left: int
    knocks: bool
    theme: ClassVar[str] = "deadwood"
    bearing: ClassVar[Bearing] = Bearing.COUNT

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        one, other = kept_by(view, better), kept_by(view, worse)
        if one is not None and other is not None:
            return cls(better, worse, deadwood(one), deadwood(other), False)
        mine, yours = shown_by(view, better), shown_by(view, worse)
        if mine is None or yours is None:
            return None
        return cls(better, worse, mine.deadwood, yours.deadwood, True)

    def text(self) -> Words:
        """See ``Reason``."""
        if self.knocks:
            return (f"You can show {self.kept}, not {self.left}.",)
        assert isinstance(self.better, Discard)
        assert isinstance(self.worse, Discard)
        return f"Deadwood: {self.kept} without ", self.better.card, f", {self.left} without ", self.worse.card, "."

    def hint(self) -> Words:
        """See ``Reason``."""
        if self.knocks:
            return ("Which way to end the hand shows the least?",)
        return ("Count what each throw would leave loose.",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return self.kept != self.left

    @property
    def speaks(self) -> bool:
        """See ``Reason``."""
        return self.kept < self.left

    @property
    def weight(self) -> float:
        """A fifth of a point for each that is loose; a whole one where both knock."""
        return (1.0 if self.knocks else 0.2) * (self.left - self.kept)


@dataclass(frozen=True, slots=True)
class Feeds(Throws):
    """Melds of three that the other side could still make with the card thrown, and its rung of safety."""

    ways: int
    ways_worse: int
    rung: int
    rung_worse: int
    theme: ClassVar[str] = "feeds"
    bearing: ClassVar[Bearing] = Bearing.THEIRS

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        both = thrown(view, better, worse)
        if both is None:
            return None
        card, other = both
        one, two = counts.safety(view, card), counts.safety(view, other)
        return cls(better, worse, one.ways, two.ways, one.rung, two.rung)

    def text(self) -> Words:
        """See ``Reason``."""
        card, other = self.cards
        found = f" fits {number(self.ways, 'meld')} they could still make, "
        return card, found, other, f" fits {self.ways_worse}."

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("Which of your loose cards could they still use? Count the melds each would fit.",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return self.ways != self.ways_worse

    @property
    def speaks(self) -> bool:
        """Fewer ways, on a rung that is no worse."""
        return self.ways < self.ways_worse and self.rung <= self.rung_worse

    @property
    def weight(self) -> float:
        """Under half a point a meld; more where no way is left."""
        return 0.35 * (self.ways_worse - self.ways) + (0.5 if not self.ways else 0.0)


@dataclass(frozen=True, slots=True)
class Beside(Throws):
    """Cards they took, and still hold, that go with the card thrown."""

    taken: CardSet
    taken_worse: CardSet
    theme: ClassVar[str] = "beside"
    bearing: ClassVar[Bearing] = Bearing.THEIRS

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        both = thrown(view, better, worse)
        if both is None:
            return None
        card, other = both
        return cls(better, worse, counts.safety(view, card).beside, counts.safety(view, other).beside)

    def text(self) -> Words:
        """See ``Reason``."""
        card, other = self.cards
        took: Words = ("They took ", *listed(self.taken_worse), ", and ", other)
        if not self.taken:
            return *took, " goes with it. " if len(self.taken_worse) == 1 else " goes with them. ", card, " does not."
        return *took, " goes with more of what they took than ", card, "."

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("What have they taken from the pile? One of your cards goes with it.",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return self.taken != self.taken_worse

    @property
    def speaks(self) -> bool:
        """See ``Reason``."""
        return self.differs and self.taken <= self.taken_worse

    @property
    def weight(self) -> float:
        """Two points."""
        return 2.0


@dataclass(frozen=True, slots=True)
class LetGo(Throws):
    """A rank that they threw or refused; a weak sign, for they may have lacked its partners then."""

    gone: CardSet
    gone_worse: CardSet
    theme: ClassVar[str] = "let go"
    bearing: ClassVar[Bearing] = Bearing.THEIRS

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        both = thrown(view, better, worse)
        if both is None:
            return None
        card, other = both
        return cls(better, worse, counts.safety(view, card).let_go, counts.safety(view, other).let_go)

    def text(self) -> Words:
        """See ``Reason``."""
        _, other = self.cards
        return "They let ", *listed(self.gone), f" go, but no {other.rank.name.lower()} so far."

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("Which ranks have they thrown or left on the pile?",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return self.gone != self.gone_worse

    @property
    def speaks(self) -> bool:
        """See ``Reason``."""
        return bool(self.gone) and not self.gone_worse

    @property
    def weight(self) -> float:
        """Little."""
        return 0.3


@dataclass(frozen=True, slots=True)
class Taken(Throws):
    """How many fitting hands would take the card thrown, of those sampled."""

    takers: int
    takers_worse: int
    sampling: Sampling
    theme: ClassVar[str] = "taken"
    bearing: ClassVar[Bearing] = Bearing.THEIRS

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        both = thrown(view, better, worse)
        if both is None:
            return None
        card, other = both
        return cls(better, worse, punished(view, card, sampling)[0], punished(view, other, sampling)[0], sampling)

    @property
    def sampled(self) -> Sampling:
        """See ``Reason``."""
        return self.sampling

    @property
    def shares(self) -> tuple[float, float]:
        """The shares of the fitting hands that take the better card, and the worse."""
        return self.takers / self.sampling.hands, self.takers_worse / self.sampling.hands

    def text(self) -> Words:
        """See ``Reason``."""
        card, other = self.cards
        few, many = self.shares
        return f"{capital(fitting(many, 'take'))} ", other, f", {some(few, 'take')} ", card, "."

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("Which of your loose cards are they most likely to take?",)

    @property
    def differs(self) -> bool:
        """Whether the shares are told in different words."""
        few, many = self.shares
        return about(few) != about(many)

    @property
    def speaks(self) -> bool:
        """Clearly fewer: by one hand in twenty."""
        few, many = self.shares
        return self.differs and many - few >= 0.05

    @property
    def weight(self) -> float:
        """Eight points for a card that is always taken."""
        few, many = self.shares
        return 8 * (many - few)


THROWING: tuple[type[Reason], ...] = (Outs, GinOuts, Deadwood, Feeds, Beside, LetGo, Taken)
