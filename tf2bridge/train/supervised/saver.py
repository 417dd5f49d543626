"""A Saver whose errors say what is wrong with a checkpoint, and do not pass for the end of the input."""

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
"""How TensorFlow says EFBIG, and ENOSPC or EDQUOT. Sessions take the first for the end of their input."""

_OBJECTS = "_CHECKPOINTABLE_OBJECT_GRAPH"
"""The key of checkpoints of objects, which TensorFlow restores by the names that the variables had."""


class _WithTensorFlows(type):
    """Savers that TensorFlow makes, as a Scaffold does, are instances of `Saver`, too: programs ask for that."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return super().__instancecheck__(instance) or (cls is Saver and isinstance(instance, v1.train.Saver))


class Saver(v1.train.Saver, metaclass=_WithTensorFlows):  # type: ignore[misc, name-defined]  # TensorFlow is untyped
    """`tf.compat.v1.train.Saver`; what it raises is of the same types, and says more.

    `restore` raises CheckpointOfAnotherGraphError (a NotFoundError) or CheckpointOfOtherShapesError (an
    InvalidArgumentError); `save` raises CheckpointNotSavedError (a ResourceExhaustedError) where there is no room.
    """

    def save(self, sess: Any, save_path: str, *arguments: Any, **keywords: Any) -> Any:
        """As that of TensorFlow; a file too large is no OutOfRangeError, which would end a training without a word."""
        try:
            with _graph_of(sess):
                return super().save(sess, save_path, *arguments, **keywords)
        except _NO_ROOM as error:
            last = v1.train.latest_checkpoint(os.path.dirname(save_path) or ".")  # noqa: PTH120 - may be gs://
            raise CheckpointNotSavedError(str(save_path), _reason(error.message), last) from error

    def restore(self, sess: Any, save_path: str | bytes) -> None:
        """As that of TensorFlow; the error names all variables that do not fit, not the first.

        Shapes are compared before anything is restored: a resource variable would take a value of any shape.
        """
        graph = _graph(sess)
        has_ops = graph is not None and self.saver_def is not None  # none for no variables: allow_empty
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
    """As that of TensorFlow; what it returns is this Saver."""
    saver = v1.train.import_meta_graph(*arguments, **keywords)
    if type(saver) is v1.train.Saver:
        saver.__class__ = Saver
    return saver


def _shapes(path: str) -> dict[str, list[int]]:
    """The shapes of what a checkpoint stores, by name; nothing where there is none."""
    if not v1.train.checkpoint_exists(path):
        return {}
    return dict(v1.train.NewCheckpointReader(path).get_variable_to_shape_map())


def _graph_of(session: Any) -> Any:
    """A session's own graph as the default: the Saver of TensorFlow takes eager code for code without a session."""
    graph = _graph(session)
    return contextlib.nullcontext() if graph is None else graph.as_default()


def _graph(session: Any) -> Any:
    """The graph of a session. None for no session, and for what eager tests have in place of one (test_util)."""
    return getattr(session, "graph", None)


def _wanted(restore: Any) -> dict[str, Any]:
    """The names that a restore operation reads, each with the shape of the variable that takes it (or any shape)."""
    found: dict[str, Any] = {}
    pending, seen = [restore], {restore}
    while pending:
        operation = pending.pop()
        if operation.type == "RestoreV2":
            names, slices = (tf.get_static_value(each) for each in operation.inputs[1:3])
            for name, part, value in zip(names, slices, operation.outputs, strict=True):
                found[name.decode()] = tf.TensorShape(None) if part else _shape_of_taker(value)
        before = {*operation.control_inputs, *(each.op for each in operation.inputs)} - seen
        seen |= before
        pending += before
    return found


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
    """ "File too large" of "/a/b.tempstate1; File too large" and the lines that an error of a graph has around it."""
    line = next((each for each in message.splitlines() if "; " in each), message)
    return line.rpartition("; ")[2]
