"""Hints before a move is made, in three steps: where to look, which cards, the move."""

from __future__ import annotations

from collections.abc import Iterable

from tutor.engine.evaluation import Evaluation
from tutor.game.actions import Action, BigGin, Discard, Knock, LayOff, Settle, Take
from tutor.game.cards import Card
from tutor.game.view import View
from tutor.teaching.reasons.explaining import HANDS, reasons
from tutor.teaching.reasons.fitting import Sampling
from tutor.teaching.reasons.reason import Reason
from tutor.teaching.reasons.words import Words, move
from tutor.teaching.verdict import NEAR, worth_of_loss

MOST = 4
"""Cards that the second step names at most."""

Hints = tuple[Words, tuple[Card, ...], Words]
"""Where to look, which cards, the move."""


def hints(view: View, evaluation: Evaluation, point: float, *, hands: int = HANDS) -> Hints:
    """Three steps towards the recommended action.

    The first comes from the most telling fact that sets it apart from the next action that is not as good. The second
    names the cards between which to choose, the one to throw among them; the cards do not say which it is.
    """
    best = evaluation.best.action
    sampling = Sampling(evaluation.seed, hands)
    look: Words = ("Everything here is close; any quiet move will do.",)
    rivals = [line.action for line in evaluation.lines[1:] if worth_of_loss(line, point)[0] >= NEAR]
    if rivals:
        look = ("Compare what your moves leave you, and what they give away.",)
    for rival in rivals:
        telling: tuple[Reason, ...] = reasons(view, best, rival, sampling)
        if telling:
            look = telling[0].hint()
            break
    return look, _cards(view, best, rivals), (*move(view, best), ".")


def _cards(view: View, best: Action, rivals: list[Action]) -> tuple[Card, ...]:
    match best:
        case Discard(card):
            others = [rival.card for rival in rivals if isinstance(rival, Discard)]
            return _sorted({card, *others[: MOST - 2]})
        case Knock(card) if card is not None:
            left = view.proposed(view.hand.without(card)).loose
            return _sorted(left.with_card(card))
        case BigGin():
            return ()
        case LayOff() | Settle():
            return _sorted({action.card for action in view.legal_actions() if isinstance(action, LayOff)})
    if view.public.offer is not None:
        partners = view.proposed(view.hand.with_card(view.public.offer))
        melded = [c for meld in partners.melds if view.public.offer in meld.cards for c in meld.cards]
        return _sorted({view.public.offer, *(melded if isinstance(best, Take) else ())})
    return ()


def _sorted(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=lambda card: (card.rank, card.suit)))
