"""`tf.linalg.tridiagonal_solve` fails for a matrix that cannot be inverted, as in 1.15.

TensorFlow 2.21 gives NaN or infinite numbers. Here these are an error if all numbers of the matrix and the right-hand
side are finite.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from typing import Any

from tf2bridge import internals
from tf2bridge.behaviour.seeds import counter
from tf2bridge.patching import all_twins, rebind

_WORDS = "The matrix is not invertible."


def install() -> None:
    """Changes the operation in this process."""
    (solvers,) = all_twins([(internals.ops.gen_linalg_ops, "tridiagonal_solve")])
    rebind({id(solver): (solver, _failing(solver)) for solver in solvers})


def _failing(original: Callable[..., Any]) -> Callable[..., Any]:
    tf: Any = importlib.import_module("tensorflow")

    @functools.wraps(original)
    def tridiagonal_solve(
        diagonals: Any,
        rhs: Any,
        partial_pivoting: bool = True,
        perturb_singular: bool = False,
        name: str | None = None,
    ) -> Any:
        if perturb_singular:
            return original(diagonals, rhs, partial_pivoting, perturb_singular, name)
        if tf.executing_eagerly():
            return _checked(tf, original(diagonals, rhs, partial_pivoting), diagonals, rhs)
        with tf.compat.v1.name_scope(name or "TridiagonalSolve") as scope:
            with counter.uncounted(tf.compat.v1.get_default_graph()):
                result = _checked(tf, original(diagonals, rhs, partial_pivoting), diagonals, rhs)
            return counter.mark(tf.identity(result, name=scope))

    return tridiagonal_solve


def _checked(tf: Any, result: Any, *given: Any) -> Any:
    """Returns the result, which fails if it is not finite and what was given is."""
    usable = _is_finite(tf, result) | ~tf.reduce_all([_is_finite(tf, values) for values in given])
    with tf.control_dependencies([tf.compat.v1.Assert(usable, [_WORDS])]):
        return tf.identity(result)


def _is_finite(tf: Any, values: Any) -> Any:
    values = tf.convert_to_tensor(values)
    parts = [tf.math.real(values), tf.math.imag(values)] if values.dtype.is_complex else [values]
    return tf.reduce_all([tf.reduce_all(tf.math.is_finite(part)) for part in parts])
