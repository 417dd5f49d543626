"""Adadelta's step as releases before 1.5 took it.

Their kernel computed the step anew where it changed the variable, from averages that already held this step. Later
releases, and TensorFlow 2, change the variable before the averages (ApplyAdadelta in core/kernels/training_ops.cc of
1.4.1 and 1.12.3). So the kernel of TensorFlow 2 moves the averages here, with the learning rate 0, and the variable
follows.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from typing import Any

from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import put


def install() -> None:
    """Makes Adadelta compute as before 1.5, in this process."""
    optimizer = tensorflow().compat.v1.train.AdadeltaOptimizer
    for method, op in _OPS.items():
        put(optimizer, method, _in_old_order(getattr(optimizer, method), op))


_OPS = {
    "_apply_dense": "ApplyAdadelta",
    "_apply_sparse": "SparseApplyAdadelta",
    "_resource_apply_dense": "ResourceApplyAdadelta",
    "_resource_apply_sparse": "ResourceSparseApplyAdadelta",
}
"""Method -> the one operation that it makes; its name is that of its type."""


def _in_old_order(original: Callable[..., Any], op: str) -> Callable[..., Any]:
    @functools.wraps(original)
    def apply(self: Any, grad: Any, var: Any, *indices: Any) -> Any:
        tf = tensorflow()
        rows = indices[0] if indices else getattr(grad, "indices", None)
        with _uncounted():
            with tf.name_scope("averages"):
                averages = _with_rate_zero(original, self, grad, var, *indices)
            with tf.control_dependencies([averages] if averages is not None else []):
                step = _step(self, getattr(grad, "values", grad), var, rows)
                if rows is None:
                    done = var.assign_sub(step, read_value=False)
                else:
                    done = var.scatter_sub(tf.IndexedSlices(step, rows))
                done = done.op if hasattr(done, "op") else done
            with tf.control_dependencies([done] if done is not None else []):
                value = None if op.startswith("Resource") else var.read_value()
        with tf.control_dependencies([done] if done is not None else []):
            return tf.compat.v1.no_op(op) if value is None else tf.identity(value, op)

    return apply


def _uncounted() -> Any:
    """Returns a block whose operations the old release did not have: op seeds do not count them."""
    tf = tensorflow()
    return contextlib.nullcontext() if tf.executing_eagerly() else counter.uncounted(tf.compat.v1.get_default_graph())


def _with_rate_zero(original: Callable[..., Any], optimizer: Any, *arguments: Any) -> Any:
    """Returns the step of TensorFlow 2 that moves the averages alone."""
    rate = optimizer._lr_t
    optimizer._lr_t = tensorflow().zeros_like(rate)
    try:
        return original(optimizer, *arguments)
    finally:
        optimizer._lr_t = rate


def _step(optimizer: Any, grad: Any, var: Any, rows: Any) -> Any:
    """Returns by what a variable, or some rows of it, gets less, from both averages as they are after the step."""
    tf = tensorflow()
    squares, steps = (optimizer.get_slot(var, slot).read_value() for slot in ("accum", "accum_update"))
    if rows is not None:
        squares, steps = tf.gather(squares, rows), tf.gather(steps, rows)
    rate, epsilon = (tf.cast(part, grad.dtype) for part in (optimizer._lr_t, optimizer._epsilon_t))
    return tf.sqrt(steps + epsilon) * tf.math.rsqrt(squares + epsilon) * grad * rate
