"""Bijectors of single numbers with at most one parameter: exponential, sigmoid, softplus and powers."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Bijector, beginning, checked, util, v1


class AbsoluteValue(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y = abs(x). The bijector is not injective: its inverse is the pair (-y, y)."""

    def __init__(self, validate_args: bool = False, name: str = "absolute_value") -> None:
        with beginning(self, name):
            super().__init__(
                forward_min_event_ndims=0, is_constant_jacobian=True, validate_args=validate_args, name=name
            )

    @property
    def _is_injective(self) -> bool:
        return False

    def _forward(self, x: Any) -> Any:
        return tf.abs(x)

    def _inverse(self, y: Any) -> Any:
        y = self._not_negative(y, y)
        return -y, y

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        zeros = self._not_negative(tf.constant(0.0, dtype=y.dtype), y)
        return zeros, zeros

    def _not_negative(self, value: Any, y: Any) -> Any:
        if not self.validate_args:
            return value
        return checked(value, [v1.assert_non_negative(y, message="Argument y was negative")])


class PowerTransform(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y = (1 + power * x) ** (1 / power); exp(x) if `power` is zero.

    Raises ValueError unless `power` is a constant of at least zero.
    """

    def __init__(self, power: Any = 0.0, validate_args: bool = False, name: str = "power_transform") -> None:
        with beginning(self, name, validate_args, [power]):
            power = tf.get_static_value(tf.convert_to_tensor(power, name="power"))
        if power is None or power < 0:
            raise ValueError("`power` must be a non-negative TF constant.")
        self._power = power
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    @property
    def power(self) -> Any:
        """The power, an array of rank 0."""
        return self._power

    def _forward(self, x: Any) -> Any:
        x = self._valid_x(x)
        return tf.exp(x) if self.power == 0.0 else tf.exp(tf.math.log1p(x * self.power) / self.power)

    def _inverse(self, y: Any) -> Any:
        y = self._positive(y)
        return tf.math.log(y) if self.power == 0.0 else tf.math.expm1(tf.math.log(y) * self.power) / self.power

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return (self.power - 1.0) * tf.math.log(self._positive(y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        x = self._valid_x(x)
        return x if self.power == 0.0 else (1.0 / self.power - 1.0) * tf.math.log1p(x * self.power)

    def _valid_x(self, x: Any) -> Any:
        if not self.validate_args or self.power == 0.0:
            return x
        message = f"Forward transformation input must be at least {-1.0 / self.power}."
        return checked(x, [v1.assert_non_negative(1.0 + self.power * x, message=message)])

    def _positive(self, y: Any) -> Any:
        if not self.validate_args:
            return y
        return checked(y, [v1.assert_positive(y, message="Inverse transformation input must be greater than 0.")])


class Exp(PowerTransform):
    """y = exp(x)."""

    def __init__(self, validate_args: bool = False, name: str = "exp") -> None:
        super().__init__(validate_args=validate_args, name=name)


class Sigmoid(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y = 1 / (1 + exp(-x))."""

    def __init__(self, validate_args: bool = False, name: str = "sigmoid") -> None:
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _forward(self, x: Any) -> Any:
        return tf.sigmoid(x)

    def _inverse(self, y: Any) -> Any:
        return tf.math.log(y) - tf.math.log1p(-y)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -tf.math.log(y) - tf.math.log1p(-y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -tf.nn.softplus(-x) - tf.nn.softplus(x)


class Softplus(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y = c * log(1 + exp(x / c)), where c is `hinge_softness`, by default 1."""

    def __init__(self, hinge_softness: Any = None, validate_args: bool = False, name: str = "softplus") -> None:
        with v1.name_scope(name, values=[hinge_softness]):
            self._hinge_softness = None
            if hinge_softness is not None:
                self._hinge_softness = tf.convert_to_tensor(hinge_softness, name="hinge_softness")
            if validate_args:
                zero = tf.convert_to_tensor(0, dtype=self.hinge_softness.dtype)
                message = "hinge_softness must be non-zero"
                nonzero = v1.assert_none_equal(zero, self.hinge_softness, message=message)
                self._hinge_softness = checked(self.hinge_softness, [nonzero])
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    @property
    def hinge_softness(self) -> Any:
        """The softness of the bend at 0, or None."""
        return self._hinge_softness

    def _forward(self, x: Any) -> Any:
        if self.hinge_softness is None:
            return tf.nn.softplus(x)
        softness = tf.cast(self.hinge_softness, x.dtype)
        return softness * tf.nn.softplus(x / softness)

    def _inverse(self, y: Any) -> Any:
        if self.hinge_softness is None:
            return util.softplus_inverse(y)
        softness = tf.cast(self.hinge_softness, y.dtype)
        return softness * util.softplus_inverse(y / softness)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -tf.math.log(-tf.math.expm1(-self._scaled(y)))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -tf.nn.softplus(-self._scaled(x))

    def _scaled(self, value: Any) -> Any:
        return value if self.hinge_softness is None else value / tf.cast(self.hinge_softness, value.dtype)


class Softsign(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y = x / (1 + abs(x))."""

    def __init__(self, validate_args: bool = False, name: str = "softsign") -> None:
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _forward(self, x: Any) -> Any:
        return x / (1.0 + tf.abs(x))

    def _inverse(self, y: Any) -> Any:
        y = self._within(y)
        return y / (1.0 - tf.abs(y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -2.0 * tf.math.log1p(tf.abs(x))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return -2.0 * tf.math.log1p(-tf.abs(self._within(y)))

    def _within(self, y: Any) -> Any:
        if not self.validate_args:
            return y
        least, most = (tf.cast(bound, y.dtype.base_dtype) for bound in (-1.0, 1.0))
        checks = [
            v1.assert_greater(y, least, message="Inverse transformation input must be greater than -1."),
            v1.assert_less(y, most, message="Inverse transformation input must be less than 1."),
        ]
        return checked(y, checks)


class Square(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y = x * x, of numbers that are not negative."""

    def __init__(self, validate_args: bool = False, name: str = "square") -> None:
        self._name = name
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    def _forward(self, x: Any) -> Any:
        return tf.square(self._not_negative(x))

    def _inverse(self, y: Any) -> Any:
        return tf.sqrt(self._not_negative(y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return np.log(2.0) + tf.math.log(self._not_negative(x))

    def _not_negative(self, value: Any) -> Any:
        if not self.validate_args:
            return value
        return checked(value, [v1.assert_non_negative(value, message="All elements must be non-negative.")])
