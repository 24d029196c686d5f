"""The app as it is felt: python benchmarks/app.py (needs Chromium). Figures go to docs/PERFORMANCE.md.

Server start to first card, click to new table with storage, memory for a session, and games played at once over
websockets. Run it on an idle machine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import shutil
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import websockets
from playwright.sync_api import Page, sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.e2e.conftest import ARGUMENTS, Server
from tests.e2e.table import TableUser, at_once, sit_down
from tutor.game.actions import Seat
from tutor.game.rules import preset
from tutor.storage.database import open_database
from tutor.storage.library import Library

# Clicks inside the page and waits for the table to change: what a person waits for, without the test tool's own time.
WARM = 5.0
"""Seconds after which the engine of a server is loaded."""
CLICK = """(name) => new Promise((done) => {
  const host = [...document.querySelectorAll('*')].find((e) => e.shadowRoot && e.shadowRoot.querySelector('.table'));
  const table = host.shadowRoot.querySelector('.table');
  const look = () => table.querySelector('.say').textContent + table.querySelector('.bar').textContent + table.querySelectorAll('.hand .card').length;
  const button = [...table.querySelectorAll('.bar button:not([disabled])')].find((b) => b.textContent.includes(name));
  if (!button) return done(null);
  const before = look(), began = performance.now();
  const watch = new MutationObserver(() => { if (look() !== before) { watch.disconnect(); done(performance.now() - began); } });
  watch.observe(table, { subtree: true, childList: true, characterData: true, attributes: true });
  setTimeout(() => { watch.disconnect(); done(null); }, 3000);
  button.click();
})"""  # noqa: E501


def memory(process: int) -> float:
    """Resident memory of a process, MB."""
    rows = Path(f"/proc/{process}/status").read_text(encoding="utf-8").splitlines()
    return int(next(row for row in rows if row.startswith("VmRSS")).split()[1]) / 1024


def clicks(page: Page, count: int) -> list[float]:
    """Milliseconds from click to new table, for draws and discards of one's own."""
    page.goto("/play")
    user = TableUser(page)
    found: list[float] = []
    for _ in range(40 * count):
        if len(found) == count:
            break
        user.ready()
        if user.finished():
            before = user.state()
            page.locator('[data-do="next"], [data-do="again"]').first.click()
            user.changed(before)
            continue
        bar = page.locator(".bar").inner_text()
        if "Choose a card" in bar and "lay off" not in bar:
            user.hit(user.loose_card())
            continue
        name = next((name for name in ("Draw", "Discard") if name in bar and "Knock with" not in bar), None)
        took = None if name is None else page.evaluate(CLICK, name)
        if took is None:
            user.act()
        else:
            found.append(float(took))
    return found


class Player:
    """One browser's worth of websocket: plays the first act the table offers, over and over."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.table: dict[str, Any] = {}
        self.component = ""
        self.page_hash = ""
        self.query = ""
        self.times: list[float] = []

    async def run_script(self, message: BackMsg) -> None:
        """Send, and read answers until the script is done; the last table is kept."""
        await self.socket.send(message.SerializeToString())
        while True:
            raw = await asyncio.wait_for(self.socket.recv(), 60)
            answer = ForwardMsg()
            answer.ParseFromString(raw if isinstance(raw, bytes) else raw.encode())
            if answer.HasField("new_session"):
                self.page_hash = answer.new_session.page_script_hash
            if answer.HasField("delta") and answer.delta.new_element.HasField("bidi_component"):
                element = answer.delta.new_element.bidi_component
                model = json.loads(element.json)
                # The coach's panel stands beside the table.
                if "head" in model:
                    self.component, self.table = element.id, model
            if answer.HasField("script_finished"):
                return

    def asking(self, event: dict[str, Any] | None) -> BackMsg:
        """The message that runs the page, with an event of the table."""
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.page_script_hash = self.page_hash
        message.rerun_script.page_name = "" if self.page_hash else "play"
        if event is not None:
            state = message.rerun_script.widget_states.widgets.add()
            state.id = f"$$STREAMLIT_INTERNAL_KEY_{self.component}__events"
            state.json_trigger_value = json.dumps([{"event": "action", "value": event}])
        return message

    def event(self) -> dict[str, Any] | None:
        """The first thing that the table offers."""
        table, ply = self.table, self.table.get("ply", 0)
        if table.get("done"):
            return {"kind": table["done"]["buttons"][0]["kind"], "ply": ply}
        if table.get("step"):
            return {"kind": "step", "ply": ply}
        if table.get("draws"):
            return {"kind": "act", "ply": ply, "text": table["draws"][-1 if len(table["draws"]) == 1 else 0]["act"]}
        if table.get("throws"):
            for throw in table["throws"].values():
                if "knock" in throw:
                    return {"kind": "act", "ply": ply, "text": throw["knock"]["ways"][0]["act"]}
            return {"kind": "act", "ply": ply, "text": list(table["throws"].values())[-1].get("act")}
        return {"kind": "best", "ply": ply} if table.get("settle") else None

    async def play(self, name: str, game: int, acts: int, think: float) -> None:
        """Play so many acts of a game as the browser of this name."""
        self.query = f"game={game}"
        headers = {"Cookie": f"gin_tutor_browser={name}"}
        address = f"{self.url.replace('http', 'ws')}/_stcore/stream"
        async with websockets.connect(
            address,
            additional_headers=headers,
            subprotocols=["streamlit"],
            max_size=None,  # type: ignore[list-item]
        ) as self.socket:
            await asyncio.sleep(think * random.random())
            await self.run_script(self.asking(None))
            for _ in range(acts):
                event = self.event()
                if event is None:
                    await self.run_script(self.asking(None))
                    continue
                began = time.perf_counter()
                await self.run_script(self.asking(event))
                self.times.append((time.perf_counter() - began) * 1000)
                await asyncio.sleep(think * (0.5 + random.random()))


def told(times: list[float]) -> str:
    """Median and 95th percentile, ms."""
    return f"median {median(times):.0f} ms, p95 {quantiles(times, n=20)[-1]:.0f} ms"


def games_for(folder: Path, names: list[str]) -> list[int]:
    """A game for each browser, against an opponent who answers at once."""
    library = Library(open_database(f"sqlite:///{folder / 'gin-tutor.sqlite3'}"))
    games = []
    for name in names:
        profile = library.profile_of(name, "now")
        library.save_settings(profile.id, {"pace": "at once"})
        rules = preset("Casual")
        games.append(
            library.new_game(profile.id, "Novice", rules, practice=True, dealer=Seat.NORTH, now="2026-01-01T00:00:00")
        )
    return games


async def crowd(url: str, folder: Path, size: int = 30, acts: int = 20, think: float = 1.0) -> None:
    """Games played at once, each player thinking about a second before an act, each in a rhythm of its own."""
    names = [f"crowd-{number}" for number in range(size)]
    games = games_for(folder, names)
    players = [Player(url) for _ in names]
    tasks = (player.play(name, game, acts, think) for player, name, game in zip(players, names, games, strict=True))
    await asyncio.gather(*tasks)
    times = [took for player in players for took in player.times]
    print(f"{size} games at once, {len(times)} acts: {told(times)}")


def main() -> None:
    """Print a row for each figure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clicks", type=int, default=30)
    options = parser.parse_args()
    chromium = shutil.which("chromium")
    assert chromium is not None
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        began = time.perf_counter()
        server = Server(Path(folder), GIN_TUTOR_WARM_UP="on")
        page = browser.new_page(base_url=server.url)
        page.goto("/")
        page.get_by_text("Deal me in").click()
        page.locator(".hand .card").first.wait_for()
        print(f"server start to first card, cold: {time.perf_counter() - began:.1f} s")
        page.get_by_text("Engine: ready").wait_for()
        at_once(page)
        times = clicks(page, options.clicks)
        print(f"click to new table, {len(times)} clicks: {told(times)}")
        before = memory(server.process.pid)
        pages = [browser.new_context(base_url=server.url).new_page() for _ in range(10)]
        for one in pages:
            sit_down(one)
        more = (memory(server.process.pid) - before) / 10
        print(f"memory: {before:.0f} MB with one session, {more:.2f} MB for each of ten more")
        browser.close()
        server.kill()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), GIN_TUTOR_WARM_UP="on")
        time.sleep(WARM)
        asyncio.run(crowd(server.url, Path(folder)))
        server.kill()


if __name__ == "__main__":
    main()
