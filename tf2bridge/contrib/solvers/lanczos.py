"""Lanczos bidiagonalization. Golub and Kahan, 1965; Larsen, PROPACK, 1998."""

from __future__ import annotations

from typing import Any, NamedTuple

import tensorflow as tf

from tf2bridge.contrib.solvers.util import l2norm, l2normalize

v1 = tf.compat.v1


class LanczosBidiagState(NamedTuple):
    """Left vectors [m, k + 1], right vectors [n, k], diagonal [k] and subdiagonal [k]."""

    u: Any
    v: Any
    alpha: Any
    beta: Any


def lanczos_bidiag(
    operator: Any, k: Any, orthogonalize: bool = True, starting_vector: Any = None, name: str = "lanczos_bidiag"
) -> LanczosBidiagState:
    """Returns U, V and the lower bidiagonal B with operator * V = U * B, after `k` steps.

    Without a `starting_vector`, [m], a random one is used; `orthogonalize` keeps the vectors orthogonal to all before.
    """

    def step(i: Any, state: LanczosBidiagState) -> tuple[Any, LanczosBidiagState]:
        left = _column(state.u, i)
        right = operator.apply_adjoint(left)
        shape = right.shape
        right = v1.cond(i > 0, lambda: right - state.beta.read(i - 1) * _column(state.v, i - 1), lambda: right)
        right.set_shape(shape)
        right, alpha = _orthogonalized(i - 1, state.v, right) if orthogonalize else l2normalize(right)
        image = operator.apply(right) - alpha * left
        left, beta = _orthogonalized(i, state.u, image) if orthogonalize else l2normalize(image)
        return i + 1, LanczosBidiagState(
            state.u.write(i + 1, tf.squeeze(left)),
            state.v.write(i, tf.squeeze(right)),
            state.alpha.write(i, alpha),
            state.beta.write(i, beta),
        )

    def array(size: Any, name: str) -> Any:
        return tf.TensorArray(dtype=operator.dtype, size=size, tensor_array_name=name, clear_after_read=False)

    with v1.name_scope(name):
        if starting_vector is None:
            starting_vector = v1.random_uniform(operator.shape[:1], -1, 1, dtype=operator.dtype)
        first, _ = l2normalize(starting_vector)
        # The vectors are rows here: an array stacks along the first dimension.
        lefts = array(k + 1, "u").write(0, tf.squeeze(first))
        state = LanczosBidiagState(lefts, array(k, "v"), array(k, "alpha"), array(k, "beta"))
        begin = tf.constant(0, dtype=tf.int32)
        _, state = v1.while_loop(lambda i, _: i < k, step, [begin, state])
        return LanczosBidiagState(
            tf.linalg.matrix_transpose(state.u.stack()),
            tf.linalg.matrix_transpose(state.v.stack()),
            state.alpha.stack(),
            state.beta.stack(),
        )


def _column(array: Any, place: Any) -> Any:
    return tf.expand_dims(array.read(place), -1)


def _orthogonalized(count: Any, basis: Any, vector: Any) -> Any:
    """Returns `vector` made orthogonal to the first `count` of `basis`, of norm 1, and the norm it had.

    A second round follows where the first took much: Parlett, "The Symmetric Eigenvalue Problem", pages 105-109.
    """
    norm = l2norm(vector)
    once, once_norm = _orthogonalized_once(count, basis, vector)
    return v1.cond(
        once_norm < 0.7071 * norm, lambda: _orthogonalized_once(count, basis, vector), lambda: (once, once_norm)
    )


def _orthogonalized_once(count: Any, basis: Any, vector: Any) -> tuple[Any, Any]:
    def step(place: Any, basis: Any, vector: Any) -> tuple[Any, Any, Any]:
        shape = vector.shape
        row = _column(basis, place)
        vector -= tf.matmul(row, vector, adjoint_a=True) * row
        vector.set_shape(shape)
        return place + 1, basis, vector

    begin = tf.constant(0, dtype=tf.int32)
    _, _, vector = v1.while_loop(lambda place, *_: place < count, step, [begin, basis, vector])
    return l2normalize(vector)


def bidiag_matmul(matrix: Any, alpha: Any, beta: Any, adjoint_b: bool = False, name: str = "bidiag_matmul") -> Any:
    """Returns `matrix` times the lower bidiagonal B, [k + 1, k], of diagonal `alpha` and subdiagonal `beta`, both [k].

    With `adjoint_b` it is times the transpose of B without its last row.
    """
    with v1.name_scope(name):
        alpha = tf.expand_dims(alpha, 0)
        if not adjoint_b:
            beta = tf.expand_dims(beta, 0)
            return matrix[:, :-1] * alpha + matrix[:, 1:] * beta
        beta = tf.expand_dims(beta[:-1], 0)
        zeros = tf.expand_dims(tf.zeros(tf.shape(matrix)[:1], dtype=matrix.dtype), 1)
        return matrix * alpha + tf.concat([zeros, matrix[:, :-1] * beta], 1)
