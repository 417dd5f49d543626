"""Gradients of reductions along axes of int64. TensorFlow 2.21 cannot build them if a size is unknown.

`tf.reduce_sum(x, np.array([1, 2]))` has such axes. TF 1.x converted the axes to int32 in gradients.
"""

from __future__ import annotations

import functools
from typing import Any

from tf2bridge import internals
from tf2bridge.patching import rebind


def install() -> None:
    """Converts axes to int32 when gradients are built, in this process."""
    functions: Any = internals.ops.math_ops
    original = functions.reduced_shape

    @functools.wraps(original)
    def reduced_shape(input_shape: Any, axes: Any) -> Any:
        if getattr(axes, "dtype", None) == "int64":
            axes = functions.cast(axes, "int32")
        return original(input_shape, axes)

    rebind({id(original): (original, reduced_shape)})
