"""Where a training session runs and writes: its graph, and its directory."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from tf2bridge.errors import BridgeError
from tf2bridge.train.supervised.refusals import LogDirectoryError, NoGraphError

_FILES = (
    tf.errors.NotFoundError,
    tf.errors.PermissionDeniedError,
    tf.errors.FailedPreconditionError,
    tf.errors.ResourceExhaustedError,
    tf.errors.UnknownError,
)
"""What TensorFlow's file systems raise for a path that cannot be made or written."""


def graph_for(what: str, graph: Any = None) -> Any:
    """`graph`, or the default graph. Raises NoGraphError, which names `what` was asked for, in eager code."""
    if graph is None and tf.executing_eagerly():
        raise NoGraphError(what)
    return graph if graph is not None else tf.compat.v1.get_default_graph()


def declare_global_step() -> None:
    """Puts a resource variable of the name `global_step` into its collection, where TensorFlow looks first.

    By its name TensorFlow finds the tensor `global_step:0`, which of a resource variable is a handle and no number.
    """
    v1 = tf.compat.v1
    if v1.get_collection(v1.GraphKeys.GLOBAL_STEP):
        return
    for variable in v1.global_variables():
        if variable.op.type == "VarHandleOp" and variable.op.name == "global_step" and variable.dtype.is_integer:
            v1.add_to_collection(v1.GraphKeys.GLOBAL_STEP, variable)


@contextlib.contextmanager
def writing_to(directory: str | None) -> Iterator[None]:
    """Turns an error of the file system (no operation of a graph has it) into a LogDirectoryError, for a with block."""
    try:
        yield
    except _FILES as error:
        if directory is None or isinstance(error, BridgeError) or error.op is not None or error.node_def is not None:
            raise
        raise LogDirectoryError(directory, error.message) from error
