"""`tf.pow` and `**` of float32 as TF 1.x computed them: each value by libm's `powf`.

TensorFlow 2's kernel rounds one value in four otherwise, those of `x ** 2` too. A power taken in float64 and rounded is
`powf`'s but for one value in 1,500 (tests/tf2bridge/v1/old_ops/test_powers.py counts both). The cast to float32 bears
the name that the power had, and of all of it one operation counts for op seeds, as in the gradient.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

from tf2bridge.v1.seeds import counter

_MARK = "_float32_power"
"""The attribute that tells a cast around a power from one of the program."""


def install() -> None:
    """Takes powers of float32 so, in this process; twice is harmless."""
    kernels: Any = importlib.import_module("tensorflow.python.ops.gen_math_ops")
    if hasattr(kernels._pow, "as_1_x"):
        return
    importlib.import_module("tensorflow.python.ops.math_grad")  # which registers the gradient that is replaced
    ops: Any = importlib.import_module("tensorflow.python.framework.ops")
    kernels._pow = _in_float64(kernels._pow, kernels.cast, ops)
    registered = ops.gradient_registry._registry["Cast"]
    registered["type"] = _uncounted(registered["type"])


def _in_float64(original: Any, cast: Any, ops: Any) -> Any:
    tf: Any = importlib.import_module("tensorflow")

    @functools.wraps(original)
    def power(x: Any, y: Any, name: Any = None) -> Any:
        with ops.name_scope(name):
            x = ops.convert_to_tensor(x, name="x")
            if x.dtype.base_dtype != tf.float32 or (tf.is_tensor(y) and y.dtype.base_dtype != tf.float32):
                return original(x, y, name=name)  # which refuses a mixture
            y = ops.convert_to_tensor(y, dtype=tf.float32, name="y")
            if tf.executing_eagerly():
                return cast(original(cast(x, tf.float64), cast(y, tf.float64)), tf.float32)
            graph = ops.get_default_graph()
            with counter.uncounted(graph):
                wide = [_marked(cast(value, tf.float64)) for value in (x, y)]
                result = original(*wide)
            return _marked(cast(result, tf.float32, name=name))

    power.as_1_x = True  # type: ignore[attr-defined]  # a mark for the next call of install
    return power


def _marked(tensor: Any) -> Any:
    pb2: Any = importlib.import_module("tensorflow.core.framework.attr_value_pb2")
    tensor.op._set_attr(_MARK, pb2.AttrValue(b=True))
    return tensor


def _uncounted(original: Any) -> Any:
    @functools.wraps(original)
    def gradient(op: Any, *given: Any) -> Any:
        node = getattr(op, "node_def", None)  # what stands for an op in eager mode has none
        if node is None or _MARK not in node.attr:
            return original(op, *given)
        with counter.uncounted(op.graph):
            return original(op, *given)

    return gradient
