"""A mixture of distributions of different classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Distribution, begin, util, v1
from tf2bridge.contrib.distributions.mixture_same_family import pad_mixture_dimensions


class Mixture(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """A mixture of the distributions `components`. The Categorical `cat` draws the component.

    All have the same batch shape and event shape.

    Raises:
        TypeError: an argument is not such a distribution, or the dtypes differ.
        ValueError: the numbers of components and categories differ, or a shape is unknown.
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
        self._static_batch_shape, self._static_event_shape = _merged_shapes(cat, components)
        with v1.name_scope(name, values=[cat.logits]) as name:
            _check_number(cat, components)
            self._cat, self._components, self._use_static_graph = cat, list(components), use_static_graph
            self._checks = self._make_checks(validate_args)
        parents = [parent for part in (cat, *components) for parent in part._graph_parents]
        begin(self, parameters, name, components[0].dtype, parents)

    def _make_checks(self, validate_args: bool) -> list[Any]:
        shape = self._cat.batch_shape_tensor()
        rank = v1.size(shape)
        if not validate_args:
            return []
        shapes = [component.batch_shape_tensor() for component in self._components]
        ranks = [v1.size(shape_of_component) for shape_of_component in shapes]
        messages = [f"components[{i}] batch shape must match cat batch shape" for i in range(len(shapes))]
        same_rank = [
            v1.assert_equal(rank, shape_of_component, message=text)
            for shape_of_component, text in zip(ranks, messages, strict=True)
        ]
        return same_rank + [
            v1.assert_equal(shape, shape_of_component, message=text)
            for shape_of_component, text in zip(shapes, messages, strict=True)
        ]

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
        """The number of components."""
        return len(self._components)

    def _batch_shape_tensor(self) -> Any:
        return self._cat.batch_shape_tensor()

    def _batch_shape(self) -> Any:
        return self._static_batch_shape

    def _event_shape_tensor(self) -> Any:
        return self._components[0].event_shape_tensor()

    def _event_shape(self) -> Any:
        return self._static_event_shape

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        if self._use_static_graph:
            return self._picked(n, seed)
        with tf.control_dependencies(self._checks):
            n = tf.convert_to_tensor(n, name="n")
            number = tf.get_static_value(n)
            chosen = self.cat.sample(n if number is None else int(number), seed=seed)
            return self._stitched(chosen, n if number is None else int(number), seed)

    def _picked(self, n: Any, seed: Any) -> Any:
        """Draws samples of every component, and returns those of the chosen components."""
        chosen, drawn, events = self.cat.sample(n, seed=seed), [], self._static_event_shape.ndims
        for component in self.components:
            seed = util.gen_new_seed(seed, "mixture")
            drawn.append(component.sample(n, seed=seed))
        together = tf.stack(drawn, -events - 1)
        number = together.dtype.as_numpy_dtype
        mask = tf.one_hot(chosen, self.num_components, on_value=np.ones([], number), off_value=np.zeros([], number))
        mask = pad_mixture_dimensions(mask, self, self._cat, events)
        return v1.reduce_sum(together * mask, axis=-1 - events)

    def _stitched(self, chosen: Any, n: Any, seed: Any) -> Any:
        """Draws as many samples of each component as chose it, and returns them at their positions in the batch."""
        shape, size = _shape_and_size(chosen.shape, lambda: v1.shape(chosen), lambda: v1.size(chosen))
        _, batch_size = _shape_and_size(
            self.batch_shape, self.batch_shape_tensor, lambda: v1.reduce_prod(self.batch_shape_tensor())
        )
        static_event = self.event_shape
        event_shape = np.array(static_event.as_list(), np.int32) if static_event.is_fully_defined() else None
        if event_shape is None:
            event_shape = self.event_shape_tensor()
        places = self._partitioned(tf.reshape(tf.range(0, size), shape), chosen)
        members = self._partitioned(tf.reshape(tf.tile(tf.range(0, batch_size), [n]), shape), chosen)
        drawn = []
        for component, own_places, own_members in zip(self.components, places, members, strict=True):
            count = v1.size(own_places)
            seed = util.gen_new_seed(seed, "mixture")
            rows = component.sample(count, seed=seed)
            row_numbers = batch_size * tf.range(count) + own_members
            rows = tf.reshape(rows, tf.concat([[count * batch_size], event_shape], 0))
            drawn.append(v1.gather(rows, row_numbers, name="samples_class_c_gather"))
        mixed = tf.reshape(tf.dynamic_stitch(places, drawn), tf.concat([shape, self.event_shape_tensor()], 0))
        mixed.set_shape(chosen.shape.concatenate(self.event_shape))
        return mixed

    def _partitioned(self, values: Any, chosen: Any) -> Any:
        return tf.dynamic_partition(data=values, partitions=chosen, num_partitions=self.num_components)

    def _log_prob(self, x: Any) -> Any:
        return self._mixed_logarithms("log_prob", x)

    def _log_cdf(self, x: Any) -> Any:
        return self._mixed_logarithms("log_cdf", x)

    def _mixed_logarithms(self, statistic: str, x: Any) -> Any:
        with tf.control_dependencies(self._checks):
            x = tf.convert_to_tensor(x, name="x")
            logarithms = [getattr(component, statistic)(x) for component in self.components]
            weights = self._weights(tf.nn.log_softmax)
            terms = [weight + term for weight, term in zip(weights, logarithms, strict=True)]
            return v1.reduce_logsumexp(tf.stack(terms, 0), [0])

    def _mean(self) -> Any:
        with tf.control_dependencies(self._checks):
            means = [component.mean() for component in self.components]
            weights = [self._over_event(weight) for weight in self._weights(tf.nn.softmax)]
            return tf.add_n([weight * mean for weight, mean in zip(weights, means, strict=True)])

    def _stddev(self) -> Any:
        with tf.control_dependencies(self._checks):
            means = [component.mean() for component in self.components]
            deviations = [component.stddev() for component in self.components]
            weights = self._weights(tf.nn.softmax)
            means, deviations = tf.stack(means, axis=-1), tf.stack(deviations, axis=-1)
            weights = tf.stack([self._over_event(weight) for weight in weights], axis=-1) * tf.ones_like(means)
            rows = [tf.reshape(values, [-1, self.num_components]) for values in (weights, means, deviations)]
            return tf.reshape(mixture_stddev(*rows), v1.shape(weights)[:-1])

    def entropy_lower_bound(self, name: str = "entropy_lower_bound") -> Any:
        """Returns the mean entropy of the components, a lower bound of the entropy of the mixture."""
        with self._name_scope(name, values=[self.cat.logits]), tf.control_dependencies(self._checks):
            entropies = [component.entropy() for component in self.components]
            weights = self._weights(tf.nn.softmax)
            return tf.add_n([weight * entropy for weight, entropy in zip(weights, entropies, strict=True)])

    def _weights(self, softmax: Any) -> Any:
        return tf.unstack(softmax(self.cat.logits), num=self.num_components, axis=-1)

    def _over_event(self, weight: Any) -> Any:
        for _ in range(self.event_shape.ndims):
            weight = tf.expand_dims(weight, -1)
        return weight


def _shape_and_size(static: Any, shape: Any, size: Any) -> tuple[Any, Any]:
    """Returns shape and size, as Python values if they are static, otherwise as tensors."""
    if static.is_fully_defined():
        return static.as_list(), static.num_elements()
    return shape(), size()


def mixture_stddev(mixture_weight_vector: Any, mean_vector: Any, stddev_vector: Any) -> Any:
    """Returns the standard deviations of mixtures, [batch]. Weights, means and deviations are [batch, k].

    Raises:
        ValueError: the static shapes differ.
    """
    shape = mixture_weight_vector.shape
    shape.assert_has_rank(2)
    if not mean_vector.shape.is_compatible_with(shape):
        raise ValueError("Expecting means to have same shape as mixture weights.")
    if not stddev_vector.shape.is_compatible_with(shape):
        raise ValueError("Expecting stddevs to have same shape as mixture weights.")
    weights = tf.expand_dims(mixture_weight_vector, axis=1)

    def weighted(values: Any) -> Any:
        return tf.reshape(tf.matmul(weights, values), (-1,))

    means, deviations = tf.expand_dims(mean_vector, axis=2), tf.expand_dims(stddev_vector, axis=2)
    mean, variance, square = weighted(means), weighted(tf.square(deviations)), weighted(tf.square(means))
    return tf.sqrt(variance + square - tf.square(mean))


def _check_components(cat: Any, components: Any) -> None:
    if not isinstance(cat, v1.distributions.Categorical):
        raise TypeError(f"cat must be a Categorical distribution, but saw: {cat}")
    if not components:
        raise ValueError("components must be a non-empty list or tuple")
    if not isinstance(components, list | tuple):
        raise TypeError(f"components must be a list or tuple, but saw: {components}")
    if not all(isinstance(component, Distribution) for component in components):
        raise TypeError(f"all entries in components must be Distribution instances but saw: {components}")
    if not all(component.dtype == components[0].dtype for component in components):
        dtypes = [(component.name, component.dtype) for component in components]
        raise TypeError(f"All components must have the same dtype, but saw dtypes: {dtypes}")


def _merged_shapes(cat: Any, components: Sequence[Any]) -> tuple[Any, Any]:
    batch_shape, event_shape = cat.batch_shape, components[0].event_shape
    for component in components:
        event_shape = event_shape.merge_with(component.event_shape)
        batch_shape = batch_shape.merge_with(component.batch_shape)
    if event_shape.ndims is None:
        raise ValueError(
            "Expected to know rank(event_shape) from components, "
            "but none of the components provide a static number of ndims"
        )
    return batch_shape, event_shape


def _check_number(cat: Any, components: Sequence[Any]) -> None:
    count = tf.get_static_value(cat.event_size)
    if count is None:
        raise ValueError(
            "Could not infer number of classes from cat and unable to compare this value to the number of components "
            "passed in."
        )
    if int(count) != len(components):
        raise ValueError(f"cat.num_classes != len(components): {int(count)} vs. {len(components)}")
