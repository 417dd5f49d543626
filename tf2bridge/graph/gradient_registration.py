"""Registers the gradients of calls that `passes.function_gradients` marks: their functions define them."""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

from tf2bridge.graph.passes.function_gradients import GRADIENT
from tf2bridge.graph.passes.strip import GRADIENT_FUNCTION
from tf2bridge.graph.refusals import FunctionGradientError


@functools.cache
def register() -> None:
    """Registers the gradient with TensorFlow, once, when a graph first needs it."""
    tf.RegisterGradient(GRADIENT)(_gradient)


def _gradient(call: Any, *output_gradients: Any) -> list[Any]:
    """Calls the gradient function with the call's inputs and output gradients, as `SymbolicGradient` did."""
    try:
        name = call.get_attr(GRADIENT_FUNCTION).decode()
    except ValueError:  # a graph was saved with the mark; `strip` removes the name, which a file must not choose
        name = ""
    if not name:
        raise FunctionGradientError(call.name, call.type)
    gradients = tf.raw_ops.StatefulPartitionedCall(
        args=[*call.inputs, *output_gradients],
        Tout=[tensor.dtype for tensor in call.inputs],
        f=tf.compat.v1.NameAttrList(name=name),
    )
    for gradient, source in zip(gradients, call.inputs, strict=True):
        gradient.set_shape(source.shape)
    return list(gradients)
