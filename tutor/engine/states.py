"""Between the game's values and the kernel's rows: states, rules, actions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tutor.engine.kernel import playout as kernel
from tutor.engine.kernel.bits import from_lanes, from_place, to_lanes, to_place
from tutor.game.actions import Action, BigGin, Discard, Draw, Knock, LayOff, Pass, Phase, Settle, Take
from tutor.game.cards import Card, CardSet
from tutor.game.melds import Arrangement, Meld, MeldKind
from tutor.game.public import HAND
from tutor.game.rules import LastDiscard, RuleSet, Tie
from tutor.game.view import View

Ints = NDArray[np.int64]

_PHASES = {
    Phase.UPCARD: kernel.UPCARD,
    Phase.DRAW: kernel.DRAW,
    Phase.DISCARD: kernel.DISCARD,
    Phase.LAST_DISCARD: kernel.LAST_DISCARD,
}
_TIES = {Tie.UNDERCUT: 0, Tie.NOTHING: 1, Tie.VOID: 2}

BOXES = np.array([1, 1, -1, -1, -1, 1, 0], dtype=np.int8)
"""Whose box an outcome of the kernel is, by code: seat 0's 1, seat 1's -1, nobody's 0."""


def hand_of(cards: CardSet) -> int:
    """A card set in the kernel's form."""
    return to_lanes(cards.bits)


def cards_of(hand: int) -> CardSet:
    """The card set of a kernel's hand."""
    return CardSet(from_lanes(int(hand)))


def card_at(place: int) -> Card:
    """The card at a bit of the kernel's form."""
    return Card(from_place(int(place)))


def rules_row(rules: RuleSet, upcard: Card) -> Ints:
    """The knobs that shape this round, as the kernel's row: int64, shape (len(RULES),)."""
    values = (
        rules.knock_limit_for(upcard),
        rules.gin_bonus,
        rules.undercut_bonus,
        -1 if rules.big_gin_bonus is None else rules.big_gin_bonus,
        _TIES[rules.tie],
        rules.taken_card_stays,
        rules.last_discard is LastDiscard.TAKE_TO_END,
        rules.pile_limit,
        rules.multiplier_for(upcard),
    )
    return np.array(values, dtype=np.int64)


def state_of(view: View) -> Ints:
    """The state as the view's seat (seat 0 of the kernel) knows it: int64, shape (len(STATE),).

    The other side's hand holds the cards it is known to hold; the unknown ones are for the caller to add. Raises
    ValueError when this seat has nothing to decide before the showdown, or when the view cannot be: a card in two
    places, counts that do not add up.
    """
    check_view(view)
    public = view.public
    if public.turn is not view.seat or public.phase not in _PHASES:
        raise ValueError(f"{view.seat.label} has nothing to decide here: {_why_not(view)}")
    me, other = view.seat, view.seat.other
    thrown = [0, 0]
    for act in public.acts:
        match act.action:
            case Discard(card):
                thrown[act.seat] |= 1 << to_place(card.index)
            case Take() if act.offer is not None:
                thrown = [mask & ~(1 << to_place(act.offer.index)) for mask in thrown]
    row = np.zeros(len(kernel.STATE), dtype=np.int64)
    pile = CardSet.of(public.pile)
    offer = public.pile[-1] if public.pile and public.phase is not Phase.DISCARD else None
    row[kernel.HAND0] = hand_of(view.hand)
    row[kernel.HAND1] = hand_of(public.held[other])
    row[kernel.KNOWN0] = hand_of(public.held[me])
    row[kernel.KNOWN1] = hand_of(public.held[other])
    row[kernel.THROWN0] = thrown[me]
    row[kernel.THROWN1] = thrown[other]
    row[kernel.PILE] = hand_of(pile)
    row[kernel.OUT] = hand_of(public.out_of_play)
    row[kernel.TOP] = 0 if offer is None else 1 << to_place(offer.index)
    row[kernel.OFFERED] = public.offer is not None and Take() in view.legal_actions()
    row[kernel.PHASE] = _PHASES[public.phase]
    row[kernel.TURN] = 0
    row[kernel.DEALER] = 0 if public.dealer is me else 1
    row[kernel.TAKEN] = 0 if public.taken is None else 1 << to_place(public.taken.index)
    row[kernel.TAKES] = public.pile_takes
    row[kernel.STOCK] = public.stock_count
    row[kernel.DISCARDS] = sum(isinstance(act.action, Discard) for act in public.acts)
    row[kernel.PASSES] = sum(isinstance(act.action, Pass) for act in public.acts)
    row[kernel.SETS] = row[kernel.RUNS] = -1
    return row


def _why_not(view: View) -> str:
    if view.public.turn is None:
        return "the hand is over"
    if view.public.turn is not view.seat:
        return f"{view.public.turn.label} is on turn"
    return "the hand is shown"


def check_view(view: View) -> None:
    """Refuse a view that cannot be, naming the card: ValueError."""
    public = view.public
    if len(set(public.pile)) != len(public.pile):
        double = next(card for card in public.pile if public.pile.count(card) > 1)
        raise ValueError(f"{double.symbol} lies in the pile twice")
    places = {
        "in the pile": CardSet.of(public.pile),
        "in this hand": view.hand,
        "in the other hand": public.held[view.seat.other],
        "out of play": public.out_of_play,
        "laid off": public.laid_off,
    }
    names = list(places)
    for place, name in enumerate(names):
        for later in names[place + 1 :]:
            for card in places[name] & places[later]:
                raise ValueError(f"{card.symbol} cannot be {name} and {later}")
    for card in public.held[view.seat] - view.hand:
        raise ValueError(f"{card.symbol} was taken and is neither thrown nor in this hand")
    if public.taken is not None and public.turn is view.seat and public.taken not in view.hand:
        raise ValueError(f"{public.taken.symbol} was taken in this turn and is not in this hand")
    if public.knocker is not None and public.knocker is not view.seat and public.settled is None:
        left = HAND - len(public.laid_off)
        if len(view.hand) != left:
            raise ValueError(f"this hand has {len(view.hand)} cards where {left} should be left")
    if public.knocker is None:
        own = HAND + (public.turn is view.seat and public.phase is Phase.DISCARD)
        if len(view.hand) != own:
            raise ValueError(f"this hand has {len(view.hand)} cards where there should be {own}")
        if view.unknown_theirs < 0:
            raise ValueError(f"the other side is known to hold {len(view.known_theirs)} cards, which is too many")
        if len(view.unseen) != public.stock_count + view.unknown_theirs:
            raise ValueError(
                f"{len(view.unseen)} cards are unseen, but the stock has {public.stock_count} "
                f"and the other side {view.unknown_theirs} unknown ones"
            )


def shown_masks(arrangement: Arrangement) -> tuple[int, int]:
    """The cards in sets and in runs of an arrangement, in the kernel's form."""
    sets = runs = 0
    for meld in arrangement.melds:
        if meld.kind is MeldKind.SET:
            sets |= hand_of(meld.cards)
        else:
            runs |= hand_of(meld.cards)
    return sets, runs


def arrangement_of(hand: CardSet, sets: int, runs: int) -> Arrangement:
    """The arrangement that shows these sets and runs of a hand; touching runs of a suit are one."""
    melds = []
    for rank in range(13):
        mates = CardSet.of(card for card in cards_of(sets) if card.rank == rank + 1)
        if mates:
            melds.append(Meld.of(mates))
    block: list[Card] = []
    for card in [*cards_of(runs), None]:
        if block and (card is None or card.index != block[-1].index + 1 or card.suit != block[-1].suit):
            melds.append(Meld.of(block))
            block = []
        if card is not None:
            block.append(card)
    shown = cards_of(sets) | cards_of(runs)
    return Arrangement(tuple(melds), hand - shown)


def code_of(action: Action) -> int:
    """The kernel's code of an action; ValueError for what is no choice before a showdown."""
    match action:
        case Pass():
            return kernel.PASS
        case Take():
            return kernel.TAKE
        case Draw(None):
            return kernel.DRAW_CARD
        case Discard(card):
            return to_place(card.index)
        case Knock(card) if card is not None:
            return kernel.KNOCK_CODE + to_place(card.index)
        case BigGin():
            return kernel.BIG
        case Draw():
            raise ValueError("which card is drawn is no choice: give a draw without its card")
        case LayOff() | Settle() | Knock():
            raise ValueError("a showdown is counted, not played out")


def action_of(code: int) -> Action:
    """The action of a kernel's code; a draw in a trace names its card."""
    simple: dict[int, Action] = {
        kernel.PASS: Pass(),
        kernel.TAKE: Take(),
        kernel.DRAW_CARD: Draw(),
        kernel.BIG: BigGin(),
    }
    if code in simple:
        return simple[code]
    if code >= kernel.DRAW_CODE:
        return Draw(card_at(code - kernel.DRAW_CODE))
    if code >= kernel.KNOCK_CODE:
        return Knock(card_at(code - kernel.KNOCK_CODE))
    return Discard(card_at(code))
