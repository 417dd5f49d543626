"""Bijectors of vectors y = scale @ x + shift."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.core import Bijector, beginning, checked, optional, parents_of, util, v1
from tf2bridge.contrib.distributions.scales import make_tril_scale, with_low_rank
from tf2bridge.contrib.distributions.shape import _DistributionShape


class _LinearMap(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """The base class: a linear operator `scale`, which is applied to all samples at once, and a `shift`."""

    _shift: Any
    _scale: Any
    _shaper: Any

    @property
    def shift(self) -> Any:
        """The shift, [..., k], or None."""
        return self._shift

    @property
    def scale(self) -> Any:
        """The linear operator, [..., k, k]."""
        return self._scale

    def _rank_of_events(self) -> Any:
        """Returns the rank of events: 1. Up to 1.4 it was an argument, and could be 0."""
        return 1

    def _matmul(self, x: Any) -> Any:
        x, sample_shape = self._shaper.make_batch_of_event_sample_matrices(x, expand_batch_dim=False)
        with tf.control_dependencies(self._checks()):
            y = self.scale.matmul(x)
        return self._shaper.undo_make_batch_of_event_sample_matrices(y, sample_shape, expand_batch_dim=False)

    def _solve(self, y: Any) -> Any:
        y, sample_shape = self._shaper.make_batch_of_event_sample_matrices(y, expand_batch_dim=False)
        x = self.scale.solve(y)
        return self._shaper.undo_make_batch_of_event_sample_matrices(x, sample_shape, expand_batch_dim=False)

    def _checks(self) -> list[Any]:
        try:
            return [self.scale.assert_non_singular()] if self.validate_args else []
        except NotImplementedError:  # some operators do not know it
            return []


class AffineLinearOperator(_LinearMap):
    """y = scale @ x + shift, where `scale` is a linear operator, by default the identity.

    Raises:
        TypeError: `scale` is not a linear operator, or its dtype is not that of `shift`.
    """

    def __init__(
        self,
        shift: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        name: str = "affine_linear_operator",
    ) -> None:
        with beginning(self, name, validate_args, [shift]):
            event_ndims = self._rank_of_events()
            self._shift, self._scale = optional(shift, "shift"), scale
            parents = [] if self._shift is None else [self._shift]
            dtype = tf.float32 if self._shift is None else self._shift.dtype.base_dtype
            batch_ndims: Any = 0
            if scale is not None:
                self._check(scale, validate_args)
                parents += parents_of(scale)
                batch_ndims = _batch_rank(scale)
                if tf.is_tensor(batch_ndims):
                    parents.append(batch_ndims)
                dtype = dtype if scale.dtype is None else scale.dtype.base_dtype
            self._shaper = _DistributionShape(
                batch_ndims=batch_ndims, event_ndims=event_ndims, validate_args=validate_args
            )
            super().__init__(
                forward_min_event_ndims=1,
                graph_parents=parents,
                is_constant_jacobian=True,
                dtype=dtype,
                validate_args=validate_args,
                name=name,
            )

    def _check(self, scale: Any, validate_args: bool) -> None:
        _same_dtype(self._shift, scale)
        if not isinstance(scale, tf.linalg.LinearOperator):
            raise TypeError("scale is not an instance of tf.LinearOperator")
        if validate_args and not scale.is_non_singular:
            raise ValueError("Scale matrix must be non-singular.")

    def _forward(self, x: Any) -> Any:
        y = x if self.scale is None else self._matmul(x)
        return y if self.shift is None else y + self.shift

    def _inverse(self, y: Any) -> Any:
        x = y if self.shift is None else y - self.shift
        return x if self.scale is None else self._solve(x)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        if self.scale is None:
            return tf.constant(0.0, dtype=x.dtype.base_dtype)
        with tf.control_dependencies(self._checks()):
            return self.scale.log_abs_determinant()


class Affine(_LinearMap):
    """y = scale @ x + shift, where scale is the sum of the given parts.

    The parts are a multiple of the identity, a diagonal, a lower triangle, and a product of low rank:
    `scale_perturb_factor @ diag(scale_perturb_diag) @ scale_perturb_factor.T`.
    """

    def __init__(
        self,
        shift: Any = None,
        scale_identity_multiplier: Any = None,
        scale_diag: Any = None,
        scale_tril: Any = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        validate_args: bool = False,
        name: str = "affine",
    ) -> None:
        if scale_perturb_diag is not None and scale_perturb_factor is None:
            raise ValueError("When scale_perturb_diag is specified, scale_perturb_factor must be specified.")
        matrices = (scale_diag, scale_tril, scale_perturb_factor)
        self._is_only_identity_multiplier = all(part is None for part in matrices)
        given = [shift, scale_identity_multiplier, *matrices, scale_perturb_diag]
        with beginning(self, name, validate_args, given):
            event_ndims = self._rank_of_events()
            self._shift = optional(shift, "shift")
            dtype = tf.float32 if self._shift is None else self._shift.dtype.base_dtype
            if self._is_only_identity_multiplier and scale_identity_multiplier is None:
                scale_identity_multiplier = tf.convert_to_tensor(1.0, dtype=dtype)
            self._scale = self._operator(
                scale_identity_multiplier, scale_diag, scale_tril, scale_perturb_factor, scale_perturb_diag
            )
            batch_ndims: Any = 0
            if not self._is_only_identity_multiplier:
                _same_dtype(self._shift, self._scale)
                batch_ndims = _batch_rank(self._scale)
            self._shaper = _DistributionShape(
                batch_ndims=batch_ndims, event_ndims=event_ndims, validate_args=validate_args
            )
            super().__init__(
                forward_min_event_ndims=1,
                graph_parents=self._parents(),
                is_constant_jacobian=True,
                dtype=self._scale.dtype.base_dtype,
                validate_args=validate_args,
                name=name,
            )

    def _parents(self) -> list[Any]:
        if tf.is_tensor(self._scale):
            return [self._scale]
        return [] if self._shift is None else [*parents_of(self._scale), self._shift]

    def _operator(self, multiplier: Any, diag: Any, tril: Any, factor: Any, factor_diag: Any) -> Any:
        multiplier = optional(multiplier, "identity_multiplier")
        diag, tril = optional(diag, "diag"), optional(tril, "tril")
        factor_diag, factor = optional(factor_diag, "perturb_diag"), optional(factor, "perturb_factor")
        hint = None if factor is None else util.dimension_size(factor, axis=-2)
        if self._is_only_identity_multiplier:
            if not self.validate_args:
                return multiplier
            zero = tf.zeros([], multiplier.dtype)
            message = "identity_multiplier should be non-zero."
            return checked(multiplier, [v1.assert_none_equal(multiplier, zero, message=message)])
        scale = make_tril_scale(
            loc=self._shift,
            scale_tril=tril,
            scale_diag=diag,
            scale_identity_multiplier=multiplier,
            shape_hint=hint,
            validate_args=self.validate_args,
        )
        return scale if factor is None else with_low_rank(scale, factor, factor_diag)

    def _forward(self, x: Any) -> Any:
        y = x * self._scale if self._is_only_identity_multiplier else self._matmul(x)
        return y if self.shift is None else y + self.shift

    def _inverse(self, y: Any) -> Any:
        x = y if self.shift is None else y - self.shift
        return x / self._scale if self._is_only_identity_multiplier else self._solve(x)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        if not self._is_only_identity_multiplier:
            return self.scale.log_abs_determinant()
        size = tf.cast(v1.shape(x)[-1], dtype=self._scale.dtype)
        return tf.math.log(tf.abs(self._scale)) * size


def _batch_rank(scale: Any) -> Any:
    rank = scale.tensor_rank
    return scale.tensor_rank_tensor() - 2 if rank is None else rank - 2


def _same_dtype(shift: Any, scale: Any) -> None:
    if shift is not None and shift.dtype.base_dtype != scale.dtype.base_dtype:
        raise TypeError(f"shift.dtype({shift.dtype}) is incompatible with scale.dtype({scale.dtype}).")
