"""Compiled code is kept by the state of its sources, where the environment says, and loaded only when needed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from tutor.engine.kernel import cache, cache_folder, kernel_hash
from tutor.engine.kernel.cache import FOLDER_VARIABLE, use_cache_folder


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the kernel's sources that the hash looks at."""
    folder = tmp_path / "kernel"
    shutil.copytree(Path(cache.__file__).parent, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "__file__", str(folder / "cache.py"))
    return folder


def test_the_hash_is_of_the_sources(sources: Path) -> None:
    before = kernel_hash()
    assert len(before) == 16
    assert int(before, 16) >= 0
    assert kernel_hash() == before
    names = sorted(path.name for path in sources.glob("*.py"))
    assert {"deadwood.py", "tables.py", "playout.py", "beliefs.py", "policy.py"} <= set(names)
    for name in names:
        text = (sources / name).read_bytes()
        (sources / name).write_bytes(text + b"#\n")
        assert kernel_hash() != before, f"a change of {name} is not seen"
        (sources / name).write_bytes(text)
        assert kernel_hash() == before


def test_a_new_file_or_another_name_is_another_state(sources: Path) -> None:
    before = kernel_hash()
    (sources / "more.py").write_text("")
    added = kernel_hash()
    (sources / "more.py").rename(sources / "other.py")
    assert len({before, added, kernel_hash()}) == 3


def test_another_compiler_is_another_state(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kernel_hash()
    monkeypatch.setattr(numba, "__version__", "0.0")
    assert kernel_hash() != before


def test_the_folder_is_the_one_named_in_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", numba.config.CACHE_DIR)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "here"))
    assert cache_folder() == tmp_path / "here"
    assert use_cache_folder() == tmp_path / "here" / f"kernel-{kernel_hash()}"
    assert str(tmp_path / "here" / f"kernel-{kernel_hash()}") == numba.config.CACHE_DIR
    monkeypatch.setenv(FOLDER_VARIABLE, "")
    assert cache_folder().name == "gin-tutor"


def python(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, env=os.environ | environment
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_compiled_code_is_written_to_that_folder(tmp_path: Path) -> None:
    code = (
        "import numpy as np\n"
        "from tutor.engine.kernel.bits import next_state\n"
        "from tutor.engine.kernel.compiling import driver\n"
        "from tutor.engine.kernel import tables\n"
        "import tests.engine.brute as brute\n"
        "brute.value(3)\n"
        "brute.one_suit(*(np.zeros(8192, np.int64) for _ in range(3)))\n"
    )
    python(code, GIN_TUTOR_CACHE_DIR=str(tmp_path))
    (folder,) = tmp_path.iterdir()
    assert folder.name == f"kernel-{kernel_hash()}"
    assert list(folder.rglob("*.nbi"))
    assert list(folder.rglob("*.nbc"))


@pytest.mark.parametrize("module", ["tutor.engine.players", "tutor.cli", "tutor.engine.equity", "tutor.engine.odds"])
def test_the_compiler_is_not_loaded_before_it_is_needed(module: str) -> None:
    loaded = f"import sys, {module}; print([name for name in ('numba', 'llvmlite') if name in sys.modules])"
    assert python(loaded) == "[]"


def test_players_that_compile_load_the_compiler_when_they_choose(tmp_path: Path) -> None:
    """The counterpart: the check above would see it."""
    assert python("import sys, tutor.engine.decide; print('numba' in sys.modules)") == "True"
