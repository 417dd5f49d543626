"""Reductions along axes, as in 1.x.

- Gradients along axes of int64 are built, also if a size is unknown: `tf.reduce_sum(x, np.array([1, 2]))` has such
  axes. TF 1.x converted the axes to int32 in gradients.
- An axis may be named twice, as in `tf.reduce_sum(x, (0, 0))`: the kernel of 1.x reduced it once.
- `tf.math.reduce_euclidean_norm` along dimensions of size 1 is the value itself, with its sign. The kernel of 1.x
  copied what there was nothing to reduce of; that of TensorFlow 2.21 takes absolute values.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tf2bridge import internals
from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import all_twins, put, rebind


def install() -> None:
    """Changes reductions and their gradients in this process."""
    functions: Any = internals.ops.math_ops
    kernels: Any = internals.ops.gen_math_ops
    shape = functions.reduced_shape
    put(functions, "_ReductionDims", _without_repetition(functions._ReductionDims))
    (norms,) = all_twins([(kernels, "euclidean_norm")])
    rebind({id(shape): (shape, _of_any_axes(shape)), **{id(norm): (norm, _with_sign(norm)) for norm in norms}})


def _of_any_axes(original: Callable[..., Any]) -> Callable[..., Any]:
    functions: Any = internals.ops.math_ops

    @functools.wraps(original)
    def reduced_shape(input_shape: Any, axes: Any) -> Any:
        if getattr(axes, "dtype", None) == "int64":
            axes = functions.cast(axes, "int32")
        return original(input_shape, axes)

    return reduced_shape


def _without_repetition(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def reduction_axes(x: Any, axis: Any) -> Any:
        if isinstance(axis, list | tuple) and len(axis) > 1 and all(isinstance(place, int) for place in axis):
            rank = x.shape.rank if hasattr(x, "get_shape") else np.ndim(x)
            places = [place + (rank or 0) * (place < 0) for place in axis]
            if len(set(places)) < len(places):
                axis = list(dict.fromkeys(places if rank else axis))
        return original(x, axis)

    return reduction_axes


def _with_sign(original: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the operation that takes norms, where a number alone stays as it is."""
    tf: Any = importlib.import_module("tensorflow")

    @functools.wraps(original)
    def euclidean_norm(input: Any, axis: Any, keep_dims: Any = False, name: str | None = None) -> Any:  # noqa: A002
        values = tf.convert_to_tensor(input)
        if _reduces(tf, values, axis):
            return original(values, axis, keep_dims, name)
        if tf.executing_eagerly():
            return tf.where(*_alone(tf, values, axis, keep_dims, original))
        with tf.compat.v1.name_scope(name or "EuclideanNorm") as scope:
            with counter.uncounted(tf.compat.v1.get_default_graph()):
                parts = _alone(tf, values, axis, keep_dims, original)
            return counter.mark(tf.where(*parts, name=scope))

    return euclidean_norm


def _alone(tf: Any, values: Any, axis: Any, keep_dims: Any, norm_of: Callable[..., Any]) -> tuple[Any, Any, Any]:
    """Returns whether the values stay alone, the values in the shape of the result, and their norm."""
    norm = norm_of(values, axis, keep_dims)
    still = tf.stop_gradient(values)  # the norm has no gradient
    sums = tf.raw_ops.Sum(input=still, axis=axis, keep_dims=keep_dims)
    return tf.equal(tf.size(norm), tf.size(values)), sums, norm


def _reduces(tf: Any, values: Any, axis: Any) -> bool:
    """Returns whether it is known that a dimension of another size than 1 is reduced, or that the axis is wrong."""
    axes = tf.get_static_value(axis) if tf.is_tensor(axis) else axis
    if axes is None or values.shape.rank is None:
        return False
    sizes = dict(enumerate(values.shape.as_list()))
    places = np.reshape(axes, -1).astype(int)
    return any(sizes.get(place + len(sizes) * (place < 0), 0) not in (None, 1) for place in places)
