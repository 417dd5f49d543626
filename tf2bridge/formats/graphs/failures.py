"""Why a graph could not be read or made live: a damaged file, TensorFlow's refusal, no memory, or a bug of ours."""

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
"""Gives what TensorFlow says against a graph that an error came from, "" where it takes the graph."""


class FailedPassError(Exception):
    """A pass failed with an error that is no refusal: its `__cause__`. `sound` makes it an error for users."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the pass {name!r} failed")


@contextmanager
def named(name: str) -> Iterator[None]:
    """Says of an error in the block, unless it is a refusal, that the pass of this name failed."""
    try:
        yield
    except (BridgeError, FailedPassError):
        raise
    except Exception as error:
        raise FailedPassError(name) from error


@contextmanager
def sound(where: Path | str, graph_def: Any, verdict: Verdict | None = None) -> Iterator[None]:
    """Makes any error in the block one for users; see `explained`."""
    try:
        yield
    except BridgeError:
        raise
    except Exception as error:
        raise explained(error, where, graph_def, verdict) from error


def explained(error: Exception, where: Path | str, graph_def: Any, verdict: Verdict | None = None) -> BridgeError:
    """Returns the error for users that an error in reading or preparing a graph amounts to.

    The graph is looked at again, since a KeyError does not tell whether a node was lost or a pass is wrong.

    Args:
        error: what was raised; a FailedPassError says by which pass.
        where: the file, for the message.
        graph_def: the GraphDef as it was read.
        verdict: asks TensorFlow about the graph; None where TensorFlow must not be imported.

    Returns:
        OutOfMemoryError; UnsoundGraphError or DamagedGraphError where the graph itself is wrong; RefusedGraphError
        where TensorFlow does not take it; else OwnBugError.
    """
    cause, step = error, ""
    while isinstance(cause, FailedPassError) and isinstance(cause.__cause__, Exception):
        cause, step = cause.__cause__, str(cause)
    if is_out_of_memory(cause):
        return OutOfMemoryError(where, _REMEDY)
    if isinstance(cause, RecursionError):
        return DamagedGraphError(where, "its functions or conditions call themselves, or are nested too deeply")
    if why := misfit(graph_def):
        return UnsoundGraphError(where, why)
    if isinstance(cause, UnicodeDecodeError | DecodeError):
        return UnsoundGraphError(where, f"a text or a message in it cannot be read: {_first_line(cause)}")
    if verdict is not None and (answer := verdict(cause)):
        return RefusedGraphError(where, answer)
    node = _node_of(cause)
    steps = f": {step}{f' at the node {node}' if node else ''}" if step else ""
    return OwnBugError(f"{where}{steps}", cause, _place_of(cause))


def is_raised_by_tensorflow(error: BaseException) -> bool:
    """Whether the innermost frame of an error is in TensorFlow."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and "tensorflow" in Path(frames[-1].filename).parts


def _first_line(error: BaseException) -> str:
    return next(iter(str(error).splitlines()), "")[:300]


def _node_of(error: BaseException) -> str:
    """The node that the innermost function of ours which has one was at: its variable `node`."""
    described = ""
    for frame, _ in traceback.walk_tb(error.__traceback__):
        node = frame.f_locals.get("node")
        if node is not None and hasattr(node, "op") and hasattr(node, "name"):
            described = f"{node.name} ({node.op})"
    return described


def _place_of(error: BaseException) -> str:
    """The innermost line of ours that an error came through, as "graph/passes/loops.py:57"."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if Path(frame.filename).is_relative_to(_PACKAGE)]
    return f"{Path(own[-1].filename).relative_to(_PACKAGE).as_posix()}:{own[-1].lineno}" if own else "in tf2bridge"
