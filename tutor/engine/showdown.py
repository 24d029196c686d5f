"""After the knock everything is counted, nothing believed: what each lay-off is worth, exactly."""

from __future__ import annotations

from tutor.game.actions import Action, Settle
from tutor.game.layoffs import best_defence
from tutor.game.result import Ending, Result
from tutor.game.view import View


def showdown_result(view: View, action: Action) -> Result:
    """How the hand ends when the defender does this and then the best that is left.

    Raises ValueError before a knock and IllegalAction for what the defender may not do.
    """
    public = view.public
    if public.shown is None:
        raise ValueError("nobody has knocked yet")
    refusal = view.refusal(action)
    if refusal is not None:
        raise refusal
    if isinstance(action, Settle):
        left = view.proposed(view.hand).deadwood
    else:
        after = view.after(action)
        left = best_defence(after.hand, after.public.table).deadwood
    big = len(public.shown.cards) == 11
    ending = Ending.BIG_GIN if big else Ending.GIN if public.gin else Ending.KNOCK
    return Result(ending, public.knocker, public.shown.deadwood, left, public.upcard)
