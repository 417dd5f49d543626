"""A mixture of distributions of one class. The components are the members of a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Distribution, begin, size_of, util, v1


class MixtureSameFamily(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """A mixture of the distributions along the last dimension of the batches of `components_distribution`.

    `mixture_distribution` is a Categorical over the components.

    Raises:
        ValueError: `mixture_distribution` does not draw integers, or its batch shape or number of categories differs.
    """

    def __init__(
        self,
        mixture_distribution: Any,
        components_distribution: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MixtureSameFamily",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name) as name:
            self._mixture, self._components = mixture_distribution, components_distribution
            event_shape = components_distribution.event_shape_tensor()
            known = size_of(event_shape.shape[0])
            self._event_ndims = v1.shape(event_shape)[0] if known is None else known
            self._checks: list[Any] = []
            self._check_mixture(validate_args)
            self._check_batches(validate_args)
            self._num_components = self._check_number(validate_args)
            parents = mixture_distribution._graph_parents + components_distribution._graph_parents
            begin(self, parameters, name, components_distribution.dtype, parents)

    def _check_mixture(self, validate_args: bool) -> None:
        mixture = self._mixture
        if not mixture.dtype.is_integer:
            raise ValueError(f"`mixture_distribution.dtype` ({mixture.dtype.name}) is not over integers")
        message = "`mixture_distribution` must have scalar `event_dim`s"
        if mixture.event_shape.ndims is not None and mixture.event_shape.ndims != 0:
            raise ValueError(message)
        if mixture.event_shape.ndims is None and validate_args:
            self._checks.append(v1.assert_equal(v1.size(mixture.event_shape_tensor()), 0, message=message))

    def _check_batches(self, validate_args: bool) -> None:
        batch, component_batch = (
            self._mixture.batch_shape,
            self._components.batch_shape.with_rank_at_least(1)[:-1],
        )
        text = "is not compatible with `components_distribution.batch_shape`"
        if batch.is_fully_defined() and component_batch.is_fully_defined():
            if batch.ndims != 0 and batch != component_batch:
                raise ValueError(
                    f"`mixture_distribution.batch_shape` (`{batch.as_list()}`) {text} (`{component_batch.as_list()}`)"
                )
        elif validate_args:
            batch, component_batch = (
                self._mixture.batch_shape_tensor(),
                self._components.batch_shape_tensor()[:-1],
            )
            batch = util.pick_vector(self._mixture.is_scalar_batch(), component_batch, batch)
            self._checks.append(
                v1.assert_equal(batch, component_batch, message=f"`mixture_distribution.batch_shape` {text}")
            )

    def _check_number(self, validate_args: bool) -> Any:
        category_count = size_of(self._mixture.logits.shape.with_rank_at_least(1)[-1])
        component_count = size_of(self._components.batch_shape.with_rank_at_least(1)[-1])
        if None not in (category_count, component_count):
            if category_count != component_count:
                raise ValueError(
                    f"`mixture_distribution components` ({category_count}) does not equal "
                    f"`components_distribution.batch_shape[-1]` ({component_count})"
                )
            return category_count
        if validate_args:
            category_count = v1.shape(self._mixture.logits)[-1]
            message = "`mixture_distribution components` does not equal `components_distribution.batch_shape[-1:]`"
            self._checks.append(
                v1.assert_equal(category_count, self._components.batch_shape_tensor()[-1], message=message)
            )
        return v1.shape(self._mixture.logits)[-1] if category_count is None else category_count

    @property
    def mixture_distribution(self) -> Any:
        """The distribution of the component that is drawn."""
        return self._mixture

    @property
    def components_distribution(self) -> Any:
        """The components, along the last dimension of its batches."""
        return self._components

    def _batch_shape_tensor(self) -> Any:
        with tf.control_dependencies(self._checks):
            return self._components.batch_shape_tensor()[:-1]

    def _batch_shape(self) -> Any:
        return self._components.batch_shape.with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self) -> Any:
        with tf.control_dependencies(self._checks):
            return self._components.event_shape_tensor()

    def _event_shape(self) -> Any:
        return self._components.event_shape

    def _sample_n(self, n: Any, seed: Any = None) -> Any:  # noqa: ARG002
        with tf.control_dependencies(self._checks):
            x = self._components.sample(n)  # 1.15 does not use the seed here
            number = x.dtype.as_numpy_dtype
            mask = tf.one_hot(
                indices=self._mixture.sample(n),
                depth=self._num_components,
                on_value=np.ones([], dtype=number),
                off_value=np.zeros([], dtype=number),
            )
            return self._summed(x * self._padded(mask))

    def _log_prob(self, x: Any) -> Any:
        with tf.control_dependencies(self._checks):
            return self._summed_exponentials(self._components.log_prob(self._for_components(x)))

    def _log_cdf(self, x: Any) -> Any:
        return self._summed_exponentials(self._components.log_cdf(self._for_components(x)))

    def _summed_exponentials(self, logarithms: Any) -> Any:
        weights = tf.nn.log_softmax(self._mixture.logits, axis=-1)
        return v1.reduce_logsumexp(logarithms + weights, axis=-1)

    def _mean(self) -> Any:
        with tf.control_dependencies(self._checks):
            return self._summed(self._padded(self._mixture.probs) * self._components.mean())

    def _variance(self) -> Any:
        """Returns the mean of the variances plus the variance of the means."""
        with tf.control_dependencies(self._checks):
            weights = self._padded(self._mixture.probs)
            within = self._summed(weights * self._components.variance())
            mean = self._for_components(self._mean())
            between = self._summed(weights * tf.math.squared_difference(self._components.mean(), mean))
            return within + between

    def _covariance(self) -> Any:
        if self.event_shape.ndims != 1:
            raise NotImplementedError("covariance is not implemented")
        with tf.control_dependencies(self._checks):
            weights = self._padded(self._padded(self._mixture.probs))
            within = v1.reduce_sum(weights * self._components.covariance(), axis=-3)
            difference = self._components.mean() - self._for_components(self._mean())
            squares = difference[..., tf.newaxis, :] * difference[..., tf.newaxis]
            return within + v1.reduce_sum(weights * squares, axis=-3)

    def _summed(self, values: Any) -> Any:
        return v1.reduce_sum(values, axis=-1 - self._event_ndims)

    def _padded(self, weights: Any) -> Any:
        return pad_mixture_dimensions(weights, self, self._mixture, self._event_shape().ndims)

    def _for_components(self, x: Any) -> Any:
        """Returns `x` with a dimension of size 1 at the position of the components."""
        with v1.name_scope("pad_sample_dims", values=[x]):
            rank = tf.rank(x) if x.shape.ndims is None else x.shape.ndims
            shape, place = v1.shape(x), rank - self._event_ndims
            return tf.reshape(x, shape=tf.concat([shape[:place], [1], shape[place:]], axis=0))


def pad_mixture_dimensions(x: Any, mixture_distribution: Any, categorical_distribution: Any, event_ndims: Any) -> Any:
    """Returns `x` with a dimension of size 1 for each event dimension, and for batch dimensions that share categories.

    Args:
        x: [..., k], for k categories.
    """
    with v1.name_scope("pad_mix_dims", values=[x]):
        batches = _batch_rank(mixture_distribution)
        categorical_rank = _batch_rank(categorical_distribution)
        shared = tf.where(categorical_distribution.is_scalar_batch(), batches, batches - categorical_rank)
        shape = v1.shape(x)
        sizes = [
            shape[:-1],
            tf.ones([shared], dtype=tf.int32),
            shape[-1:],
            tf.ones([event_ndims], dtype=tf.int32),
        ]
        return tf.reshape(x, shape=tf.concat(sizes, axis=0))


def _batch_rank(distribution: Any) -> Any:
    rank = distribution.batch_shape.ndims
    return v1.shape(distribution.batch_shape_tensor())[0] if rank is None else rank
