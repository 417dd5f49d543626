"""Bijectors of single numbers with parameters: distribution functions, sinh-arcsinh, shift and scale."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Bijector, beginning, checked, optional, v1


class AffineScalar(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y = scale * x + shift."""

    def __init__(
        self, shift: Any = None, scale: Any = None, validate_args: bool = False, name: str = "affine_scalar"
    ) -> None:
        with beginning(self, name, validate_args, [scale, shift]):
            self._shift = optional(shift, "shift")
            self._scale = optional(scale, "scale")
            if validate_args and scale is not None:
                zero = tf.zeros([], dtype=self._scale.dtype)
                self._scale = checked(self._scale, [v1.assert_none_equal(self._scale, zero)])
            super().__init__(
                forward_min_event_ndims=0, is_constant_jacobian=True, validate_args=validate_args, name=name
            )

    @property
    def shift(self) -> Any:
        """The shift, or None."""
        return self._shift

    @property
    def scale(self) -> Any:
        """The factor, or None."""
        return self._scale

    def _forward(self, x: Any) -> Any:
        y = tf.identity(x)
        if self.scale is not None:
            y *= self.scale
        return y if self.shift is None else y + self.shift

    def _inverse(self, y: Any) -> Any:
        x = tf.identity(y)
        if self.shift is not None:
            x -= self.shift
        return x if self.scale is None else x / self.scale

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        if self.scale is None:
            return tf.constant(0.0, dtype=x.dtype.base_dtype)
        return tf.math.log(tf.abs(self.scale))


class _DistributionFunction(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y = P(X <= x) of some distribution: y lies in [0, 1]."""

    def _probability(self, y: Any) -> Any:
        if not self.validate_args:
            return y
        begin = "Inverse transformation input must be"
        checks = [
            v1.assert_non_negative(y, message=f"{begin} greater than 0."),
            v1.assert_less_equal(y, tf.constant(1.0, y.dtype), message=f"{begin} less than or equal to 1."),
        ]
        return checked(y, checks)


class Gumbel(_DistributionFunction):
    """y = exp(-exp(-(x - loc) / scale))."""

    def __init__(self, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool = False, name: str = "gumbel") -> None:
        with beginning(self, name, validate_args, [loc, scale]):
            self._loc = tf.convert_to_tensor(loc, name="loc")
            self._scale = tf.convert_to_tensor(scale, name="scale")
            v1.debugging.assert_same_float_dtype([self._loc, self._scale])
            if validate_args:
                self._scale = _positive(self._scale, "Argument scale was not positive")
        super().__init__(validate_args=validate_args, forward_min_event_ndims=0, name=name)

    @property
    def loc(self) -> Any:
        """The location."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The scale, positive."""
        return self._scale

    def _forward(self, x: Any) -> Any:
        z = (x - self.loc) / self.scale
        return tf.exp(-tf.exp(-z))

    def _inverse(self, y: Any) -> Any:
        return self.loc - self.scale * tf.math.log(-tf.math.log(self._probability(y)))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        y = self._probability(y)
        return tf.math.log(self.scale / (-tf.math.log(y) * y))

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        z = (x - self.loc) / self.scale
        return -z - tf.exp(-z) - tf.math.log(self.scale)


class Weibull(_DistributionFunction):
    """y = 1 - exp(-(x / scale) ** concentration)."""

    def __init__(
        self, scale: Any = 1.0, concentration: Any = 1.0, validate_args: bool = False, name: str = "weibull"
    ) -> None:
        with beginning(self, name, validate_args, [scale, concentration]):
            self._scale = tf.convert_to_tensor(scale, name="scale")
            self._concentration = tf.convert_to_tensor(concentration, name="concentration")
            v1.debugging.assert_same_float_dtype([self._scale, self._concentration])
            if validate_args:
                self._scale = _positive(self._scale, "Argument scale was not positive")
                message = "Argument concentration was not positive"
                self._concentration = _positive(self._concentration, message)
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    @property
    def scale(self) -> Any:
        """The scale, positive."""
        return self._scale

    @property
    def concentration(self) -> Any:
        """The exponent, positive."""
        return self._concentration

    def _forward(self, x: Any) -> Any:
        return -tf.math.expm1(-((self._not_negative(x) / self.scale) ** self.concentration))

    def _inverse(self, y: Any) -> Any:
        return self.scale * (-tf.math.log1p(-self._probability(y))) ** (1 / self.concentration)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        y = self._probability(y)
        exponent = (1 / self.concentration - 1) * tf.math.log(-tf.math.log1p(-y))
        return -tf.math.log1p(-y) + exponent + tf.math.log(self.scale / self.concentration)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        x = self._not_negative(x)
        powers = -((x / self.scale) ** self.concentration) + (self.concentration - 1) * tf.math.log(x)
        return powers + tf.math.log(self.concentration) + -self.concentration * tf.math.log(self.scale)

    def _not_negative(self, x: Any) -> Any:
        if not self.validate_args:
            return x
        return checked(x, [v1.assert_non_negative(x, message="Forward transformation input must be at least 0.")])


class Kumaraswamy(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y = (1 - (1 - x) ** (1 / concentration0)) ** (1 / concentration1), from and to [0, 1]."""

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        name: str = "kumaraswamy",
    ) -> None:
        message = "Concentration parameter must be positive."
        with beginning(self, name, validate_args, [concentration1, concentration0]):
            self._concentration1 = tf.convert_to_tensor(concentration1, name="concentration1")
            if validate_args:
                self._concentration1 = _positive(self._concentration1, message)
            self._concentration0 = tf.convert_to_tensor(concentration0, name="concentration0")
            if validate_args:
                self._concentration0 = _positive(self._concentration0, message)
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    @property
    def concentration1(self) -> Any:
        """The first exponent, positive."""
        return self._concentration1

    @property
    def concentration0(self) -> Any:
        """The second exponent, positive."""
        return self._concentration0

    def _forward(self, x: Any) -> Any:
        root = tf.exp(tf.math.log1p(-self._within(x)) / self.concentration0)
        return tf.exp(tf.math.log1p(-root) / self.concentration1)

    def _inverse(self, y: Any) -> Any:
        power = (1 - self._within(y) ** self.concentration1) ** self.concentration0
        return tf.exp(tf.math.log1p(-power))

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        y = self._within(y)
        logs = tf.math.log(self.concentration1) + tf.math.log(self.concentration0)
        inner = (self.concentration1 - 1) * tf.math.log(y)
        return logs + inner + (self.concentration0 - 1) * tf.math.log1p(-(y**self.concentration1))

    def _within(self, value: Any) -> Any:
        if not self.validate_args:
            return value
        unit = tf.ones([], self.concentration0.dtype)
        checks = [
            v1.assert_non_negative(value, message="sample must be non-negative"),
            v1.assert_less_equal(value, unit, message="sample must be no larger than `1`."),
        ]
        return checked(value, checks)


class SinhArcsinh(Bijector):  # type: ignore[misc]  # TensorFlow has no types
    """y = sinh((arcsinh(x) + skewness) * tailweight)."""

    def __init__(
        self, skewness: Any = None, tailweight: Any = None, validate_args: bool = False, name: str = "SinhArcsinh"
    ) -> None:
        with beginning(self, name, validate_args, [skewness, tailweight]):
            tailweight = 1.0 if tailweight is None else tailweight
            skewness = 0.0 if skewness is None else skewness
            self._skewness = tf.convert_to_tensor(skewness, name="skewness")
            self._tailweight = tf.convert_to_tensor(tailweight, name="tailweight", dtype=self._skewness.dtype)
            v1.debugging.assert_same_float_dtype([self._skewness, self._tailweight])
            if validate_args:
                self._tailweight = _positive(self._tailweight, "Argument tailweight was not positive")
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    @property
    def skewness(self) -> Any:
        """The skewness. It is 0 for a symmetric result."""
        return self._skewness

    @property
    def tailweight(self) -> Any:
        """The tailweight, positive."""
        return self._tailweight

    def _forward(self, x: Any) -> Any:
        return tf.sinh((tf.asinh(x) + self.skewness) * self.tailweight)

    def _inverse(self, y: Any) -> Any:
        return tf.sinh(tf.asinh(y) / self.tailweight - self.skewness)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        ratio = tf.cosh(tf.asinh(y) / self.tailweight - self.skewness) / _root_of_square_and_one(y)
        return tf.math.log(ratio) - tf.math.log(self.tailweight)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        ratio = tf.cosh((tf.asinh(x) + self.skewness) * self.tailweight) / _root_of_square_and_one(x)
        return tf.math.log(ratio) + tf.math.log(self.tailweight)


def _root_of_square_and_one(x: Any) -> Any:
    """Returns sqrt(x * x + 1). For large x this is abs(x), because x * x + 1 would round to x * x."""
    small = tf.abs(x) * np.sqrt(np.finfo(x.dtype.as_numpy_dtype).eps) <= 1.0
    return tf.where(small, tf.sqrt(x**2.0 + 1.0), tf.abs(x))


def _positive(value: Any, message: str) -> Any:
    return checked(value, [v1.assert_positive(value, message=message)])
