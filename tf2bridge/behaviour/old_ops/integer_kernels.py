"""`tf.reduce_mean` of small integers, and `tf.truncatediv` of floats, as TF 1.x computed them.

The sum of a mean wraps around in its type, for example with 300 bytes; TensorFlow 2.21 sums in a wider type.
`tf.truncatediv` of floating and complex numbers is a plain division without a gradient; 2.21 truncates floats and has
no kernel for complex numbers. 2.21 has no kernel for int8 either; in 1.x a division of int8 by zero gives -1
(fixtures/kernels/ has the values of the genuine releases).
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.old_ops import gradients
from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import rebind, twins

_SMALL = ("int8", "uint8", "int16", "uint16")
_DIVIDED = ("float16", "bfloat16", "float32", "float64", "complex64", "complex128")


def install() -> None:
    """Makes these functions compute as in 1.x, in this process."""
    kernels: Any = internals.ops.gen_math_ops
    tf: Any = importlib.import_module("tensorflow")
    gradients.register()
    replaced = {}
    for original in twins(kernels, "mean"):
        replaced[id(original)] = original, _wrapping_mean(tf, original)
    for original in twins(kernels, "truncate_div"):
        replaced[id(original)] = original, _plain_quotient(tf, original)
    rebind(replaced)


def _wrapping_mean(tf: Any, original: Any) -> Any:
    @functools.wraps(original)
    def mean(input: Any, axis: Any, keep_dims: bool = False, name: Any = None) -> Any:  # noqa: A002  # its own name
        if not isinstance(input, tf.Tensor) or input.dtype.name not in _SMALL or tf.executing_eagerly():
            return original(input, axis, keep_dims=keep_dims, name=name)
        graph = tf.compat.v1.get_default_graph()
        with tf.compat.v1.name_scope(name or "Mean") as scope:
            with counter.uncounted(graph):
                total = tf.raw_ops.Sum(input=input, axis=axis, keep_dims=keep_dims)
                many = tf.maximum(tf.size(input) // tf.maximum(tf.size(total), 1), 1)
                quotient = tf.truncatediv(tf.cast(total, tf.int32), many)
            return counter.mark(tf.cast(quotient, input.dtype, name=scope))

    return mean


def _plain_quotient(tf: Any, original: Any) -> Any:
    @functools.wraps(original)
    def quotient(x: Any, y: Any, name: Any = None) -> Any:
        dtype = next((value.dtype for value in (x, y) if isinstance(value, tf.Tensor | tf.Variable)), None)
        if dtype is None or tf.executing_eagerly():
            return original(x, y, name=name)
        if dtype.base_dtype == tf.int8:
            return _quotient_of_bytes(tf, x, y, name)
        if dtype.base_dtype.name not in _DIVIDED:
            return original(x, y, name=name)
        with tf.compat.v1.get_default_graph().gradient_override_map({"RealDiv": gradients.OF_NONE}):
            return tf.realdiv(x, y, name=name or "TruncateDiv")

    return quotient


def _quotient_of_bytes(tf: Any, x: Any, y: Any, name: Any) -> Any:
    with tf.compat.v1.name_scope(name or "TruncateDiv") as scope:
        with counter.uncounted(tf.compat.v1.get_default_graph()):
            x, y = (tf.cast(tf.convert_to_tensor(value, tf.int8), tf.int32) for value in (x, y))
            plain = tf.raw_ops.TruncateDiv(x=x, y=tf.where(tf.equal(y, 0), tf.ones_like(y), y))
            result = tf.where(tf.equal(y, 0), -tf.ones_like(plain), plain)
        return counter.mark(tf.cast(result, tf.int8, name=scope))
