"""The strong players in a real browser: first warming up, then ready without a reload."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import Server
from tests.e2e.table import TableUser, at_once
from tutor.app.server import COOKIE
from tutor.app.sessions.play import ME, THEM, PlaySession
from tutor.game.rules import preset
from tutor.storage.database import open_database
from tutor.storage.library import Library

NOW = "2026-11-30T20:00:00+00:00"
PATIENCE = 180_000
"""Milliseconds; a machine that has never compiled does it now."""
HELD = """
import time
from pathlib import Path
from tutor.engine import warming
load = warming.warm
def when_told():
    while not Path("go").exists():
        time.sleep(0.05)
    load()
warming.warm = when_told
"""
"""The engine of this server is not ready before there is a file ``go`` in its folder."""


@pytest.fixture
def server(browser: Browser, tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path, before=HELD, GIN_TUTOR_WARM_UP="on")
    yield running
    running.kill()


def library(server: Server) -> Library:
    return Library(open_database(f"sqlite:///{server.folder / 'gin-tutor.sqlite3'}"))


def expert_on_turn(page: Page, server: Server) -> PlaySession:
    """A game of this browser that was left with Expert on turn."""
    cookie = next(one["value"] for one in page.context.cookies() if one["name"] == COOKIE)
    kept = library(server)
    mine = kept.profile_of(cookie, NOW)
    session = PlaySession(kept, kept.new_game(mine.id, "Expert", preset("Casual"), practice=True, dealer=ME, now=NOW))
    session.deal(bytes(32))
    assert session.opponent_on_turn
    return session


def test_expert_warms_up_and_then_plays_without_a_reload(page: Page, server: Server) -> None:
    at_once(page)
    left = expert_on_turn(page, server)

    page.goto("/play?game=new")
    page.get_by_text("Engine: warming up; Sharp and Expert follow").wait_for()
    deal = page.get_by_role("button", name="Deal me in")
    expect(deal).to_be_enabled()
    page.locator("label", has_text="Expert").click()
    expect(deal).to_be_disabled()

    waiting = page.context.new_page()
    waiting.goto(f"/play?game={left.game_id}")
    table = TableUser(waiting)
    waiting.locator(".say", has_text="Expert is warming up").wait_for()
    # The page answers meanwhile, and the opponent stays where it is.
    waiting.get_by_text("A fair deal").click()
    waiting.get_by_text("verify-deal").wait_for()
    assert not left.follow()

    (server.folder / "go").touch()
    expect(deal).to_be_enabled(timeout=PATIENCE)
    expect(page.get_by_text("Engine: ready")).to_be_visible()
    assert page.get_by_text("warming up").count() == 0
    expect(page.get_by_role("radio", name="Expert")).to_be_checked()
    waiting.locator(".bar button:not([disabled])").first.wait_for()
    assert "warming up" not in waiting.locator(".say").inner_text()
    for _ in range(6):
        table.ready()
        if not table.finished():
            table.act()
    table.ready()
    left.follow()
    assert sum(act.seat is THEM for act in left.round.public.acts) >= 2

    # Chromium slows a page down while another one lies over it.
    waiting.close()
    page.bring_to_front()
    deal.click()
    user = TableUser(page)
    page.locator(".bar button").first.wait_for()
    user.play_hand()
    fresh = PlaySession(library(server), left.game_id + 1)
    assert fresh.opponent.name == "Expert"
    assert fresh.rounds[0].result is not None
