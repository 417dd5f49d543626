"""`tf.pow` and `**` of float32 as TF 1.x computed them: each value by libm's `powf`.

The kernel of TensorFlow 2 rounds one value in four differently, also for `x ** 2`. A power computed in float64 and then
rounded differs from `powf` for one value in 1,500. If the exponent is computed in the graph, the error of `powf` itself
is added, and one value in 20,000 still differs (tests/tf2bridge/behaviour/old_ops/test_powers.py counts them all). The
cast to float32 has the name of the power. Only one operation counts for op seeds, also in the gradient.
"""

from __future__ import annotations

import functools
import importlib
import math
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import put

_PARTS = 32
_CUBIC = (0.6931471806916173, 0.24022845224463768, 0.05550361560579489)
"""2**r is 1 + r * (a + r * (b + r * c)) for |r| <= 1 / 64: the cubic whose largest relative error, 1e-10, is least.

`powf` of glibc, musl, Bionic and newlib computes 2 ** (y * log2(x)) so, in float64, with a table of the 32nd roots of 2
(https://github.com/ARM-software/optimized-routines, math/powf.c): an error that shows where a result lies between two.
"""
_RANGE = 200.0
"""A float32 above 2 ** 200 is infinite, and below 2 ** -200 zero."""


def install() -> None:
    """Makes powers of float32 compute as in 1.x, in this process."""
    kernels: Any = internals.ops.gen_math_ops
    ops: Any = internals.framework.ops
    put(kernels, "_pow", _in_float64(kernels._pow, kernels.cast, ops))


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
                wide = cast(x, tf.float64), cast(y, tf.float64)
                return cast(original(*wide), tf.float32)
            with counter.uncounted(ops.get_default_graph()):
                wide = counter.mark(cast(x, tf.float64)), counter.mark(cast(y, tf.float64))
                result = original(*wide)
                if y.op.type != "Const":
                    result = counter.mark(tf.add_n([result, _error(tf, *wide, result)]))
            return counter.mark(cast(result, tf.float32, name=name))

    return power


def _error(tf: Any, x: Any, y: Any, power: Any) -> Any:
    """Returns the error of `powf` before it rounds, without a gradient.

    The error is 0 if x is not positive or the result is out of range.
    """
    exponent = y * tf.math.log(x) * (1 / math.log(2))
    coarse = tf.round(exponent * _PARTS) / _PARTS
    rest = exponent - coarse
    a, b, c = _CUBIC
    near = (1 + rest * (a + rest * (b + rest * c))) * tf.exp(coarse * math.log(2))
    usable = tf.logical_and(x > 0, tf.abs(exponent) < _RANGE)
    return tf.stop_gradient(tf.where(usable, near - power, tf.zeros_like(power)))
