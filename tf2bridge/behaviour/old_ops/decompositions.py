"""`tf.cholesky` of a matrix that is not positive definite is an error, as in all of 1.x; TensorFlow 2.21 gives NaN.

A matrix whose first element is NaN has a factor of NaN in 1.x, too, without an error. So does a matrix of float16,
which 1.12 to 1.15 computed with XLA. Both stay as they are. Complex matrices also stay as they are, because the result
of 2.21 does not show the failure. The check adds operations, but only the decomposition counts for op seeds.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import rebind, twins

MESSAGE = "Cholesky decomposition was not successful. The input might not be valid."
"""What the kernel of 1.x said (core/kernels/cholesky_op.cc); that of 0.12 began with "LLT"."""


def install() -> None:
    """Makes the decomposition raise in this process. Must run after `wider_types`, whose function it wraps."""
    kernels: Any = internals.ops.gen_linalg_ops
    tf: Any = importlib.import_module("tensorflow")
    rebind({id(original): (original, _checked(tf, original)) for original in twins(kernels, "cholesky")})


def _checked(tf: Any, original: Any) -> Any:
    signature = inspect.signature(original)

    @functools.wraps(original)
    def checked(*arguments: Any, **keywords: Any) -> Any:
        given = signature.bind(*arguments, **keywords).arguments
        matrix = tf.convert_to_tensor(given["input"])
        if matrix.dtype.base_dtype not in (tf.float32, tf.float64):
            return original(matrix, given.get("name"))
        if tf.executing_eagerly():
            factor = original(matrix)
            _refusal(tf, matrix, factor)
            return factor
        with tf.compat.v1.name_scope(given.get("name") or "Cholesky") as scope:
            with counter.uncounted(tf.compat.v1.get_default_graph()):
                factor = original(matrix)
                refusal = _refusal(tf, matrix, factor)
            with tf.control_dependencies([refusal]):
                return tf.identity(factor, name=scope)

    return checked


def _refusal(tf: Any, matrix: Any, factor: Any) -> Any:
    """Returns an op that fails if a matrix has no factor, in which case its whole lower triangle is NaN."""
    first, given = (tf.linalg.diag_part(values)[..., :1] for values in (factor, matrix))
    failed = tf.logical_and(tf.math.is_nan(first), tf.logical_not(tf.math.is_nan(given)))
    return tf.debugging.Assert(tf.logical_not(tf.reduce_any(failed)), [MESSAGE])
