"""The handlers of a transformer for an operation, tensor or collection. Programs can replace them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.graph_editor import live_ops
from tf2bridge.contrib.graph_editor.util.scopes import get_predefined_collection_names, make_placeholder_from_tensor


def replace_t_with_placeholder_handler(info: Any, t: Any) -> Any:
    """Returns a new placeholder that stands for the tensor `t`, in the destination of `info`."""
    with info.graph_.as_default():
        return make_placeholder_from_tensor(t, scope=info.scope_)


def keep_t_if_possible_handler(info: Any, t: Any) -> Any:
    """Returns the tensor `t` itself within one graph, and a placeholder that stands for it in another graph."""
    return t if info.graph is info.graph_ else replace_t_with_placeholder_handler(info, t)


def assign_renamed_collections_handler(info: Any, elem: Any, elem_: Any) -> None:
    """Adds the copy `elem_` to the collections that hold `elem`.

    If TensorFlow does not use the collection itself, the copy goes into another collection, whose name is transformed
    like that of an operation.
    """
    holding = [name for name, members in info.collections.items() if any(member is elem for member in members)]
    known = get_predefined_collection_names() if holding else []
    for name in holding:
        info.graph_.add_to_collection(name if name in known else info.new_name(name), elem_)


def transform_op_if_inside_handler(info: Any, op: Any, keep_if_possible: bool = True) -> Any:
    """Returns the copy of an operation of the view. For another operation, returns the operation itself, or None.

    keep_if_possible: whether an operation outside the view stays within one graph.
    """
    if op in info.ops:
        return info.transformed_ops[op]
    return op if keep_if_possible and info.graph is info.graph_ else None


def copy_op_handler(
    info: Any,
    op: Any,
    new_inputs: Sequence[Any],
    copy_shape: bool = False,
    nodedef_fn: Callable[[Any], Any] | None = None,
) -> tuple[Any, Any]:
    """Copies an operation into the destination of `info`.

    Args:
        info: the state of the transformation.
        op: the operation.
        new_inputs: the input tensors of the copy.
        copy_shape: True to copy the static shapes of the outputs.
        nodedef_fn: a function that takes the copied NodeDef and returns the NodeDef to use, or None.

    Returns `(copy, outputs of the copy)`. Raises TypeError if `new_inputs` is a bool: older releases had another
    parameter in this position.
    """
    if isinstance(new_inputs, bool):
        raise TypeError("the `new_inputs` argument must be an iterable.")
    node = tf.compat.v1.NodeDef()
    node.CopyFrom(op.node_def)
    node.name = info.graph_.unique_name(info.new_name(op.name))
    if nodedef_fn is not None:
        node = nodedef_fn(node)
    made = live_ops.make_op(node, info.graph_, new_inputs, like=op)
    if copy_shape:
        for tensor, copied in zip(op.outputs, made.outputs, strict=True):
            copied.set_shape(tensor.get_shape())
    if live_ops.original_op(op):
        live_ops.set_original_op(made, live_ops.original_op(op))  # until the copy of that one exists
    return made, made.outputs
