"""Casts of floating point to small integers, which wrap around as in all of 1.x.

`tf.cast(256.5, tf.uint8)` was 0 and `tf.cast(-1.5, tf.uint8)` 255: a kernel of 0.12 to 1.15 made an int32 and kept its
last bits; for uint32, an int64. TensorFlow 2.21 gives 255 and 0 in the part of an array that fills whole vector
registers of the processor, and the results of 1.x in the rest. So this module casts in two steps. NaN and numbers that
are too large for the first step become the least int32, whose last bits are 0. Casts to uint64 do not change.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.old_ops.cast_nodes import FLOATING, THROUGH
from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import rebind, twins


def install() -> None:
    """Makes `tf.cast` wrap around in this process."""
    tf: Any = importlib.import_module("tensorflow")
    kernels: Any = internals.ops.gen_math_ops
    rebind({id(original): (original, _in_two_steps(tf, original)) for original in twins(kernels, "cast")})


def _in_two_steps(tf: Any, original: Any) -> Any:
    @functools.wraps(original)
    def cast(x: Any, DstT: Any, Truncate: bool = False, name: Any = None) -> Any:  # noqa: N803  # TensorFlow's names
        between = THROUGH.get(tf.as_dtype(DstT).name)
        if between is None or getattr(getattr(x, "dtype", None), "name", None) not in FLOATING:
            return original(x, DstT, Truncate=Truncate, name=name)
        if tf.executing_eagerly():
            return original(original(x, tf.as_dtype(between)), DstT, Truncate=Truncate, name=name)
        with tf.compat.v1.name_scope(name or "Cast") as scope:
            with counter.uncounted(tf.compat.v1.get_default_graph()):
                integral = original(x, tf.as_dtype(between), name="whole")
            return original(integral, DstT, Truncate=Truncate, name=scope)

    return cast
