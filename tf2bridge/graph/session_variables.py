"""Assign, read and check reference and resource variables in a `tf.compat.v1` session."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.internals.ops import gen_resource_variable_ops, gen_state_ops


def variable_values(session: Any, names: Sequence[str]) -> list[Any]:
    """Returns the values of variables in a session, by the names of their nodes."""
    graph = session.graph
    with graph.as_default():
        return list(session.run([read(graph, name) for name in names]))


def assign(graph: Any, name: str, value: Any) -> Any:
    """Returns a new operation that assigns a value to the variable of a node; `graph` is the default graph."""
    op = graph.get_operation_by_name(name)
    if op.type == "VarHandleOp":
        return gen_resource_variable_ops.assign_variable_op(op.outputs[0], value)
    return gen_state_ops.assign(op.outputs[0], value, validate_shape=False).op


def read(graph: Any, name: str) -> Any:
    """Returns a new tensor that reads the variable of a node; `graph` is the default graph."""
    op = graph.get_operation_by_name(name)
    if op.type == "VarHandleOp":
        return gen_resource_variable_ops.read_variable_op(op.outputs[0], op.get_attr("dtype"))
    return tf.identity(op.outputs[0])


def has_value(graph: Any, name: str) -> Any:
    """Returns a new boolean tensor: whether the variable of a node has a value; `graph` is the default graph."""
    op = graph.get_operation_by_name(name)
    if op.type == "VarHandleOp":
        return gen_resource_variable_ops.var_is_initialized_op(op.outputs[0])
    return gen_state_ops.is_variable_initialized(op.outputs[0])
