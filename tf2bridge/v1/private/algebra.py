"""Linear algebra that private modules of TensorFlow had before the public functions could do it."""

from __future__ import annotations

from typing import Any

import tensorflow as tf


def matrix_triangular_solve_with_broadcast(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Any:
    """Solves `matrix x = rhs` for triangular matrices; the leading dimensions of both are broadcast.

    `lower` says which triangle is read; `adjoint` solves with the adjoint of `matrix`.
    """
    with tf.compat.v1.name_scope(name, "MatrixTriangularSolve", [matrix, rhs]):
        matrix = tf.convert_to_tensor(matrix, name="matrix")
        rhs = tf.convert_to_tensor(rhs, name="rhs", dtype=matrix.dtype)
        return tf.linalg.triangular_solve(matrix, rhs, lower=lower, adjoint=adjoint)
