"""Explain why a graph cannot be read or loaded: a damaged file, TensorFlow's refusal, lack of memory, or a bug here."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from google.protobuf.message import DecodeError

from tf2bridge.errors import BridgeError, OutOfMemoryError, OwnBugError
from tf2bridge.formats.graphs.misfits import misfit
from tf2bridge.formats.graphs.refusals import DamagedGraphError, RefusedGraphError, UnsoundGraphError
from tf2bridge.systems.memory import is_out_of_memory

_PACKAGE = Path(__file__).parents[2]
_REMEDY = "name just the outputs that are needed"

Verdict = Callable[[BaseException], str]
"""error -> TensorFlow's message about the graph that caused the error, or "" if TensorFlow accepts the graph."""


class FailedPassError(Exception):
    """A pass failed with an unexpected error, its `__cause__`. `sound` makes it an error for users."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the pass {name!r} failed")


@contextmanager
def named(name: str) -> Iterator[None]:
    """Raises FailedPassError with the name of a pass for an unexpected error in the with block."""
    try:
        yield
    except (BridgeError, FailedPassError):
        raise
    except Exception as error:
        raise FailedPassError(name) from error


@contextmanager
def sound(source: Path | str, graph_def: Any, verdict: Verdict | None = None) -> Iterator[None]:
    """Converts any error in the with block into one for users; see `explained`."""
    try:
        yield
    except BridgeError:
        raise
    except Exception as error:
        raise explained(error, source, graph_def, verdict) from error


def explained(error: Exception, source: Path | str, graph_def: Any, verdict: Verdict | None = None) -> BridgeError:
    """Returns the error for users that explains an error of reading or preparing a graph.

    It checks the graph again: a KeyError, for example, does not tell whether a node is missing or a pass is wrong.

    Args:
        error: the error that was raised; a FailedPassError names the pass.
        source: the file, for the message.
        graph_def: the GraphDef as it was read.
        verdict: asks TensorFlow about the graph; None if TensorFlow must not be imported.

    Returns:
        OutOfMemoryError; UnsoundGraphError or DamagedGraphError if the graph itself is wrong; RefusedGraphError if
        TensorFlow does not accept it; otherwise OwnBugError.
    """
    cause, step = error, ""
    while isinstance(cause, FailedPassError) and isinstance(cause.__cause__, Exception):
        cause, step = cause.__cause__, str(cause)
    if is_out_of_memory(cause):
        return OutOfMemoryError(source, _REMEDY)
    if isinstance(cause, RecursionError):
        return DamagedGraphError(source, "its functions or conditions call themselves, or are nested too deeply")
    if problem := misfit(graph_def):
        return UnsoundGraphError(source, problem)
    if isinstance(cause, UnicodeDecodeError | DecodeError):
        return UnsoundGraphError(source, f"a text or a message in it cannot be read: {_first_line(cause)}")
    if verdict is not None and (answer := verdict(cause)):
        return RefusedGraphError(source, answer)
    node = _node_of(cause)
    steps = f": {step}{f' at the node {node}' if node else ''}" if step else ""
    return OwnBugError(f"{source}{steps}", cause, place_of(cause))


def is_raised_by_tensorflow(error: BaseException) -> bool:
    """Returns whether the innermost frame of an error is in TensorFlow."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and "tensorflow" in Path(frames[-1].filename).parts


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), "")[:300]


def _node_of(error: BaseException) -> str:
    """Returns the node that failed: the value of the variable `node` in the innermost frame that has one."""
    described = ""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        node = frame.f_locals.get("node")
        if node is not None and hasattr(node, "op") and hasattr(node, "name"):
            described = f"{node.name} ({node.op})"
    return described


def place_of(error: BaseException) -> str:
    """Returns the innermost line of this package in a traceback, such as "graph/passes/loops.py:57"."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(_PACKAGE)]
    return f"{Path(own[-1].filename).relative_to(_PACKAGE).as_posix()}:{own[-1].lineno}" if own else "in tf2bridge"
