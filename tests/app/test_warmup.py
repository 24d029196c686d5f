"""What the pages say and do while the engine warms up, when it is ready and where it fails."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.test_pages import data, fire, library, no_switching, opened, own_folder
from tutor.app import warmup
from tutor.app.server import ROOT
from tutor.app.sessions.play import PlaySession
from tutor.app.warmup import Engine, Stage, WarmUp
from tutor.engine.players import COMPILED, PLAYERS, Novice
from tutor.game.actions import Action, Seat
from tutor.game.rules import PRESETS
from tutor.game.view import View

__all__ = ["no_switching", "own_folder"]
NOW = "2026-11-30T20:00:00+00:00"
WARMING = Engine(Stage.WARMING)
READY = Engine(Stage.READY)
FAILED = Engine(Stage.FAILED, "the compiler (numba) is missing or broken: no such thing")


class Server:
    """The engine of the server, as a test wants it to be."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.engine = WARMING
        monkeypatch.setattr("tutor.app.warmup.engine", lambda: self.engine)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Server:
    return Server(monkeypatch)


def against(opponent: str, pace: str) -> PlaySession:
    """A game with the opponent on turn."""
    kept = library()
    mine = kept.profile_of("a browser", NOW)
    kept.save_settings(mine.id, {"pace": pace, "opponent": opponent})
    game = kept.new_game(mine.id, opponent, PRESETS["Casual"], practice=True, dealer=Seat.SOUTH, now=NOW)
    session = PlaySession(kept, game)
    session.deal(bytes(32))
    assert session.opponent_on_turn
    return session


def lines(test: AppTest) -> list[str]:
    return [one.value for one in test.markdown if "Engine:" in one.value]


def opponents(test: AppTest) -> Any:
    return next(one for one in test.radio if one.label == "Opponent")


def can_deal(test: AppTest) -> bool:
    return not next(one for one in test.button if one.label == "Deal me in").disabled


def test_the_list_has_all_players_weakest_first(server: Server) -> None:
    server.engine = READY
    test = opened("play", game="new")
    assert opponents(test).options == list(PLAYERS) == ["Novice", "Casual", "Steady", "Sharp", "Expert"]
    for name in PLAYERS:
        opponents(test).set_value(name).run()
        assert can_deal(test)
        assert any(PLAYERS[name].policy in one.value for one in test.markdown)


def test_strong_players_can_be_chosen_as_soon_as_they_are_ready(server: Server) -> None:
    test = opened("play", game="new")
    assert not test.exception
    assert len(lines(test)) == 1
    assert "warming up; Sharp and Expert follow" in lines(test)[0]
    assert can_deal(test)
    opponents(test).set_value("Expert").run()
    assert not can_deal(test)
    server.engine = READY
    test.run()
    assert opponents(test).value == "Expert"
    assert can_deal(test)
    assert lines(test) == [":small[:gray[Engine: ready.]]"]


def test_where_the_engine_fails_the_reason_is_told_and_the_others_play(server: Server) -> None:
    server.engine = FAILED
    test = opened("play", game="new")
    assert "not available: the compiler (numba) is missing" in lines(test)[0]
    assert "Novice, Casual and Steady play all the same" in lines(test)[0]
    opponents(test).set_value("Sharp").run()
    assert not can_deal(test)
    opponents(test).set_value("Steady").run()
    assert can_deal(test)


@pytest.mark.parametrize("engine", [WARMING, READY, FAILED, Engine(Stage.ON_DEMAND)])
def test_settings_tell_how_far_the_engine_is(server: Server, engine: Engine) -> None:
    server.engine = engine
    test = opened("settings")
    assert not test.exception
    assert lines(test) == [f":small[:gray[{engine.words}]]"]


def test_a_reason_is_no_markdown(server: Server) -> None:
    server.engine = Engine(Stage.FAILED, "no [room] in /a_b_c")
    assert r"no \[room\] in /a\_b\_c" in lines(opened("settings"))[0]


@pytest.mark.parametrize("pace", ["at once", "step by step", "slow"])
def test_a_game_waits_for_an_opponent_that_warms_up(server: Server, monkeypatch: pytest.MonkeyPatch, pace: str) -> None:
    monkeypatch.setattr("tutor.app.playing.time.sleep", lambda _: None)
    asked: list[int] = []

    class StandIn:
        def choose(self, view: View, seed: int) -> Action:
            asked.append(seed)
            return Novice().choose(view, seed)

    for name in COMPILED:
        monkeypatch.setitem(PLAYERS, name, StandIn())
    session = against("Expert", pace)
    test = opened("play", game=str(session.game_id))
    assert not test.exception
    table = data(test, "table")
    assert table["notice"].startswith("Expert is warming up")
    assert table["step"] is False
    for kind in ("step", "order"):
        fire(test, "table", {"kind": kind, "ply": 0, "order": ""})
    assert data(test, "table")["ply"] == 0
    assert asked == []
    assert any("warming up" in line for line in lines(test))
    server.engine = READY
    test.run()
    if pace != "slow":
        assert data(test, "table")["notice"] == ""
        fire(test, "table", {"kind": "step", "ply": 0})
    session.follow()
    assert session.ply > 0
    assert asked
    assert not session.opponent_on_turn


def test_a_game_whose_opponent_cannot_play_says_so_and_is_kept(server: Server) -> None:
    server.engine = FAILED
    session = against("Expert", "at once")
    test = opened("play", game=str(session.game_id))
    assert not test.exception
    assert data(test, "table")["notice"].startswith("Expert cannot play here now")
    assert "numba" in lines(test)[0]
    assert not session.follow()


def test_a_game_against_a_simple_player_goes_on_meanwhile(server: Server) -> None:
    session = against("Novice", "at once")
    test = opened("play", game=str(session.game_id))
    assert data(test, "table")["notice"] == ""
    session.follow()
    assert session.ply > 0


def test_dealing_in_from_home_leads_to_the_choice_where_the_last_opponent_cannot_play(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = library()
    kept.save_settings(kept.profile_of("a browser", NOW).id, {"opponent": "Expert"})
    went: list[dict[str, str]] = []
    monkeypatch.setattr("streamlit.switch_page", lambda _, query_params: went.append(query_params))
    for engine, game in ((FAILED, "new"), (WARMING, "1")):
        server.engine = engine
        fire(opened("home"), "band", {"kind": "deal"})
        assert went.pop() == {"game": game}


def test_ready_needs_a_complete_cache_or_a_process_that_fills_it(monkeypatch: pytest.MonkeyPatch) -> None:
    did: list[str] = []
    monkeypatch.setattr(warmup.warming, "warm", lambda: did.append("loaded"))
    for complete, reason, stage, done in (
        (True, "", Stage.READY, ["loaded"]),
        (False, "", Stage.READY, ["compiled", "loaded"]),
        (False, "the disk is full", Stage.FAILED, ["compiled"]),
    ):
        did.clear()
        monkeypatch.setattr(warmup.warming, "is_complete", lambda answer=complete: answer)
        monkeypatch.setattr(WarmUp, "_compile", lambda _, answer=reason: did.append("compiled") or answer)
        one = WarmUp()
        assert one.engine.stage is Stage.ON_DEMAND
        one.start().join(20)
        assert (one.engine, did) == (Engine(stage, reason), done)


def test_an_error_on_the_way_is_told_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> bool:
        raise ImportError("No module named 'numba'")

    monkeypatch.setattr(warmup.warming, "is_complete", missing)
    one = WarmUp()
    one.start().join(20)
    assert one.engine.stage is Stage.FAILED
    assert "numba" in one.engine.reason


def test_the_process_tells_why_it_failed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(warmup.warming, "is_complete", lambda: False)
    monkeypatch.setenv("GIN_TUTOR_CACHE_DIR", str(tmp_path / "file" / "cache"))
    one = WarmUp()
    one.start().join(60)
    assert one.engine.stage is Stage.FAILED
    assert "cannot be kept" in one.engine.reason


def test_stopping_ends_the_process(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(warmup.warming, "is_complete", lambda: False)
    monkeypatch.setenv("GIN_TUTOR_CACHE_DIR", str(tmp_path))
    one = WarmUp()
    thread = one.start()
    while one._process is None:
        thread.join(0.01)
    one.stop()
    thread.join(20)
    assert not thread.is_alive()
    assert one.engine.stage is Stage.FAILED
    late = WarmUp()
    late.stop()
    late.start().join(20)
    assert late._process is None


STARTS = """
import time
from tutor.app.warmup import WarmUp
WarmUp().start()
time.sleep(600)
"""


def test_the_process_ends_with_a_server_that_is_killed(tmp_path: Path) -> None:
    fcntl = pytest.importorskip("fcntl")
    environment = os.environ | {"GIN_TUTOR_CACHE_DIR": str(tmp_path)}
    killed = subprocess.Popen([sys.executable, "-c", STARTS], env=environment)

    def filling() -> bool:
        """Whether a process holds the lock of the folder."""
        for path in tmp_path.glob("*/filling.lock"):
            with path.open("rb") as lock:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    return True
        return False

    while not filling():
        assert killed.poll() is None
        time.sleep(0.05)
    killed.kill()
    killed.wait()
    deadline = time.monotonic() + 60
    while filling():
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert not list(tmp_path.glob("*/complete-*.json"))


def test_the_environment_can_say_no(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    monkeypatch.setattr(WarmUp, "start", lambda _: started.append(1))
    monkeypatch.setattr(WarmUp, "stop", lambda _: None)
    monkeypatch.setenv(warmup.OFF_VARIABLE, "off")
    warmup.start()
    assert started == []
    monkeypatch.delenv(warmup.OFF_VARIABLE)
    warmup.start()
    assert started == [1]


def test_streamlit_finds_the_app_in_the_launcher() -> None:
    """``streamlit run app.py`` would else run the pages one by one, without cookie and warm-up."""
    from streamlit.web.server.app_discovery import discover_asgi_app

    assert discover_asgi_app(ROOT / "app.py").is_asgi_app


def test_the_screens_do_not_load_the_compiler() -> None:
    """Pages open before the engine does: nothing they import may pull it in."""
    program = "import sys, tutor.app.server, tutor.app.widgets, tutor.app.playing; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "False\n"
