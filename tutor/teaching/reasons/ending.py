"""Reasons to end the hand or to go on, which way to show it, and what to lay off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Self

from tutor.game.actions import Action, BigGin, Discard, Knock, LayOff, Settle
from tutor.game.cards import CardSet
from tutor.game.layoffs import best_defence, exposed
from tutor.game.solver import deadwood
from tutor.game.view import View
from tutor.teaching.reasons import counts
from tutor.teaching.reasons.fitting import Sampling, catch
from tutor.teaching.reasons.reason import Bearing, Reason, kept_by, shown_by
from tutor.teaching.reasons.words import Words, about, capital, fitting, listed, number, points

LOW, HIGH = 4, 7
"""A knock with at most LOW points is a low one, with HIGH or more a high one."""
FEW, MANY = 3, 6
"""Draws left that are few, and many."""
SAFE, RISKY = 0.05, 0.2
"""Shares of the fitting hands that undercut: at most SAFE is safe, from RISKY on it is a risk."""


def ends(action: Action) -> bool:
    """Whether the action shows the hand."""
    return isinstance(action, Knock | BigGin)


def choice(better: Action, worse: Action) -> bool:
    """Whether the two are ending the hand and going on."""
    return ends(better) != ends(worse) and isinstance(worse if ends(better) else better, Discard)


@dataclass(frozen=True, slots=True)
class Count(Reason):
    """What would be shown now, under the limit; going on shows nothing yet."""

    shown: int
    limit: int
    theme: ClassVar[str] = "knock count"
    bearing: ClassVar[Bearing] = Bearing.COUNT

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        found = shown_by(view, better if ends(better) else worse)
        if found is None or not choice(better, worse):
            return None
        return cls(better, worse, found.deadwood, view.public.knock_limit)

    def text(self) -> Words:
        """See ``Reason``."""
        if not self.shown:
            return ("Nothing is loose: you have gin.",)
        if self.speaks and not ends(self.better):
            limit = "the limit" if self.shown == self.limit else f"close to the limit of {self.limit}"
            return (f"You would show {self.shown}, {limit}.",)
        return (f"You show only {self.shown}.",)

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("You could end the hand. How low is your count?",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return True

    @property
    def speaks(self) -> bool:
        """A low count speaks for the knock, a high one for going on."""
        if ends(self.better):
            return self.shown <= LOW
        return self.shown >= HIGH and self.limit - self.shown <= 3

    @property
    def weight(self) -> float:
        """Two points; twenty for gin."""
        return 20.0 if not self.shown else 2.0


@dataclass(frozen=True, slots=True)
class Exposure(Reason):
    """Cards they may hold that could be laid off on what is shown; none where the hand goes on."""

    open: CardSet
    open_worse: CardSet
    theme: ClassVar[str] = "lay-offs"
    bearing: ClassVar[Bearing] = Bearing.COUNT

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        if not (ends(better) or ends(worse)):
            return None
        return cls(better, worse, _open(view, better), _open(view, worse))

    def text(self) -> Words:
        """See ``Reason``."""
        cards = "card they may hold fits", "cards they may hold fit"
        more = f"{number(len(self.open_worse), *cards)} what you would show: "
        if not ends(self.better):
            return more, *listed(self.open_worse), "."
        return (
            f"{capital(number(len(self.open), *cards))} this way of showing, {len(self.open_worse)} the other: ",
            *listed(self.open_worse - self.open), ".",
        )  # fmt: skip

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("Which cards could they lay off on your melds?",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return self.open != self.open_worse

    @property
    def speaks(self) -> bool:
        """Fewer points of cards, between two knocks; many cards, for going on."""
        if ends(self.better):
            return ends(self.worse) and len(self.open) < len(self.open_worse) and self.open.pips < self.open_worse.pips
        return len(self.open_worse) >= 4

    @property
    def weight(self) -> float:
        """A twentieth of a point for each point open."""
        return 0.05 * (self.open_worse.pips - self.open.pips)


def _open(view: View, action: Action) -> CardSet:
    found = shown_by(view, action)
    return CardSet() if found is None or not found.deadwood else exposed(found, view.theirs)


@dataclass(frozen=True, slots=True)
class Undercut(Reason):
    """How many fitting hands would undercut the knock now."""

    caught: int
    caught_worse: int
    sampling: Sampling
    theme: ClassVar[str] = "undercut"
    bearing: ClassVar[Bearing] = Bearing.COUNT

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        if not (ends(better) or ends(worse)):
            return None
        shown = (shown_by(view, better), shown_by(view, worse))
        if not any(one is not None and one.deadwood for one in shown):
            return None  # gin cannot be undercut
        caught = [0 if one is None else catch(view, one, sampling) for one in shown]
        return cls(better, worse, caught[0], caught[1], sampling)

    @property
    def sampled(self) -> Sampling:
        """See ``Reason``."""
        return self.sampling

    @property
    def shares(self) -> tuple[float, float]:
        """The shares of fitting hands that undercut the better action, and the worse."""
        return self.caught / self.sampling.hands, self.caught_worse / self.sampling.hands

    def text(self) -> Words:
        """See ``Reason``."""
        few, many = self.shares
        if ends(self.better) and ends(self.worse):
            return (f"{capital(fitting(few))} would undercut you this way, {about(many)} the other.",)
        return (f"{capital(fitting(few if ends(self.better) else many))} would undercut a knock now.",)

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("How likely are they to have as little as you by now?",)

    @property
    def differs(self) -> bool:
        """Whether one may be undercut and the other not, or two knocks in different measure."""
        few, many = self.shares
        return choice(self.better, self.worse) or about(few) != about(many)

    @property
    def speaks(self) -> bool:
        """Clearly fewer between two knocks; hardly any for knocking now, many for going on."""
        few, many = self.shares
        if ends(self.better) and ends(self.worse):
            return self.differs and many - few >= SAFE
        return choice(self.better, self.worse) and (few <= SAFE if ends(self.better) else many >= RISKY)

    @property
    def weight(self) -> float:
        """Thirty points for a sure undercut."""
        few, many = self.shares
        return 1.5 if ends(self.better) and not ends(self.worse) else 30 * (many - few)


@dataclass(frozen=True, slots=True)
class GinChance(Reason):
    """Unseen cards that would make gin next, for the throw that goes on."""

    outs: CardSet
    theme: ClassVar[str] = "gin outs"
    bearing: ClassVar[Bearing] = Bearing.MINE

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        ten = kept_by(view, worse if ends(better) else better, 1)
        if ten is None or not choice(better, worse):
            return None
        return cls(better, worse, counts.gin_outs(ten, view.unseen))

    def text(self) -> Words:
        """See ``Reason``."""
        if not self.outs:
            return ("No single card would give you gin.",)
        found = number(len(self.outs), "unseen card", "unseen cards")
        return (f"Only {found}" if ends(self.better) else found) + " would give you gin: ", *listed(self.outs), "."

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("How many cards would give you gin if you went on?",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return True

    @property
    def speaks(self) -> bool:
        """Two or fewer speak for ending the hand, four or more for going on."""
        return len(self.outs) <= 2 if ends(self.better) else len(self.outs) >= 4

    @property
    def weight(self) -> float:
        """A point a card for going on; one and a half for ending."""
        return 1.5 if ends(self.better) else 1.0 * len(self.outs)


@dataclass(frozen=True, slots=True)
class TurnsLeft(Reason):
    """Draws from the stock that are left if the hand goes on."""

    turns: int
    theme: ClassVar[str] = "stock left"
    bearing: ClassVar[Bearing] = Bearing.MINE

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        return cls(better, worse, counts.turns_left(view)) if choice(better, worse) else None

    def text(self) -> Words:
        """See ``Reason``."""
        if not self.turns:
            return ("The stock gives you no draw any more.",)
        return (f"The stock holds {'only ' if self.turns <= FEW else ''}{number(self.turns, 'draw')} more for you.",)

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("How many draws does the stock still hold for you?",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return True

    @property
    def speaks(self) -> bool:
        """Few draws speak for ending the hand, many for going on."""
        return self.turns <= FEW if ends(self.better) else self.turns >= MANY

    @property
    def weight(self) -> float:
        """One point."""
        return 1.0


@dataclass(frozen=True, slots=True)
class Standing(Reason):
    """Whether gin ends the game at once: what is needed, and what it brings at least."""

    need: int
    brings: int
    theme: ClassVar[str] = "standing"
    bearing: ClassVar[Bearing] = Bearing.COUNT

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        rules = view.public.rules
        found = shown_by(view, better)
        if found is None or found.deadwood or not rules.target or not choice(better, worse):
            return None
        bonus = (rules.big_gin_bonus or 0) if isinstance(better, BigGin) else rules.gin_bonus
        need = rules.target - view.standing.points[view.seat]
        return cls(better, worse, need, bonus * rules.multiplier_for(view.public.upcard))

    def text(self) -> Words:
        """See ``Reason``."""
        return (f"You need {points(self.need)} to win the game; this brings {self.brings} and their count.",)

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("How many points do you still need to win the game?",)

    @property
    def differs(self) -> bool:
        """See ``Reason``."""
        return self.brings >= self.need

    @property
    def speaks(self) -> bool:
        """See ``Reason``."""
        return self.differs

    @property
    def weight(self) -> float:
        """More than anything else."""
        return 50.0


@dataclass(frozen=True, slots=True)
class Settled(Reason):
    """Deadwood left to the defender: after this lay-off and the best ones to follow, or after settling."""

    kept: int
    left: int
    theme: ClassVar[str] = "defence"
    bearing: ClassVar[Bearing] = Bearing.COUNT

    @classmethod
    def of(cls, view: View, better: Action, worse: Action, sampling: Sampling) -> Self | None:
        """See ``Reason``."""
        kept, left = _defended(view, better), _defended(view, worse)
        return None if kept is None or left is None else cls(better, worse, kept, left)

    def text(self) -> Words:
        """See ``Reason``."""
        match self.better, self.worse:
            case LayOff(card), LayOff(other):
                return "Laying off ", card, f" leaves you {self.kept} at best, ", other, f" {self.left}."
            case LayOff(card), _:
                return "Laying off ", card, f": {self.left} → {self.kept}."
            case _, LayOff(other):
                return "Laying off ", other, f" breaks a meld: you would have {self.left}, not {self.kept}."
        return (f"Settled so, you have {self.kept}, not {self.left}.",)

    def hint(self) -> Words:
        """See ``Reason``."""
        return ("Which of your cards fit their melds, and what would be left?",)

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
        """A point each."""
        return 1.0 * (self.left - self.kept)


def _defended(view: View, action: Action) -> int | None:
    match action:
        case LayOff(card, meld):
            table = tuple(one.extended(card) if one == meld else one for one in view.public.table)
            return best_defence(view.hand.without(card), table).deadwood
        case Settle():
            return deadwood(view.hand)
    return None


ENDING: tuple[type[Reason], ...] = (Count, Exposure, Undercut, GinChance, TurnsLeft, Standing, Settled)
