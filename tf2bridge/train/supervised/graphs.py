"""The graph of a training session, its global step, and its directory."""

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
"""What TensorFlow's file systems raise for a path that cannot be created or written."""


def graph_for(user: str, graph: Any = None) -> Any:
    """Returns `graph`, or the default graph.

    Args:
        what: The name of the class or function that needs the graph, for the error.
        graph: The graph that the user gave.

    Raises:
        NoGraphError: This is eager code outside any graph.
    """
    if graph is None and tf.executing_eagerly():
        raise NoGraphError(user)
    return graph if graph is not None else tf.compat.v1.get_default_graph()


def declare_global_step() -> None:
    """Puts a resource variable named `global_step` into the collection in which TensorFlow looks first.

    Otherwise TensorFlow finds the tensor `global_step:0` by its name. For a resource variable that tensor is a handle,
    not a number.
    """
    v1 = tf.compat.v1
    if v1.get_collection(v1.GraphKeys.GLOBAL_STEP):
        return
    for variable in v1.global_variables():
        if variable.op.type == "VarHandleOp" and variable.op.name == "global_step" and variable.dtype.is_integer:
            v1.add_to_collection(v1.GraphKeys.GLOBAL_STEP, variable)


@contextlib.contextmanager
def writing_to(directory: str | None) -> Iterator[None]:
    """Raises a LogDirectoryError within the with block for an error of the file system.

    An error of the file system has no operation of a graph; other errors are raised unchanged.
    """
    try:
        yield
    except _FILES as error:
        if directory is None or isinstance(error, BridgeError) or error.op is not None or error.node_def is not None:
            raise
        raise LogDirectoryError(directory, error.message) from error
