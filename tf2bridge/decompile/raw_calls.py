"""The call of `tf.raw_ops` for a node, which every operation of TensorFlow has."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.decompile.attributes import attribute_value, literal
from tf2bridge.decompile.ir import Node, Value
from tf2bridge.decompile.refusals import UnwritableOpError
from tf2bridge.internals.framework import op_def_registry

_RENAMED = {"squeeze_dims": "axis"}
"""An attribute, of Squeeze alone -> the name that `tf.raw_ops` gives it."""


def raw_call(node: Node, text: Callable[[Value], str]) -> str:
    """Returns `tf.raw_ops.Op(name=value, ...)` with all inputs, and attributes that differ from their defaults.

    Args:
        node: The node.
        text: Gives the expression of a value.

    Raises:
        UnwritableOpError: `tf.raw_ops` has no such operation, or an attribute has no literal.
    """
    definition, function = op_def_registry.get(node.op), getattr(tf.raw_ops, node.op, None)
    if definition is None or function is None:
        raise UnwritableOpError(node.name, node.op, "tf.raw_ops has no such operation")
    arguments = dict(zip(_input_names(node.op), _input_texts(node, definition, text), strict=True))
    for attribute in definition.attr:
        name = _RENAMED.get(attribute.name, attribute.name)
        if name in _parameters(node.op) and attribute.name in node.attributes:
            value = node.attributes[attribute.name]
            if not _is_default(value, attribute):
                try:
                    arguments[name] = _message(value) if attribute.type == "tensor" else literal(value)
                except TypeError as error:
                    raise UnwritableOpError(node.name, node.op, f"{attribute.name}: {error}") from None
    return f"tf.raw_ops.{node.op}({', '.join(f'{name}={value}' for name, value in arguments.items())})"


def is_several(node: Node) -> bool:
    """Says whether a call of the node gives a sequence of tensors instead of one."""
    definition = op_def_registry.get(node.op)
    if definition is None:
        return True
    outputs = definition.output_arg
    return len(outputs) != 1 or bool(outputs[0].number_attr or outputs[0].type_list_attr)


def place_of_output(node: Node, port: int) -> str:
    """Returns the subscript of an output in what a call of the node gives, such as `[2]`; empty for a single tensor.

    An operation with several outputs, some of which are lists, gives lists within a sequence: `[1][0]`.
    """
    definition = op_def_registry.get(node.op)
    if not is_several(node):
        return ""
    outputs = [] if definition is None else definition.output_arg
    if len(outputs) < 2 or not any(output.number_attr or output.type_list_attr for output in outputs):
        return f"[{port}]"
    left = port
    for place, output in enumerate(outputs):
        count = _count(node, output)
        if left < (1 if count is None else count):
            return f"[{place}]" if count is None else f"[{place}][{left}]"
        left -= 1 if count is None else count
    raise ValueError(f"{node.op} has no output {port}")


def _count(node: Node, argument: Any) -> int | None:
    """Returns how many tensors an input or output of an operation is a list of, or None if it is one tensor."""
    if argument.number_attr:
        return int(node.attributes[argument.number_attr])
    return len(node.attributes[argument.type_list_attr]) if argument.type_list_attr else None


@functools.cache
def _parameters(op: str) -> tuple[str, ...]:
    names = inspect.signature(getattr(tf.raw_ops, op)).parameters
    return tuple(name for name in names if name != "name")


@functools.cache
def _input_names(op: str) -> tuple[str, ...]:
    """Returns the names that `tf.raw_ops` gives the inputs: those of the definition, else what is left, in order.

    13 operations have other names there, such as `axis` for `split_dim` of Split.
    """
    definition = op_def_registry.get(op)
    own = [argument.name for argument in definition.input_arg]
    attributes = {attribute.name for attribute in definition.attr}
    left = iter([name for name in _parameters(op) if name not in attributes and name not in own])
    return tuple(name if name in _parameters(op) else next(left) for name in own)


def evaluate(node: Node, arrays: Sequence[Any]) -> list[Any]:
    """Returns what an operation without effects computes from constants.

    Args:
        node: The node.
        arrays: An array for each input.
    """
    given = [tf.constant(array, value.spec.dtype) for array, value in zip(arrays, node.inputs, strict=True)]
    with tf.device("CPU:0"):
        return [tensor.numpy() for tensor in _called(node, given)]


def inferred_shapes(node: Node) -> list[Any]:
    """Returns the `TensorShape` of each output of an operation, as TensorFlow infers it from its inputs."""
    with tf.Graph().as_default():
        given = [
            tf.constant(value.node.attributes["value"], value.spec.dtype)
            if value.node.op == "Const"
            else tf.raw_ops.Placeholder(dtype=value.spec.dtype, shape=value.spec.shape)
            for value in node.inputs
        ]
        return [tensor.shape for tensor in _called(node, given)]


def _called(node: Node, given: Sequence[Any]) -> list[Any]:
    """Returns what an operation gives for these tensors, one for each of its inputs."""
    names, definition = _input_names(node.op), op_def_registry.get(node.op)
    arguments: dict[str, Any] = {}
    left = list(given)
    for name, argument in zip(names, definition.input_arg, strict=True):
        count = _count(node, argument)
        if count is None:
            arguments[name], left = left[0], left[1:]
        else:
            arguments[name], left = left[:count], left[count:]
    attributes = {_RENAMED.get(name, name): value for name, value in node.attributes.items()}
    arguments |= {name: value for name, value in attributes.items() if name in _parameters(node.op)}
    result = getattr(tf.raw_ops, node.op)(**arguments)
    return tf.nest.flatten(result) if is_several(node) else [result]


def _input_texts(node: Node, definition: Any, text: Callable[[Value], str]) -> list[str]:
    texts, position = [], 0
    for argument in definition.input_arg:
        count = _count(node, argument)
        if count is None:
            texts.append(text(node.inputs[position]))
            position += 1
            continue
        several = node.inputs[position : position + count]
        texts.append(f"[{', '.join(map(text, several))}]")
        position += count
    return texts


def _message(value: np.ndarray[Any, Any]) -> str:
    """Returns the call that makes the message that an attribute wants for an array."""
    return f"tf.make_tensor_proto({literal(value)}, tf.{tf.as_dtype(value.dtype).name})"


def _is_default(value: Any, attribute: Any) -> bool:
    if not attribute.HasField("default_value"):
        return False
    default = attribute_value(attribute.default_value)
    if isinstance(value, np.ndarray):
        return isinstance(default, np.ndarray) and value.dtype == default.dtype and np.array_equal(value, default)
    return bool(value == default)
