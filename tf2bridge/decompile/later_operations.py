"""Operations of early releases as later ones that compute the same, so that each pattern and form is written once."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.ir import Function, Node, Value, all_nodes, array_of, constant_node


def with_later_operations(function: Function) -> Function:
    """Returns the function, changed: nodes of types that later releases no longer write are of the later types."""
    for node in list(all_nodes(function)):
        if node.op == "Div" and node.outputs[0].dtype.is_floating:  # that of whole numbers rounds to 0
            node.op = "RealDiv"
        elif node.op in ("BatchMatMul", "BatchMatMulV2") and all(_is_matrix(value) for value in node.inputs):
            node.op = "MatMul"
            node.attributes |= {f"transpose_{new}": node.attributes.pop(f"adj_{old}") for new, old in ("ax", "by")}
        elif node.op == "Concat":
            axis, *values = node.inputs
            node.op, node.inputs = "ConcatV2", [*values, axis]
            node.attributes["Tidx"] = tf.int32
        elif node.op == "Reverse" and (chosen := array_of(node.inputs[1])) is not None:
            _by_axes(node, np.flatnonzero(chosen).astype(np.int32))
    return function


def _is_matrix(value: Value) -> bool:
    return len(value.spec.shape or ()) == 2 and not value.spec.dtype.is_complex


def _by_axes(node: Node, axes: np.ndarray[Any, Any]) -> None:
    """Makes a Reverse, which has a flag for each axis, one that has the numbers of axes."""
    constant = constant_node(node.inputs[1].node.name, axes, tf.int32, node.owner)
    node.op, node.inputs = "ReverseV2", [node.inputs[0], Value(constant, 0)]
    node.attributes["Tidx"] = tf.int32
