"""A Saver whose errors say what is wrong with a checkpoint, and are not taken for the end of the input."""

from __future__ import annotations

import contextlib
import os
from typing import Any

import tensorflow as tf

from tf2bridge.train.supervised.refusals import (
    CheckpointNotSavedError,
    CheckpointOfAnotherGraphError,
    CheckpointOfOtherShapesError,
)

v1 = tf.compat.v1
_NO_ROOM = (tf.errors.OutOfRangeError, tf.errors.ResourceExhaustedError)
"""What TensorFlow raises for EFBIG, and for ENOSPC or EDQUOT. Sessions take the first for the end of their input."""

_OBJECTS = "_CHECKPOINTABLE_OBJECT_GRAPH"
"""The key of object-based checkpoints. TensorFlow restores them by the names that the variables had."""


class _WithTensorFlows(type):
    """Makes Savers of TensorFlow, such as those of a Scaffold, instances of `Saver`: programs test for that."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return super().__instancecheck__(instance) or (cls is Saver and isinstance(instance, v1.train.Saver))


class Saver(v1.train.Saver, metaclass=_WithTensorFlows):  # type: ignore[misc, name-defined]  # TensorFlow is untyped
    """`tf.compat.v1.train.Saver` with errors of the same types that say more.

    `restore` raises CheckpointOfAnotherGraphError (a NotFoundError) or CheckpointOfOtherShapesError (an
    InvalidArgumentError). `save` raises CheckpointNotSavedError (a ResourceExhaustedError) if the disk is full.
    """

    def save(self, sess: Any, save_path: str, *arguments: Any, **keywords: Any) -> Any:
        """Saves as TensorFlow does.

        A file that is too large raises no OutOfRangeError, which would end a training silently.
        """
        try:
            with _graph_of(sess):
                return super().save(sess, save_path, *arguments, **keywords)
        except _NO_ROOM as error:
            last = v1.train.latest_checkpoint(os.path.dirname(save_path) or ".")  # noqa: PTH120 - may be gs://
            raise CheckpointNotSavedError(str(save_path), _reason(error.message), last) from error

    def restore(self, sess: Any, save_path: str | bytes) -> None:
        """Restores as TensorFlow does. An error names all variables that do not fit, not only the first.

        Shapes are compared before anything is restored, because a resource variable accepts a value of any shape.
        """
        graph = _graph(sess)
        has_ops = graph is not None and self.saver_def is not None  # None if there are no variables: allow_empty
        stored = _shapes(os.fsdecode(save_path)) if has_ops and save_path is not None else {}
        wanted = _wanted(graph.get_operation_by_name(self.saver_def.restore_op_name)) if stored else {}
        differing = [
            f"{name} is {stored[name]} there and {shape.as_list()} in this graph"
            for name, shape in sorted(wanted.items())
            if name in stored and not shape.is_compatible_with(stored[name])
        ]
        if differing:
            raise CheckpointOfOtherShapesError(os.fsdecode(save_path), differing)
        try:
            with _graph_of(sess):
                super().restore(sess, save_path)
        except tf.errors.NotFoundError as error:
            if (missing := sorted(wanted.keys() - stored.keys())) and _OBJECTS not in stored:
                others = sorted(stored.keys() - wanted.keys())
                raise CheckpointOfAnotherGraphError(os.fsdecode(save_path), missing, others) from error
            raise


def import_meta_graph(*arguments: Any, **keywords: Any) -> Any:
    """Imports a metagraph as TensorFlow does, and returns a Saver of this module."""
    saver = v1.train.import_meta_graph(*arguments, **keywords)
    if type(saver) is v1.train.Saver:
        saver.__class__ = Saver
    return saver


def _shapes(path: str) -> dict[str, list[int]]:
    """Returns the shapes in a checkpoint by name; nothing if there is no checkpoint."""
    if not v1.train.checkpoint_exists(path):
        return {}
    return dict(v1.train.NewCheckpointReader(path).get_variable_to_shape_map())


def _graph_of(session: Any) -> Any:
    """Returns a context in which a session's graph is the default. TensorFlow's Saver otherwise assumes eager code."""
    graph = _graph(session)
    return contextlib.nullcontext() if graph is None else graph.as_default()


def _graph(session: Any) -> Any:
    """Returns the graph of a session.

    None without a session, and for what eager tests use instead of one (test_util).
    """
    return getattr(session, "graph", None)


def _wanted(restore: Any) -> dict[str, Any]:
    """Returns the names that a restore operation reads, each with the shape of its variable (or any shape)."""
    shapes: dict[str, Any] = {}
    pending, seen = [restore], {restore}
    while pending:
        operation = pending.pop()
        if operation.type == "RestoreV2":
            names, slices = (tf.get_static_value(tensor) for tensor in operation.inputs[1:3])
            for name, part, value in zip(names, slices, operation.outputs, strict=True):
                shapes[name.decode()] = tf.TensorShape(None) if part else _shape_of_taker(value)
        before = {*operation.control_inputs, *(tensor.op for tensor in operation.inputs)} - seen
        seen |= before
        pending += before
    return shapes


def _shape_of_taker(value: Any) -> Any:
    for operation in value.consumers():
        if operation.type == "Identity":
            return _shape_of_taker(operation.outputs[0])
        if operation.type == "Assign":
            return operation.inputs[0].shape
        if operation.type == "AssignVariableOp" and operation.inputs[0].op.type == "VarHandleOp":
            return tf.TensorShape(operation.inputs[0].op.get_attr("shape"))
    return tf.TensorShape(None)


def _reason(message: str) -> str:
    """Returns "File too large" of "/a/b.tempstate1.

    File too large", without the lines around it in an error of a graph.
    """
    line = next((text for text in message.splitlines() if "; " in text), message)
    return line.rpartition("; ")[2]
