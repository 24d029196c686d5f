"""Journeys through the app in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.app.test_present import cards_in, known_to
from tests.e2e.conftest import Server
from tests.e2e.table import TableUser, at_once, sit_down
from tutor.app.sessions.play import ME, PlaySession
from tutor.game.notation import loads
from tutor.storage.database import open_database
from tutor.storage.library import Library

OURS = {"include": [{"fromShadowDom": ["[data-testid=stBidiComponentIsolated]", ".table"]}]}
"""What we draw ourselves; Streamlit's own findings are listed in docs/PERFORMANCE.md."""


def stored(server: Server, game: int = 1) -> PlaySession:
    """The game as the database has it."""
    return PlaySession(Library(open_database(f"sqlite:///{server.folder / 'gin-tutor.sqlite3'}")), game)


def test_a_whole_game_by_mouse_then_every_hand_replayed(page: Page, server: Server) -> None:
    at_once(page)
    user = sit_down(page)
    for _ in range(40):
        user.play_hand()
        if page.locator('[data-do="again"]').count():
            break
        before = user.state()
        page.locator('[data-do="next"]').click()
        user.changed(before)
    session = stored(server)
    assert session.over
    assert max(session.standing.points) >= 100
    assert "wins the game" in page.locator(".result").inner_text() or "You win" in page.locator(".result").inner_text()
    page.get_by_text("Replay this hand").click()
    page.locator('[data-do="forward"]').wait_for()
    assert "at=" in page.url
    showdowns = 0
    for _ in session.rounds:
        page.get_by_text("Next showdown").click()
        page.wait_for_timeout(400)
        showdowns += page.locator(".result h2").count()
    assert showdowns >= 1
    with page.expect_download() as download:
        page.get_by_text("Download as .gin").click()
    record = loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert record.results() == session.game.results


def focused(page: Page) -> str:
    return str(
        page.evaluate(
            """() => {
              let at = document.activeElement;
              while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement;
              return (at && (at.dataset.card || at.dataset.do || at.className)) || '';
            }"""
        )
    )


def walk_to(page: Page, user: TableUser, card: str) -> bool:
    """Go along the hand with the arrow keys until this card has the focus; no use where it has just left the hand."""
    for key in ["ArrowRight"] * 12 + ["ArrowLeft"] * 12:
        if focused(page) == card:
            return True
        page.keyboard.press(key)
    if card not in user.hand():
        # The table showed the throw of before a moment longer than the bar.
        return False
    assert focused(page) == card, (focused(page), card, user.hand())
    return True


def test_a_hand_by_keyboard_alone(page: Page, server: Server) -> None:
    page.goto("/settings")
    page.get_by_text("at once").wait_for()
    for _ in range(40):
        page.keyboard.press("Tab")
        label = page.evaluate("document.activeElement.getAttribute('type') + document.activeElement.value")
        if str(label).startswith("radio") and page.evaluate("document.activeElement.name") != page.evaluate(
            "document.querySelectorAll('input[type=radio]')[0].name"
        ):
            page.keyboard.press("ArrowLeft")
            break
    page.wait_for_timeout(500)
    page.goto("/")
    page.get_by_text("Deal me in").wait_for()
    for _ in range(30):
        page.keyboard.press("Tab")
        if focused(page) == "deal":
            break
    page.keyboard.press("Enter")
    page.locator(".bar button").first.wait_for()
    user = TableUser(page)
    for _ in range(30):
        page.keyboard.press("Tab")
        if re.fullmatch("[A2-9TJQK][cdhs]", focused(page)):
            break
    for _ in range(250):
        user.ready()
        if user.finished():
            break
        before = user.state()
        bar = page.locator(".bar").inner_text()
        if "Lay off for me" in bar or "Settle" in bar:
            page.keyboard.press("e")
            if page.locator(".bar.wide").count():
                page.keyboard.press("Tab")
                page.keyboard.press("Enter")
        elif "Draw" in bar:
            page.keyboard.press("d")
        elif "Pass" in bar:
            page.keyboard.press("p")
        elif "Knock with" in bar or "Gin" in bar:
            page.keyboard.press("k")
            if page.locator(".bar.wide").count():
                page.keyboard.press("Enter")
        elif "Discard" in bar:
            page.keyboard.press("x")
        else:
            if walk_to(page, user, str(user.loose_card().get_attribute("data-card"))):
                page.keyboard.press("Enter")
        user.changed(before)
    assert user.finished()
    assert stored(server).rounds[0].result is not None
    page.keyboard.press("n")
    page.wait_for_function("() => true")
    user.ready()


def test_cards_are_moved_by_keys_and_by_dragging_and_stay_there(page: Page, server: Server) -> None:
    user = sit_down(page)
    before = user.hand()
    page.locator(".hand .card").nth(0).focus()
    page.keyboard.press("Shift+ArrowRight")
    page.wait_for_timeout(400)
    moved = user.hand()
    assert moved[:2] == [before[1], before[0]]
    first, last = page.locator(".hand .card").nth(0).bounding_box(), page.locator(".hand .card").nth(9).bounding_box()
    assert first is not None
    assert last is not None
    page.mouse.move(first["x"] + 20, first["y"] + 60)
    page.mouse.down()
    page.mouse.move(last["x"] + 40, last["y"] + 60, steps=8)
    page.mouse.move(last["x"] + last["width"] + 30, last["y"] + 60, steps=3)
    page.mouse.up()
    page.wait_for_timeout(400)
    dragged = user.hand()
    assert dragged == [*moved[1:], moved[0]]
    page.reload()
    user.ready()
    assert user.hand() == dragged
    page.get_by_text("Settings").first.click()
    page.get_by_text("at once").wait_for()
    page.get_by_text("Play", exact=True).first.click()
    user.ready()
    assert user.hand() == dragged


def test_a_double_click_does_one_thing_and_focus_stays_where_it_was(page: Page, server: Server) -> None:
    at_once(page)
    user = sit_down(page)
    for _ in range(40):
        user.ready()
        if "Choose a card" in page.locator(".bar").inner_text():
            break
        user.act()
    user.hit(user.loose_card())
    plies = stored(server).ply
    page.locator(".bar button", has_text="Discard").click(click_count=2, delay=120)
    page.wait_for_timeout(600)
    session = stored(server)
    mine = [act for act in session.round.public.acts[plies:] if act.seat is ME]
    assert len(mine) == 1
    user.ready()
    if page.locator(".bar button", has_text="Take").count():
        page.locator(".bar button", has_text="Take").focus()
        page.keyboard.press("1")
        page.wait_for_timeout(300)
        assert page.evaluate(FOCUSED).startswith("Take")


FOCUSED = """() => {
  let at = document.activeElement;
  while (at && at.shadowRoot && at.shadowRoot.activeElement) at = at.shadowRoot.activeElement;
  return at ? at.textContent : '';
}"""


@pytest.fixture
def phone(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, base_url=server.url, color_scheme="dark"
    )
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()


def test_a_hand_by_touch_on_a_phone(phone: Page, server: Server) -> None:
    user = sit_down(phone, touch=True)
    card = phone.locator(".hand .card").first.bounding_box()
    assert card is not None
    assert card["width"] >= 44
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    user.play_hand()
    assert stored(server).rounds[0].result is not None


def test_reload_in_mid_turn_comes_back_to_the_same_card(page: Page, server: Server) -> None:
    at_once(page)
    user = sit_down(page)
    for _ in range(60):
        user.ready()
        if page.locator(".bar").inner_text().count("Choose a card") or user.finished():
            break
        user.act()
    hand, words = user.hand(), page.locator(".say").inner_text()
    page.reload()
    user.ready()
    assert user.hand() == hand
    assert page.locator(".say").inner_text() == words
    page.goto("/")
    page.get_by_text("Go on playing").click()
    user.ready()
    assert user.hand() == hand


def test_a_second_tab_follows_and_cannot_fork(page: Page, server: Server) -> None:
    at_once(page)
    user = sit_down(page)
    other_page = page.context.new_page()
    other_page.goto(page.url)
    other = TableUser(other_page)
    other.ready()
    assert other.hand() == user.hand()
    user.act()
    user.ready()
    plies = stored(server).ply
    before = other.state()
    other.hit(other_page.locator(".bar button:not([disabled])").last)
    other.changed(before)
    other.ready()
    assert stored(server).ply == plies
    assert other.hand() == user.hand()
    assert "moved on" in other_page.locator(".say").inner_text()


def test_a_killed_server_goes_on_at_the_same_card(page: Page, server: Server) -> None:
    at_once(page)
    user = sit_down(page)
    for _ in range(3):
        user.act()
    user.ready()
    hand = user.hand()
    server.kill()
    server.start()
    page.reload()
    user.ready()
    assert user.hand() == hand
    user.play_hand()
    assert stored(server).rounds[0].result is not None


def test_a_deep_link_on_a_fresh_server(page: Page, server: Server) -> None:
    at_once(page)
    user = sit_down(page)
    user.play_hand()
    server.kill()
    server.start()
    page.goto("/replay?game=1&at=1/2")
    page.locator(".bar", has_text="2 of").wait_for()
    page.locator('[data-do="forward"]').click()
    page.locator(".bar", has_text="3 of").wait_for()
    page.wait_for_url("**at=1*2F3**")


def leaked_cards(page: Page, server: Server, *, hands: int) -> tuple[list[object], int]:
    """Play some hands, or the game; cards in the server's frames that the seat did not know then, and models read."""
    frames: list[bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(as_bytes(frame))))
    at_once(page)
    user = sit_down(page)
    leaked: list[object] = []
    checked = 0
    for _ in range(60 * hands):
        user.ready()
        page.wait_for_timeout(60)
        session = stored(server)
        known = {
            one.id: known_to(played, ME) for one, played in zip(session.stored.rounds, session.rounds, strict=True)
        }
        for frame in frames:
            for model in models_in(frame):
                if "head" in model:
                    leaked += list(cards_in(model) - known[model["hand_id"]])
                    checked += 1
        frames.clear()
        if user.finished():
            if session.over or len(session.rounds) == hands:
                break
            before = user.state()
            page.locator('[data-do="next"]').click()
            user.changed(before)
        else:
            user.act()
    return leaked, checked


def test_no_hidden_card_reaches_the_browser(page: Page, server: Server) -> None:
    leaked, checked = leaked_cards(page, server, hands=40)
    assert leaked == []
    assert checked > 20
    assert stored(server).over


LEAKING = """
from tutor.app import playing
honest = playing.model_of
playing.model_of = lambda session: honest(session) | {"debug": str(session.round.hands[1])}
"""


def test_a_leaking_build_is_caught(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path, before=LEAKING)
    context = browser.new_context(base_url=server.url)
    try:
        leaked, checked = leaked_cards(context.new_page(), server, hands=1)
    finally:
        context.close()
        server.kill()
    assert checked > 10
    assert leaked != []


def as_bytes(frame: bytes | str) -> bytes:
    return frame if isinstance(frame, bytes) else frame.encode()


def models_in(frame: bytes) -> list[dict[str, Any]]:
    """The table models inside a frame of the server."""
    text = frame.decode("utf-8", errors="ignore")
    found = []
    for start in (match.start() for match in re.finditer(r'\{"head":|\{"ack":', text)):
        try:
            model, _ = json.JSONDecoder().raw_decode(text[start:])
        except json.JSONDecodeError:
            continue
        found.append(model)
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_our_content(browser: Browser, server: Server, scheme: str) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, base_url=server.url, color_scheme=scheme)  # type: ignore[arg-type]
    context.set_default_timeout(20_000)
    page = context.new_page()
    at_once(page)
    wrong: dict[str, list[str]] = {}

    def check(where: str) -> None:
        page.wait_for_timeout(500)
        found = Axe().run(page, context=OURS)
        assert len(found.response["passes"]) > 5, "axe looked at nothing"
        for violation in found.response["violations"]:
            nodes = [str(node["target"]) + str(node.get("failureSummary", ""))[:160] for node in violation["nodes"]]
            wrong.setdefault(f"{where}: {violation['id']}", []).extend(nodes)

    page.goto("/")
    page.get_by_text("Deal me in").wait_for()
    check("home")
    user = sit_down(page)
    check("upcard")
    for _ in range(40):
        user.ready()
        if "Choose a card" in page.locator(".bar").inner_text():
            user.hit(user.loose_card())
            break
        user.act()
    check("play")
    user.play_hand()
    page.wait_for_timeout(2500)
    check("showdown")
    page.goto("/replay")
    page.locator('[data-do="forward"]').wait_for()
    check("replay")
    context.close()
    assert wrong == {}
