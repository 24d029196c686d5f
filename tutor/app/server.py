"""The server around the screens: the ASGI app, the cookie that knows a browser again, start and options."""

from __future__ import annotations

import secrets
import socket
import threading
import tomllib
import webbrowser
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.middleware import Middleware

from tutor.app import warmup

PACKAGE = Path(__file__).parents[1]
ROOT = PACKAGE / "_app" if (PACKAGE / "_app").is_dir() else PACKAGE.parent
COOKIE = "gin_tutor_browser"

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


class BrowserCookie:
    """Gives each browser a random name, so that its profile is found again. It is no password."""

    def __init__(self, app: Callable[[Message, Receive, Send], Awaitable[None]]) -> None:
        self.app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Add the cookie to a page's answer where the browser has none."""
        headers = dict(scope.get("headers") or [])
        if scope["type"] != "http" or COOKIE.encode() in headers.get(b"cookie", b""):
            await self.app(scope, receive, send)
            return
        value = f"{COOKIE}={secrets.token_hex(16)}; Path=/; Max-Age=63072000; HttpOnly; SameSite=Lax"

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_page(message):
                message["headers"] = [*message["headers"], (b"set-cookie", value.encode())]
            await send(message)

        await self.app(scope, receive, sending)


def _is_page(message: Message) -> bool:
    return any(key == b"content-type" and value.startswith(b"text/html") for key, value in message["headers"])


@asynccontextmanager
async def _engine_warms_up(_: Any) -> AsyncIterator[None]:
    """While the server runs: the engine warms up from its start, and what still compiles ends with it."""
    stop = warmup.start()
    try:
        yield
    finally:
        stop()


SCRIPT = Path(__file__).with_name("main.py")
"""The script that Streamlit runs for each look at a page."""


def around() -> dict[str, Any]:
    """What the ASGI app has around ``SCRIPT``: the cookie, and the engine that warms up."""
    return {"middleware": [Middleware(BrowserCookie)], "lifespan": _engine_warms_up}


def options() -> dict[str, Any]:
    """The options of ``.streamlit/config.toml`` as dotted keys, so that they hold from any folder."""
    raw = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    return dict(_dotted(raw, ""))


def _dotted(table: dict[str, Any], before: str) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    for key, value in table.items():
        found += _dotted(value, f"{before}{key}.") if isinstance(value, dict) else [(before + key, value)]
    return found


def port_is_free(host: str, port: int) -> bool:
    """Whether a server could listen there."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def serve(host: str, port: int, *, browser: bool) -> None:
    """Serve the app until it is stopped; open a browser on it when asked."""
    if browser:
        threading.Timer(1.5, webbrowser.open, (f"http://{host}:{port}",)).start()
    st.App(SCRIPT, **around()).run(config=options() | {"server.address": host, "server.port": port})
