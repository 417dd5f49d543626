"""The line of the program that a call comes from."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

_LIBRARIES = ("tensorflow", "keras", "tf_keras", "tf2bridge", "numpy", "absl")
_BETWEEN = ("contextlib.py", "functools.py", "threading.py")
_GENERATED = "__autograph_generated_file"


def calling_line(depth: int = 1) -> str:
    """Returns "train.py:12" for the nearest frame outside of libraries, or "" if there is none.

    The path is relative to the working directory if it is below it.
    """
    frame = sys._getframe(depth)
    for path, line in _lines(frame):
        if _GENERATED in path:
            return next((_text(path, line) for path, line in _original() if _is_program(path)), "")
        if _is_program(path):
            return _text(path, line)
    return ""


def _lines(frame: FrameType | None) -> Iterator[tuple[str, int]]:
    while frame is not None:
        yield frame.f_code.co_filename, frame.f_lineno
        frame = frame.f_back


def _original() -> Iterator[tuple[str, int]]:
    """Yields the file and line of each frame. For code that AutoGraph generated, these are of its source."""
    from tf2bridge.internals.support import tf_stack

    for summary in reversed(list(tf_stack.extract_stack())):
        yield summary.filename, summary.lineno


def _is_program(path: str) -> bool:
    return not path.startswith(("<", *_roots())) and not path.endswith(_BETWEEN) and _GENERATED not in path


@cache
def _roots() -> tuple[str, ...]:
    """Returns the folders of the libraries."""
    specs = (find_spec(name) for name in _LIBRARIES)
    return tuple(f"{place}{os.sep}" for spec in specs if spec for place in spec.submodule_search_locations or ())


def _text(path: str, line: int) -> str:
    try:
        return f"{Path(path).relative_to(Path.cwd()).as_posix()}:{line}"
    except ValueError:
        return f"{path}:{line}"
