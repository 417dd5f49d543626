"""Several dimensions of a batch as one event."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
Distribution: Any = v1.distributions.Distribution


class Independent(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """`distribution` with its last `reinterpreted_batch_ndims` dimensions of a batch as dimensions of an event.

    By default all but the first. Raises ValueError if it has not so many.
    """

    def __init__(
        self,
        distribution: Any,
        reinterpreted_batch_ndims: int | None = None,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        rank = distribution.batch_shape.ndims
        if rank is None:
            raise ValueError(
                f"the rank of the batches of {distribution.name} must be known: give its parameters a shape"
            )
        count = max(0, rank - 1) if reinterpreted_batch_ndims is None else int(reinterpreted_batch_ndims)
        if count > rank:
            raise ValueError(f"reinterpreted_batch_ndims({count}) cannot exceed distribution.batch_ndims({rank})")
        self._distribution, self._count, self._kept = distribution, count, rank - count
        super().__init__(
            dtype=distribution.dtype,
            reparameterization_type=distribution.reparameterization_type,
            validate_args=validate_args,
            allow_nan_stats=distribution.allow_nan_stats,
            parameters=parameters,
            graph_parents=distribution._graph_parents,
            name=name or f"Independent{distribution.name}",
        )

    @property
    def distribution(self) -> Any:
        """The distribution within."""
        return self._distribution

    @property
    def reinterpreted_batch_ndims(self) -> int:
        """How many dimensions of its batches are dimensions of an event."""
        return self._count

    def _batch_shape_tensor(self) -> Any:
        return self.distribution.batch_shape_tensor()[: self._kept]

    def _batch_shape(self) -> Any:
        return self.distribution.batch_shape[: self._kept]

    def _event_shape_tensor(self) -> Any:
        own = self.distribution.batch_shape_tensor()[self._kept :]
        return tf.concat([own, self.distribution.event_shape_tensor()], 0)

    def _event_shape(self) -> Any:
        return self.distribution.batch_shape[self._kept :].concatenate(self.distribution.event_shape)

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        return self.distribution.sample(sample_shape=n, seed=seed)

    def _log_prob(self, x: Any) -> Any:
        return self._summed(self.distribution.log_prob(x))

    def _entropy(self) -> Any:
        return self._summed(self.distribution.entropy())

    def _mean(self) -> Any:
        return self.distribution.mean()

    def _variance(self) -> Any:
        return self.distribution.variance()

    def _stddev(self) -> Any:
        return self.distribution.stddev()

    def _mode(self) -> Any:
        return self.distribution.mode()

    def _summed(self, values: Any) -> Any:
        return v1.reduce_sum(values, axis=[-1 - each for each in range(self._count)])


@v1.distributions.RegisterKL(Independent, Independent)  # type: ignore[untyped-decorator]
def _divergence(a: Any, b: Any, name: str | None = None) -> Any:
    if a.event_shape != b.event_shape:
        raise ValueError("Event shapes do not match.")
    if a.distribution.event_shape != b.distribution.event_shape:
        raise NotImplementedError("KL between Independents with different event shapes not supported.")
    within = v1.distributions.kl_divergence(a.distribution, b.distribution, name=name or "kl_independent")
    return a._summed(within)
