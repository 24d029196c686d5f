"""From milliseconds to worlds: how many worlds a decision may look at on this machine."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from tutor.engine.evaluator import evaluate
from tutor.game.actions import Discard, Draw, Pass, Seat
from tutor.game.cards import DECK, CardSet
from tutor.game.public import PublicRound
from tutor.game.rules import preset
from tutor.game.view import View

LEAST, MOST = 32, 200_000
_TRIAL = 400


@cache
def _decisions(throws: bool) -> tuple[View, ...]:
    """Three decisions of a hand, early to late: throws, which are the dearest, or draws with a card on offer."""
    hand = CardSet.parse("3c 4c 7d 8d 9d Jh Js 2s Qs 5h")
    rest = [card for card in DECK if card not in hand]
    view = View.start(PublicRound.start(preset("EAAI"), Seat.SOUTH, rest[0]), Seat.SOUTH, hand)
    view = view.after(Pass()).after(Pass())
    found = []
    for turn in range(6):
        view = view.after(Draw()).after(Discard(rest[3 * turn + 1]))
        found.append(view.after(Draw(rest[3 * turn + 2])) if throws else view)
        view = view.after(Draw(rest[3 * turn + 2]))
        view = view.after(Discard(rest[3 * turn + 2]))
    return found[0], found[2], found[5]


def worlds_for(milliseconds: float, clock: Callable[[], float], *, throws: bool = True) -> int:
    """The worlds with which a throw (or a draw) takes about this much processor time; ``clock`` counts seconds.

    The second of two trials counts, so that compiling and loading do not. Raises ValueError for no time at all.
    """
    if not milliseconds > 0:
        raise ValueError(f"a decision needs some time, not {milliseconds} ms")
    spent = 0.0
    for _ in range(2):
        begin = clock()
        for seed, view in enumerate(_decisions(throws)):
            evaluate(view, worlds=_TRIAL, seed=seed)
        spent = max(clock() - begin, 1e-6) * 1000 / len(_decisions(throws))
    return min(MOST, max(LEAST, int(_TRIAL * milliseconds / spent)))
