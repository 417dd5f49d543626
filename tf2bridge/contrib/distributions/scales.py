"""Linear operators that scale vectors, made of diagonals, triangles and multiples of the identity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.core import checked, optional, parents_of, size_of, util, v1

_DIAGONAL = (tf.linalg.LinearOperatorIdentity, tf.linalg.LinearOperatorScaledIdentity, tf.linalg.LinearOperatorDiag)


def is_diagonal_scale(scale: Any) -> bool:
    """Returns True if the linear operator is diagonal. Raises TypeError if `scale` is not a linear operator."""
    if not isinstance(scale, tf.linalg.LinearOperator):
        raise TypeError(f"Expected argument 'scale' to be instance of LinearOperator. Found: {scale}")
    return isinstance(scale, _DIAGONAL)


def make_diag_scale(
    loc: Any = None,
    scale_diag: Any = None,
    scale_identity_multiplier: Any = None,
    shape_hint: Any = None,
    validate_args: bool = False,
    assert_positive: bool = False,
    name: str | None = None,
) -> Any:
    """Returns the operator of `scale_diag`, [..., k], plus `scale_identity_multiplier`, [...], on the diagonal.

    Without `scale_diag` it is a multiple of the identity, of the size of `loc` or of `shape_hint`.

    Raises:
        ValueError: no argument gives the size.
    """
    attached = _attacher(validate_args, assert_positive, lambda diagonal: diagonal)
    with v1.name_scope(name, "make_diag_scale", values=[loc, scale_diag, scale_identity_multiplier]):
        loc = optional(loc, "loc")
        scale_diag = optional(scale_diag, "scale_diag")
        multiplier = optional(scale_identity_multiplier, "scale_identity_multiplier")
        if scale_diag is not None:
            if multiplier is not None:
                scale_diag += multiplier[..., tf.newaxis]
            return tf.linalg.LinearOperatorDiag(
                diag=attached(scale_diag),
                is_non_singular=True,
                is_self_adjoint=True,
                is_positive_definite=assert_positive,
            )
        if loc is None and shape_hint is None:
            raise ValueError("Cannot infer `event_shape` unless `loc` or `shape_hint` is specified.")
        if shape_hint is None:
            shape_hint = size_of(loc.shape[-1])
        return _multiple_of_identity(loc, shape_hint, multiplier, attached, validate_args, assert_positive)


def _multiple_of_identity(
    loc: Any, size: Any, multiplier: Any, attached: Any, validate_args: bool, assert_positive: bool
) -> Any:
    if size is None:
        size = v1.shape(loc)[-1]
    if multiplier is None:
        return tf.linalg.LinearOperatorIdentity(
            num_rows=size,
            dtype=loc.dtype.base_dtype,
            is_self_adjoint=True,
            is_positive_definite=True,
            assert_proper_shapes=validate_args,
        )
    return tf.linalg.LinearOperatorScaledIdentity(
        num_rows=size,
        multiplier=attached(multiplier),
        is_non_singular=True,
        is_self_adjoint=True,
        is_positive_definite=assert_positive,
        assert_proper_shapes=validate_args,
    )


def make_tril_scale(
    loc: Any = None,
    scale_tril: Any = None,
    scale_diag: Any = None,
    scale_identity_multiplier: Any = None,
    shape_hint: Any = None,
    validate_args: bool = False,
    assert_positive: bool = False,
    name: str | None = None,
) -> Any:
    """Returns the operator of `scale_tril`, [..., k, k], with the other scales added to its diagonal.

    Without `scale_tril` returns the result of `make_diag_scale`.
    """
    attached = _attacher(validate_args, assert_positive, tf.linalg.diag_part)
    with v1.name_scope(name, "make_tril_scale", values=[loc, scale_diag, scale_identity_multiplier]):
        loc = optional(loc, "loc")
        scale_tril = optional(scale_tril, "scale_tril")
        scale_diag = optional(scale_diag, "scale_diag")
        multiplier = optional(scale_identity_multiplier, "scale_identity_multiplier")
    if scale_tril is None:
        return make_diag_scale(
            loc, scale_diag, multiplier, shape_hint, validate_args, assert_positive=assert_positive, name=name
        )
    scale_tril = tf.linalg.band_part(scale_tril, -1, 0)
    diagonal = tf.linalg.diag_part(scale_tril)
    if scale_diag is not None:
        diagonal += scale_diag
    if multiplier is not None:
        diagonal += multiplier[..., tf.newaxis]
    return tf.linalg.LinearOperatorLowerTriangular(
        tril=attached(tf.linalg.set_diag(scale_tril, diagonal)),
        is_non_singular=True,
        is_self_adjoint=False,
        is_positive_definite=assert_positive,
    )


def _attacher(validate_args: bool, assert_positive: bool, diagonal_of: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Returns a function that makes a tensor depend on the check of its diagonal."""

    def attached(value: Any) -> Any:
        if not validate_args:
            return value
        diagonal = diagonal_of(value)
        if assert_positive:
            return checked(value, [v1.assert_positive(diagonal, message="diagonal part must be positive")])
        zero = tf.zeros([], value.dtype)
        return checked(value, [v1.assert_none_equal(diagonal, zero, message="diagonal part must be non-zero")])

    return attached


def with_low_rank(scale: Any, factor: Any, diagonal: Any) -> Any:
    """Returns the operator scale + factor @ diag(diagonal) @ factor.T. The diagonal is ones by default."""
    return tf.linalg.LinearOperatorLowRankUpdate(
        scale,
        u=factor,
        diag_update=diagonal,
        is_diag_update_positive=diagonal is None,
        is_non_singular=True,
        is_self_adjoint=True,
        is_positive_definite=True,
        is_square=True,
    )


def shapes_from_loc_and_scale(loc: Any, scale: Any, name: str = "shapes_from_loc_and_scale") -> tuple[Any, Any]:
    """Returns the batch shape and event shape of loc + scale @ x, as arrays if they are static.

    Raises:
        ValueError: the sizes of `loc` and `scale` differ.
    """
    with v1.name_scope(name, values=[loc, *parents_of(scale)]):
        size = scale.range_dimension_tensor()
        known_size = tf.get_static_value(size)
        event_shape = size[tf.newaxis] if known_size is None else known_size.reshape([1])
        batch_shape = scale.batch_shape_tensor()
        if loc is None:
            known = tf.get_static_value(batch_shape)
            return (batch_shape if known is None else known), event_shape
        loc_size = size_of(loc.shape[-1]) if loc.shape.ndims else None
        if None not in (loc_size, known_size) and loc_size not in (1, known_size):
            raise ValueError(
                f"Event size of 'scale' ({known_size}) could not be broadcast up to that of 'loc' ({loc_size})."
            )
        return _broadcast(batch_shape, loc), event_shape


def _broadcast(batch_shape: Any, loc: Any) -> Any:
    loc_batch: Any = loc.shape.with_rank_at_least(1)[:-1]
    if loc.shape.ndims is None or not loc_batch.is_fully_defined():
        loc_batch = v1.shape(loc)[:-1]
    else:
        loc_batch = tf.convert_to_tensor(loc_batch.as_list(), dtype=tf.int32, name="loc_batch_shape")
    return util.prefer_static_broadcast_shape(batch_shape, loc_batch)


def covariance_of(scale: Any) -> Any:
    """Returns scale @ scale.T, [..., k, k]."""
    if is_diagonal_scale(scale):
        return tf.linalg.diag(tf.square(scale.diag_part()))
    return scale.matmul(scale.to_dense(), adjoint_arg=True)


def variance_of(scale: Any) -> Any:
    """Returns the diagonal of scale @ scale.T, [..., k]."""
    return tf.square(scale.diag_part()) if is_diagonal_scale(scale) else _diagonal_of_square(scale)


def stddev_of(scale: Any) -> Any:
    """Returns the square root of the diagonal of scale @ scale.T, [..., k]."""
    return tf.abs(scale.diag_part()) if is_diagonal_scale(scale) else tf.sqrt(_diagonal_of_square(scale))


def _diagonal_of_square(scale: Any) -> Any:
    if isinstance(scale, tf.linalg.LinearOperatorLowRankUpdate) and scale.is_self_adjoint:
        return tf.linalg.diag_part(scale.matmul(scale.to_dense()))
    return tf.linalg.diag_part(scale.matmul(scale.to_dense(), adjoint_arg=True))
