"""A process that plays and is killed at any moment: no accepted action is lost, no half action is kept."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from tutor.app.sessions.play import PlaySession
from tutor.storage.database import open_database
from tutor.storage.library import Library

# Plays games without end, and writes a line after each action that was accepted: game, hand, ply.
PLAYER = """
import sys, secrets
from pathlib import Path
from tutor.app.sessions.play import Intent, PlaySession
from tutor.engine.players import Novice
from tutor.game.actions import Seat
from tutor.game.notation import action_text
from tutor.game.rules import PRESETS
from tutor.storage.database import open_database
from tutor.storage.library import Library

library = Library(open_database(sys.argv[1]))
profile = library.profile_of("player", "now")
told = open(sys.argv[2], "a", buffering=1)
while True:
    game = library.unfinished(profile.id)
    if game is None:
        game = library.new_game(
            profile.id, "Novice", PRESETS["Casual"], practice=True, dealer=Seat.SOUTH, now="now")
    session = PlaySession(library, game)
    while not session.over:
        if not session.dealt or session.round.result is not None:
            session.deal(secrets.token_bytes(32))
        elif session.opponent_on_turn:
            session.opponent_acts(secrets.randbits(60), "now")
        else:
            action = Novice().choose(session.view(), 1)
            assert session.submit(Intent(session.ply, action_text(action)), "now").done
        told.write(f"{game} {len(session.rounds)} {session.ply}\\n")
"""


def test_killed_at_random_moments(tmp_path: Path, times: int) -> None:
    kills = 8 if times == 1 else 200
    random_ = random.Random(11)
    address = f"sqlite:///{tmp_path / 'games.sqlite3'}"
    told = tmp_path / "told"
    told.touch()
    accepted = 0
    for _ in range(kills):
        length = told.stat().st_size
        process = subprocess.Popen([sys.executable, "-c", PLAYER, address, str(told)])
        for _ in range(200):
            time.sleep(0.05)
            if told.stat().st_size > length:
                break
        assert process.poll() is None, "the player stopped by itself"
        time.sleep(random_.random() * 0.4)
        process.send_signal(signal.SIGKILL)
        process.wait()
        lines = told.read_text(encoding="utf-8").splitlines()
        whole = [line for line in lines if len(line.split()) == 3]
        accepted = len(whole)
        game, hands, ply = map(int, whole[-1].split())
        engine = open_database(address)
        session = PlaySession(Library(engine), game)
        # What was told is there; one more action or deal may have been kept before it could be told.
        assert (len(session.rounds), session.ply) >= (hands, ply)
        if len(session.rounds) == hands:
            assert session.ply <= ply + 4
        engine.dispose()
    assert accepted > kills * 5
