"""Options of the test run."""

from __future__ import annotations

import os
from typing import NoReturn

import pytest
from hypothesis import settings

settings.register_profile("gin", deadline=None, derandomize=True)
settings.load_profile("gin")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="the long forms: ten times as many hands and rounds")


@pytest.fixture(scope="session")
def times(request: pytest.FixtureRequest) -> int:
    """How many times the ordinary amount a test does: 1, or 10 with --full."""
    return 10 if request.config.getoption("--full") else 1


def missing(what: str) -> NoReturn:
    """Skip for something that is not installed, or fail where GIN_TUTOR_NO_SKIPS names it, as CI does."""
    if what in os.environ.get("GIN_TUTOR_NO_SKIPS", "").split(","):
        pytest.fail(f"{what} is not installed, and this run may not skip")
    pytest.skip(f"{what} is not installed")
