"""The expressions of nodes, constants and flow for every backend of Keras, by the table of `keras_forms`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile import attributes
from tf2bridge.decompile.constant_text import keras_range_text, keras_triangle_text
from tf2bridge.decompile.expressions import is_operator, names_in
from tf2bridge.decompile.forms import Form
from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes, array_of
from tf2bridge.decompile.keras_forms import KERAS_FORMS, TYPES
from tf2bridge.decompile.public_calls import filled_form, holds, is_natural, spatial

NEEDS_TENSORFLOW = "needs TensorFlow"
"""The attribute of a node that is written with functions of TensorFlow though Keras has some."""
_TORCH_PADS_ALIKE = ("AvgPool", "AvgPool3D")
"""Operations that PyTorch computes in another way if the border is wider on one side."""


def keras_call(node: Node, text: Callable[[Value], str]) -> str | None:
    """Returns the expression of a node that runs on every backend of Keras, or None if no form holds.

    Args:
        node: The node.
        text: Gives the expression of a value.
    """
    form = keras_form(node)
    if form is None:
        return None
    operator, names = is_operator(form.template) or form.template == "_sum", names_in(form.template)
    is_list = bool(names & {"_sum", "_rest", "_front", "_all"})
    inputs = [
        _input(node, value, operator, text) if is_list or f"_{place}" in names else "None"
        for place, value in enumerate(node.inputs)
    ]
    further = {f"_sizes_{place}": text(value) for place, value in enumerate(node.inputs) if f"_sizes_{place}" in names}
    further |= _known_inputs(node, form) or {}
    if is_list:
        further |= {"_sum": " + ".join(f"({given})" for given in inputs), "_rest": f"[{', '.join(inputs[1:])}]"}
    return filled_form(node, form, inputs, keras_literal, further)


def keras_form(node: Node) -> Form | None:
    """Returns the form that a node is written with, or None."""
    if node.attributes.get(NEEDS_TENSORFLOW) or not has_keras_types(node) or not _is_same_everywhere(node):
        return None
    forms = (form for form in KERAS_FORMS.get(node.op, ()) if holds(node, form))
    return next((form for form in forms if _known_inputs(node, form) is not None), None)


def has_keras_types(node: Node) -> bool:
    """Returns True if all backends of Keras have the types of the inputs and outputs of a node."""
    specs = [*node.outputs, *(value.spec for value in node.inputs if value.node.op != Kind.VARIABLE)]
    return all(spec.dtype.name in TYPES for spec in specs)


def mark_open_ranks(function: Function) -> None:
    """Marks nodes with an input of unknown rank: many functions of Keras cannot be traced by TensorFlow with such.

    TensorFlow does not know the rank either behind a reshape to a shape that is computed, and behind lists.
    """
    is_open: set[Node] = set()
    for node in all_nodes(function):
        inputs = [value for value in node.inputs if value.node.op != Kind.VARIABLE]
        if any(value.spec.shape is None or value.node in is_open for value in inputs):
            node.attributes[NEEDS_TENSORFLOW] = True
            is_open.add(node)
        elif _hides_rank(node):
            is_open.add(node)


def _hides_rank(node: Node) -> bool:
    """Returns True for what takes a list, and for a reshape to a shape that is neither a constant nor a tuple."""
    if any(value.spec.dtype == tf.variant for value in node.inputs):
        return True
    return (
        node.op == "Reshape" and array_of(node.inputs[1]) is None and not node.inputs[1].node.attributes.get("is_sizes")
    )


def keras_literal(value: Any) -> str:
    """Returns the expression for a value of an attribute: types are text, lists are tuples."""
    if isinstance(value, tf.DType):
        return repr(value.name)
    if isinstance(value, np.ndarray | np.generic):
        return keras_literal(value.tolist())
    if isinstance(value, list | tuple):
        items = [keras_literal(item) for item in value]
        return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"
    return attributes.literal(value)


def keras_constant(value: Any, dtype: Any) -> str | None:
    """Returns the expression of a small constant tensor, or None if Keras does not have its type."""
    if dtype.name not in TYPES:
        return None
    if value.size > 1 and value.dtype.kind in "fiub" and (value == value.flat[0]).all():
        return f"keras.ops.full({keras_literal(list(value.shape))}, {keras_literal(value.flat[0])}, {dtype.name!r})"
    if not value.size:
        return f"keras.ops.zeros({keras_literal(list(value.shape))}, {dtype.name!r})"
    if by_rule := keras_range_text(value) or keras_triangle_text(value):
        return by_rule
    return f"keras.ops.array({attributes.literal(value)}, {dtype.name!r})"


def runs_everywhere(node: Node) -> bool:
    """Returns True if a loop or condition can be one of `keras.ops`: with its types, and without changing anything.

    JAX changes no variable in a loop, and no shape.
    """
    nodes = [inner for body in node.bodies for inner in all_nodes(body)]
    return (
        has_keras_types(node)
        and not any(body.effects for body in node.bodies)
        and not any(inner.after or inner.op.startswith("Assign") for inner in nodes)
    )


def _input(node: Node, value: Value, operator: bool, text: Callable[[Value], str]) -> str:
    """Returns a constant of one number as that number if its type follows from the other inputs, else its expression.

    Tensors of JAX and PyTorch cannot be added to lists.
    """
    array = array_of(value)
    if array is None or array.ndim or array.dtype.kind not in "fib" or not is_natural(node, value, operator):
        return text(value)
    return keras_literal(array)


def _known_inputs(node: Node, form: Form) -> dict[str, str] | None:
    """Returns placeholder -> expression of the inputs that must be constants, or None if one of them is not."""
    known = {}
    names = names_in(form.template)
    for place, value in [*enumerate(node.inputs), ("last", node.inputs[-1])] if node.inputs else []:
        array = array_of(value)
        is_constant = array is not None and (array.size or node.op in ("Reshape", "Fill"))
        if f"_constant_{place}" in names:
            if not is_constant:
                return None
            known[f"_constant_{place}"] = keras_literal(array)
        if f"_ends_{place}" in names:
            if not is_constant or (array < 0).any():
                return None
            known[f"_ends_{place}"] = attributes.literal(np.cumsum(array)[:-1])
        if f"_sizes_{place}" in names and not value.node.attributes.get("is_sizes"):
            if not is_constant:
                return None
            known[f"_sizes_{place}"] = keras_literal(array)
    return known


def _is_same_everywhere(node: Node) -> bool:
    """Returns True if all backends compute the same for this node."""
    if node.op in _TORCH_PADS_ALIKE and node.attributes["padding"] == "SAME":
        shape = node.inputs[0].spec.shape
        sizes = shape[1:-1] if shape else ()
        return bool(sizes) and all(
            _is_even(size, window, stride)
            for size, window, stride in zip(
                sizes, node.attributes["ksize"][1:-1], node.attributes["strides"][1:-1], strict=True
            )
        )
    return all(
        isinstance(spatial(node.attributes[name]), int)
        or len(spatial(node.attributes[name])) < len(node.attributes[name])
        for name in ("ksize", "strides")
        if isinstance(node.attributes.get(name), list)
    )


def _is_even(size: int | None, window: int, stride: int) -> bool:
    """Returns True if padding is as wide before an axis as after it."""
    if stride == 1:
        return window % 2 == 1
    if size is None:
        return False
    return max(0, (-(-size // stride) - 1) * stride + window - size) % 2 == 0
