"""Opening the database: where it is, how it is set up, what can go wrong, in words."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from platformdirs import user_data_path
from sqlalchemy import Connection, Engine, create_engine, event, inspect, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

URL_VARIABLE = "GIN_TUTOR_DATABASE_URL"
FOLDER_VARIABLE = "GIN_TUTOR_DATA_DIR"
_MIGRATIONS = Path(__file__).parent / "migrations"


class StorageError(Exception):
    """Something about the database that its user can act on, in words."""


def database_url() -> str:
    """The address of the database: a variable's, else a SQLite file in the user's data folder."""
    given = os.environ.get(URL_VARIABLE)
    if given:
        return given
    folder = Path(os.environ.get(FOLDER_VARIABLE) or user_data_path("gin-tutor", appauthor=False))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The folder {folder} cannot be made ({error.strerror}). Choose another: --data-dir."
        ) from None
    return f"sqlite:///{folder / 'gin-tutor.sqlite3'}"


def open_database(url: str) -> Engine:
    """An engine whose database has today's tables. Raises StorageError; nothing is changed then."""
    try:
        engine = create_engine(url)
    except (SQLAlchemyError, ImportError) as error:
        raise StorageError(f"{url} is no usable database address: {error}") from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    with explained(url):
        _migrate(engine)
    return engine


def _set_up_sqlite(connection: Any, _: object) -> None:
    # WAL lets readers and the writer work at once; FULL keeps an accepted action through a power cut.
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=15000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(engine: Engine) -> None:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    known = ScriptDirectory.from_config(config)
    head = known.get_current_head()
    with engine.connect() as connection:
        current = _revision(connection)
    if current == head:
        return
    if current is not None and current not in {script.revision for script in known.walk_revisions()}:
        raise StorageError(
            "This database was made by a newer version of Gin Tutor. Update the program; nothing was changed."
        )
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("select version_num from alembic_version")).scalar()


@contextmanager
def explained(where: str = "The database") -> Iterator[None]:
    """Turn a driver's error into a StorageError that says what can be done."""
    try:
        yield
    except DBAPIError as error:
        raise StorageError(_words(str(error.orig).lower(), where)) from error


def _words(problem: str, where: str) -> str:
    file = where.removeprefix("sqlite:///")
    if "readonly" in problem or "read-only" in problem:
        return f"{file} cannot be written. Make its folder writable, or choose another with --data-dir."
    if "full" in problem:
        return "The disk is full: the last action was not kept. Make room and repeat it."
    if "locked" in problem:
        return "The database is locked by another program. Close it and try again."
    if "unable to open" in problem:
        return f"{file} cannot be opened. Check that its folder exists and is yours, or choose another with --data-dir."
    if "not a database" in problem or "malformed" in problem:
        return f"{file} is not a database of Gin Tutor, or is damaged. Move it away to begin a new one."
    return f"The database does not answer: {problem}"
