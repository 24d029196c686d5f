"""A real server and a real Chromium. Without Chromium these tests are skipped, or fail where CI promised it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.conftest import missing

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


class Server:
    """The app as a process of its own, on a free port, over a folder that outlives it."""

    def __init__(self, folder: Path, *, before: str = "", **environment: str) -> None:
        self.folder = folder
        self.before = before
        self.environment = {"GIN_TUTOR_WARM_UP": "off"} | environment
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        program = f"{self.before}\nfrom tutor.cli import main; main()"
        return [sys.executable, "-c", program, "--no-browser", "--port", str(self.port)]

    def start(self) -> None:
        environment = os.environ | {"GIN_TUTOR_DATA_DIR": str(self.folder)} | self.environment
        self.process = subprocess.Popen(self.command(), env=environment, cwd=self.folder, stdout=subprocess.DEVNULL)
        for _ in range(240):
            try:
                urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1)
            except OSError:
                assert self.process.poll() is None, "the server stopped"
                time.sleep(0.25)
            else:
                return
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        missing("chromium")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield launched
        launched.close()


@pytest.fixture
def server(browser: Browser, tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path)
    yield running
    running.kill()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, base_url=server.url)
    context.set_default_timeout(20_000)
    opened = context.new_page()
    errors: list[str] = []
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    context.close()
    assert errors == []
