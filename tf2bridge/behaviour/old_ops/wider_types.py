"""Ops of float16 without a CPU kernel in TensorFlow 2: computed in float32 and rounded once, at the end.

1.12 to 1.15 placed these on their device XLA_CPU, which 2.21 does not have (fixtures/kernels/ has the values of
1.15.5). Only one of the operations made here counts for op seeds.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from typing import Any

from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import rebind, twins

_OF_HALF = {
    "tensorflow.python.ops.gen_image_ops": {"adjust_contrastv2": 1, "adjust_hue": 1, "adjust_saturation": 1},
    "tensorflow.python.ops.gen_linalg_ops": {"cholesky": 1, "matrix_triangular_solve": 2, "self_adjoint_eig_v2": 1},
    "tensorflow.python.ops.gen_math_ops": {"rint": 1, "truncate_mod": 2},
    "tensorflow.python.ops.gen_nn_ops": {"avg_pool3d": 1, "max_pool3d": 1},
}
"""Module of TensorFlow -> function -> how many of its first parameters are inputs of that type."""


def install() -> None:
    """Makes these functions accept float16, in this process."""
    tf: Any = importlib.import_module("tensorflow")
    replaced = {}
    for module, functions in _OF_HALF.items():
        kernels: Any = importlib.import_module(module)
        for name, count in functions.items():
            for original in twins(kernels, name):
                replaced[id(original)] = original, _widened(tf, original, count)
    rebind(replaced)


def _widened(tf: Any, original: Any, count: int) -> Any:
    signature = inspect.signature(original)

    @functools.wraps(original)
    def widened(*arguments: Any, **keywords: Any) -> Any:
        given = signature.bind(*arguments, **keywords).arguments
        inputs = dict(list(given.items())[:count])
        if not any(_is_half(value) for value in inputs.values()):
            return original(*arguments, **keywords)
        others = {key: value for key, value in given.items() if key not in inputs and key != "name"}
        if tf.executing_eagerly():
            return _narrow(tf, original(**{key: tf.cast(inputs[key], tf.float32) for key in inputs}, **others), None)
        return _in_graph(tf, original, inputs, others, given.get("name"))

    return widened


def _in_graph(tf: Any, original: Any, inputs: dict[str, Any], others: dict[str, Any], name: Any) -> Any:
    graph = tf.compat.v1.get_default_graph()
    with tf.compat.v1.name_scope(name or original.__name__.title().replace("_", "")) as scope:
        with counter.uncounted(graph):
            halves = {key: tf.convert_to_tensor(value, tf.float16) for key, value in inputs.items()}
            wide = {key: counter.mark(tf.cast(value, tf.float32)) for key, value in halves.items()}
            computed = original(**wide, **others)
        return _narrow(tf, computed, scope)


def _is_half(value: Any) -> bool:
    """Returns whether a value is a tensor, variable or array of float16."""
    return getattr(getattr(value, "dtype", None), "name", None) in ("float16", "float16_ref")


def _narrow(tf: Any, computed: Any, scope: Any) -> Any:
    """Returns the results in float16. The last operation has the name, and all results if there are several."""
    if isinstance(computed, tuple):
        halves = [tf.cast(part, tf.float16) for part in computed]
        return type(computed)(*tf.identity_n(halves, name=scope))
    half = tf.cast(computed, tf.float16, name=scope)
    return half if tf.executing_eagerly() else counter.mark(half)
