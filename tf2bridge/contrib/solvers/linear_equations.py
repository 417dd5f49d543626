"""`conjugate_gradient`: solves linear equations of a positive definite operator."""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.contrib.solvers.util import dot

v1 = tf.compat.v1


class CGState(NamedTuple):
    """Steps done, solution, residual, direction of the next step, and the squared norm that is to vanish."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


def conjugate_gradient(
    operator: Any,
    rhs: Any,
    preconditioner: Any = None,
    x: Any = None,
    tol: Any = 1e-4,
    max_iter: Any = 20,
    name: str = "conjugate_gradient",
) -> CGState:
    """Returns the solution of operator * x = rhs, [n], for a positive definite operator, beginning with `x`.

    It ends after `max_iter` steps, or where the norm of the residual is `tol` times its first one.
    """

    def goes_on(i: Any, state: CGState) -> Any:
        return tf.logical_and(i < max_iter, v1.norm(state.r) > limit)

    def step(i: Any, state: CGState) -> tuple[Any, CGState]:
        image = operator.apply(state.p)
        alpha = state.gamma / dot(state.p, image)
        solution = state.x + alpha * state.p
        residual = state.r - alpha * image
        direction = residual if preconditioner is None else preconditioner.apply(residual)
        gamma = dot(residual, direction)
        beta = gamma / state.gamma
        return i + 1, CGState(i + 1, solution, residual, direction + beta * state.p, gamma)

    with v1.name_scope(name):
        size = operator.shape[1:]
        rhs = tf.expand_dims(rhs, -1)
        if x is None:
            x = tf.expand_dims(tf.zeros(size, dtype=rhs.dtype.base_dtype), -1)
            residual = rhs
        else:
            x = tf.expand_dims(x, -1)
            residual = rhs - operator.apply(x)
        direction = residual if preconditioner is None else preconditioner.apply(residual)
        gamma = dot(residual, direction)
        limit = tol * v1.norm(residual)
        begin = tf.constant(0, dtype=tf.int32)
        _, state = v1.while_loop(goes_on, step, [begin, CGState(begin, x, residual, direction, gamma)])
        return CGState(state.i, tf.squeeze(state.x), tf.squeeze(state.r), tf.squeeze(state.p), state.gamma)
