"""Deterministic distributions."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.core import Distribution, begin, checked, constant, v1


class _Deterministic(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """The base class. A value equals `loc` if it differs by at most `atol + rtol * abs(loc)`."""

    def _begin(self, parameters: dict[str, Any], name: str, *, is_vector: bool = False) -> None:
        loc, atol, rtol = parameters["loc"], parameters["atol"], parameters["rtol"]
        with v1.name_scope(name, values=[loc, atol, rtol]) as name:
            loc = tf.convert_to_tensor(loc, name="loc")
            self._loc = _with_rank(loc) if is_vector and parameters["validate_args"] else loc
            begin(self, parameters, name, self._loc.dtype, [self._loc])
            self._atol, self._rtol = self._tolerance(atol), self._tolerance(rtol)
            self._slack = self.atol if rtol is None else self.atol + self.rtol * tf.abs(self.loc)

    def _tolerance(self, tolerance: Any) -> Any:
        if tolerance is None:
            return tf.convert_to_tensor(0, dtype=self.loc.dtype)
        tolerance = tf.convert_to_tensor(tolerance, dtype=self.loc.dtype)
        if not self.validate_args:
            return tolerance
        message = "Argument 'tol' must be non-negative"
        return checked(tolerance, [v1.assert_non_negative(tolerance, message=message)])

    @property
    def loc(self) -> Any:
        """The location."""
        return self._loc

    @property
    def atol(self) -> Any:
        """The absolute tolerance."""
        return self._atol

    @property
    def rtol(self) -> Any:
        """The tolerance relative to `loc`."""
        return self._rtol

    def _sample_n(self, n: Any, seed: Any = None) -> Any:  # noqa: ARG002  # nothing is drawn
        number, rank = constant(n), self.loc.shape.ndims
        if number is not None and rank is not None:
            multiples = [number] + [1] * rank
        else:
            multiples = tf.concat(([n], tf.ones_like(v1.shape(self.loc))), axis=0)
        return tf.tile(self.loc[tf.newaxis, ...], multiples=multiples)

    def _entropy(self) -> Any:
        return tf.zeros(self.batch_shape_tensor(), dtype=self.dtype)

    def _mean(self) -> Any:
        return tf.identity(self.loc)

    def _variance(self) -> Any:
        return tf.zeros_like(self.loc)

    def _mode(self) -> Any:
        return self.mean()


def _with_rank(loc: Any) -> Any:
    message = "Argument loc must be at least rank 1."
    if loc.shape.ndims is None:
        return checked(loc, [v1.assert_rank_at_least(loc, 1, message=message)])
    if loc.shape.ndims < 1:
        raise ValueError(message)
    return loc


class Deterministic(_Deterministic):
    """The distribution with all probability at the number `loc`."""

    def __init__(
        self,
        loc: Any,
        atol: Any = None,
        rtol: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Deterministic",
    ) -> None:
        self._begin(dict(locals()), name)

    def _batch_shape_tensor(self) -> Any:
        return v1.shape(self.loc)

    def _batch_shape(self) -> Any:
        return self.loc.shape

    def _event_shape_tensor(self) -> Any:
        return tf.constant([], dtype=tf.int32)

    def _event_shape(self) -> Any:
        return tf.TensorShape([])

    def _prob(self, x: Any) -> Any:
        return tf.cast(tf.abs(x - self.loc) <= self._slack, dtype=self.dtype)

    def _cdf(self, x: Any) -> Any:
        return tf.cast(x >= self.loc - self._slack, dtype=self.dtype)


class VectorDeterministic(_Deterministic):
    """The distribution with all probability at the vector `loc`, [..., k]."""

    def __init__(
        self,
        loc: Any,
        atol: Any = None,
        rtol: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorDeterministic",
    ) -> None:
        self._begin(dict(locals()), name, is_vector=True)

    def _batch_shape_tensor(self) -> Any:
        return v1.shape(self.loc)[:-1]

    def _batch_shape(self) -> Any:
        return self.loc.shape[:-1]

    def _event_shape_tensor(self) -> Any:
        return v1.shape(self.loc)[-1]

    def _event_shape(self) -> Any:
        return self.loc.shape[-1:]

    def _prob(self, x: Any) -> Any:
        if self.validate_args:
            x = self._in_space(x)
        return tf.cast(v1.reduce_all(tf.abs(x - self.loc) <= self._slack, axis=-1), dtype=self.dtype)

    def _in_space(self, x: Any) -> Any:
        message = "Argument 'x' not defined in the same space R^k as this distribution"
        is_vector = v1.assert_rank_at_least(x, 1)
        size = v1.gather(v1.shape(x), tf.rank(x) - 1)
        same_size = v1.assert_equal(self.event_shape_tensor(), size, message=message)
        with tf.control_dependencies([is_vector]), tf.control_dependencies([same_size]):
            return tf.identity(x)
