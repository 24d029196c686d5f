"""The pages as Streamlit runs them, without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tutor.app.sessions.play import PlaySession
from tutor.game.actions import Seat
from tutor.game.rules import PRESETS
from tutor.storage.database import FOLDER_VARIABLE, URL_VARIABLE, StorageError, database_url, open_database
from tutor.storage.library import Library

PAGES = Path(__file__).parents[2] / "pages"
NOW = "2026-11-30T20:00:00+00:00"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(URL_VARIABLE, raising=False)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    # AppTest has no cookies: it hands out a mock in their place.
    monkeypatch.setattr("tutor.app.state.browser", lambda: "a browser")


@pytest.fixture(autouse=True)
def no_switching(monkeypatch: pytest.MonkeyPatch) -> None:
    """A page alone has no other page to switch to."""
    monkeypatch.setattr("streamlit.switch_page", lambda *_, **__: None)


def opened(page: str, **query: str) -> AppTest:
    test = AppTest.from_file(str(PAGES / f"{page}.py"), default_timeout=20)
    for key, value in query.items():
        test.query_params[key] = value
    return test.run()


def library() -> Library:
    return Library(open_database(database_url()))


def begun(*, hands: int = 1) -> PlaySession:
    """A game with its first hand dealt."""
    kept = library()
    mine = kept.profile_of("a browser", NOW)
    kept.save_settings(mine.id, {"pace": "step by step"})
    rules = PRESETS["Casual"]
    game = kept.new_game(mine.id, "Novice", rules, practice=True, dealer=Seat.NORTH, now=NOW)
    session = PlaySession(kept, game)
    for number in range(hands):
        session.deal(bytes([number]) * 32)
    return session


def data(test: AppTest, key: str) -> dict[str, Any]:
    """What the page sent to its table."""
    return dict(json.loads(test.get_by_key(key).proto.json))


def fire(test: AppTest, key: str, event: dict[str, object]) -> AppTest:
    """Send an event of the table; AppTest has no public way to do it."""
    states = test._tree.get_widget_states()
    widget = states.widgets.add()
    widget.id = f"$$STREAMLIT_INTERNAL_KEY_{test.get_by_key(key).proto.id}__events"
    widget.json_trigger_value = json.dumps([{"event": "action", "value": event}])
    return test._run(states)


@pytest.mark.parametrize("page", ["home", "play", "replay", "settings"])
def test_every_page_opens_on_an_empty_database(page: str) -> None:
    assert not opened(page).exception


@pytest.mark.parametrize("path", sorted(PAGES.glob("*.py")), ids=lambda path: path.stem)
def test_a_page_asks_and_does_not_compute(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 80


def test_home_shows_the_game_that_is_open() -> None:
    assert data(opened("home"), "band")["band"]["acts"][0]["label"] == "Deal me in"
    begun()
    band = data(opened("home"), "band")
    assert band["band"]["acts"][0]["label"] == "Go on playing"
    assert len(band["hand"]) == 10


def test_an_act_is_played_stored_and_acknowledged() -> None:
    session = begun()
    test = opened("play")
    assert not test.exception
    before = data(test, "table")
    assert [draw["label"] for draw in before["draws"]] == ["Take", "Pass"]
    fire(test, "table", {"kind": "act", "ply": 0, "text": "pass"})
    after = data(test, "table")
    assert after["ply"] == 1
    assert after["step"] is True
    assert after["ack"] == before["ack"] + 1
    assert session.follow()
    assert session.ply == 1
    fire(test, "table", {"kind": "step", "ply": 1})
    assert data(test, "table")["ply"] > 1


def test_a_refused_act_is_acknowledged_and_says_why() -> None:
    begun()
    test = opened("play")
    before = data(test, "table")
    for event, words in (
        ({"kind": "act", "ply": 0, "text": "draw"}, "First take the upcard or pass"),
        ({"kind": "act", "ply": 5, "text": "pass"}, "moved on"),
        ({"kind": "act", "ply": 0, "text": "<script>"}, "no action"),
    ):
        fire(test, "table", event)
        after = data(test, "table")
        assert words in after["notice"]
        assert after["ack"] > before["ack"]
        assert after["ply"] == 0
        before = after
    fire(test, "table", {"kind": "nonsense"})
    assert not test.exception


def test_an_unknown_game_is_said_and_a_new_one_offered() -> None:
    for number in ("77", "99999999999999999999"):
        test = opened("play", game=number)
        assert not test.exception
        assert any(f"There is no game {number}" in one.value for one in test.markdown)


def test_a_game_of_someone_else_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    session = begun()
    monkeypatch.setattr("tutor.app.state.browser", lambda: "another browser")
    test = opened("play", game=str(session.game_id))
    assert any("There is no game" in one.value for one in test.markdown)
    assert any(
        "not here" in one.value or "Nothing to replay" in one.value for one in opened("replay", game="1").markdown
    )


def test_a_new_hand_is_sorted_as_the_player_likes() -> None:
    kept = library()
    mine = kept.profile_of("a browser", NOW)
    kept.save_settings(mine.id, {"sort": "suit", "size": "large"})
    test = opened("play", game="new")
    assert not test.exception
    home = opened("home")
    fire(home, "band", {"kind": "deal"})
    session = PlaySession(library(), 1)
    suits = [card[1] for card in session.order.split()]
    assert suits == sorted(suits, key="shdc".index)
    table = data(opened("play", game="1"), "table")
    assert [card["card"] for card in table["hand"]] == session.order.split()
    assert table["look"]["size"] == "large"


def test_senseless_rules_are_refused_with_their_reason() -> None:
    test = opened("play", game="new")
    assert [button.label for button in test.button] == ["Deal me in"]
    test.selectbox(key="Casual-oklahoma").set_value("yes").run()
    test.selectbox(key="Casual-knock_limit").set_value("0").run()
    assert any("choose one of them" in one.value for one in test.markdown)
    assert not test.button


def test_an_unfinished_hand_is_replayed_from_ones_own_seat_only() -> None:
    begun()
    test = opened("replay", game="1")
    assert not test.exception
    assert test.toggle[0].disabled
    assert data(test, "replay-table")["steps"] == {"ply": 0, "plies": 0}
    assert "cards" not in data(test, "replay-table")["opponent"]


def test_settings_are_kept() -> None:
    test = opened("settings")
    test.radio[0].set_value("two").run()
    assert opened("settings").radio[0].value == "two"
    test.text_input[0].set_value("Ann").run()
    test.button[0].click().run()
    assert any("**Ann**" in one.value for one in opened("settings").markdown)


def test_a_database_that_fails_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    begun()
    test = opened("play")

    def full(*_: object, **__: object) -> None:
        raise StorageError("The disk is full: the last action was not kept. Make room and repeat it.")

    monkeypatch.setattr("tutor.storage.library.Library.add_actions", full)
    fire(test, "table", {"kind": "act", "ply": 0, "text": "pass"})
    assert not test.exception
    assert "The disk is full" in data(test, "table")["notice"]
    assert data(test, "table")["ply"] == 0
    monkeypatch.undo()
    main = AppTest.from_file(str(PAGES.parent / "tutor" / "app" / "main.py"), default_timeout=20)
    monkeypatch.setattr("tutor.app.state.library", full)
    main.run()
    assert not main.exception
    assert any("The disk is full" in one.value for one in main.markdown)
