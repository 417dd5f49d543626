"""The expression of a node as a person writes it, by the table of `forms`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.attributes import attribute_value, literal
from tf2bridge.decompile.constant_text import constant_text
from tf2bridge.decompile.expressions import filled, is_operator, names_in
from tf2bridge.decompile.forms import ALL_AXES, CONSTANT, FORMS, REVERSED_AXES, Form
from tf2bridge.decompile.ir import Node, Value, array_of
from tf2bridge.decompile.sizes import SHAPE_INPUTS
from tf2bridge.decompile.slices import known_slice_text
from tf2bridge.internals.framework import op_def_registry

LARGEST_INLINE = 16
"""Elements of a constant that stands within an expression."""
_FEWEST_FILLED = 4
"""Equal elements above which a constant may be a call instead of a list."""
_NATURAL = (tf.float32, tf.int32, tf.bool)
"""Types that TensorFlow gives to Python's own numbers."""
_NO_FORM = {
    **dict.fromkeys(("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"), "normalization that is no layer"),
}
"""Type of an operation that rules make a layer of, if they can -> what is said where they cannot."""


def public_call(node: Node, text: Callable[[Value], str]) -> str | None:
    """Returns the expression of a node with public functions and operators, or None if no form holds.

    Args:
        node: The node.
        text: Gives the expression of a value.
    """
    if node.op == "Slice" and (subscript := known_slice_text(node, text)) is not None:
        return subscript
    form = next((form for form in FORMS.get(node.op, ()) if holds(node, form)), None)
    if form is None or (node.op == "MatMul" and not any(map(_has_rank, node.inputs))):
        return None
    operator = is_operator(form.template)
    return filled_form(node, form, [_argument(node, value, operator, text) for value in node.inputs], literal)


def filled_form(
    node: Node,
    form: Form,
    inputs: Sequence[str],
    literal: Callable[[Any], str],
    further: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """Returns the expression of a node by a form that holds.

    Args:
        node: The node.
        form: The form.
        inputs: The expression of each input.
        literal: Gives the expression of an attribute.
        further: Placeholder -> its expression, of those that are neither inputs nor attributes.
    """
    arguments = {**further, **{f"_{number}": expression for number, expression in enumerate(inputs)}}
    arguments["_all"] = list_text(node.inputs, inputs)
    if inputs:
        arguments |= {"_front": list_text(node.inputs[:-1], inputs[:-1]), "_last": inputs[-1]}
    for name in _used(node, form):
        value = node.attributes[name]
        arguments |= {f"_{name}": literal(value), f"_spatial_{name}": literal(spatial(value))}
    return filled(form.template, {name: arguments[name] for name in names_in(form.template)})


def list_text(values: Sequence[Value], texts: Sequence[str]) -> str:
    """Returns the expression of a list of values: that of the list that a node gives, if they are all its outputs."""
    whole = whole_list(values, texts)
    return f"[{', '.join(texts)}]" if whole is None else whole


def whole_list(values: Sequence[Value], texts: Sequence[str]) -> str | None:
    """Returns the expression of a list of at least two that a node gives, if the values are all its outputs; or None.

    Args:
        values: The values.
        texts: The expression of each.
    """
    if len(values) < 2 or values != [Value(values[0].node, port) for port in range(len(values[0].node.outputs))]:
        return None
    whole = texts[0].removesuffix("[0]")
    return whole if list(texts) == [f"{whole}[{port}]" for port in range(len(values))] else None


def why_not_public(node: Node) -> str:
    """Returns why an operation has no expression with public functions."""
    if node.op == "StridedSlice":
        return "its bounds are not constants"
    forms = FORMS.get(node.op)
    if not forms:
        return _NO_FORM.get(node.op, "no public form")
    return _misfit(node, forms[-1]) or "an input of unknown rank"


def _has_rank(value: Value) -> bool:
    """Returns True if a rank is known. `tf.matmul` takes two tensors of unknown rank for batches of matrices."""
    return value.spec.shape is not None


def _used(node: Node, form: Form) -> list[str]:
    names = names_in(form.template)
    return [name for name in node.attributes if names & {f"_{name}", f"_spatial_{name}"}]


def spatial(sizes: Any) -> Any:
    """Returns sizes without those of batch and channels if both are 1: one number if the others are the same."""
    if not isinstance(sizes, list) or len(sizes) < 3 or (sizes[0], sizes[-1]) != (1, 1):
        return sizes
    inner = sizes[1:-1]
    return inner[0] if len(set(inner)) == 1 else inner


def holds(node: Node, form: Form) -> bool:
    """Returns True if a form is what a node computes."""
    return _misfit(node, form) is None


def _misfit(node: Node, form: Form) -> str | None:
    """Returns the reason why a form does not hold for a node, or None if it holds."""
    for number, wanted in form.constants.items():
        if not _is(node, number, wanted):
            return f"input {number} is not {'all axes' if wanted in (ALL_AXES, REVERSED_AXES) else wanted}"
    if form.types and node.inputs[0].spec.dtype.name not in form.types:
        return f"it is of {node.inputs[0].spec.dtype.name}"
    used = _used(node, form)
    if missing := [name for name in used if node.attributes[name] is None]:
        return f"{missing[0]} is not known"
    defaults = {attribute.name: attribute for attribute in op_def_registry.get(node.op).attr}
    for name, value in node.attributes.items():
        attribute = defaults.get(name)
        has_default = attribute is not None and attribute.HasField("default_value")
        if name in form.given:
            if value != form.given[name]:
                return f"{name} is {literal(value)}"
        elif attribute is None or name in {*used, *form.ignored} or _follows_from_inputs(node, name):
            continue
        elif has_default and value != attribute_value(attribute.default_value):
            return f"{name} is {literal(value)}"
    return None


def _is(node: Node, place: int, wanted: Any) -> bool:
    """Returns True if an input of a node is a constant: the one that is `wanted`."""
    array = array_of(node.inputs[place])
    if wanted is CONSTANT:
        return array is not None
    if wanted is REVERSED_AXES:
        return array is not None and array.size > 1 and array.tolist() == [*range(array.size)][::-1]
    if wanted is ALL_AXES:
        shape = node.inputs[0].spec.shape
        return (
            array is not None and shape is not None and sorted(array.reshape(-1) % len(shape)) == [*range(len(shape))]
        )
    return array is not None and array.ndim == 0 and array == wanted


def _follows_from_inputs(node: Node, name: str) -> bool:
    """Returns True for the type or the number of inputs, which a call has without being told."""
    arguments = op_def_registry.get(node.op).input_arg
    return any(name in (argument.type_attr, argument.number_attr, argument.type_list_attr) for argument in arguments)


def _argument(node: Node, value: Value, operator: bool, text: Callable[[Value], str]) -> str:
    """Returns a small constant as Python numbers if TensorFlow makes the same tensor of them, else its expression."""
    array = array_of(value)
    if value.node.op == "Pack" and node.op in SHAPE_INPUTS and value == node.inputs[SHAPE_INPUTS[node.op]]:
        return re.sub(r"^tf\.stack\((\[.*\])\)$", r"\1", text(value))  # TensorFlow makes the same tensor of a list
    if array is None or array.size > LARGEST_INLINE or not array.size or array.dtype.kind not in "fib":
        return text(value)
    if not is_natural(node, value, operator):
        return text(value)
    is_filled = array.size > _FEWEST_FILLED and (array == array.flat[0]).all()
    texts = [literal(np.asarray(array)), *([constant_text(array, value.spec.dtype)] if is_filled else [])]
    return min(texts, key=len)


def is_natural(node: Node, value: Value, operator: bool) -> bool:
    """Returns True if Python's own numbers have the type of a constant, as an input of a node.

    Args:
        node: The node.
        value: The constant.
        operator: The node is written as an operator of Python.
    """
    dtype = value.node.outputs[0].dtype
    if any(other.spec.dtype == dtype for other in node.inputs if other.node.op != "Const"):
        return True
    return not operator and dtype in _NATURAL
