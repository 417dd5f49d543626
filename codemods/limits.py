"""How much work one file may cost, so that the others are looked at whatever it holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from codemods.errors import OutOfMemoryError, TooCostlyError, TooNestedError
from codemods.systems.clock import Expired, expiring

# Seconds of computing. A megabyte of Python 2, or of nothing but calls to be rewritten, takes about 8.
_SECONDS, _SECONDS_A_MEGABYTE = 15.0, 30.0


@contextmanager
def limited(path: Path | str, size: int) -> Iterator[None]:
    """For one step of work on a file of so many characters: what it uses up is an error of this file alone.

    Raises TooCostlyError once the step has computed for too long, TooNestedError where Python nests no deeper, and
    OutOfMemoryError.
    """
    try:
        with _timed(path, _SECONDS + _SECONDS_A_MEGABYTE * size / 1e6):
            yield
    except MemoryError:
        raise OutOfMemoryError(path) from None
    except RecursionError:
        raise TooNestedError(path) from None


@contextmanager
def _timed(path: Path | str, seconds: float) -> Iterator[None]:
    """Raises TooCostlyError once this process has computed for so long. Without effect in other threads."""
    try:
        with expiring(seconds, not_in=(__name__,)):
            yield
    except Expired:
        raise TooCostlyError(path, seconds) from None
