"""The gradient of a call of a function that brought its own: what `passes.function_gradients` marks."""

from __future__ import annotations

import functools
from typing import Any

import tensorflow as tf

from tf2bridge.graph.passes.function_gradients import GRADIENT
from tf2bridge.graph.passes.strip import GRADIENT_FUNCTION
from tf2bridge.graph.refusals import FunctionGradientError


@functools.cache
def register() -> None:
    """Lets TensorFlow find it; once, and not before a graph needs it."""
    tf.RegisterGradient(GRADIENT)(_gradient)


def _gradient(call: Any, *given: Any) -> list[Any]:
    """Calls the function of the gradient with the inputs and what comes from behind, as SymbolicGradient did."""
    try:
        name = call.get_attr(GRADIENT_FUNCTION).decode()
    except ValueError:  # of a graph that was written with calls so marked: no graph says which function that is
        name = ""
    if not name:
        raise FunctionGradientError(call.name, call.type)
    found = tf.raw_ops.StatefulPartitionedCall(
        args=[*call.inputs, *given], Tout=[each.dtype for each in call.inputs], f=tf.compat.v1.NameAttrList(name=name)
    )
    for each, source in zip(found, call.inputs, strict=True):
        each.set_shape(source.shape)
    return list(found)
