"""Players that decide by a row of the compiled policy."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.engine.players.base import defend, need_turn
from tutor.game.actions import Action, Phase
from tutor.game.view import View


@dataclass(frozen=True, slots=True)
class Styled:
    """A player after a style of ``tutor.engine.styles``; it defends exactly."""

    name: str
    policy: str
    style: str

    def choose(self, view: View, seed: int) -> Action:
        """See ``Player``."""
        need_turn(view)
        if view.public.phase is Phase.LAY_OFF:
            return defend(view)
        # Compiled code is loaded when it is first needed, not when players are listed.
        from tutor.engine.decide import decide

        return decide(view, self.style, seed)


SHARP = Styled(
    "Sharp",
    "Takes what makes a meld or saves four points. Throws the card that leaves the most cards of use to it, minds "
    "points more as the hand goes on, and keeps back what fits the cards you took; it throws near what you threw. "
    "Knocks by turn, count and cards that would make gin: early with almost anything, late hardly ever, the less the "
    "more such cards are left. Defends exactly.",
    "sharp",
)
