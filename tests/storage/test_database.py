"""The database: one truth, clear words when it fails, nothing half done."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from tutor.game.actions import Seat
from tutor.game.rules import PRESETS
from tutor.storage import tables
from tutor.storage.database import FOLDER_VARIABLE, URL_VARIABLE, StorageError, database_url, open_database
from tutor.storage.library import Library, MovedOn, State

NOW = "2026-11-30T20:00:00+00:00"


def url(path: Path) -> str:
    return f"sqlite:///{path}"


def begun(library: Library) -> tuple[int, int]:
    """A game with one round; their ids."""
    profile = library.profile_of("browser", NOW)
    game = library.new_game(profile.id, "Novice", PRESETS["Casual"], practice=True, dealer=Seat.SOUTH, now=NOW)
    library.deal(game, 1, Seat.SOUTH, "00" * 32)
    stored = library.game(game)
    assert stored is not None
    return game, stored.rounds[0].id


def test_the_migrations_lead_to_the_tables(tmp_path: Path) -> None:
    engine = open_database(url(tmp_path / "new.sqlite3"))
    found = inspect(engine)
    for table in tables.metadata.sorted_tables:
        columns = {column["name"] for column in found.get_columns(table.name)}
        assert columns == {column.name for column in table.columns}
        kept = {tuple(sorted(one["column_names"])) for one in found.get_unique_constraints(table.name)}
        if table.name == "rounds":
            assert ("game_id", "number") in kept
    open_database(url(tmp_path / "new.sqlite3")).dispose()


def test_sqlite_is_set_up_to_keep_every_action(tmp_path: Path) -> None:
    engine = open_database(url(tmp_path / "new.sqlite3"))
    with engine.connect() as db:
        assert db.execute(text("pragma journal_mode")).scalar() == "wal"
        assert db.execute(text("pragma synchronous")).scalar() == 2
        assert db.execute(text("pragma foreign_keys")).scalar() == 1


def test_where_the_database_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(URL_VARIABLE, raising=False)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "deep" / "folder"))
    assert database_url() == url(tmp_path / "deep" / "folder" / "gin-tutor.sqlite3")
    assert (tmp_path / "deep" / "folder").is_dir()
    monkeypatch.setenv(URL_VARIABLE, "postgresql://somewhere/else")
    assert database_url() == "postgresql://somewhere/else"
    monkeypatch.delenv(URL_VARIABLE)
    (tmp_path / "file").touch()
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "file" / "folder"))
    with pytest.raises(StorageError, match="cannot be made"):
        database_url()


def test_a_newer_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "newer.sqlite3"
    open_database(url(path)).dispose()
    with sqlite3.connect(path) as db:
        db.execute("update alembic_version set version_num = '9999'")
    before = path.read_bytes()
    with pytest.raises(StorageError, match="made by a newer version"):
        open_database(url(path))
    assert path.read_bytes() == before


def test_what_is_no_database_says_so(tmp_path: Path) -> None:
    path = tmp_path / "letter.sqlite3"
    path.write_text("Dear reader, this is no database." * 100)
    with pytest.raises(StorageError, match="is not a database of Gin Tutor"):
        open_database(url(path))
    with pytest.raises(StorageError, match="cannot be opened"):
        open_database(url(tmp_path / "none" / "x.sqlite3"))
    with pytest.raises(StorageError, match="no usable database address"):
        open_database("nonsense://")


def test_a_full_disk_loses_nothing_that_was_kept(tmp_path: Path) -> None:
    engine = open_database(url(tmp_path / "full.sqlite3"))
    library = Library(engine)
    _, round_id = begun(library)
    library.add_actions(round_id, 1, ["take"], "", NOW)
    # The pool hands out the same connection again, so the limit holds for the library too.
    with engine.connect() as db:
        pages = db.execute(text("pragma page_count")).scalar()
        db.execute(text(f"pragma max_page_count = {pages}"))
    with pytest.raises(StorageError, match="The disk is full"):
        fill(library, round_id)
    with engine.connect() as db:
        db.execute(text("pragma max_page_count = 1000000"))
    kept = library.state(1).plies
    library.add_actions(round_id, kept + 1, ["draw 7c"], "", NOW)
    assert library.state(1) == State(1, kept + 1)


def fill(library: Library, round_id: int) -> None:
    for ply in range(2, 5_000):
        library.add_actions(round_id, ply, ["discard 7h" * 50], "", NOW)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_says_so(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite3"
    open_database(url(path)).dispose()
    path.chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(StorageError, match="cannot be"):
            begun(Library(open_database(url(path))))
    finally:
        tmp_path.chmod(0o700)


def test_a_database_that_may_only_be_read_says_so(tmp_path: Path) -> None:
    path = tmp_path / "kept.sqlite3"
    library = Library(open_database(url(path)))
    game, round_id = begun(library)
    library.engine.dispose()
    library = Library(open_database(f"sqlite:///file:{path}?mode=ro&uri=true"))
    with pytest.raises(StorageError, match="cannot be written"):
        library.add_actions(round_id, 1, ["take"], "", NOW)
    assert library.state(game) == State(1)


def test_a_locked_file_says_so(tmp_path: Path) -> None:
    path = tmp_path / "locked.sqlite3"
    engine = open_database(url(path))
    library = Library(engine)
    _, round_id = begun(library)
    with engine.connect() as db:
        db.exec_driver_sql("pragma busy_timeout = 50")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("begin exclusive")
    try:
        with pytest.raises(StorageError, match="locked by another program"):
            library.add_actions(round_id, 1, ["take"], "", NOW)
    finally:
        other.execute("rollback")
        other.close()
    library.add_actions(round_id, 1, ["take"], "", NOW)


def test_each_ply_is_played_once_however_many_try(tmp_path: Path) -> None:
    engine = open_database(url(tmp_path / "race.sqlite3"))
    library = Library(engine)
    game, round_id = begun(library)
    won: list[str] = []

    def race(name: str) -> None:
        for ply in range(1, 26):
            try:
                library.add_actions(round_id, ply, [f"{name} {ply}"], "", NOW)
                won.append(f"{name} {ply}")
            except MovedOn:
                pass

    threads = [threading.Thread(target=race, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = library.game(game)
    assert stored is not None
    texts = stored.rounds[0].actions
    assert sorted(texts) == sorted(won)
    assert [int(one.split()[1]) for one in texts] == list(range(1, len(texts) + 1))
    with pytest.raises(MovedOn):
        library.deal(game, 1, Seat.SOUTH, "11" * 32)
    with pytest.raises(MovedOn):
        library.add_actions(round_id, len(texts) + 5, ["too far"], "", NOW)
    with pytest.raises(MovedOn):
        library.take_back(round_id, 1, len(texts) + 1, NOW)


def test_profiles_and_their_browsers(tmp_path: Path) -> None:
    library = Library(open_database(url(tmp_path / "who.sqlite3")))
    first, second = library.profile_of("one", NOW), library.profile_of("two", NOW)
    assert (first.name, second.name) == ("Player", "Player 2")
    assert library.profile_of("one", NOW) == first
    library.save_settings(first.id, {"deck": "two"})
    assert library.play_as("two", "Player", NOW).settings == {"deck": "two"}
    assert library.profile_of("two", NOW).id == first.id
    assert library.play_as("two", "Ann", NOW).name == "Ann"
    assert library.profile_names() == ("Player", "Player 2", "Ann")


def test_imported_records_are_kept(tmp_path: Path) -> None:
    library = Library(open_database(url(tmp_path / "records.sqlite3")))
    profile = library.profile_of("one", NOW)
    number = library.add_record(profile.id, "A title" * 100, "gin 1\nRules: Casual\n", NOW)
    (kept,) = library.records_of(profile.id)
    assert kept.id == number
    assert len(kept.title) == 200
    assert library.records_of(profile.id + 1) == ()
    assert library.games_of(profile.id) == ()


def test_a_takeback_elsewhere_shuts_out_who_does_not_know_of_it(tmp_path: Path) -> None:
    library = Library(open_database(url(tmp_path / "undone.sqlite3")))
    game, round_id = begun(library)
    library.add_actions(round_id, 1, ["take", "discard 7h"], "", NOW)
    library.take_back(round_id, 2, 2, NOW)
    library.add_actions(round_id, 2, ["discard 8h"], "", NOW, taken_back=1)
    with pytest.raises(MovedOn):
        library.add_actions(round_id, 3, ["draw 9c"], "", NOW)
    assert library.state(game) == State(1, 2, 1)
    library.add_actions(round_id, 3, ["draw 9c"], "", NOW, taken_back=1)


def test_acts_and_takebacks_at_once_leave_no_hole(tmp_path: Path) -> None:
    address = url(tmp_path / "hole.sqlite3")
    library = Library(open_database(address))
    game, round_id = begun(library)

    def act(number: int) -> None:
        mine = Library(open_database(address))
        for _ in range(40):
            here = mine.state(game)
            plies, undone = here.plies, here.takebacks
            with contextlib.suppress(MovedOn):
                if number == 0 and plies > 2:
                    mine.take_back(round_id, plies - 1, plies, NOW)
                else:
                    mine.add_actions(round_id, plies + 1, [f"{number}", f"{number}"], "", NOW, taken_back=undone)

    threads = [threading.Thread(target=act, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with sqlite3.connect(tmp_path / "hole.sqlite3") as db:
        plies = [row[0] for row in db.execute("select ply from actions order by ply")]
    assert plies == list(range(1, len(plies) + 1))


def test_many_new_browsers_at_once_get_a_profile_each(tmp_path: Path) -> None:
    library = Library(open_database(url(tmp_path / "many.sqlite3")))
    names: list[str] = []
    threads = [
        threading.Thread(target=lambda n=number: names.append(library.profile_of(f"browser {n // 2}", NOW).name))  # type: ignore[misc]
        for number in range(24)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names) == 24
    assert len(set(names)) == 12


def test_settings_of_two_tabs_do_not_undo_each_other(tmp_path: Path) -> None:
    library = Library(open_database(url(tmp_path / "settings.sqlite3")))
    mine = library.profile_of("one", NOW)
    library.save_settings(mine.id, {"confirm": True})
    assert library.save_settings(mine.id, {"deck": "two"}) == {"confirm": True, "deck": "two"}
    assert library.profile_of("one", NOW).settings == {"confirm": True, "deck": "two"}
