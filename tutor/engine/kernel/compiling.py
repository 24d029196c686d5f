"""The ways functions of the kernel are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """A part of the drivers; compiled into each of them."""
    return cast(F, njit(function))


def inlined(function: F) -> F:
    """A small part, written into its callers."""
    return cast(F, njit(inline="always")(function))


def driver(function: F) -> F:
    """An entry from Python: kept in the cache, and running without Python's lock."""
    return cast(F, njit(cache=True, nogil=True)(function))
