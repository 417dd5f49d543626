"""Interpolation between two linear operators, for VectorDiffeomixture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.core import add_operators, size_of, v1

linalg: Any = tf.linalg


def interpolate_loc(grid: Any, loc: Sequence[Any]) -> list[Any]:
    """Returns the locations, [..., k], of the points of `grid`, [..., 2, n]. Without any `loc`, all are None."""
    _require_two(loc)
    count = _points(grid)
    with v1.name_scope("interpolate_loc", values=[grid, *loc]):
        if loc[0] is None and loc[1] is None:
            return [None] * count
        weights = grid[..., tf.newaxis, :, :]
        first, second = (None if part is None else part[..., tf.newaxis] for part in loc)
        if first is None:
            between = weights[..., 1, :] * second
        elif second is None:
            between = weights[..., 0, :] * first
        else:
            between = weights[..., 0, :] * (first - second) + second
        return [between[..., k] for k in range(count)]


def interpolate_scale(grid: Any, scale: Sequence[Any]) -> list[Any]:
    """Returns the weighted sums of the two linear operators, one for each point of `grid`, [..., 2, n]."""
    _require_two(scale)
    count = _points(grid)
    with v1.name_scope("interpolate_scale", values=[grid]):
        return [
            add_operators([linop_scale(grid[..., k, point], operator) for k, operator in enumerate(scale)])[0]
            for point in range(count)
        ]


def _require_two(parts: Sequence[Any]) -> None:
    if len(parts) != 2:
        raise NotImplementedError(f"Currently only bimixtures are supported; len(scale)={len(parts)} is not 2.")


def _points(grid: Any) -> int:
    count = size_of(grid.shape.with_rank_at_least(1)[-1])
    if count is None:
        raise ValueError("Num quadrature grid points must be known prior to graph execution.")
    return count


def linop_scale(w: Any, op: Any) -> Any:
    """Returns the linear operator w * op, for w of the shape of a batch.

    Raises:
        NotImplementedError: the operator is not a multiple of the identity, diagonal or triangular.
    """
    hints = {
        "is_non_singular": op.is_non_singular,
        "is_self_adjoint": op.is_self_adjoint,
        "is_positive_definite": op.is_positive_definite,
    }
    with v1.name_scope("linop_scale", values=[w]):
        if isinstance(op, linalg.LinearOperatorIdentity | linalg.LinearOperatorScaledIdentity):
            factor = w * op.multiplier if isinstance(op, linalg.LinearOperatorScaledIdentity) else w
            return linalg.LinearOperatorScaledIdentity(op.range_dimension_tensor(), factor, **hints)
        if isinstance(op, linalg.LinearOperatorDiag):
            return linalg.LinearOperatorDiag(w[..., tf.newaxis] * op.diag_part(), **hints)
        if isinstance(op, linalg.LinearOperatorLowerTriangular):
            return linalg.LinearOperatorLowerTriangular(w[..., tf.newaxis, tf.newaxis] * op.to_dense(), **hints)
        raise NotImplementedError(f"Unsupported Linop type ({type(op).__name__})")


def covariance_of_operators(mixture: Any, diag_only: bool) -> Any:
    """Returns the mean over the points of the covariance of scale @ z, [..., k, k], or its diagonal, [..., k]."""
    identity, diagonal, full = _weighted_squares(mixture, diag_only)
    variance = mixture.distribution.variance()
    identity = None if identity is None else identity * variance
    diagonal, full = (None if part is None else part * variance[..., tf.newaxis] for part in (diagonal, full))
    if diag_only:
        return _diagonal(mixture, identity, diagonal, full)
    positive = all(affine.scale.is_positive_definite for affine in mixture.endpoint_affine) or None
    operators = []
    if diagonal is not None:
        operators.append(linalg.LinearOperatorDiag(diagonal, is_positive_definite=positive))
    if full is not None:
        operators.append(linalg.LinearOperatorFullMatrix(full, is_positive_definite=positive))
    if identity is not None:
        size = mixture.event_shape_tensor()[0]
        operators.append(linalg.LinearOperatorScaledIdentity(size, identity, is_positive_definite=positive))
    return add_operators(operators)[0].to_dense() if operators else None


def _diagonal(mixture: Any, identity: Any, diagonal: Any, full: Any) -> Any:
    rest = _added(diagonal, full)
    if rest is None and identity is not None:
        return identity[..., tf.newaxis] * tf.ones(mixture.event_shape_tensor(), dtype=mixture.dtype)
    return _added(rest, identity)


def _weighted_squares(mixture: Any, diag_only: bool) -> tuple[Any, Any, Any]:
    """Returns the weighted sums of the squares of multiples of the identity, of diagonals, and of other operators."""
    probs, identity, diagonal, full = mixture.mixture_distribution.probs, None, None, None
    for k, affine in enumerate(mixture.interpolated_affine):
        scale, weight = affine.scale, probs[..., k, tf.newaxis]
        if scale is None or isinstance(scale, linalg.LinearOperatorIdentity):
            identity = _added(identity, weight)
        elif isinstance(scale, linalg.LinearOperatorScaledIdentity):
            identity = _added(identity, weight * tf.square(scale.multiplier))
        elif isinstance(scale, linalg.LinearOperatorDiag):
            diagonal = _added(diagonal, weight * tf.square(scale.diag_part()))
        else:
            square = weight[..., tf.newaxis] * scale.matmul(scale.to_dense(), adjoint_arg=True)
            full = _added(full, tf.linalg.diag_part(square) if diag_only else square)
    return identity, diagonal, full


def _added(x: Any, y: Any) -> Any:
    if x is None or y is None:
        return y if x is None else x
    return x + y
