"""Changes to existing operations. Only this module of the graph editor uses private names of TensorFlow.

`Operation._update_input`, `_add_control_inputs`, `_remove_all_control_inputs`, `_get_control_flow_context` and
`_original_op` of TensorFlow 2.21 have the names and meanings that they had in 1.15.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf


def set_input(op: Any, index: int, tensor: Any) -> None:
    """Makes `tensor` the input of `op` at the position `index`."""
    op._update_input(index, tensor)


def add_controls(op: Any, controls: Sequence[Any]) -> None:
    """Adds operations to the control inputs of `op`."""
    # tf.Assert returns a wrapper of its operation, which the C++ library of 2.21 does not take.
    op._add_control_inputs([control.graph.get_operation_by_name(control.name) for control in controls])


def replace_controls(op: Any, controls: Sequence[Any]) -> None:
    """Makes `controls` the only control inputs of `op`."""
    op._remove_all_control_inputs()
    add_controls(op, controls)


def make_op(node: Any, graph: Any, inputs: Sequence[Any], like: Any) -> Any:
    """Returns a new operation of `graph`, without control inputs, from a NodeDef and its input tensors.

    Args:
        node: its NodeDef.
        graph: the graph that the operation is added to.
        inputs: its input tensors.
        like: the original operation. The inputs must have the dtypes of its inputs.

    Raises TypeError if an input has another dtype, ValueError if TensorFlow refuses the node.
    """
    dtypes = [tensor.dtype.base_dtype for tensor in like.inputs]
    return tf.Operation.from_node_def(
        node, graph, inputs=list(inputs), control_inputs=[], input_types=dtypes, op_def=like.op_def
    )


def original_op(op: Any) -> Any:
    """Returns the operation that `op` was made for, such as that of a gradient, or None."""
    return op._original_op


def set_original_op(op: Any, original: Any) -> None:
    """Sets the operation that `op` was made for."""
    op._original_op = original


def loop_of(op: Any) -> Any:
    """Returns the context of the while loop that directly holds `op`, or None."""
    context = op._get_control_flow_context()
    return context if context is not None and context.IsWhileContext() else None
