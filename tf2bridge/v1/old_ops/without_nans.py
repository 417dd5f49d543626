"""`tf.maximum`, `tf.minimum`, `tf.reduce_max` and `tf.reduce_min` of NaN as TF 1.x computed them.

TF 1.x compared: a second argument that is NaN gave the first one, and a reduction skipped NaN among other values.
TensorFlow 2.21 gives NaN (fixtures/kernels/mended.json has the values of the genuine releases). 0.12.1 gave the second
argument where one of the two was NaN, save in the last few elements. A reduction over dimensions of size 1 copies, and
keeps NaN; here only where these sizes are known while the graph is built. Of all that one operation counts for op
seeds, and gradients are the kernel's own.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tf2bridge.v1 import switch
from tf2bridge.v1.old_ops import gradients
from tf2bridge.v1.seeds import counter
from tf2bridge.v1.seeds.rebind import rebind, twins

_TYPES = ("float16", "bfloat16", "float32", "float64")
_LOWEST = {"_max": -np.inf, "_min": np.inf}


def install() -> None:
    """Computes these functions so, in this process; twice is harmless."""
    kernels: Any = importlib.import_module("tensorflow.python.ops.gen_math_ops")
    if hasattr(kernels.maximum, "as_1_x"):
        return
    tf: Any = importlib.import_module("tensorflow")
    gradients.register()
    replaced = {}
    for name in ("maximum", "minimum"):
        for original in twins(kernels, name):
            replaced[id(original)] = original, _of_two(tf, original)
    for name, lowest in _LOWEST.items():
        for original in twins(kernels, name):
            replaced[id(original)] = original, _reduction(tf, original, lowest)
    rebind(replaced)


def _of_two(tf: Any, original: Any) -> Any:
    @functools.wraps(original)
    def compared(x: Any, y: Any, name: Any = None) -> Any:
        if not _may_be_nan(tf, y):
            return original(x, y, name=name)
        y = tf.convert_to_tensor(y)
        x = tf.convert_to_tensor(x, y.dtype)
        tested, other = (x, y) if _takes_the_second(y.dtype.name) else (y, x)
        if tf.executing_eagerly():
            return tf.where(tf.math.is_nan(tested), other, original(x, y))
        graph = tf.compat.v1.get_default_graph()
        with tf.compat.v1.name_scope(name or original.__name__.title()) as scope:
            with counter.uncounted(graph):
                computed, is_nan = original(x, y), tf.math.is_nan(tested)
            return _selected(tf, graph, is_nan, other, computed, scope)

    compared.as_1_x = True  # type: ignore[attr-defined]  # a mark for the next call of install
    return compared


def _selected(tf: Any, graph: Any, *arguments: Any) -> Any:
    """`tf.where` of (condition, value, computed, name), with the gradient of what is computed."""
    *values, name = arguments
    with graph.gradient_override_map({"SelectV2": gradients.OF_THE_LAST}):
        selected = counter.mark(tf.where(*values, name=name))
    selected.set_shape(values[-1].shape)
    return selected


def _takes_the_second(dtype: str) -> bool:
    """Whether NaN in the first argument gives the second, as the vector kernels of 0.12.1 did."""
    release = switch.enabled()
    return release is not None and release.measured == "0.12.1" and dtype in ("float32", "float64")


def _may_be_nan(tf: Any, value: Any) -> bool:
    """Whether it is a tensor or variable of floating numbers, and no constant without NaN."""
    if not isinstance(value, tf.Tensor | tf.Variable) or value.dtype.base_dtype.name not in _TYPES:
        return False
    if tf.executing_eagerly() or value.op.type != "Const":
        return True
    return bool(np.isnan(tf.get_static_value(value).astype(np.float64)).any())


def _reduction(tf: Any, original: Any, lowest: float) -> Callable[..., Any]:
    @functools.wraps(original)
    def reduced(input: Any, axis: Any, keep_dims: bool = False, name: Any = None) -> Any:  # noqa: A002  # its own name
        if not _may_be_nan(tf, input) or _copies(tf, input, axis):
            return original(input, axis, keep_dims=keep_dims, name=name)
        values = tf.convert_to_tensor(input)
        graph = tf.compat.v1.get_default_graph()
        with counter.uncounted(graph):
            is_nan, neutral = tf.math.is_nan(values), tf.constant(lowest, values.dtype)
            with graph.gradient_override_map({} if tf.executing_eagerly() else {"SelectV2": gradients.OF_THE_LAST}):
                numbers = tf.where(is_nan, neutral, values)
        return original(numbers, axis, keep_dims=keep_dims, name=name)

    return reduced


def _copies(tf: Any, values: Any, axis: Any) -> bool:
    """Whether all dimensions that are reduced are known to have size 1."""
    axes = tf.get_static_value(axis) if isinstance(axis, tf.Tensor) else axis
    if axes is None or values.shape.rank is None:
        return False
    return all(values.shape[int(number)] == 1 for number in np.ravel(axes))
