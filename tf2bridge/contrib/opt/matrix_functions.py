"""Roots of symmetric positive matrices by iteration, with products of matrices alone.

The square root is the Newton-Schulz iteration, the inverse p-th root the coupled Newton iteration (Higham, Functions of
Matrices, 2008, sections 6.3 and 7.4).
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def matrix_square_root(mat_a: Any, mat_a_size: Any, iter_count: int = 100, ridge_epsilon: float = 1e-4) -> Any:
    """Returns the square root, [size, size], of `mat_a` + `ridge_epsilon` * identity.

    The iteration ends after `iter_count` steps, or when the error grows.
    """
    identity = v1.eye(v1.cast(mat_a_size, tf.int32))
    mat_a = mat_a + ridge_epsilon * identity
    norm = v1.sqrt(v1.reduce_sum(mat_a * mat_a))

    def goes_on(count: Any, root: Any, before: Any, inverse: Any, error: Any, last_error: Any) -> Any:
        del root, before, inverse
        return v1.logical_and(count < iter_count, error < last_error)

    def step(count: Any, root: Any, before: Any, inverse: Any, error: Any, last_error: Any) -> Any:
        del before, last_error
        factor = 0.5 * (3.0 * identity - v1.matmul(inverse, root))
        new, new_inverse = v1.matmul(root, factor), v1.matmul(factor, inverse)
        scaled = new * v1.sqrt(norm)
        residual = mat_a - v1.matmul(scaled, scaled)
        return count + 1, new, root, new_inverse, v1.sqrt(v1.reduce_sum(residual * residual)) / norm, error

    begin = mat_a / norm
    state = v1.while_loop(goes_on, step, [0, begin, begin, identity, norm, norm + 1.0])
    return state[2] * v1.sqrt(norm)


def matrix_inverse_pth_root(
    mat_g: Any, mat_g_size: Any, alpha: float, iter_count: int = 100, epsilon: float = 1e-6, ridge_epsilon: float = 1e-6
) -> Any:
    """Returns (`mat_g` + `ridge_epsilon` * identity) ** `alpha`, [size, size]; `alpha` is -1 / p for an integer p.

    The iteration ends after `iter_count` steps, or when every entry is correct to `epsilon`.
    """
    identity = v1.eye(v1.cast(mat_g_size, tf.int32))
    if mat_g_size == 1:
        return v1.pow(mat_g + ridge_epsilon, alpha)
    damped = mat_g + ridge_epsilon * identity
    scale = (1 - 1 / alpha) / (2 * v1.norm(damped))

    def goes_on(count: Any, matrix: Any, root: Any) -> Any:
        del root
        return v1.logical_and(count < iter_count, v1.reduce_max(v1.abs(matrix - identity)) > epsilon)

    def step(count: Any, matrix: Any, root: Any) -> Any:
        factor = (1 - alpha) * identity + alpha * matrix
        return count + 1, v1.matmul(_power(factor, -1.0 / alpha), matrix), v1.matmul(root, factor)

    return v1.while_loop(goes_on, step, [0, damped * scale, identity * v1.pow(scale, -alpha)])[2]


def _power(matrix: Any, exponent: float) -> Any:
    """Returns a positive integer power of the matrix, by squaring. Raises AssertionError for another exponent."""
    assert exponent == int(exponent), f"alpha must be -1 / p for an integer p, not {-1.0 / exponent}"
    assert exponent > 0, f"alpha must be below 0, not {-1.0 / exponent}"
    left, power = int(exponent), None
    while left:
        if left % 2:
            power = matrix if power is None else v1.matmul(matrix, power)
        left //= 2
        matrix = v1.matmul(matrix, matrix)
    return power
