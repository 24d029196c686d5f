"""What the screen is shown: words that are right, and no card that the seat could not know."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator

import pytest

from tests.helpers import random_deal
from tests.policies import AnyLegal, KnocksAtOnce
from tutor.app.present import Model, Table, ending_words, replay_model, table_model
from tutor.engine.players import Novice, Player, Steady
from tutor.game.actions import Seat
from tutor.game.cards import ALL_CARDS, CardSet
from tutor.game.notation import action_text, read_action
from tutor.game.round import Round
from tutor.game.rules import PRESETS
from tutor.game.view import View

CARD = re.compile(r"(?<![A-Za-z0-9])((?:[A2-9TJQK][cdhs])+)(?![A-Za-z0-9])")
SYMBOL = re.compile(r"(10|[A2-9JQK])([♣♦♥♠])")
SPOKEN = re.compile(
    r"(ace|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king) of (clubs|diamonds|hearts|spades)"
)
TABLE = Table("Steady", 3, 100, (34, 21))


def cards_in(model: Model) -> CardSet:
    """Every card that a model's JSON names in any spelling."""
    text = json.dumps(model, ensure_ascii=False)
    found = CardSet()
    for piece in CARD.findall(text):
        for place in range(0, len(piece), 2):
            found = found | CardSet.parse(piece[place : place + 2])
    for rank, suit in SYMBOL.findall(text):
        found = found | CardSet.parse(rank + suit)
    names = {card.spoken: card for card in ALL_CARDS}
    for rank, suit in SPOKEN.findall(text):
        found = found.with_card(names[f"{rank} of {suit}"])
    return found


def known_to(round_: Round, seat: Seat) -> CardSet:
    return ALL_CARDS - round_.view(seat).unseen


def plies(count: int) -> Iterator[Round]:
    pairs: list[tuple[Player, Player]] = [
        (Novice(), Steady()),
        (KnocksAtOnce(), Novice()),
        (AnyLegal(), KnocksAtOnce()),
    ]
    random_ = random.Random(count)
    for number in range(count):
        rules = list(PRESETS.values())[number % len(PRESETS)]
        round_ = Round.start(rules, random_deal(random_, Seat(number % 2)))
        pair = pairs[number % 3]
        while True:
            yield round_
            turn = round_.public.turn
            if turn is None:
                break
            round_ = round_.play(pair[turn].choose(round_.view(turn), number))


def shown(round_: Round, seat: Seat) -> Model:
    view = round_.view(seat)
    model = table_model(view, TABLE)
    return model | ending_words(view, TABLE) if round_.result is not None else model


def check_nothing_hidden(show: Callable[[Round, Seat], Model], count: int) -> int:
    checked = 0
    for round_ in plies(count):
        for seat in Seat:
            leaked = cards_in(show(round_, seat)) - known_to(round_, seat)
            assert not leaked, leaked
            checked += 1
    return checked


def test_no_hidden_card_is_in_any_model(times: int) -> None:
    assert check_nothing_hidden(shown, 60 * times) > 3_000


def test_replays_hide_the_same() -> None:
    def show(round_: Round, seat: Seat) -> Model:
        view = round_.view(seat)
        return replay_model(view, TABLE, view.public.acts[-1] if view.public.acts else None, None)

    assert check_nothing_hidden(show, 20) > 1_000


def leaks_their_cards(round_: Round, seat: Seat) -> Model:
    return shown(round_, seat) | {"debug": str(round_.hands[seat.other])}


def leaks_the_next_card(round_: Round, seat: Seat) -> Model:
    return shown(round_, seat) | {"next": round_.stock[0].spoken if round_.stock else ""}


def leaks_in_a_move(round_: Round, seat: Seat) -> Model:
    return shown(round_, seat) | {"move": f"knock 9h: {''.join(map(str, round_.hands[seat.other]))}"}


@pytest.mark.parametrize("leak", [leaks_their_cards, leaks_the_next_card, leaks_in_a_move])
def test_a_leaking_model_is_caught(leak: Callable[[Round, Seat], Model]) -> None:
    with pytest.raises(AssertionError):
        check_nothing_hidden(leak, 3)


def test_every_action_offered_is_legal_and_every_legal_one_is_offered() -> None:
    for round_ in plies(24):
        seat = round_.public.turn
        if seat is None:
            continue
        view: View = round_.view(seat)
        text = json.dumps(table_model(view, TABLE))
        offered = set(re.findall(r'"act": "([^"]+)"', text))
        for act in offered:
            assert view.check(read_action(act)) is None, act
        kinds = {re.sub("^gin ", "knock ", act.split(":")[0]) for act in offered}
        assert kinds == {action_text(action, view.public.offer).split(":")[0] for action in view.legal_actions()}


def test_words_speak_to_the_player() -> None:
    seen = set()
    for round_ in plies(60):
        if round_.result is None:
            continue
        words = ending_words(round_.view(Seat.SOUTH), TABLE)
        seen.add(words["title"].split()[0])
        assert not re.search("You (knocks|holds|scores|has)", words["words"])
        assert not re.search(r"(^|[.] )you|[^.] You", words["words"])
    assert {"You", "Steady"} <= seen
    with pytest.raises(ValueError, match="not over"):
        ending_words(next(plies(1)).view(Seat.SOUTH), TABLE)
