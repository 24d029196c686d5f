"""The coach in a real browser: a blunder held back, thought over, played anyway; the review and its jumps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.e2e.conftest import Server
from tests.e2e.table import TableUser
from tests.e2e.test_journeys import OURS
from tutor.app.sessions.play import PlaySession
from tutor.engine.players import PLAYERS
from tutor.game.actions import Action, Discard, Draw, Pass, Seat
from tutor.game.rules import PRESETS
from tutor.storage.database import open_database
from tutor.storage.library import Library
from tutor.teaching.coach import look, point_of, verdict_on
from tutor.teaching.verdict import Grade, worth_of_loss

NOW = "2026-12-01T10:00:00+00:00"
BROWSER = "a browser of the tests"


def prepared(folder: Path, **settings: object) -> PlaySession:
    """A game at the player's first discard, with a hand that has melds to break."""
    library = Library(open_database(f"sqlite:///{folder / 'gin-tutor.sqlite3'}"))
    mine = library.profile_of(BROWSER, NOW)
    library.save_settings(mine.id, {"pace": "step by step", "level": "intermediate", "still": True} | settings)
    game = library.new_game(mine.id, "Novice", PRESETS["Casual"], practice=True, dealer=Seat.NORTH, now=NOW)
    session = PlaySession(library, game)
    session.deal(bytes([8]) * 32)
    for number in range(9):
        legal = session.view().legal_actions()
        if Discard in {type(one) for one in legal}:
            return session
        if session.opponent_on_turn:
            session.opponent_acts(number, NOW)
        else:
            session._do(Pass() if Pass() in legal else Draw(), NOW)
    raise AssertionError("the discard is not reached")


def blunder(session: PlaySession) -> Discard:
    """The throw that costs most."""
    seen = look(session.view())
    point = point_of(session.stored.rules)
    for line in sorted(seen.lines, key=lambda line: -worth_of_loss(line, point)[0]):
        if isinstance(line.action, Discard) and verdict_on(seen, line.action)[0].grade is Grade.BLUNDER:
            return line.action
    raise AssertionError("no blunder here")


def finish(session: PlaySession) -> None:
    """Play the hand to its end as Casual does, badly enough to have something to review."""
    number = 100
    while session.round.result is None:
        number += 1
        if session.opponent_on_turn:
            session.opponent_acts(number, NOW)
        else:
            action: Action = PLAYERS["Novice"].choose(session.view(), number)
            session._do(action, NOW)


@pytest.fixture
def home(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, base_url=server.url)
    context.set_default_timeout(30_000)
    context.add_cookies([{"name": "gin_tutor_browser", "value": BROWSER, "url": server.url}])
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def throw(page: Page, card: str) -> None:
    page.locator(f'.hand [data-card="{card}"]').click()
    page.locator('.bar [data-do="act"]', has_text="Discard").click()


def said(page: Page, words: str) -> None:
    """Wait until the coach has said this in one of its blocks."""
    page.locator("article", has_text=words).first.wait_for()


def corner(page: Page) -> tuple[float, ...]:
    """Where the table begins, and its width."""
    box = page.locator(".table").bounding_box()
    assert box is not None
    return box["x"], box["y"], box["width"]


def test_a_blunder_is_held_reloaded_rethought_and_then_played_unjudged(home: Page, server: Server) -> None:
    session = prepared(server.folder, coach="warn")
    bad, ply = blunder(session), session.ply
    home.goto("/play?game=1")
    throw(home, str(bad.card))
    rethink = home.locator('button[data-do="rethink"]')
    rethink.wait_for()
    assert home.locator(".pile .card.held").count() == 1
    session.follow()
    assert session.ply == ply
    # The table stays as it is: nothing of it is covered, and it takes no other act.
    assert home.locator('.bar [data-do="act"]').count() == 0
    home.reload()
    rethink.wait_for()
    assert home.locator(".pile .card.held").count() == 1
    rethink.click()
    rethink.wait_for(state="detached")
    throw(home, str(bad.card))
    home.locator('.bar [data-do="step"]').wait_for()
    session.follow()
    assert session.ply == ply + 1
    assert [mark.kind for mark in session.stored.rounds[-1].marks] == ["warned", "rethought"]


def test_a_blunder_can_be_played_anyway_by_keys_alone(home: Page, server: Server) -> None:
    session = prepared(server.folder, coach="warn")
    bad, ply = blunder(session), session.ply
    home.goto("/play?game=1")
    throw(home, str(bad.card))
    anyway = home.locator('button[data-do="anyway"]')
    anyway.wait_for()
    home.locator('button[data-do="rethink"]').focus()
    for _ in range(4):
        home.keyboard.press("Tab")
        if anyway.evaluate("(button) => button.getRootNode().activeElement === button"):
            break
    home.keyboard.press("Enter")
    home.locator('.bar [data-do="step"]').wait_for()
    session.follow()
    assert session.ply == ply + 1


def test_verdicts_hints_and_the_grid_stand_beside_the_table(home: Page, server: Server) -> None:
    session = prepared(server.folder, coach="full")
    best = look(session.view()).best.action
    assert isinstance(best, Discard)
    home.goto("/play?game=1")
    for number in (1, 2, 3):
        home.locator('button[data-do="hint"]', has_text=f"Hint {number} of 3").click()
    home.locator('button[data-do="hint"]').wait_for(state="detached")
    home.locator('button[data-do="open-grid"]').click()
    home.locator('[role="gridcell"]').first.wait_for()
    before = corner(home)
    throw(home, str(best.card))
    said(home, "Among the best")
    assert corner(home) == before
    session.follow()
    assert {mark.kind for mark in session.stored.rounds[-1].marks} == {"hint", "grid"}


def test_the_review_jumps_by_mouse_and_by_keys(home: Page, server: Server) -> None:
    session = prepared(server.folder, coach="full")
    session._do(blunder(session), NOW)
    finish(session)
    home.goto("/play?game=1")
    said(home, "One thing to fix")
    home.locator('button[data-do="moment"]').first.click()
    home.locator('.bar [data-do="result"]').wait_for()
    moments = home.locator(".moment")
    if moments.count() > 1:
        chosen = home.locator('.moment[aria-current="true"]')
        before = chosen.inner_text()
        chosen.focus()
        home.keyboard.press("ArrowDown" if moments.first.get_attribute("aria-current") else "ArrowUp")
        home.wait_for_function(
            """(before) => [...document.querySelectorAll('*')].some((host) => {
                 const one = host.shadowRoot?.querySelector('.moment[aria-current="true"]');
                 return one && one.innerText !== before; })""",
            arg=before,
        )
    home.locator('.bar [data-do="result"]').click()
    said(home, "One thing to fix")
    points = home.locator('[data-testid="stVegaLiteChart"] g.mark-symbol.role-mark path')
    for _ in range(2):
        points.nth(2).click()
        home.locator('.bar [data-do="result"]').click()
        home.locator('.bar [data-do="next"]').wait_for()


def test_a_moment_is_tried_again_with_the_same_cards(home: Page, server: Server) -> None:
    session = prepared(server.folder, coach="full")
    ply = session.ply
    session._do(blunder(session), NOW)
    finish(session)
    home.goto("/play?game=1")
    said(home, "One thing to fix")
    home.locator('button[data-do="moment"]').first.click()
    home.locator('button[data-do="keep"]').click()
    said(home, "Kept as a puzzle")
    home.locator('button[data-do="try"]').click()
    home.wait_for_url("**/play?game=2")
    TableUser(home).ready()
    again = PlaySession(session.library, 2)
    assert again.round.deal == session.round.deal
    assert again.round.actions == session.round.actions[: again.ply]
    assert again.ply >= ply


def test_replay_has_the_verdict_of_each_step_and_the_better_line(home: Page, server: Server) -> None:
    session = prepared(server.folder, coach="off")
    place = session.ply + 1
    session._do(blunder(session), NOW)
    finish(session)
    home.goto(f"/replay?game=1&at=1/{place}")
    said(home, "Blunder:")
    home.locator('button[data-do="better"]').click()
    home.locator('article button[data-do="back"]').wait_for()
    home.locator('article button[data-do="back"]').click()
    home.locator('button[data-do="better"]').wait_for()
    home.get_by_text("Expected result").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_what_the_coach_says(browser: Browser, server: Server, scheme: str) -> None:
    session = prepared(server.folder, coach="warn")
    bad = blunder(session)
    context = browser.new_context(viewport={"width": 1280, "height": 800}, base_url=server.url, color_scheme=scheme)  # type: ignore[arg-type]
    context.set_default_timeout(30_000)
    context.add_cookies([{"name": "gin_tutor_browser", "value": BROWSER, "url": server.url}])
    page = context.new_page()
    wrong: dict[str, list[str]] = {}

    def check(where: str) -> None:
        page.wait_for_timeout(500)
        for violation in Axe().run(page, context=OURS).response["violations"]:
            nodes = [str(node["target"]) + str(node.get("failureSummary", ""))[:160] for node in violation["nodes"]]
            wrong.setdefault(f"{where}: {violation['id']}", []).extend(nodes)

    page.goto("/play?game=1")
    throw(page, str(bad.card))
    page.locator('button[data-do="anyway"]').wait_for()
    page.locator('button[data-do="hint"]').first.click()
    said(page, "Where to look")
    page.locator('button[data-do="open-grid"]').click()
    page.locator('[role="gridcell"]').first.wait_for()
    check("warning, hint and grid")
    session.follow()
    session.play_held(session.ply, NOW)
    finish(session)
    page.reload()
    said(page, "One thing to fix")
    check("review")
    context.close()
    assert wrong == {}
