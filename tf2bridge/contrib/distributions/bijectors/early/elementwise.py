"""Bijectors of single numbers up to 1.4. Their events may also be vectors or matrices."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions import core
from tf2bridge.contrib.distributions.bijectors import elementwise, parametric
from tf2bridge.contrib.distributions.bijectors.early.base import Bijector
from tf2bridge.contrib.distributions.core import checked, v1


class _OfNumbers(Bijector):
    """Mixin for elementwise bijectors: the log determinant is the sum over the elements of an event."""

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return v1.reduce_sum(super()._inverse_log_det_jacobian(y), axis=self._event_dims_tensor(y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return v1.reduce_sum(super()._forward_log_det_jacobian(x), axis=self._event_dims_tensor(x))


class Identity(Bijector, core.Identity):  # type: ignore[misc]  # TensorFlow has no types
    """y = x."""

    def __init__(self, validate_args: bool = False, event_ndims: Any = 0, name: str = "identity") -> None:
        core.Identity.__init__(self, validate_args=validate_args, name=name)
        self._set_event_ndims(event_ndims)


class AbsoluteValue(Bijector, elementwise.AbsoluteValue):
    """y = abs(x), of single numbers."""

    def __init__(self, event_ndims: Any = 0, validate_args: bool = False, name: str = "absolute_value") -> None:
        event_ndims = tf.convert_to_tensor(event_ndims, name="event_ndims")
        known = tf.get_static_value(event_ndims)
        if known is not None and known != 0:
            raise ValueError(f"event_ndims({known}) was not 0")
        if validate_args and known is None:
            event_ndims = checked(event_ndims, [v1.assert_equal(event_ndims, 0, message="event_ndims was not 0")])
        elementwise.AbsoluteValue.__init__(self, validate_args=validate_args, name=name)
        self._is_constant_jacobian = False
        self._set_event_ndims(event_ndims)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        zeros = tf.zeros(v1.shape(y)[: tf.rank(y) - self.event_ndims], dtype=y.dtype)
        zeros = self._not_negative(zeros, y)
        return zeros, zeros


class PowerTransform(Bijector, elementwise.PowerTransform):
    """y = (1 + power * x) ** (1 / power); exp(x) if `power` is zero."""

    def __init__(
        self, power: Any = 0.0, event_ndims: Any = 0, validate_args: bool = False, name: str = "power_transform"
    ) -> None:
        elementwise.PowerTransform.__init__(self, power=power, validate_args=validate_args, name=name)
        self._set_event_ndims(event_ndims)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        """Returns the log determinant. The factor multiplies the sum, so that rounding is that of 1.4."""
        y = self._positive(y)
        return (self.power - 1.0) * v1.reduce_sum(tf.math.log(y), axis=self._event_dims_tensor(y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        x = self._valid_x(x)
        event_dims = self._event_dims_tensor(x)
        if self.power == 0.0:
            return v1.reduce_sum(x, axis=event_dims)
        return (1.0 / self.power - 1.0) * v1.reduce_sum(tf.math.log1p(x * self.power), axis=event_dims)


class Exp(PowerTransform):
    """y = exp(x)."""

    def __init__(self, event_ndims: Any = 0, validate_args: bool = False, name: str = "exp") -> None:
        super().__init__(event_ndims=event_ndims, validate_args=validate_args, name=name)


class Sigmoid(Bijector, elementwise.Sigmoid):
    """y = 1 / (1 + exp(-x)), of single numbers."""

    def __init__(self, validate_args: bool = False, name: str = "sigmoid") -> None:
        elementwise.Sigmoid.__init__(self, validate_args=validate_args, name=name)
        self._set_event_ndims(0)


class Softplus(_OfNumbers, elementwise.Softplus):
    """y = c * log(1 + exp(x / c)), where c is `hinge_softness`, by default 1."""

    def __init__(
        self, event_ndims: Any = 0, hinge_softness: Any = None, validate_args: bool = False, name: str = "softplus"
    ) -> None:
        elementwise.Softplus.__init__(self, hinge_softness, validate_args=validate_args, name=name)
        self._set_event_ndims(event_ndims)


class SinhArcsinh(_OfNumbers, parametric.SinhArcsinh):
    """y = sinh((arcsinh(x) + skewness) * tailweight)."""

    def __init__(
        self,
        skewness: Any = 0.0,
        tailweight: Any = 1.0,
        event_ndims: Any = 0,
        validate_args: bool = False,
        name: str = "sinh_arcsinh",
    ) -> None:
        parametric.SinhArcsinh.__init__(self, skewness, tailweight, validate_args=validate_args, name=name)
        self._set_event_ndims(event_ndims)


class Weibull(_OfNumbers, parametric.Weibull):
    """y = 1 - exp(-(x / scale) ** concentration)."""

    def __init__(
        self,
        scale: Any = 1.0,
        concentration: Any = 1.0,
        event_ndims: Any = 0,
        validate_args: bool = False,
        name: str = "weibull",
    ) -> None:
        parametric.Weibull.__init__(self, scale, concentration, validate_args=validate_args, name=name)
        self._set_event_ndims(event_ndims)
