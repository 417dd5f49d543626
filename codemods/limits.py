"""Limits the work on one file, so that a costly file does not keep the others from being checked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from codemods.errors import OutOfMemoryError, TooCostlyError, TooNestedError
from codemods.systems.clock import Expired, expiring

# Processor time. A megabyte of Python 2, or of calls that are all rewritten, takes about 8 s.
_SECONDS, _SECONDS_A_MEGABYTE = 15.0, 30.0


@contextmanager
def limited(path: Path | str, size: int) -> Iterator[None]:
    """Limits one step of work on a file with `size` characters. Exceeding a limit is an error of this file alone.

    Raises:
        TooCostlyError: The step has used too much processor time.
        TooNestedError: The file is nested too deeply for Python.
        OutOfMemoryError: There is not enough memory.
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
    """Raises TooCostlyError after `seconds` of processor time. It has no effect outside the main thread."""
    try:
        with expiring(seconds, not_in=(__name__,)):
            yield
    except Expired:
        raise TooCostlyError(path, seconds) from None
