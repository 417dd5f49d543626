"""A distribution in which batch dimensions are reinterpreted as event dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Distribution, register_kl, size_of, v1

kl_divergence: Any = v1.distributions.kl_divergence


class Independent(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """`distribution`, whose last `reinterpreted_batch_ndims` batch dimensions become event dimensions.

    By default all batch dimensions except the first are reinterpreted.

    Raises:
        ValueError: the distribution has fewer batch dimensions.
    """

    def __init__(
        self,
        distribution: Any,
        reinterpreted_batch_ndims: Any = None,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        self._distribution = distribution
        with v1.name_scope(name or f"Independent{distribution.name}") as name:
            if reinterpreted_batch_ndims is None:
                reinterpreted_batch_ndims = _all_but_one(distribution)
            count = tf.convert_to_tensor(reinterpreted_batch_ndims, dtype=tf.int32, name="reinterpreted_batch_ndims")
            self._static_count = tf.get_static_value(count)
            self._count = count if self._static_count is None else self._static_count
            super().__init__(
                dtype=distribution.dtype,
                reparameterization_type=distribution.reparameterization_type,
                validate_args=validate_args,
                allow_nan_stats=distribution.allow_nan_stats,
                parameters=parameters,
                graph_parents=[count, *distribution._graph_parents],
                name=name,
            )
            self._checks = self._make_checks(count)

    def _make_checks(self, count: Any) -> list[Any]:
        rank = self.distribution.batch_shape.ndims
        if rank is not None and self._static_count is not None:
            if self._static_count > rank:
                raise ValueError(
                    f"reinterpreted_batch_ndims({self._static_count}) cannot exceed distribution.batch_ndims({rank})"
                )
            return []
        if not self.validate_args:
            return []
        message = "reinterpreted_batch_ndims cannot exceed distribution.batch_ndims"
        return [v1.assert_less_equal(count, _rank(self.distribution.batch_shape_tensor()), message=message)]

    @property
    def distribution(self) -> Any:
        """The original distribution."""
        return self._distribution

    @property
    def reinterpreted_batch_ndims(self) -> Any:
        """The number of batch dimensions that are reinterpreted."""
        return self._count

    def _batch_shape_tensor(self) -> Any:
        with tf.control_dependencies(self._checks):
            shape = self.distribution.batch_shape_tensor()
            return shape[: _rank(shape) - self._count]

    def _event_shape_tensor(self) -> Any:
        with tf.control_dependencies(self._checks):
            shape = self.distribution.batch_shape_tensor()
            return tf.concat([shape[_rank(shape) - self._count :], self.distribution.event_shape_tensor()], axis=0)

    def _batch_shape(self) -> Any:
        kept = self._kept()
        return tf.TensorShape(None) if kept is None else self.distribution.batch_shape[:kept]

    def _event_shape(self) -> Any:
        kept = self._kept()
        if kept is None:
            return tf.TensorShape(None)
        return self.distribution.batch_shape[kept:].concatenate(self.distribution.event_shape)

    def _kept(self) -> Any:
        """Returns the number of remaining batch dimensions, or None if it is unknown."""
        rank = self.distribution.batch_shape.ndims
        return None if rank is None or self._static_count is None else rank - self._static_count

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        with tf.control_dependencies(self._checks):
            return self.distribution.sample(sample_shape=n, seed=seed)

    def _log_prob(self, x: Any) -> Any:
        with tf.control_dependencies(self._checks):
            return self._summed(self.distribution.log_prob(x))

    def _entropy(self) -> Any:
        with tf.control_dependencies(self._checks):
            return self._summed(self.distribution.entropy())

    def _mean(self) -> Any:
        return self._own("mean")

    def _variance(self) -> Any:
        return self._own("variance")

    def _stddev(self) -> Any:
        return self._own("stddev")

    def _mode(self) -> Any:
        return self._own("mode")

    def _own(self, statistic: str) -> Any:
        with tf.control_dependencies(self._checks):
            return getattr(self.distribution, statistic)()

    def _summed(self, values: Any) -> Any:
        places = tf.range(self._count) if self._static_count is None else np.arange(self._static_count)
        return v1.reduce_sum(values, axis=-1 - places)


def _rank(shape: Any) -> Any:
    """Returns the rank of a shape that is a vector of sizes."""
    known = size_of(shape.shape.with_rank_at_least(1)[0])
    return v1.shape(shape)[0] if known is None else known


def _all_but_one(distribution: Any) -> Any:
    rank = distribution.batch_shape.ndims
    if rank is None:
        return tf.maximum(0, v1.shape(distribution.batch_shape_tensor())[0] - 1)
    return np.maximum(0, rank - 1)


@register_kl(Independent, Independent)  # type: ignore[untyped-decorator]
def _divergence(a: Any, b: Any, name: str = "kl_independent") -> Any:
    p, q = a.distribution, b.distribution
    if a.event_shape.is_fully_defined() and b.event_shape.is_fully_defined():
        if a.event_shape != b.event_shape:
            raise ValueError("Event shapes do not match.")
        if p.event_shape != q.event_shape:
            raise NotImplementedError("KL between Independents with different event shapes not supported.")
        axes: Any = [-i - 1 for i in range(a.event_shape.ndims - p.event_shape.ndims)]
        return v1.reduce_sum(kl_divergence(p, q, name=name), axis=axes)
    checks = [
        v1.assert_equal(a.event_shape_tensor(), b.event_shape_tensor()),
        v1.assert_equal(p.event_shape_tensor(), q.event_shape_tensor()),
    ]
    with tf.control_dependencies(checks):
        count = v1.size(a.event_shape_tensor()) - v1.size(p.event_shape_tensor())
        return v1.reduce_sum(kl_divergence(p, q, name=name), axis=tf.range(-count, 0))
