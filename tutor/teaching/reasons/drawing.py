"""Reasons to take a card that lies open or to leave it: the upcard, the pile's top, the last discard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from tutor.game.actions import Action, Pass, Phase, Take
from tutor.game.cards import NO_CARDS, Card, CardSet
from tutor.game.solver import deadwood
from tutor.game.view import View
from tutor.teaching.reasons import counts
from tutor.teaching.reasons.fitting import Sampling, punished
from tutor.teaching.reasons.reason import Bearing, Reason
from tutor.teaching.reasons.words import Words, fitting, number


def offered(view: View, better: Action, worse: Action) -> Card | None:
    """The open card, where exactly one of the two actions takes it."""
    if isinstance(better, Take) == isinstance(worse, Take):
        return None
    return view.public.offer


@dataclass(frozen=True, slots=True)
class Offers(Reason):
    """A reason about the open card: what it does if taken, beside what there is without it."""

    card: Card

    @property
    def take(self) -> bool:
        """Whether the better action takes the card."""
        return isinstance(self.better, Take)


@dataclass(frozen=True, slots=True)
class Melds(Offers):
    """Whether the card lies in a meld at once, and the deadwood now and after the best throw."""

    melds: bool
    before: int
    after: int
    theme: ClassVar[str] = "melds at once"
    bearing: ClassVar[Bearing] = Bearing.MINE

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        card = offered(view, better, worse)
        if card is None:
            return None
        before = deadwood(view.hand)
        melds = deadwood(view.hand.with_card(card)) < before + card.pips
        return cls(better, worse, card, melds, before, counts.after_taking(view, card)[0])

    def text(self) -> Words:
        """See ``Reason``."""
        if self.melds:
            return self.card, f" goes into a meld at once: deadwood {self.before} → {self.after}."
        if self.after < self.before:
            return self.card, f" makes no meld; it only brings deadwood {self.before} → {self.after}."
        rest = "your deadwood stays where it is" if self.after == self.before else "you would have more loose"
        return self.card, f" makes no meld, and {rest}."

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("What would the open card do in your hand at once?",)

    @property
    def differs(self) -> bool:
        """Whether taking changes what is melded: it does, or the card would be taken for nothing."""
        return True

    @property
    def speaks(self) -> bool:
        """A card that melds speaks for taking it, one that does not for leaving it."""
        return self.melds == self.take

    @property
    def weight(self) -> float:
        """Three points, and a fifth for every point that is loose no longer."""
        return 3.0 + (0.2 * (self.before - self.after) if self.melds else 0.0)


@dataclass(frozen=True, slots=True)
class Trims(Offers):
    """Deadwood saved by a card that makes no meld."""

    before: int
    after: int
    theme: ClassVar[str] = "deadwood"
    bearing: ClassVar[Bearing] = Bearing.COUNT

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        found = Melds.of(view, better, worse, sampling)
        if found is None or found.melds or view.public.phase is Phase.LAST_DISCARD:
            return None
        return cls(better, worse, found.card, found.before, found.after)

    def text(self) -> Words:
        """See ``Reason``."""
        return "With ", self.card, f" in place of your worst loose card, deadwood goes {self.before} → {self.after}."

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("How much would you have loose with the open card, and how much without?",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return self.before != self.after

    @property
    def speaks(self) -> bool:
        """See ``Reason``."""
        return self.after < self.before and self.take

    @property
    def weight(self) -> float:
        """A fifth of a point for each."""
        return 0.2 * (self.before - self.after)


@dataclass(frozen=True, slots=True)
class Shapes(Offers):
    """Cards of use after taking the card and throwing the best, and with the hand as it is."""

    taken: int
    left: int
    theme: ClassVar[str] = "outs"
    bearing: ClassVar[Bearing] = Bearing.MINE

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        card = offered(view, better, worse)
        if card is None or not counts.turns_left(view):
            return None
        ten = counts.after_taking(view, card)[1]
        return cls(
            better, worse, card, len(counts.outs(ten, view.unseen)), len(counts.outs(view.hand, view.unseen))
        )  # fmt: skip

    def text(self) -> Words:
        """See ``Reason``."""
        first = number(self.taken, "unseen card helps", "unseen cards help")
        second = number(self.left, "does", "do") if self.left else "none do"
        return "With ", self.card, f" {first} you afterwards; with the hand you have, {second}."

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("Count the cards that would help you, with the open card and without it.",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return self.taken != self.left

    @property
    def speaks(self) -> bool:
        """See ``Reason``."""
        return self.taken > self.left if self.take else self.left > self.taken

    @property
    def weight(self) -> float:
        """0.4 a card."""
        return 0.4 * abs(self.taken - self.left)


@dataclass(frozen=True, slots=True)
class Shows(Offers):
    """What a pick-up tells: the cards they may hold that go with the card, if it is taken without melding."""

    cards: CardSet
    theme: ClassVar[str] = "tells"
    bearing: ClassVar[Bearing] = Bearing.THEIRS

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        found = Melds.of(view, better, worse, sampling)
        if found is None or found.melds or view.public.phase is Phase.LAST_DISCARD:
            return None
        bits = 0
        for rest in counts.melds_of_three(found.card):
            if rest <= view.theirs | view.hand:
                bits |= rest.bits & view.theirs.bits
        return cls(better, worse, found.card, CardSet(bits))

    def text(self) -> Words:
        """See ``Reason``."""
        them = number(len(self.cards), "card they may hold goes", "cards they may hold go")
        return "Taking ", self.card, f" tells them what you collect: {them} with it."

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("What would taking the open card tell them?",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return self.cards != NO_CARDS

    @property
    def speaks(self) -> bool:
        """See ``Reason``."""
        return bool(self.cards) and not self.take

    @property
    def weight(self) -> float:
        """Little."""
        return 0.4


@dataclass(frozen=True, slots=True)
class Ends(Offers):
    """The count with which the hand could be ended at once after taking the card; None where it could not."""

    count: int | None
    theme: ClassVar[str] = "ends the hand"
    bearing: ClassVar[Bearing] = Bearing.COUNT

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        card = offered(view, better, worse)
        if card is None:
            return None
        after = counts.after_taking(view, card)[0]
        return cls(better, worse, card, after if after <= view.public.knock_limit else None)

    def text(self) -> Words:
        """See ``Reason``."""
        if self.count == 0:
            return "With ", self.card, " you have gin at once."
        return "With ", self.card, f" you could knock at once, with {self.count}."

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("How low could you be with the open card?",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return self.count is not None

    @property
    def speaks(self) -> bool:
        """See ``Reason``."""
        return self.count is not None and self.take

    @property
    def weight(self) -> float:
        """Six points; twenty for gin."""
        return 20.0 if self.count == 0 else 6.0


@dataclass(frozen=True, slots=True)
class Offered(Offers):
    """How many fitting hands would take the upcard if it were passed to them."""

    takers: int
    sampling: Sampling
    theme: ClassVar[str] = "taken"
    bearing: ClassVar[Bearing] = Bearing.THEIRS

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        card = offered(view, better, worse)
        leaves = isinstance(better, Pass) or isinstance(worse, Pass)
        if card is None or not leaves or view.public.phase is not Phase.UPCARD or view.seat is view.public.dealer:
            return None
        return cls(better, worse, card, punished(view, card, sampling)[0], sampling)

    @property
    def sampled(self) -> Sampling:
        """See ``Reason``."""
        return self.sampling

    def text(self) -> Words:
        """See ``Reason``."""
        return f"If you pass, {fitting(self.takers / self.sampling.hands, 'take')} ", self.card, "."

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("If you leave the upcard, they may have it. Would they want it?",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return self.takers > 0

    @property
    def speaks(self) -> bool:
        """One in five or more speaks for taking it."""
        return self.take and 5 * self.takers >= self.sampling.hands

    @property
    def weight(self) -> float:
        """Five points for a card that is always taken."""
        return 5 * self.takers / self.sampling.hands


DRAWING: tuple[type[Reason], ...] = (Melds, Trims, Shapes, Shows, Ends, Offered)
