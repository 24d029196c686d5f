"""Expert: plays every action out in many worlds and takes the best."""

from __future__ import annotations

from dataclasses import dataclass

from tutor.engine.players.base import defend, need_turn
from tutor.game.actions import Action, Knock, Phase
from tutor.game.view import View


@dataclass(frozen=True, slots=True)
class Expert:
    """The evaluator as a player. ``worlds`` is how many worlds it looks at for each action in the running.

    It has no randomness of its own: equal views get equal answers.
    """

    worlds: int = 1200
    name: str = "Expert"
    policy: str = (
        "Imagines hundreds of hands you may hold, judged by what you took, refused and threw, plays every action out "
        "in all of them, and does what wins the game most often. It never sees your cards."
    )

    def choose(self, view: View, seed: int) -> Action:
        """See ``Player``."""
        need_turn(view)
        if view.public.phase is Phase.LAY_OFF:
            return defend(view)
        # Compiled code is loaded when it is first needed, not when players are listed.
        from tutor.engine.evaluator import evaluate, seed_of, shows

        options = view.legal_actions()
        if len(options) == 1:
            return options[0]
        best = evaluate(view, worlds=self.worlds, seed=seed_of(view), thrifty=True).best.action
        if isinstance(best, Knock):
            ways = shows(view, best)
            if len(ways) > 1:
                return evaluate(view, worlds=self.worlds, seed=seed_of(view), actions=ways).best.action
        return best
