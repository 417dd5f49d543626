"""`cgls`: solves least squares by conjugate gradients."""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.contrib.solvers.util import l2norm_squared

v1 = tf.compat.v1


class CGLSState(NamedTuple):
    """The result of conjugate gradients on the normal equations."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


def cgls(operator: Any, rhs: Any, tol: Any = 1e-6, max_iter: Any = 20, name: str = "cgls") -> CGLSState:
    """Returns the least squares solution of operator * x = rhs, [n], where `rhs` is [m].

    It ends after `max_iter` steps, or where the norm of the normal equations' residual is `tol` times its first one.
    """

    def goes_on(i: Any, state: CGLSState) -> Any:
        return tf.logical_and(i < max_iter, state.gamma > limit)

    def step(i: Any, state: CGLSState) -> tuple[Any, CGLSState]:
        image = operator.apply(state.p)
        alpha = state.gamma / l2norm_squared(image)
        solution = state.x + alpha * state.p
        residual = state.r - alpha * image
        normal = operator.apply_adjoint(residual)
        gamma = l2norm_squared(normal)
        beta = gamma / state.gamma
        return i + 1, CGLSState(i + 1, solution, residual, normal + beta * state.p, gamma)

    with v1.name_scope(name):
        size = operator.shape[1:]
        rhs = tf.expand_dims(rhs, -1)
        normal = operator.apply_adjoint(rhs)
        gamma = l2norm_squared(normal)
        limit = tol * tol * gamma
        x = tf.expand_dims(tf.zeros(size, dtype=rhs.dtype.base_dtype), -1)
        begin = tf.constant(0, dtype=tf.int32)
        _, state = v1.while_loop(goes_on, step, [begin, CGLSState(begin, x, rhs, normal, gamma)])
        return CGLSState(state.i, tf.squeeze(state.x), tf.squeeze(state.r), tf.squeeze(state.p), state.gamma)
