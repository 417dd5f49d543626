"""Distributions rounded up to integers."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Distribution, begin, checked, util, v1


class QuantizedDistribution(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """ceil(x), where x is drawn from `distribution`, limited to the integers from `low` to `high`."""

    def __init__(
        self,
        distribution: Any,
        low: Any = None,
        high: Any = None,
        validate_args: bool = False,
        name: str = "QuantizedDistribution",
    ) -> None:
        parameters = dict(locals())
        values = [*distribution.parameters.values(), low, high]
        with v1.name_scope(name, values=values) as name:
            self._distribution, self._validate_args = distribution, validate_args
            low = None if low is None else tf.convert_to_tensor(low, name="low")
            high = None if high is None else tf.convert_to_tensor(high, name="high")
            v1.debugging.assert_same_float_dtype(tensors=[distribution, low, high])
            checks = []
            if validate_args and low is not None and high is not None:
                checks.append(v1.assert_less(low, high, message="low must be strictly less than high."))
            with tf.control_dependencies(checks):
                self._low = None if low is None else self._whole(low)
                self._high = None if high is None else self._whole(high)
        bounds = [bound for bound in (self._low, self._high) if bound is not None]
        init_parameters = dict(parameters, allow_nan_stats=distribution.allow_nan_stats)
        begin(self, init_parameters, name, distribution.dtype, [*distribution._graph_parents, *bounds])
        self._parameters = parameters

    @property
    def distribution(self) -> Any:
        """The distribution of the number before it is rounded."""
        return self._distribution

    @property
    def low(self) -> Any:
        """The lowest value, or None."""
        return self._low

    @property
    def high(self) -> Any:
        """The highest value, or None."""
        return self._high

    def _batch_shape_tensor(self) -> Any:
        return self.distribution.batch_shape_tensor()

    def _batch_shape(self) -> Any:
        return self.distribution.batch_shape

    def _event_shape_tensor(self) -> Any:
        return self.distribution.event_shape_tensor()

    def _event_shape(self) -> Any:
        return self.distribution.event_shape

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        with v1.name_scope("transform"):
            n = tf.convert_to_tensor(n, name="n")
            x = self.distribution.sample(n, seed=seed)
            ones, rounded = tf.ones_like(x), tf.math.ceil(x)
            if self._low is not None:
                rounded = v1.where(rounded < self._low, self._low * ones, rounded)
            if self._high is not None:
                rounded = v1.where(rounded > self._high, self._high * ones, rounded)
            return rounded

    def _log_prob(self, y: Any) -> Any:
        if not hasattr(self.distribution, "_log_cdf"):
            raise NotImplementedError("'log_prob' not implemented unless the base distribution implements 'log_cdf'")
        y = self._whole(y)
        try:
            return _log_of_difference(*self._nearer_tail(y, "log_survival_function", "log_cdf"))
        except NotImplementedError:
            return _log_of_difference(self.log_cdf(y), self.log_cdf(y - 1))

    def _prob(self, y: Any) -> Any:
        if not hasattr(self.distribution, "_cdf"):
            raise NotImplementedError("'prob' not implemented unless the base distribution implements 'cdf'")
        y = self._whole(y)
        try:
            above, above_before = self.survival_function(y), self.survival_function(y - 1)
            below, below_before = self.cdf(y), self.cdf(y - 1)
            return v1.where(above < below, above_before - above, below - below_before)
        except NotImplementedError:
            return self.cdf(y) - self.cdf(y - 1)

    def _nearer_tail(self, y: Any, survival: str, cumulative: str) -> tuple[Any, Any]:
        """Returns the larger and the smaller probability, in the tail of `y` with less probability and error."""
        above, above_before = getattr(self, survival)(y), getattr(self, survival)(y - 1)
        below, below_before = getattr(self, cumulative)(y), getattr(self, cumulative)(y - 1)
        larger = v1.where(above < below, above_before, below)
        return larger, v1.where(above < below, above, below_before)

    def _log_cdf(self, y: Any) -> Any:
        return self._cut("log_cdf", tf.floor(y), below=-np.inf, above=0.0)

    def _cdf(self, y: Any) -> Any:
        return self._cut("cdf", tf.floor(y), below=0.0, above=1.0)

    def _log_survival_function(self, y: Any) -> Any:
        return self._cut("log_survival_function", tf.math.ceil(y), below=0.0, above=-np.inf)

    def _survival_function(self, y: Any) -> Any:
        return self._cut("survival_function", tf.math.ceil(y), below=1.0, above=0.0)

    def _cut(self, statistic: str, integers: Any, below: float, above: float) -> Any:
        """Returns the statistic of the original distribution: `below` for values < low, `above` for values >= high."""
        result = getattr(self.distribution, statistic)(integers)
        integers += tf.zeros_like(result)
        if self._low is not None:
            result = v1.where(integers < self._low, below * tf.ones_like(result), result)
        if self._high is not None:
            result = v1.where(integers >= self._high, above * tf.ones_like(result), result)
        return result

    def _whole(self, value: Any) -> Any:
        with v1.name_scope("check_integer", values=[value]):
            value = tf.convert_to_tensor(value, name="value")
            if not self.validate_args:
                return value
            return checked(value, [util.assert_integer_form(value, message="value has non-integer components.")])


def _log_of_difference(large: Any, small: Any) -> Any:
    """Returns log(exp(large) - exp(small))."""
    with v1.name_scope("logsum_expbig_minus_expsmall", values=[small, large]):
        return tf.math.log(1.0 - tf.exp(small - large)) + large
