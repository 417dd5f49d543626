"""`tf.sign`, `tf.digamma`, `tf.erf` and others at the edges as TF 1.x had them; also in gradients, as that of `tf.abs`.

The sign of NaN was 0, as were sinh and cosh of NaN in float16; digamma was infinite at its poles, erf of an infinite
float64 was 1 or -1. TensorFlow 2.21 gives NaN for all of these (fixtures/kernels/mended.json has the values of the
genuine releases). The other values, and the gradients, are the kernel's own. Of all that one operation counts for op
seeds.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from tf2bridge.v1.old_ops import gradients
from tf2bridge.v1.seeds import counter
from tf2bridge.v1.seeds.rebind import rebind, twins

Edge = Callable[[Any, Any], tuple[Any, Any]]
"""(tensorflow, x) -> where x is at an edge, and the value there."""


def _of_nan(tf: Any, x: Any) -> tuple[Any, Any]:
    return tf.math.is_nan(x), tf.constant(0, x.dtype)


def _at_poles(tf: Any, x: Any) -> tuple[Any, Any]:
    return tf.logical_and(x <= 0, tf.equal(tf.floor(x), x)), tf.constant(float("inf"), x.dtype)


def _of_infinity(tf: Any, x: Any) -> tuple[Any, Any]:
    return tf.math.is_inf(x), tf.clip_by_value(x, -1, 1)


_EDGES: dict[str, tuple[Edge, tuple[str, ...]]] = {
    "sign": (_of_nan, ("float16", "float32", "float64")),
    "digamma": (_at_poles, ("float16", "float32", "float64")),
    "erf": (_of_infinity, ("float64",)),
    "sinh": (_of_nan, ("float16",)),
    "cosh": (_of_nan, ("float16",)),
}
"""A function of one tensor -> what is mended of it, and for which types."""


def install() -> None:
    """Computes these functions so, in this process; twice is harmless."""
    kernels: Any = importlib.import_module("tensorflow.python.ops.gen_math_ops")
    if hasattr(kernels.sign, "as_1_x"):
        return
    tf: Any = importlib.import_module("tensorflow")
    gradients.register()
    replaced = {}
    for name, (edge, types) in _EDGES.items():
        for original in twins(kernels, name):
            replaced[id(original)] = original, _mended(tf, original, edge, types)
    rebind(replaced)


def _mended(tf: Any, original: Any, edge: Edge, types: tuple[str, ...]) -> Any:
    @functools.wraps(original)
    def mended(x: Any, name: Any = None) -> Any:
        x = x if isinstance(x, tf.RaggedTensor | tf.SparseTensor) else tf.convert_to_tensor(x)
        if x.dtype.base_dtype.name not in types or isinstance(x, tf.RaggedTensor | tf.SparseTensor):
            return original(x, name=name)
        if tf.executing_eagerly():
            return tf.where(*edge(tf, x), original(x))
        graph = tf.compat.v1.get_default_graph()
        with tf.compat.v1.name_scope(name or original.__name__.title()) as scope:
            with counter.uncounted(graph):
                computed, edges = original(x), edge(tf, x)
            with graph.gradient_override_map({"SelectV2": gradients.OF_THE_LAST}):
                return counter.mark(tf.where(*edges, computed, name=scope))

    mended.as_1_x = True  # type: ignore[attr-defined]  # a mark for the next call of install
    return mended
