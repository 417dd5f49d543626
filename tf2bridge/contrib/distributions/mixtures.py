"""Mixtures of distributions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import tensorflow as tf
from tensorflow.python.ops.distributions import util

v1 = tf.compat.v1
Distribution: Any = v1.distributions.Distribution


class MixtureSameFamily(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """A mixture of the distributions along the last dimension of the batches of `components_distribution`.

    `mixture_distribution` is a Categorical over them. Raises ValueError for one that is not of integers, or whose
    batches or number of categories do not fit.
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
        self._mixture, self._components = mixture_distribution, components_distribution
        _check_family(mixture_distribution, components_distribution)
        super().__init__(
            dtype=components_distribution.dtype,
            reparameterization_type=v1.distributions.NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=mixture_distribution._graph_parents + components_distribution._graph_parents,
            name=name,
        )

    @property
    def mixture_distribution(self) -> Any:
        """The distribution of the component that is drawn."""
        return self._mixture

    @property
    def components_distribution(self) -> Any:
        """The components, along the last dimension of its batches."""
        return self._components

    def _batch_shape_tensor(self) -> Any:
        return self._components.batch_shape_tensor()[:-1]

    def _batch_shape(self) -> Any:
        return self._components.batch_shape.with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self) -> Any:
        return self._components.event_shape_tensor()

    def _event_shape(self) -> Any:
        return self._components.event_shape

    def _sample_n(self, n: Any, seed: Any = None) -> Any:  # noqa: ARG002
        drawn = self._components.sample(n)  # as 1.15 did, which used no seed here
        chosen = tf.one_hot(self._mixture.sample(n), v1.shape(self._mixture.logits)[-1], dtype=drawn.dtype)
        return self._summed(drawn * self._beside_batches(chosen))

    def _log_prob(self, x: Any) -> Any:
        return self._summed_exponentials(self._components.log_prob(self._for_components(x)))

    def _log_cdf(self, x: Any) -> Any:
        return self._summed_exponentials(self._components.log_cdf(self._for_components(x)))

    def _mean(self) -> Any:
        return self._summed(self._beside_batches(self._mixture.probs) * self._components.mean())

    def _variance(self) -> Any:
        weights = self._beside_batches(self._mixture.probs)
        from_mean = tf.math.squared_difference(self._components.mean(), self._for_components(self._mean()))
        return self._summed(weights * self._components.variance()) + self._summed(weights * from_mean)

    def _summed(self, values: Any) -> Any:
        return v1.reduce_sum(values, axis=-1 - self.event_shape.ndims)

    def _summed_exponentials(self, logarithms: Any) -> Any:
        return v1.reduce_logsumexp(logarithms + tf.nn.log_softmax(self._mixture.logits), axis=-1)

    def _beside_batches(self, weights: Any) -> Any:
        """With a dimension of size 1 for each one of an event, and of a batch if all batches share the mixture."""
        shape = v1.shape(weights)
        shared = [1] * (self.batch_shape.ndims if self._mixture.batch_shape.ndims == 0 else 0)
        return tf.reshape(weights, tf.concat([shape[:-1], shared, shape[-1:], [1] * self.event_shape.ndims], 0))

    def _for_components(self, x: Any) -> Any:
        return tf.expand_dims(x, -1 - self.event_shape.ndims)


class Mixture(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """A mixture of the distributions `components`, drawn by the Categorical `cat`; batches and events are alike.

    Raises TypeError if these are no such distributions or of unlike types, ValueError if their number is another than
    that of the categories or a shape is not known.
    """

    def __init__(
        self,
        cat: Any,
        components: Sequence[Any],
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        use_static_graph: bool = False,
        name: str = "Mixture",
    ) -> None:
        parameters = dict(locals())
        _check_components(cat, components)
        self._cat, self._components, self._static = cat, list(components), use_static_graph
        self._batches, self._events = cat.batch_shape, components[0].event_shape
        for each in components:
            self._batches, self._events = (
                self._batches.merge_with(each.batch_shape),
                self._events.merge_with(each.event_shape),
            )
        if self._events.ndims is None:
            raise ValueError(
                "Expected to know rank(event_shape) from components, "
                "but none of the components provide a static number of ndims"
            )
        super().__init__(
            dtype=components[0].dtype,
            reparameterization_type=v1.distributions.NOT_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[parent for each in (cat, *components) for parent in each._graph_parents],
            name=name,
        )

    @property
    def cat(self) -> Any:
        """The distribution of the component that is drawn."""
        return self._cat

    @property
    def components(self) -> list[Any]:
        """The components."""
        return self._components

    @property
    def num_components(self) -> int:
        """Their number."""
        return len(self._components)

    def _batch_shape_tensor(self) -> Any:
        return self.cat.batch_shape_tensor()

    def _batch_shape(self) -> Any:
        return self._batches

    def _event_shape_tensor(self) -> Any:
        return self.components[0].event_shape_tensor()

    def _event_shape(self) -> Any:
        return self._events

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        chosen = self.cat.sample(n, seed=seed)
        if self._static:
            return self._picked(chosen, n, seed)
        size, batches = v1.size(chosen), v1.reduce_prod(self.batch_shape_tensor())
        places = tf.reshape(tf.range(size), v1.shape(chosen))
        by_component = tf.dynamic_partition(places, chosen, self.num_components)
        drawn = []
        for component, own in zip(self.components, by_component, strict=True):
            seed = util.gen_new_seed(seed, "mixture")
            count = v1.size(own)
            rows = tf.reshape(
                component.sample(count, seed=seed), tf.concat([[count * batches], self.event_shape_tensor()], 0)
            )
            drawn.append(tf.gather(rows, tf.range(count) * batches + own % batches))
        mixed = tf.dynamic_stitch(by_component, drawn)
        mixed = tf.reshape(mixed, tf.concat([v1.shape(chosen), self.event_shape_tensor()], 0))
        mixed.set_shape(chosen.shape.concatenate(self.event_shape))
        return mixed

    def _picked(self, chosen: Any, n: Any, seed: Any) -> Any:
        """From samples of every component, those of the chosen ones."""
        drawn = []
        for component in self.components:
            seed = util.gen_new_seed(seed, "mixture")
            drawn.append(component.sample(n, seed=seed))
        together = tf.stack(drawn, -1 - self.event_shape.ndims)
        mask = tf.one_hot(chosen, self.num_components, dtype=self.dtype)
        return v1.reduce_sum(together * self._over_event(mask), axis=-1 - self.event_shape.ndims)

    def _log_prob(self, x: Any) -> Any:
        return self._summed_exponentials([each.log_prob(x) for each in self.components])

    def _log_cdf(self, x: Any) -> Any:
        return self._summed_exponentials([each.log_cdf(x) for each in self.components])

    def _mean(self) -> Any:
        return tf.add_n([weight * each.mean() for weight, each in self._weighted()])

    def _stddev(self) -> Any:
        squares = [weight * (tf.square(each.stddev()) + tf.square(each.mean())) for weight, each in self._weighted()]
        return tf.sqrt(tf.add_n(squares) - tf.square(self._mean()))

    def entropy_lower_bound(self, name: str = "entropy_lower_bound") -> Any:
        """Returns the mean entropy of the components, which that of the mixture is not below."""
        with v1.name_scope(name):
            weights = tf.unstack(tf.nn.softmax(self.cat.logits), self.num_components, axis=-1)
            return tf.add_n([weight * each.entropy() for weight, each in zip(weights, self.components, strict=True)])

    def _weighted(self) -> Any:
        weights = tf.unstack(tf.nn.softmax(self.cat.logits), self.num_components, axis=-1)
        return zip([self._over_event(each) for each in weights], self.components, strict=True)

    def _summed_exponentials(self, logarithms: list[Any]) -> Any:
        weights = tf.unstack(tf.nn.log_softmax(self.cat.logits), self.num_components, axis=-1)
        return v1.reduce_logsumexp(tf.stack([a + b for a, b in zip(weights, logarithms, strict=True)]), axis=[0])

    def _over_event(self, weights: Any) -> Any:
        for _ in range(self.event_shape.ndims):
            weights = tf.expand_dims(weights, -1)
        return weights


def _check_family(mixture: Any, components: Any) -> None:
    if not mixture.dtype.is_integer:
        raise ValueError(f"`mixture_distribution.dtype` ({mixture.dtype.name}) is not over integers")
    if mixture.event_shape.ndims not in (None, 0):
        raise ValueError("`mixture_distribution` must have scalar `event_dim`s")
    own, theirs = mixture.batch_shape, components.batch_shape.with_rank_at_least(1)[:-1]
    if own.is_fully_defined() and theirs.is_fully_defined() and own.ndims and own != theirs:
        raise ValueError(
            f"`mixture_distribution.batch_shape` (`{own.as_list()}`) is not compatible with "
            f"`components_distribution.batch_shape` (`{theirs.as_list()}`)"
        )
    counts = [
        tf.compat.dimension_value(shape.with_rank_at_least(1)[-1])
        for shape in (mixture.logits.shape, components.batch_shape)
    ]
    if None not in counts and counts[0] != counts[1]:
        raise ValueError(
            f"`mixture_distribution components` ({counts[0]}) does not equal "
            f"`components_distribution.batch_shape[-1]` ({counts[1]})"
        )


def _check_components(cat: Any, components: Any) -> None:
    if not isinstance(cat, v1.distributions.Categorical):
        raise TypeError(f"cat must be a Categorical distribution, but saw: {cat}")
    if not components:
        raise ValueError("components must be a non-empty list or tuple")
    if not isinstance(components, list | tuple):
        raise TypeError(f"components must be a list or tuple, but saw: {components}")
    if not all(isinstance(each, Distribution) for each in components):
        raise TypeError(f"all entries in components must be Distribution instances but saw: {components}")
    if len({each.dtype for each in components}) > 1:
        dtypes = [(each.name, each.dtype) for each in components]
        raise TypeError(f"All components must have the same dtype, but saw dtypes: {dtypes}")
    count = tf.get_static_value(cat.event_size)
    if count is None:
        raise ValueError(
            "Could not infer number of classes from cat and unable to compare this value to the number of components"
        )
    if len(components) != count:
        raise ValueError(f"cat.num_classes != len(components): {count} vs. {len(components)}")
