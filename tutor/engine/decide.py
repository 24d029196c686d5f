"""What a style of the kernel does at a view."""

from __future__ import annotations

import numpy as np

from tutor.engine import styles
from tutor.engine.kernel import playout as kernel
from tutor.engine.kernel.bits import to_place
from tutor.engine.rollouts import play_on
from tutor.engine.states import action_of, hand_of, rules_row, state_of
from tutor.game.actions import Action, Draw
from tutor.game.cards import CardSet
from tutor.game.view import View


def decide(view: View, style: str, seed: int) -> Action:
    """The action of a style for the seat on turn before a knock. Same view and seed, same action.

    Raises ValueError when nothing is to be decided. A style looks only at what its seat sees; the rest of the world is
    filled in card by card, so that the driver can run.
    """
    state = state_of(view)
    unseen = list(view.unseen)
    theirs = CardSet.of(unseen[: view.unknown_theirs])
    state[kernel.HAND1] |= hand_of(theirs)
    state[kernel.POLICY0] = state[kernel.POLICY1] = styles.NAMES.index(style)
    stock = np.array([[to_place(card.index) for card in unseen[view.unknown_theirs :]]], dtype=np.int8)
    trace = np.full((1, 3), kernel.NO_ACTION, dtype=np.int64)
    random = np.array([seed & 0xFFFF_FFFF_FFFF_FFFF], dtype=np.uint64)
    row = rules_row(view.public.rules, view.public.upcard)
    play_on(state.reshape(1, -1), row, random, stocks=stock, traces=trace)
    action = action_of(int(trace[0, 0]))
    return Draw() if isinstance(action, Draw) else action
