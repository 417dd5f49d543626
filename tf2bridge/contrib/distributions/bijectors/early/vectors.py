"""Bijectors of vectors and matrices up to 1.4. Their events may also be single numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.bijectors import affine, matrices, vectors
from tf2bridge.contrib.distributions.bijectors.early.base import Bijector
from tf2bridge.contrib.distributions.core import checked, util, v1


class _OfVectors(Bijector):
    """Mixin for linear maps, whose events are vectors, or up to 1.4 also numbers."""

    _given_event_ndims: Any

    def _rank_of_events(self) -> Any:
        """Returns the event rank as a tensor. Raises ValueError unless it is 0, 1 or unknown."""
        event_ndims = tf.convert_to_tensor(self._given_event_ndims, name="event_ndims")
        known = tf.get_static_value(event_ndims)
        if known is not None and known not in (0, 1):
            raise ValueError(f"event_ndims({known}) was not 0 or 1")
        if known is None and self.validate_args:
            less_than_two = v1.assert_less(event_ndims, 2, message="event_ndims must be 0 or 1")
            event_ndims = checked(event_ndims, [less_than_two])
        self._set_event_ndims(event_ndims)
        return event_ndims

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -self._forward_log_det_jacobian(y)


class AffineLinearOperator(_OfVectors, affine.AffineLinearOperator):
    """y = scale @ x + shift, where `scale` is a linear operator, by default the identity."""

    def __init__(
        self,
        shift: Any = None,
        scale: Any = None,
        event_ndims: Any = 1,
        validate_args: bool = False,
        name: str = "affine_linear_operator",
    ) -> None:
        self._given_event_ndims = event_ndims
        affine.AffineLinearOperator.__init__(self, shift, scale, validate_args=validate_args, name=name)

    def _rank_of_events(self) -> Any:
        event_ndims = super()._rank_of_events()
        known = tf.get_static_value(event_ndims)
        return event_ndims if known is None else known


class Affine(_OfVectors, affine.Affine):
    """y = scale @ x + shift, where scale is the sum of the given parts."""

    def __init__(
        self,
        shift: Any = None,
        scale_identity_multiplier: Any = None,
        scale_diag: Any = None,
        scale_tril: Any = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        event_ndims: Any = 1,
        validate_args: bool = False,
        name: str = "affine",
    ) -> None:
        self._given_event_ndims = event_ndims
        scales = (scale_identity_multiplier, scale_diag, scale_tril, scale_perturb_factor, scale_perturb_diag)
        affine.Affine.__init__(self, shift, *scales, validate_args=validate_args, name=name)

    def _rank_of_events(self) -> Any:
        event_ndims = super()._rank_of_events()
        if tf.get_static_value(event_ndims) == 0 and not self._is_only_identity_multiplier:
            raise ValueError(
                "If event_ndims == 0, the only scale argument you can pass is scale_identity_multiplier.  "
                "All others operate on vectors."
            )
        return event_ndims

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        if not self._is_only_identity_multiplier:
            return self.scale.log_abs_determinant()
        size = util.pick_vector(tf.equal(self.event_ndims, 0), [1], v1.shape(x))[-1]
        return tf.math.log(tf.abs(self._scale)) * tf.cast(size, dtype=self._scale.dtype)


def _one_of(event_ndims: Any, most: int) -> int:
    """Returns `event_ndims` as a number. Raises ValueError if it is unknown, or neither 0 nor `most`."""
    known = tf.get_static_value(tf.convert_to_tensor(event_ndims, name="event_ndims"))
    if known is None or known not in (0, most):
        raise ValueError(f"`event_ndims` must be a TF constant which is 0 or {most}")
    return int(known)


class CholeskyOuterProduct(Bijector, matrices.CholeskyOuterProduct):
    """y = x @ x.T, where x is lower triangular with a positive diagonal. If `event_ndims` is 0, y = x * x."""

    def __init__(self, event_ndims: Any = 2, validate_args: bool = False, name: str = "cholesky_outer_product") -> None:
        matrices.CholeskyOuterProduct.__init__(self, validate_args=validate_args, name=name)
        self._static_event_ndims = _one_of(event_ndims, 2)
        self._set_event_ndims(self._static_event_ndims)

    def _forward(self, x: Any) -> Any:
        return tf.square(x) if self._static_event_ndims == 0 else super()._forward(x)

    def _inverse(self, y: Any) -> Any:
        return tf.sqrt(y) if self._static_event_ndims == 0 else super()._inverse(y)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -self._forward_log_det_jacobian(self._inverse(y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        """Returns the log determinant. As in 1.4, a single matrix gives a vector of one number."""
        if self._static_event_ndims == 0:
            if self.validate_args:
                x = checked(x, [v1.assert_positive(x, message="All elements must be positive.")])
            return np.log(2.0) + tf.math.log(x)
        result = super()._forward_log_det_jacobian(x)
        if x.shape.ndims is not None:
            return result[tf.newaxis] if x.shape.ndims == 2 else result
        head = util.pick_vector(tf.equal(tf.rank(x), 2), [1], np.array([], dtype=np.int32))
        return tf.reshape(result, tf.concat([head, v1.shape(result)], 0))


class SoftmaxCentered(Bijector, vectors.SoftmaxCentered):
    """y = softmax of x with 0 appended: k numbers become k + 1. If `event_ndims` is 0, a number becomes two."""

    def __init__(self, event_ndims: Any = 0, validate_args: bool = False, name: str = "softmax_centered") -> None:
        vectors.SoftmaxCentered.__init__(self, validate_args=validate_args, name=name)
        self._static_event_ndims = _one_of(event_ndims, 1)
        self._set_event_ndims(self._static_event_ndims)

    def _forward_event_shape(self, input_shape: Any) -> Any:
        rank = input_shape.ndims
        if rank is None:
            return input_shape
        if rank != self._static_event_ndims:
            raise ValueError(f"input_shape.dims = {rank} != {self._static_event_ndims}")
        return tf.TensorShape([2]) if rank == 0 else super()._forward_event_shape(input_shape)

    def _forward_event_shape_tensor(self, input_shape: Any) -> Any:
        if self.validate_args and input_shape.shape.num_elements() not in (None, self._static_event_ndims):
            raise ValueError("event_ndims must be 0 or 1")
        if self._static_event_ndims == 0:
            return tf.constant([2], dtype=tf.int32, name="output_shape")
        return input_shape + 1

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        output_shape = tf.TensorShape(output_shape)
        rank = output_shape.ndims
        if rank is None:
            return output_shape
        if rank != 1:
            raise ValueError(f"output_shape.ndims = {rank} != 1")
        return tf.TensorShape([]) if self._static_event_ndims == 0 else super()._inverse_event_shape(output_shape)

    def _inverse_event_shape_tensor(self, output_shape: Any) -> Any:
        if self._static_event_ndims == 0:
            return tf.constant([], dtype=tf.int32, name="output_shape")
        return tf.expand_dims(output_shape[0] - 1, 0)

    def _forward(self, x: Any) -> Any:
        return super()._forward(x[..., tf.newaxis] if self._static_event_ndims == 0 else x)

    def _inverse(self, y: Any) -> Any:
        x = super()._inverse(y)
        return v1.squeeze(x, axis=[-1]) if self._static_event_ndims == 0 else x

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        if self._static_event_ndims == 0:
            return x - 2.0 * tf.nn.softplus(x)
        return super()._forward_log_det_jacobian(x)


class SigmoidCentered(SoftmaxCentered):
    """Maps a number to two numbers whose sum is 1."""

    def __init__(self, validate_args: bool = False, name: str = "sigmoid_centered") -> None:
        super().__init__(event_ndims=0, validate_args=validate_args, name=name)
