"""`tf.sign`, `tf.digamma`, `tf.erf` and others have the values of 1.x at NaN, poles and limits, also in gradients.

The sign of NaN was 0, as were sinh, cosh and asinh of NaN in float16; digamma, polygamma and zeta were infinite at
their poles, erf of the largest and of infinite float64 was 1 or -1. TensorFlow 2.21 gives NaN for all of these.
Polygamma and zeta of infinity were NaN, and 2.21 gives 0 (fixtures/kernels/ has the values of the genuine releases).
The other values, and the gradients, are the kernel's own. Only one of the operations made here counts for op seeds.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.old_ops import gradients
from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import all_twins, rebind

Edge = Callable[..., tuple[Any, Any]]
"""(tensorflow, *inputs) -> a mask of the inputs with another value in 1.x, and that value."""

_ERF_IS_ONE = 6
"""1 - erf(6) is 2e-17, less than float64 can tell from 1."""

_WHOLE = 2.0**24
"""Larger numbers of float32 are all even, and the releases do not agree on the sign for such degrees."""


def _of_nan(tf: Any, x: Any) -> tuple[Any, Any]:
    return tf.math.is_nan(x), tf.constant(0, x.dtype)


def _at_poles(tf: Any, x: Any) -> tuple[Any, Any]:
    return _is_pole(tf, x), tf.constant(float("inf"), x.dtype)


def _is_pole(tf: Any, x: Any) -> Any:
    return tf.logical_and(x <= 0, tf.equal(tf.floor(x), x))


def _of_large(tf: Any, x: Any) -> tuple[Any, Any]:
    return tf.abs(x) > _ERF_IS_ONE, tf.clip_by_value(x, -1, 1)


def _of_zeta(tf: Any, x: Any, q: Any) -> tuple[Any, Any]:
    pole = tf.logical_and(_is_pole(tf, q), tf.logical_not(x < 1))
    edge = tf.logical_or(pole, tf.logical_and(tf.math.is_inf(q), x > 1))
    return edge, tf.where(pole, _number(tf, "inf", x), _number(tf, "nan", x))


def _of_polygamma(tf: Any, degree: Any, x: Any) -> tuple[Any, Any]:
    pole = tf.logical_and(_is_pole(tf, x), tf.equal(tf.floor(degree / 2) * 2, degree))
    known = tf.logical_and(degree >= 0, degree < _WHOLE)
    is_natural = tf.logical_and(degree > 0, tf.equal(tf.floor(degree), degree))
    of_infinity = tf.logical_and(tf.equal(x, float("inf")), is_natural)
    at_pole = tf.where(tf.equal(degree, 0), _number(tf, "inf", x), _number(tf, "-inf", x))
    edge = tf.logical_and(known, tf.logical_or(pole, of_infinity))
    return edge, tf.where(pole, at_pole, _number(tf, "nan", x))


def _number(tf: Any, text: str, like: Any) -> Any:
    return tf.constant(float(text), like.dtype)


_EDGES: dict[str, tuple[Edge, tuple[str, ...]]] = {
    "sign": (_of_nan, ("float16", "float32", "float64")),
    "digamma": (_at_poles, ("float16", "float32", "float64")),
    "erf": (_of_large, ("float64",)),
    "sinh": (_of_nan, ("float16",)),
    "cosh": (_of_nan, ("float16",)),
    "asinh": (_of_nan, ("float16",)),
    "zeta": (_of_zeta, ("float32", "float64")),
    "polygamma": (_of_polygamma, ("float32", "float64")),
}
"""Function -> which rule above applies, and for which types. All its tensors have one type."""


def install() -> None:
    """Gives these functions the values of 1.x, in this process."""
    kernels: Any = internals.ops.gen_math_ops
    tf: Any = importlib.import_module("tensorflow")
    gradients.register()
    replaced = {}
    by_name = all_twins([(kernels, name) for name in _EDGES])
    for (edge, types), originals in zip(_EDGES.values(), by_name, strict=True):
        for original in originals:
            replaced[id(original)] = original, _mended(tf, original, edge, types)
    rebind(replaced)


def _mended(tf: Any, original: Any, edge: Edge, types: tuple[str, ...]) -> Any:
    signature = inspect.signature(original)

    @functools.wraps(original)
    def mended(*arguments: Any, **keywords: Any) -> Any:
        given = signature.bind(*arguments, **keywords).arguments
        name = given.pop("name", None)
        if len(given) == 1:
            (value,) = given.values()
            if isinstance(value, tf.SparseTensor):
                return tf.SparseTensor(value.indices, mended(value.values, name=name), value.dense_shape)
            if isinstance(value, tf.RaggedTensor):
                return value.with_flat_values(mended(value.flat_values, name=name))
        inputs = _tensors(tf, list(given.values()))
        if inputs is None or inputs[0].dtype.base_dtype.name not in types:
            return original(*arguments, **keywords)
        if tf.executing_eagerly():
            return tf.where(*edge(tf, *inputs), original(*inputs))
        graph = tf.compat.v1.get_default_graph()
        with tf.compat.v1.name_scope(name or original.__name__.title()) as scope:
            with counter.uncounted(graph):
                computed, edges = original(*inputs), edge(tf, *inputs)
            with graph.gradient_override_map({"SelectV2": gradients.OF_THE_LAST}):
                return counter.mark(tf.where(*edges, computed, name=scope))

    return mended


def _tensors(tf: Any, values: list[Any]) -> list[Any] | None:
    """Returns the values as tensors of the type of the first tensor among them; None if one is not dense."""
    if any(isinstance(value, tf.RaggedTensor | tf.SparseTensor) for value in values):
        return None
    dtype = next((value.dtype.base_dtype for value in values if isinstance(value, tf.Tensor | tf.Variable)), None)
    return [tf.convert_to_tensor(value, dtype) for value in values]
