"""What all commands share: the group, failures, and text or JSON for what a command finds."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import click

from tutor.engine.players import ALL_PLAYERS
from tutor.game.rules import PRESETS

P = ParamSpec("P")
PRESET_NAMES = click.Choice(tuple(PRESETS), case_sensitive=False)
"""The rules on offer."""
PLAYER_NAMES = click.Choice(tuple(ALL_PLAYERS), case_sensitive=False)
"""The players on offer."""


class Problem(click.ClickException):
    """A failure with its facts, told in words or as JSON."""

    def __init__(self, message: str, **facts: Any) -> None:
        super().__init__(message)
        self.facts = facts


def command(make: Callable[P, tuple[list[str], dict[str, Any]]]) -> Callable[P, None]:
    """A command that prints lines for people, or one JSON object with --json."""

    @click.option("--json", "as_json", is_flag=True, help="Print one JSON object instead of text.")
    @wraps(make)
    def run(*args: P.args, as_json: bool, **kwargs: P.kwargs) -> None:  # type: ignore[valid-type]
        try:
            lines, facts = make(*args, **kwargs)
        except Problem as problem:
            if not as_json:
                raise
            click.echo(json.dumps({"error": problem.message} | problem.facts, ensure_ascii=False))
            raise SystemExit(1) from None
        click.echo(json.dumps(facts, ensure_ascii=False) if as_json else "\n".join(lines))

    return run  # type: ignore[return-value]


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True, help="Where the app listens.")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address it listens on.")
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@click.option("--data-dir", type=click.Path(file_okay=False, path_type=Path), help="Where games are kept.")
@click.version_option(package_name="gin-tutor")
@click.pass_context
def main(context: click.Context, port: int, host: str, no_browser: bool, data_dir: Path | None) -> None:
    """Gin Tutor: without a command it opens the app in a browser."""
    # A terminal that cannot show ♦ gets a question mark instead of a traceback.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if context.invoked_subcommand is None:
        _open_app(host, port, data_dir, browser=not no_browser)


def _open_app(host: str, port: int, data_dir: Path | None, *, browser: bool) -> None:
    from tutor.app.server import port_is_free, serve
    from tutor.storage.database import FOLDER_VARIABLE, StorageError, database_url, open_database

    if data_dir is not None:
        os.environ[FOLDER_VARIABLE] = str(data_dir.absolute())
    try:
        open_database(database_url()).dispose()
    except StorageError as error:
        raise click.ClickException(str(error)) from None
    if not port_is_free(host, port):
        raise click.ClickException(f"Port {port} is taken on {host}, or not yours. Choose another: --port {port + 1}")
    if host not in ("127.0.0.1", "localhost", "::1"):
        click.echo("This server can be reached from other machines, and profiles have no password.", err=True)
    click.echo(f"Gin Tutor is at http://{host}:{port} (stop it with Ctrl-C)")
    serve(host, port, browser=browser)
