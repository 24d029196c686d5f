"""From what a seat knows to what the screen shows: plain dictionaries, ready for JSON. No streamlit here.

Every card in a model stands in a ``View``: nothing hidden can get in, because nothing hidden is at hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tutor.game.actions import Action, BigGin, Discard, Draw, Knock, LayOff, Pass, Phase, Seat, Take
from tutor.game.cards import Card, CardSet
from tutor.game.layoffs import best_arrangement, best_defence, exposed
from tutor.game.melds import Arrangement, Meld
from tutor.game.notation import action_text
from tutor.game.public import Act
from tutor.game.result import Ending
from tutor.game.solver import arrangements, deadwood
from tutor.game.view import View

Model = dict[str, Any]
Words = list[str | dict[str, str]]
"""A sentence in pieces: text, and cards as ``{"card": "7h"}``."""


@dataclass(frozen=True, slots=True)
class Table:
    """What a table needs beside the view: names, where the game stands, the order of the hand."""

    opponent: str
    hand_number: int
    target: int
    points: tuple[int, int]
    order: str = ""
    me: str = "You"


def table_model(view: View, table: Table) -> Model:
    """The table as this seat sees it: cards, what may be done, what was done last."""
    public = view.public
    proposed = best_arrangement(view.hand) if view.hand else Arrangement(())
    model: Model = {
        "head": _head(view, table),
        "phase": public.phase.value,
        "mine": view.my_turn,
        "opponent": _opponent(view, table),
        "stock": public.stock_count,
        "pile": [str(card) for card in (public.pile if public.rules.open_discards else public.pile[-1:])],
        "pileCount": len(public.pile),
        "say": say(view, table),
        "hand": [_card(card, view, proposed) for card in ordered(view.hand, table.order)],
        "melds": [meld.name for meld in proposed.melds],
        "sorts": _sorts(view.hand, proposed),
        "deadwood": proposed.deadwood,
        "limit": public.knock_limit,
    }
    if view.my_turn:
        model |= _choices(view)
    if public.shown is not None:
        model["showdown"] = showdown(view, table)
    return model


def _head(view: View, table: Table) -> Model:
    limit = view.public.knock_limit
    target = "one hand" if table.target == 0 else f"game to {table.target}"
    return {
        "hand": f"Hand {table.hand_number}",
        "game": target,
        "me": [table.me, table.points[0]],
        "them": [table.opponent, table.points[1]],
        "limit": f"Knock limit {limit}" if limit else "Gin only",
    }


def _opponent(view: View, table: Table) -> Model:
    other = view.seat.other
    count = len(view.known_theirs) + view.unknown_theirs
    shown = view.public.knocker is other and view.public.knock_card is None
    turns = [act for act in view.public.acts if act.seat is other and isinstance(act.action, Take)]
    took = [str(act.offer) for act in turns if act.offer is not None and act.offer in view.known_theirs]
    return {"name": table.opponent, "count": count - (1 if shown else 0), "took": took}


def _card(card: Card, view: View, proposed: Arrangement) -> Model:
    meld = next((place for place, meld in enumerate(proposed.melds) if card in meld.cards), None)
    name = card.spoken if meld is None else f"{card.spoken}, in the {proposed.melds[meld].inline}"
    drawn = card == view.drawn
    stays = view.my_turn and view.public.phase is Phase.DISCARD and view.public.stays(card)
    return {
        "card": str(card),
        "name": name + (", just drawn" if drawn else "") + (", stays this turn" if stays else ""),
        "meld": meld,
        "drawn": drawn,
        "stays": stays,
    }


def ordered(hand: CardSet, order: str) -> list[Card]:
    """The hand in the player's own order; cards that it does not name follow by rank."""
    wanted = {name: place for place, name in enumerate(order.split())}
    return sorted(hand, key=lambda card: (wanted.get(str(card), len(wanted)), card.rank, card.suit))


def _sorts(hand: CardSet, proposed: Arrangement) -> dict[str, list[str]]:
    melded = [card for meld in proposed.melds for card in meld.cards]
    return {
        "rank": [str(card) for card in hand.by_rank()],
        "suit": [str(card) for card in sorted(hand, key=lambda card: (-card.suit, card.rank))],
        "melds": [str(card) for card in [*melded, *proposed.loose.by_rank()]],
    }


def _choices(view: View) -> Model:
    legal = view.legal_actions()
    offer = view.public.offer
    match view.public.phase:
        case Phase.UPCARD | Phase.DRAW | Phase.LAST_DISCARD:
            labels = {Draw: "Draw", Take: "Take", Pass: "Pass"}
            draws = [{"act": action_text(one, offer), "label": labels[type(one)]} for one in legal]
            return {"draws": draws}
        case Phase.DISCARD:
            thrown = {str(one.card): _throw(view, one.card) for one in legal if isinstance(one, Discard)}
            knocks = [one.card for one in legal if isinstance(one, Knock) and one.card is not None]
            for card in knocks:
                thrown.setdefault(str(card), _throw(view, card))["knock"] = _knock(view, card)
            choices: Model = {"throws": thrown, "mustEnd": view.public.must_end}
            if BigGin() in legal:
                choices["big"] = {"act": action_text(BigGin()), "label": "Big gin"}
            return choices
        case _:
            return {"layOffs": _lay_offs(view, legal), "settle": _settle(view)}


def _throw(view: View, card: Card) -> Model:
    rest = view.hand.without(card)
    left = view.proposed(rest)
    throw: Model = {"deadwood": left.deadwood, "stay": [str(one) for one in left.loose.by_rank()]}
    if not view.public.must_end:
        throw["act"] = action_text(Discard(card))
    return throw


def _knock(view: View, card: Card) -> Model:
    """The knock with this card; more than one way where the arrangements let in different cards.

    Those are counted, not named: a model names no card that the seat has not seen.
    """
    rest = view.hand.without(card)
    proposed = view.proposed(rest)
    count = proposed.deadwood
    ways: dict[CardSet, Arrangement] = {exposed(proposed, view.theirs): proposed}
    for way in arrangements(rest):
        ways.setdefault(exposed(way, view.theirs), way)
    listed = [
        {"act": action_text(Knock(card, way)), "melds": [str(meld) for meld in way.melds], "open": len(open_cards)}
        for open_cards, way in ways.items()
    ]
    return {"label": f"Knock with {count}" if count else "Gin", "count": count, "ways": listed if count else listed[:1]}


def _names(cards: CardSet) -> list[str]:
    return [str(card) for card in cards.by_rank()]


def _lay_offs(view: View, legal: tuple[object, ...]) -> dict[str, list[Model]]:
    found: dict[str, list[Model]] = {}
    for one in legal:
        if isinstance(one, LayOff):
            found.setdefault(str(one.card), []).append({"act": action_text(one), "label": one.meld.name})
    return found


def _settle(view: View) -> Model:
    """The settlement, with what would be given away by it."""
    plan = best_defence(view.hand, () if view.public.gin else view.public.table)
    now = deadwood(view.hand)
    warning: Words = []
    if plan.deadwood < now and len(plan.lay_offs) == 1:
        card, meld = plan.lay_offs[0]
        warning = [{"card": str(card)}, f" also fits the {meld.inline}: {now} → {plan.deadwood}. Lay it off?"]
    elif plan.deadwood < now:
        cards: Words = [{"card": str(card)} for card, _ in plan.lay_offs]
        warning = [*cards, f" can be laid off: {now} → {plan.deadwood}. Lay them off?"]
    return {"act": "settle", "warning": warning, "deadwood": now, "best": plan.deadwood}


def say(view: View, table: Table) -> Words:
    """What happened last, in words, and what is to be done."""
    public = view.public
    acts = public.acts
    words: Words = []
    theirs = [act for act in acts if act.seat is not view.seat]
    begin = len(acts) - next((i for i, act in enumerate(reversed(acts)) if act.seat is view.seat), len(acts))
    latest = [act for act in acts[begin:] if act.seat is not view.seat] or _last_turn(tuple(theirs))
    if latest and public.phase is not Phase.OVER:
        words += [f"{table.opponent} ", *_joined([_did(act) for act in latest]), ". "]
    if view.drawn is not None and view.my_turn:
        took = public.taken is not None
        words += ["You took " if took else "You drew ", {"card": str(view.drawn)}, "."]
    elif view.my_turn:
        words.append(_TO_DO[public.phase])
    elif public.phase is not Phase.OVER:
        words.append(f"{table.opponent} is thinking.")
    return words


_TO_DO = {
    Phase.UPCARD: "Take the upcard or pass.",
    Phase.DRAW: "Your draw.",
    Phase.DISCARD: "Your discard.",
    Phase.LAST_DISCARD: "The last discard: take it to end the hand, or pass.",
    Phase.LAY_OFF: "Lay off what fits.",
}


def _last_turn(theirs: tuple[Act, ...]) -> list[Act]:
    """The other side's last turn: its last act, with the draw before a discard."""
    if len(theirs) > 1 and isinstance(theirs[-1].action, Discard | Knock | BigGin):
        return list(theirs[-2:])
    return list(theirs[-1:])


def _joined(parts: list[Words]) -> Words:
    words: Words = []
    for place, part in enumerate(parts):
        words += ([", " if place < len(parts) - 1 else " and "] if place else []) + part
    return words


def _did(act: Act) -> Words:
    match act.action:
        case Pass():
            return ["passed"]
        case Take():
            return ["took ", {"card": str(act.offer)}]
        case Draw(None):
            return ["drew from the stock"]
        case Draw(card):
            return ["drew ", {"card": str(card)}]
        case Discard(card):
            return ["threw ", {"card": str(card)}]
        case Knock(_, arrangement):
            count = 0 if arrangement is None else arrangement.deadwood
            return [f"knocked with {count}" if count else "has gin"]
        case BigGin():
            return ["has big gin"]
        case LayOff(card):
            return ["laid off ", {"card": str(card)}]
    return ["settled"]


def showdown(view: View, table: Table) -> Model:
    """Both hands laid out after a knock, as far as they are shown."""
    public = view.public
    assert public.shown is not None
    assert public.knocker is not None
    mine = public.knocker is view.seat
    laid = [str(act.action.card) for act in public.acts if isinstance(act.action, LayOff)]
    face_down = public.knock_card or view.knock_card
    knocker: Model = {
        "title": _knocker_title(view, table, mine),
        "melds": [_laid_out(meld, public.laid_off) for meld in public.table],
        "loose": _names(public.shown.loose),
        "count": public.shown.deadwood,
        "sum": _sum(public.shown.loose),
        "knockCard": None if face_down is None else str(face_down),
    }
    sides: Model = {"knocker": knocker, "mine": mine, "laid": laid, "defender": None}
    if public.settled is not None:
        had = public.settled.deadwood + public.laid_off.pips
        sides["defender"] = {
            "title": table.opponent if mine else table.me,
            "had": had,
            "melds": [_laid_out(meld, CardSet()) for meld in public.settled.melds],
            "loose": _names(public.settled.loose),
            "count": public.settled.deadwood,
            "sum": _sum(public.settled.loose),
        }
    return sides


def _knocker_title(view: View, table: Table, mine: bool) -> str:
    who = table.me if mine else table.opponent
    assert view.public.shown is not None
    if len(view.public.shown.cards) == 11:
        return f"{who}: big gin"
    return f"{who}: gin" if view.public.gin else f"{who} knocked"


def _laid_out(meld: Meld, laid_off: CardSet) -> Model:
    return {
        "name": meld.name,
        "cards": [{"card": str(card), "laid": card in laid_off} for card in meld.cards],
    }


def _sum(loose: CardSet) -> str:
    pips = sorted((card.pips for card in loose), reverse=True)
    return f"{' + '.join(map(str, pips))} = {sum(pips)}" if len(pips) > 1 else str(sum(pips))


def ending_words(view: View, table: Table) -> Model:
    """How the hand ended: a headline from the player's side, and the sum in words."""
    result = view.public.result
    if result is None:
        raise ValueError("the hand is not over")
    rules = view.public.rules
    score = result.score(rules)
    names = (table.me, table.opponent) if view.seat is Seat.SOUTH else (table.opponent, table.me)
    if score.winner is view.seat:
        title = f"You score {score.points}." if table.me == "You" else f"{table.me} scores {score.points}."
    elif score.winner is not None:
        title = f"{table.opponent} scores {score.points}."
    else:
        title = "A misdeal." if result.ending is Ending.MISDEAL else "Nobody scores."
    words = result.explain(rules, names)
    return {"title": title, "words": _second_person(words) if table.me == "You" else words}


def _second_person(words: str) -> str:
    for third, second in (
        ("You knocks", "You knock"),
        (". You holds", ". You hold"),
        ("You holds", "you hold"),
        ("You has", "You have"),
        ("You scores", "You score"),
    ):
        words = words.replace(third, second)
    return words.replace("won by You", "won by you")


def held_model(model: Model, view: View, action: Action) -> Model:
    """The table while an action is chosen but not played: nothing else to do, a thrown card pending on the pile."""
    for choice in ("draws", "throws", "big", "layOffs", "settle", "mustEnd"):
        model.pop(choice, None)
    model |= {"mine": False, "canTakeBack": False}
    match action:
        case Discard(card):
            model["held"] = str(card)
            left = view.hand.without(card)
            proposed = view.proposed(left)
            order = " ".join(one["card"] for one in model["hand"])
            model["hand"] = [_card(one, view, proposed) for one in ordered(left, order)]
            model |= {"melds": [meld.name for meld in proposed.melds], "deadwood": proposed.deadwood}
            model["say"] = ["You chose ", {"card": str(card)}, ". It is not thrown yet."]
        case Knock():
            model["say"] = ["You chose to knock. It is not done yet."]
        case Take():
            model["say"] = ["You chose to take ", {"card": str(view.public.offer)}, ". It is not done yet."]
        case _:
            model["say"] = ["Your choice waits for the coach."]
    return model


def replay_model(view: View, table: Table, last: Act | None, theirs: CardSet | None) -> Model:
    """A table to look at: nothing to do, the last action in words, all cards if ``theirs`` are given."""
    model = table_model(view, table)
    for choice in ("draws", "throws", "big", "layOffs", "settle", "mustEnd"):
        model.pop(choice, None)
    names = {view.seat: table.me, view.seat.other: table.opponent}
    model |= {"mine": False, "canSort": False}
    model["say"] = ["The deal."] if last is None else [f"{names[last.seat]} ", *_did(last), "."]
    if theirs is not None and "showdown" not in model:
        model["opponent"] |= {"cards": _names(theirs), "count": len(theirs)}
    return model
