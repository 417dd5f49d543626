"""The distribution of bijector(x), where x has another distribution."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions import bijectors
from tf2bridge.contrib.distributions.bijectors.early.base import Bijector as EarlyBijector
from tf2bridge.contrib.distributions.core import (
    Distribution,
    checked,
    constant,
    joined,
    static_shape,
    util,
    v1,
)


class TransformedDistribution(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """The distribution of y = bijector(x), where x is drawn from `distribution`.

    A scalar `distribution` may be repeated to the shapes `batch_shape` and `event_shape`. Then the elements of x are
    independent and identically distributed.

    Raises:
        ValueError: a shape is given, and `distribution` is not scalar.
    """

    def __init__(
        self,
        distribution: Any,
        bijector: Any = None,
        batch_shape: Any = None,
        event_shape: Any = None,
        validate_args: bool = False,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        name = name or ("" if bijector is None else bijector.name) + distribution.name
        with v1.name_scope(name, values=[event_shape, batch_shape]) as name:
            self._zero = tf.constant(0, dtype=tf.int32, name="zero")
            self._empty = tf.constant([], dtype=tf.int32, name="empty")
            if bijector is None:
                bijector = bijectors.Identity(validate_args=validate_args)
            self._repeat(distribution, batch_shape, event_shape, validate_args)
        self._distribution, self._bijector = distribution, bijector
        super().__init__(
            dtype=distribution.dtype,
            reparameterization_type=distribution.reparameterization_type,
            validate_args=validate_args,
            allow_nan_stats=distribution.allow_nan_stats,
            parameters=parameters,
            graph_parents=distribution._graph_parents + bijector.graph_parents,
            name=name,
        )

    def _repeat(self, distribution: Any, batch_shape: Any, event_shape: Any, validate_args: bool) -> None:
        """Stores the shapes. If only events are repeated, their dimensions must be rotated behind the batches."""
        self._override_batch_shape = self._maybe_validate_shape_override(
            batch_shape, distribution.is_scalar_batch(), validate_args, "batch_shape"
        )
        self._is_batch_override = _negated(_equal(_rank_of(self._override_batch_shape), self._zero))
        self._is_maybe_batch_override = _maybe_not_empty(self._override_batch_shape)
        self._override_event_shape = self._maybe_validate_shape_override(
            event_shape, distribution.is_scalar_event(), validate_args, "event_shape"
        )
        self._is_event_override = _negated(_equal(_rank_of(self._override_event_shape), self._zero))
        self._is_maybe_event_override = _maybe_not_empty(self._override_event_shape)
        self._needs_rotation = _all(
            self._is_event_override, _negated(self._is_batch_override), _negated(distribution.is_scalar_batch())
        )
        event_ndims = _rank_of(self._override_event_shape)
        self._rotate_ndims = _chosen(self._needs_rotation, event_ndims, 0)
        self._reduce_event_indices = tf.range(self._rotate_ndims - event_ndims, self._rotate_ndims)

    def _maybe_validate_shape_override(
        self, override_shape: Any, base_is_scalar: Any, validate_args: bool, name: str
    ) -> Any:
        """Returns the shape as an int32 vector, which is empty for None."""
        shape = tf.convert_to_tensor([] if override_shape is None else override_shape, dtype=tf.int32, name=name)
        is_scalar = _equal(_rank_of(shape), 0)
        if constant(is_scalar):
            return self._empty
        message, checks = "shape override must be a vector", []
        if shape.shape.ndims is None:
            checks += [v1.assert_rank(shape, 1, message=message)] if validate_args else []
        elif shape.shape.ndims != 1:
            raise ValueError(message)
        message, sizes = "shape override must have positive elements", constant(shape)
        if sizes is None:
            checks += [v1.assert_positive(shape, message=message)] if validate_args else []
        elif any(size <= 0 for size in sizes):
            raise ValueError(message)
        message, neither = "base distribution not scalar", _all(_negated(base_is_scalar), _negated(is_scalar))
        if constant(neither) is None:
            checks += [v1.assert_equal(neither, False, message=message)] if validate_args else []
        elif constant(neither):
            raise ValueError(message)
        return checked(shape, checks) if checks else shape

    @property
    def distribution(self) -> Any:
        """The distribution of x."""
        return self._distribution

    @property
    def bijector(self) -> Any:
        """The map from x to y."""
        return self._bijector

    def _event_shape_tensor(self) -> Any:
        base_shape = self.distribution.event_shape_tensor()
        shape = util.pick_vector(self._is_event_override, self._override_event_shape, base_shape)
        return self.bijector.forward_event_shape_tensor(shape)

    def _event_shape(self) -> Any:
        override = static_shape(self._override_event_shape)
        return self.bijector.forward_event_shape(
            override if self._is_maybe_event_override else self.distribution.event_shape
        )

    def _batch_shape_tensor(self) -> Any:
        base_shape = self.distribution.batch_shape_tensor()
        return util.pick_vector(self._is_batch_override, self._override_batch_shape, base_shape)

    def _batch_shape(self) -> Any:
        override = static_shape(self._override_batch_shape)
        return override if self._is_maybe_batch_override else self.distribution.batch_shape

    def _sample_n(self, n: Any, seed: Any = None, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        """Returns x. The bijector is applied later to all samples at once, so that it caches them."""
        del bijector_kwargs
        shape = joined(
            util.pick_vector(self._needs_rotation, self._empty, [n]),
            self._override_batch_shape,
            self._override_event_shape,
            util.pick_vector(self._needs_rotation, [n], self._empty),
        )
        x = self.distribution.sample(sample_shape=shape, seed=seed, **(distribution_kwargs or {}))
        return self._maybe_rotate_dims(x)

    def _call_sample_n(
        self, sample_shape: Any, seed: Any, name: str, bijector_kwargs: Any = None, distribution_kwargs: Any = None
    ) -> Any:
        with self._name_scope(name, values=[sample_shape]):
            sample_shape = tf.convert_to_tensor(sample_shape, dtype=tf.int32, name="sample_shape")
            sample_shape, n = self._expand_sample_shape_to_vector(sample_shape, "sample_shape")
            kwargs = {} if distribution_kwargs is None else {"distribution_kwargs": distribution_kwargs}
            x = self._sample_n(n, seed, **kwargs)
            x = tf.reshape(x, tf.concat([sample_shape, v1.shape(x)[1:]], 0))
            y = self.bijector.forward(x, **(bijector_kwargs or {}))
            return self._set_sample_static_shape(y, sample_shape)

    def _log_prob(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        terms = self._densities("log_prob", v1.reduce_sum, y, bijector_kwargs, distribution_kwargs)
        return terms[0] if len(terms) == 1 else v1.reduce_logsumexp(tf.stack(terms), axis=0)

    def _prob(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        terms = self._densities("prob", v1.reduce_prod, y, bijector_kwargs, distribution_kwargs)
        return terms[0] if len(terms) == 1 else sum(terms)

    def _densities(
        self, statistic: str, reduce: Callable[..., Any], y: Any, bijector_kwargs: Any, distribution_kwargs: Any
    ) -> list[Any]:
        """Returns the density of each x that the bijector maps to `y`: a single x if the bijector is injective."""
        kwargs = bijector_kwargs or {}
        x = self.bijector.inverse(y, **kwargs)
        event_ndims = self._maybe_get_static_event_ndims()
        ildj = self._inverse_log_det_jacobian(y, event_ndims, **kwargs)
        pairs = [(x, ildj)] if self.bijector._is_injective else list(zip(x, ildj, strict=True))
        terms = []
        for own_x, own_ildj in pairs:
            rotated = self._maybe_rotate_dims(own_x, rotate_right=True)
            density = getattr(self.distribution, statistic)(rotated, **(distribution_kwargs or {}))
            if self._is_maybe_event_override:
                density = reduce(density, self._reduce_event_indices)
            change = tf.cast(own_ildj, density.dtype)
            density = density + change if statistic == "log_prob" else density * tf.exp(change)
            self._set_density_shape(density, y, event_ndims)
            terms.append(density)
        return terms

    def _inverse_log_det_jacobian(self, y: Any, event_ndims: Any, **kwargs: Any) -> Any:
        """Returns the log determinant over `event_ndims` dimensions. A bijector of 1.4 uses its own event rank."""
        rank = {} if isinstance(self.bijector, EarlyBijector) else {"event_ndims": event_ndims}
        return self.bijector.inverse_log_det_jacobian(y, **rank, **kwargs)

    def _set_density_shape(self, density: Any, y: Any, event_ndims: Any) -> None:
        """Sets the static shape. Up to 1.4 a bijector of another rank gives a density of another, unknown shape."""
        if self._is_maybe_event_override and isinstance(event_ndims, int):
            batch_of_y = y.shape.with_rank_at_least(1)[:-event_ndims]
            shape = tf.broadcast_static_shape(batch_of_y, self.batch_shape)
            if density.shape.is_compatible_with(shape) or not isinstance(self.bijector, EarlyBijector):
                density.set_shape(shape)

    def _log_cdf(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        return self._of_inverse("log_cdf", y, bijector_kwargs, distribution_kwargs)

    def _cdf(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        return self._of_inverse("cdf", y, bijector_kwargs, distribution_kwargs)

    def _log_survival_function(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        return self._of_inverse("log_survival_function", y, bijector_kwargs, distribution_kwargs)

    def _survival_function(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        return self._of_inverse("survival_function", y, bijector_kwargs, distribution_kwargs)

    def _of_inverse(self, statistic: str, y: Any, bijector_kwargs: Any, distribution_kwargs: Any) -> Any:
        """Returns the statistic at the inverse of `y`. Like 1.15, assumes that the bijector is increasing."""
        self._require_scalar_injection(statistic)
        x = self.bijector.inverse(y, **(bijector_kwargs or {}))
        return getattr(self.distribution, statistic)(x, **(distribution_kwargs or {}))

    def _quantile(self, value: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        self._require_scalar_injection("quantile")
        x = self.distribution.quantile(value, **(distribution_kwargs or {}))
        return self.bijector.forward(x, **(bijector_kwargs or {}))

    def _require_scalar_injection(self, statistic: str) -> None:
        if self._is_maybe_event_override:
            raise NotImplementedError(f"{statistic} is not implemented when overriding event_shape")
        if not self.bijector._is_injective:
            raise NotImplementedError(f"{statistic} is not implemented when bijector is not injective.")

    def _entropy(self) -> Any:
        if not self.bijector.is_constant_jacobian:
            raise NotImplementedError("entropy is not implemented")
        if not self.bijector._is_injective:
            raise NotImplementedError("entropy is not implemented when bijector is not injective.")
        entropy = self.distribution.entropy()
        if self._is_maybe_event_override:
            entropy *= tf.cast(v1.reduce_prod(self._override_event_shape), entropy.dtype.base_dtype)
        if self._is_maybe_batch_override:
            base_batch = self.distribution.batch_shape_tensor()
            entropy = tf.reshape(entropy, tf.concat([_ones(self._override_batch_shape), base_batch], 0))
            entropy = tf.tile(entropy, tf.concat([self._override_batch_shape, _ones(base_batch)], 0))
        dummy = tf.zeros(tf.concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0), dtype=self.dtype)
        rank = self.event_shape.ndims
        event_ndims = v1.size(self.event_shape_tensor()) if rank is None else rank
        ildj = self._inverse_log_det_jacobian(dummy, event_ndims)
        entropy -= tf.cast(ildj, entropy.dtype)
        entropy.set_shape(self.batch_shape)
        return entropy

    def _maybe_rotate_dims(self, x: Any, rotate_right: bool = False) -> Any:
        needed = constant(self._needs_rotation)
        if needed is not None and not needed:
            return x
        rank = tf.rank(x)
        first = rank - self._rotate_ndims if rotate_right else self._rotate_ndims
        return tf.transpose(x, joined(tf.range(first, rank), tf.range(0, first)))

    def _maybe_get_static_event_ndims(self) -> Any:
        if self.event_shape.ndims is not None:
            return self.event_shape.ndims
        event_ndims = v1.size(self.event_shape_tensor())
        known = util.maybe_get_static_value(event_ndims)
        return event_ndims if known is None else known


def _maybe_not_empty(shape: Any) -> bool:
    known = constant(shape)
    return known is None or bool(known.size)


def _rank_of(shape: Any) -> Any:
    """Returns the rank of a shape that is a vector of sizes."""
    if shape.shape.ndims not in (None, 1):
        raise ValueError("input is not a valid shape: not 1D")
    if shape.shape.is_fully_defined():
        return tf.constant(shape.shape.as_list()[0])
    return v1.shape(shape)[0]


def _equal(x: Any, y: Any) -> Any:
    known = constant(x), constant(y)
    if any(value is None for value in known):
        return tf.equal(x, y)
    return tf.constant(np.array_equal(*known))


def _negated(condition: Any) -> Any:
    known = constant(condition)
    return tf.logical_not(condition) if known is None else tf.constant(np.logical_not(known))


def _all(*conditions: Any) -> Any:
    known = [constant(condition) for condition in conditions]
    if any(value is not None and not bool(value) for value in known):
        return tf.constant(False)
    if all(value is not None for value in known):
        return tf.constant(True)
    return tf.logical_and(*conditions) if len(conditions) == 2 else v1.reduce_all(conditions)


def _chosen(condition: Any, when_true: Any, when_false: Any) -> Any:
    known = constant(condition)
    if known is None:
        return tf.where(condition, when_true, when_false)
    return when_true if known else when_false


def _ones(x: Any) -> Any:
    return tf.ones(x.shape.as_list(), dtype=x.dtype) if x.shape.is_fully_defined() else tf.ones_like(x)
