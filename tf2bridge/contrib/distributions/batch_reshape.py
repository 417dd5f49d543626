"""A distribution with a new batch shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Distribution, begin, static_shape, v1


class BatchReshape(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """`distribution` with the batch shape `batch_shape`, in which one size may be -1.

    Raises:
        ValueError: the shape is not a vector, has another number of elements, or contains 0.
        NotImplementedError: a value would have to be broadcast.
    """

    def __init__(
        self,
        distribution: Any,
        batch_shape: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name or f"BatchReshape{distribution.name}", values=[batch_shape]) as name:
            self._unexpanded = tf.convert_to_tensor(batch_shape, dtype=tf.int32, name="batch_shape")
            _check(distribution, self._unexpanded)
            original = distribution.batch_shape_tensor()
            self._shape_tensor, self._static, self._checks = calculate_reshape(
                original, self._unexpanded, validate_args
            )
            self._distribution = distribution
            begin(
                self,
                parameters,
                name,
                distribution.dtype,
                [self._unexpanded, *distribution._graph_parents],
            )
            self._reparameterization_type = distribution.reparameterization_type

    @property
    def distribution(self) -> Any:
        """The original distribution."""
        return self._distribution

    def _batch_shape_tensor(self) -> Any:
        with tf.control_dependencies(self._checks):
            return tf.identity(self._shape_tensor)

    def _batch_shape(self) -> Any:
        return self._static

    def _event_shape_tensor(self) -> Any:
        with tf.control_dependencies(self._checks):
            return tf.identity(self.distribution.event_shape_tensor())

    def _event_shape(self) -> Any:
        return self.distribution.event_shape

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        with tf.control_dependencies(self._checks):
            x = self.distribution.sample(sample_shape=n, seed=seed)
            return tf.reshape(x, tf.concat([[n], self._unexpanded, self.event_shape_tensor()], axis=0))

    def _log_prob(self, x: Any) -> Any:
        return self._of_values(self.distribution.log_prob, x)

    def _prob(self, x: Any) -> Any:
        return self._of_values(self.distribution.prob, x)

    def _log_cdf(self, x: Any) -> Any:
        return self._of_values(self.distribution.log_cdf, x)

    def _cdf(self, x: Any) -> Any:
        return self._of_values(self.distribution.cdf, x)

    def _log_survival_function(self, x: Any) -> Any:
        return self._of_values(self.distribution.log_survival_function, x)

    def _survival_function(self, x: Any) -> Any:
        return self._of_values(self.distribution.survival_function, x)

    def _entropy(self) -> Any:
        return self._reshaped(self.distribution.entropy, events=0)

    def _mean(self) -> Any:
        return self._reshaped(self.distribution.mean)

    def _mode(self) -> Any:
        return self._reshaped(self.distribution.mode)

    def _stddev(self) -> Any:
        return self._reshaped(self.distribution.stddev)

    def _variance(self) -> Any:
        return self._reshaped(self.distribution.variance)

    def _covariance(self) -> Any:
        return self._reshaped(self.distribution.covariance, events=2)

    def _reshaped(self, function: Callable[[], Any], events: int = 1) -> Any:
        """Returns the reshaped result of `function`: [batch], followed by `events` copies of the event shape."""
        with tf.control_dependencies(self._checks):
            shape = tf.concat([self._unexpanded, *[self.event_shape_tensor()] * events], axis=0)
            result = tf.reshape(function(), shape)
            if self.batch_shape.ndims is not None and self.event_shape.ndims is not None:
                static = self.batch_shape
                for _ in range(events):
                    static = static.concatenate(self.event_shape)
                result.set_shape(result.shape.merge_with(static))
            return result

    def _of_values(self, function: Callable[[Any], Any], x: Any) -> Any:
        """Returns `function(x)`, [samples, batch]."""
        with tf.control_dependencies(self._checks + self._checks_of(x)):
            sample_shape, static_sample_shape = self._sample_shape(x)
            full_shape = [sample_shape, self.distribution.batch_shape_tensor(), self.event_shape_tensor()]
            result = function(tf.reshape(x, tf.concat(full_shape, axis=0)))
            result = tf.reshape(result, tf.concat([sample_shape, self._unexpanded], axis=0))
            if static_sample_shape.ndims is not None and self.batch_shape.ndims is not None:
                result.set_shape(result.shape.merge_with(static_sample_shape.concatenate(self.batch_shape)))
            return result

    def _ranks(self, x: Any) -> tuple[Any, Any]:
        """Returns the rank of `x` and the rank of a single draw, as numbers if they are known."""
        rank = tf.rank(x) if x.shape.ndims is None else x.shape.ndims
        events, batches = self.event_shape.ndims, self.batch_shape.ndims
        events = v1.size(self.event_shape_tensor()) if events is None else events
        batches = v1.size(self._unexpanded) if batches is None else batches
        return rank, batches + events

    def _sample_shape(self, x: Any) -> tuple[Any, Any]:
        rank, draw_rank = self._ranks(x)
        count = rank - draw_rank
        static = x.shape[:count] if isinstance(count, int) else tf.TensorShape(None)
        if static.is_fully_defined():
            return np.array(static.as_list(), np.int32), static
        return v1.shape(x)[:count], static

    def _checks_of(self, x: Any) -> list[Any]:
        """Returns checks that `x` has the shape of draws. Raises NotImplementedError if the static shape differs."""
        with v1.name_scope("validate_sample_arg", values=[x]):
            rank, own_rank = self._ranks(x)
            checks = self._checks_of_rank(rank, own_rank)
            static = self.batch_shape.concatenate(self.event_shape)
            if static.is_fully_defined():
                expected: Any = np.array(static.as_list(), np.int32)
                own_size: Any = len(expected)
            else:
                expected = tf.concat([self.batch_shape_tensor(), self.event_shape_tensor()], axis=0)
                own_size = own_rank
            samples = rank - own_size
            if isinstance(samples, int) and x.shape[max(samples, 0) :].is_fully_defined():
                actual: Any = np.array(x.shape[max(samples, 0) :].as_list(), np.int32)
            else:
                actual = v1.shape(x)[tf.maximum(samples, 0) :]
            return self._checks_of_shape(expected, actual, checks)

    def _checks_of_rank(self, rank: Any, draw_rank: Any) -> list[Any]:
        message = "Broadcasting is not supported; too few batch and event dims"
        if isinstance(rank, int) and isinstance(draw_rank, int):
            if rank < draw_rank:
                raise NotImplementedError(f"{message} (expected at least {draw_rank}, saw {rank}).")
            return []
        if not self.validate_args:
            return []
        name = "assert_batch_and_event_ndims_large_enough"
        return [v1.assert_greater_equal(rank, draw_rank, message=f"{message}.", name=name)]

    def _checks_of_shape(self, expected: Any, actual: Any, checks: list[Any]) -> list[Any]:
        message = "Broadcasting is not supported; unexpected batch and event shape"
        if isinstance(expected, np.ndarray) and isinstance(actual, np.ndarray):
            if not np.array_equal(expected, actual):
                raise NotImplementedError(f"{message} (expected {expected}, saw {actual}).")
            return checks
        if not self.validate_args:
            return []
        with tf.control_dependencies(checks):
            name = "assert_batch_and_event_shape_same"
            return [v1.assert_equal(expected, actual, message=f"{message}.", name=name)]


def _check(distribution: Any, batch_shape: Any) -> None:
    rank = batch_shape.shape.ndims
    if rank is not None and rank != 1:
        raise ValueError(f"`batch_shape` must be a vector (saw rank: {rank}).")
    static = static_shape(batch_shape)
    size, original_size = static.num_elements(), distribution.batch_shape.num_elements()
    if size is not None and original_size is not None and size != original_size:
        raise ValueError(f"`batch_shape` size ({size}) must match `distribution.batch_shape` size ({original_size}).")
    # TF 1.15 takes a negative size for an unknown size, and refuses batches of size 0.
    if static.dims is not None and any(dimension is not None and dimension < 1 for dimension in static.as_list()):
        raise ValueError("`batch_shape` elements must be >=-1.")


def calculate_reshape(original_shape: Any, new_shape: Any, validate: bool = False, name: str | None = None) -> Any:
    """Returns the shape with -1 replaced (a tensor or array), the static shape, and checks of the shape."""
    static = static_shape(new_shape)
    if static.is_fully_defined():
        return np.array(static.as_list(), np.int32), static, []
    with v1.name_scope(name, "calculate_reshape", [original_shape, new_shape]):
        size = v1.reduce_prod(original_shape)
        implicit = tf.equal(new_shape, -1)
        missing = size // tf.maximum(1, -v1.reduce_prod(new_shape))
        expanded = tf.where(implicit, tf.fill(v1.shape(new_shape), missing), new_shape)
        if not validate:
            return expanded, static, []
        unknown = v1.count_nonzero(implicit, dtype=tf.int32)
        checks = [
            v1.assert_rank(original_shape, 1, message="Original shape must be a vector."),
            v1.assert_rank(new_shape, 1, message="New shape must be a vector."),
            v1.assert_less_equal(unknown, 1, message="At most one dimension can be unknown."),
            v1.assert_positive(expanded, message="Shape elements must be >=-1."),
            v1.assert_equal(v1.reduce_prod(expanded), size, message="Shape sizes do not match."),
        ]
        return expanded, static, checks
