"""The headline of a blamed move: which way for the hand to end it made more or less likely.

Each outcome contributes its share times its worth to a line's value. The differences of these contributions between
the best line and the one played add up to the loss; the headline names the outcome that makes up half of it or more,
and only where its figures show it.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from enum import Enum

from tutor.engine.evaluation import Line, Outcomes
from tutor.teaching.reasons.reason import Bearing
from tutor.teaching.reasons.words import Words, points, rounded
from tutor.teaching.verdict import Verdict, worth_of_loss

COVERS = 0.5
"""Share of the loss that a headline must account for."""
VISIBLE = 0.02
"""Share of the hands that must end otherwise for a headline to say so."""
WORTH = 1.0
"""Points by which an outcome's worth must differ for a headline to say so."""


class Story(Enum):
    """What may have moved: its sentence, its outcomes, whether they are to be wished for, whose doing they are."""

    KNOCK = ("You reach a knock less often", ("win_knock",), True, Bearing.MINE)
    GIN = ("You get gin less often", ("win_gin",), True, Bearing.MINE)
    CAUGHT = ("You are undercut more often", ("undercut",), False, Bearing.COUNT)
    THEIR_KNOCK = ("They knock first more often", ("lose_knock",), False, Bearing.THEIRS)
    THEIR_GIN = ("They get gin more often", ("lose_gin",), False, Bearing.THEIRS)
    CATCH = ("You undercut them less often", ("win_undercut",), True, Bearing.COUNT)
    FIRST = ("You end the hand first less often", ("win_knock", "win_gin"), True, Bearing.MINE)
    THEY_FIRST = ("They end the hand first more often", ("lose_knock", "lose_gin"), False, Bearing.THEIRS)

    def __init__(self, words: str, outcomes: tuple[str, ...], good: bool, bearing: Bearing) -> None:
        self.words = words
        self.outcomes = outcomes
        self.good = good
        self.bearing = bearing


_WORTH_LESS = {
    Story.KNOCK: "Your knocks bring less",
    Story.GIN: "Your gins bring less",
    Story.CAUGHT: "An undercut costs you more",
    Story.THEIR_KNOCK: "Their knocks cost you more",
    Story.THEIR_GIN: "Their gins cost you more",
    Story.CATCH: "Your undercuts bring less",
}


@dataclass(frozen=True, slots=True)
class Headline:
    """One story with its figures.

    ``covers`` is the share of the loss it accounts for; ``played`` and ``best`` are hands of 100 that end so, or, with
    ``each``, the points the outcome brings or costs each time.
    """

    story: Story
    covers: float
    played: int
    best: int
    each: bool = False

    def text(self) -> Words:
        """The headline in one sentence."""
        if self.each:
            return (f"{_WORTH_LESS[self.story]}: about {points(self.played)}, not {self.best}.",)
        return (f"{self.story.words}: {self.played} of 100, not {self.best}.",)


SMALL_THINGS: Words = ("A sum of small things.",)
"""What is said where no outcome makes up half of the loss."""


def contributions(played: Line, best: Line, point: float) -> dict[str, float]:
    """What each outcome adds to the loss, in chances to win the game or, where points decide, in points."""
    there, here = (best.win_by, played.win_by) if point else (best.points_by, played.points_by)
    return dict(zip(_NAMES, (b - p for b, p in zip(astuple(there), astuple(here), strict=True)), strict=True))


_NAMES = tuple(Outcomes.__dataclass_fields__)


def headline(verdict: Verdict) -> Headline | None:
    """The one outcome that moved; None where the loss is a sum of small things, or there is none.

    First what ends more or less often is looked at, then two outcomes that are one story, then what an outcome is
    worth.
    """
    parts = contributions(verdict.played, verdict.best, verdict.point)
    told = worth_of_loss(verdict.played, verdict.point)[0] * (verdict.point or 1.0)
    # Lines from different worlds may disagree with the loss, which is from common ones; then neither shows how it came.
    loss = max(sum(parts.values()), told)
    if min(sum(parts.values()), told) <= 0:
        return None
    single = [story for story in Story if len(story.outcomes) == 1]
    merged = [story for story in Story if len(story.outcomes) == 2]
    for stories, find in ((single, _oftener), (merged, _oftener), (single, _dearer)):
        ranked = sorted(stories, key=lambda story: -_covered(story, parts))
        for story in ranked:
            covers = _covered(story, parts) / loss
            found = find(story, covers, verdict.played, verdict.best) if covers >= COVERS else None
            if found is not None:
                return found
    return None


def _covered(story: Story, parts: dict[str, float]) -> float:
    """What a story adds to the loss; nothing where its outcomes pull in different ways."""
    own = [parts[name] for name in story.outcomes]
    return sum(own) if min(own) > 0 else 0.0


def _oftener(story: Story, covers: float, played: Line, best: Line) -> Headline | None:
    moved = [getattr(best.outcomes, name) - getattr(played.outcomes, name) for name in story.outcomes]
    if not story.good:
        moved = [-one for one in moved]
    if min(moved) < 0 or sum(moved) < VISIBLE:
        return None
    here, there = (
        rounded(100 * sum(getattr(line.outcomes, name) for name in story.outcomes)) for line in (played, best)
    )
    return Headline(story, covers, here, there)


def _dearer(story: Story, covers: float, played: Line, best: Line) -> Headline | None:
    name = story.outcomes[0]
    each = []
    for line in (played, best):
        part = getattr(line.outcomes, name)
        if part < VISIBLE:
            return None
        each.append(getattr(line.points_by, name) / part)
    if each[1] - each[0] < WORTH:
        return None
    here, there = (rounded(abs(one)) for one in each)
    return Headline(story, covers, here, there, each=True) if here != there else None
