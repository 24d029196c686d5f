"""Where compiled code is kept: one folder a state of all its sources, so that nothing stale is ever run."""

from __future__ import annotations

import hashlib
import os
import platform
import sys
import tempfile
from pathlib import Path

import numba
import platformdirs

FOLDER_VARIABLE = "GIN_TUTOR_CACHE_DIR"
"""The environment variable that moves the cache of compiled code and of solved equities."""


def kernel_hash() -> str:
    """A name of the compiled code: 16 hex digits over all kernel sources, numba, Python and the machine.

    numba alone does not see that a callee in another file or a table has changed.
    """
    digest = hashlib.sha256()
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.name.encode() + b"\0" + source.read_bytes() + b"\0")
    digest.update(f"{numba.__version__} {sys.version} {platform.machine()}".encode())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """The folder for what can be made anew: the one named in the environment, else the user's cache folder."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else Path(platformdirs.user_cache_dir("gin-tutor"))


def use_cache_folder() -> Path:
    """Make numba keep this project's code in the folder of its own hash, and return that folder.

    Where it cannot be written the code goes into a folder of this process alone: numba by itself would keep it beside
    the sources, where stale code would be run.
    """
    folder = cache_folder() / f"kernel-{kernel_hash()}"
    numba.config.CACHE_DIR = str(folder if _writable(folder) else tempfile.mkdtemp(prefix="gin-tutor-"))
    return folder


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False
