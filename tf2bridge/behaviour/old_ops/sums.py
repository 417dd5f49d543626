"""Sums of two tensors as operations of type Add; TensorFlow 2 makes AddV2.

Programs walk over graphs and ask for the type: for explanations of a result, receptive fields, conjugate
distributions. Genuine 1.4.1 and 1.12.3 make Add of `x + y`, `tf.add` and their gradients; 1.15.5 makes AddV2 of `x + y`
and Add of `tf.add`. Both have the same kernels.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour import in_force
from tf2bridge.behaviour.installed import tensorflow
from tf2bridge.patching import rebind

_LATER = ("uint16", "uint32", "uint64")
"""Types that only AddV2 takes."""


def install() -> None:
    """Makes the functions build an Add in graphs, in this process."""
    kernels: Any = internals.ops.gen_math_ops
    functions: Any = internals.ops.math_ops
    added, operators = functions.add, kernels.add_v2
    rebind(
        {
            id(added): (added, _older(added, kernels.add, lambda: True)),
            id(operators): (operators, _older(operators, kernels.add, lambda: in_force.before(1, 15))),
        }
    )


def _older(original: Callable[..., Any], build: Callable[..., Any], in_use: Callable[[], bool]) -> Callable[..., Any]:
    tf = tensorflow()

    @functools.wraps(original)
    def add(x: Any, y: Any, name: Any = None) -> Any:
        if not in_use() or tf.executing_eagerly():
            return original(x, y, name=name)
        types = [getattr(value, "dtype", None) for value in (x, y)]
        later = any(dtype is not None and tf.as_dtype(dtype).base_dtype.name in _LATER for dtype in types)
        return (original if later else build)(x, y, name=name)

    return add
