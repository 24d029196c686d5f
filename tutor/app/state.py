"""The one place that reads and writes what a browser's session remembers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import streamlit as st

from tutor.app.server import COOKIE
from tutor.app.sessions.play import PlaySession
from tutor.storage.database import database_url, open_database
from tutor.storage.library import Library, Profile
from tutor.storage.reviews import Reviews

DEFAULTS: dict[str, Any] = {
    "deck": "four",
    "pace": "normal",
    "size": "normal",
    "sort": "rank",
    "confirm": False,
    "still": False,
    "opponent": "Novice",
    "rules": "Casual",
    "practice": True,
    "coach": "full",
    "level": "beginner",
    "warn_from": "blunder",
}
PACES = {"at once": 0.0, "normal": 0.7, "slow": 1.6, "step by step": -1.0}


def now() -> str:
    """The time as it is stored: UTC, ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@st.cache_resource
def _library(url: str) -> Library:
    return Library(open_database(url))


def library() -> Library:
    """What is remembered. Raises StorageError."""
    return _library(database_url())


def reviews() -> Reviews:
    """The reviews and positions that are kept. Raises StorageError."""
    return Reviews(library().engine)


def browser() -> str:
    """The name the cookie gives this browser; one for all where there are no cookies."""
    return st.context.cookies.get(COOKIE, "local")


def profile() -> Profile:
    """Who plays in this browser, read once for each session."""
    kept: Profile | None = st.session_state.get("profile")
    if kept is None:
        kept = st.session_state["profile"] = library().profile_of(browser(), now())
    return kept


def play_as(name: str) -> None:
    """Let this browser play as the profile of this name."""
    st.session_state["profile"] = library().play_as(browser(), name, now())
    st.session_state["play"] = None


def settings() -> dict[str, Any]:
    """The profile's settings, with the defaults for what was never set."""
    return DEFAULTS | profile().settings


def look() -> dict[str, Any]:
    """What the settings say of how things look."""
    kept = settings()
    return {key: kept[key] for key in ("deck", "still")}


def save(**changes: Any) -> None:
    """Keep settings of the profile."""
    mine = profile()
    st.session_state["profile"] = replace(mine, settings=library().save_settings(mine.id, changes))


def play_session(game_id: int) -> PlaySession | None:
    """The session of a game of this profile, kept between runs; None when there is no such game."""
    kept: PlaySession | None = st.session_state.get("play")
    if kept is None or kept.game_id != game_id:
        try:
            kept = PlaySession(library(), game_id)
        except LookupError:
            return None
        if kept.stored.profile_id != profile().id:
            return None
        st.session_state["play"] = kept
    return kept


def acknowledge(notice: str = "", place: tuple[int, int] = (0, 0)) -> None:
    """Count a handled event, refused ones too, so that the model differs and the table opens again.

    ``notice`` is what there is to say at ``place`` (game, ply); elsewhere it is not said.
    """
    st.session_state["ack"] = acknowledged() + 1
    st.session_state["notice"] = (notice, place)


def acknowledged() -> int:
    """How many events were handled."""
    return int(st.session_state.get("ack", 0))


def notice(place: tuple[int, int]) -> str:
    """What the last event's answer had to say here (game, ply)."""
    words, about = st.session_state.get("notice", ("", place))
    return str(words) if about == place else ""


def remember(key: str, value: Any) -> None:
    """Keep a plain value for this browser's session."""
    st.session_state[key] = value


def recall(key: str, otherwise: Any = None) -> Any:
    """A plain value kept for this browser's session."""
    return st.session_state.get(key, otherwise)
