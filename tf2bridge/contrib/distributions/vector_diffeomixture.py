"""Mixtures of two affine maps of vectors, by weights on a line between them (https://arxiv.org/abs/1801.03080)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.bijectors.affine import AffineLinearOperator
from tf2bridge.contrib.distributions.core import (
    Distribution,
    begin,
    checked,
    joined,
    optional,
    parents_of,
    size_of,
    util,
    v1,
)
from tf2bridge.contrib.distributions.interpolation import covariance_of_operators, interpolate_loc, interpolate_scale
from tf2bridge.contrib.distributions.quadratures import quadrature_scheme_softmaxnormal_quantiles
from tf2bridge.contrib.distributions.sinh_arcsinh import maybe_check_scalar_distribution

Categorical: Any = v1.distributions.Categorical


class VectorDiffeomixture(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """w * (scale[0] @ z + loc[0]) + (1 - w) * (scale[1] @ z + loc[1]): z of `distribution`, w the sigmoid of a normal.

    The density is approximated with `quadrature_size` points of w.

    Raises:
        ValueError: there are fewer than two scales, or the numbers of locations and scales differ.
        TypeError: the dtypes differ.
        NotImplementedError: there are more than two scales.
    """

    def __init__(
        self,
        mix_loc: Any,
        temperature: Any,
        distribution: Any,
        loc: Sequence[Any] | None = None,
        scale: Sequence[Any] | None = None,
        quadrature_size: int = 8,
        quadrature_fn: Callable[..., Any] = quadrature_scheme_softmaxnormal_quantiles,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorDiffeomixture",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[mix_loc, temperature]) as name:
            loc, scale, dtype = _ends(loc, scale, validate_args)
            self._endpoint_affine = _affine("endpoint", loc, scale, validate_args)
            _require_two(scale)
            mix_loc = tf.convert_to_tensor(mix_loc, dtype=dtype, name="mix_loc")
            temperature = tf.convert_to_tensor(temperature, dtype=dtype, name="temperature")
            grid, probs = quadrature_fn(mix_loc / temperature, 1.0 / temperature, quadrature_size, validate_args)
            self._mixture_distribution = Categorical(
                logits=tf.math.log(probs), validate_args=validate_args, allow_nan_stats=allow_nan_stats
            )
            checks = maybe_check_scalar_distribution(distribution, dtype, validate_args)
            self._grid = checked(grid, checks) if checks else grid
            self._distribution = distribution
            between = interpolate_loc(self._grid, loc), interpolate_scale(self._grid, scale)
            self._interpolated_affine = _affine("interpolated", *between, validate_args)
            self._shapes = _shapes(self._grid, self._endpoint_affine)
            parents = [part for part in loc if part is not None]
            parents += [parent for operator in scale for parent in parents_of(operator)]
            begin(self, parameters, name, dtype, distribution._graph_parents + parents, reparameterized=True)

    @property
    def mixture_distribution(self) -> Any:
        """The Categorical over the points of the grid."""
        return self._mixture_distribution

    @property
    def distribution(self) -> Any:
        """The distribution of the elements of z."""
        return self._distribution

    @property
    def grid(self) -> Any:
        """The weights of both ends, [..., 2, n]."""
        return self._grid

    @property
    def endpoint_affine(self) -> list[Any]:
        """The maps of both ends."""
        return self._endpoint_affine

    @property
    def interpolated_affine(self) -> list[Any]:
        """The maps of the points of the grid."""
        return self._interpolated_affine

    def _batch_shape(self) -> Any:
        return self._shapes[0]

    def _batch_shape_tensor(self) -> Any:
        return self._shapes[1]

    def _event_shape(self) -> Any:
        return self._shapes[2]

    def _event_shape_tensor(self) -> Any:
        return self._shapes[3]

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        shape = joined([n], self.batch_shape_tensor(), self.event_shape_tensor())
        z = self.distribution.sample(sample_shape=shape, seed=seed)
        first, second = (affine.forward(z) for affine in self.endpoint_affine)
        weight = self._weight(n, seed)
        if self.batch_shape.is_fully_defined():
            weight = tf.reshape(weight, shape=[-1, *self.batch_shape.as_list(), 1])
        else:
            weight = tf.reshape(weight, shape=tf.concat(([-1], self.batch_shape_tensor(), [1]), axis=0))
        return weight * (first - second) + second

    def _weight(self, n: Any, seed: Any) -> Any:
        """Draws points of the grid, and returns the weight of the first endpoint, [n, batch size]."""
        size, mixture = _size(self), self.mixture_distribution
        empty, flat = np.zeros([0], np.int32), np.array([-1], np.int32)
        draws = util.pick_vector(self.is_scalar_batch(), empty, [size // _size(mixture)])
        seed = util.gen_new_seed(seed, "vector_diffeomixture")
        points = mixture.sample(sample_shape=joined([n], draws), seed=seed)
        points = tf.reshape(points, shape=joined([n], util.pick_vector(self.is_scalar_batch(), empty, flat)))
        stride = self.grid.shape.with_rank_at_least(2)[-2:].num_elements()
        stride = v1.reduce_prod(v1.shape(self.grid)[-2:]) if stride is None else stride
        offset = tf.range(start=0, limit=size * stride, delta=stride, dtype=points.dtype)
        return v1.gather(tf.reshape(self.grid, shape=[-1]), points + offset)

    def _log_prob(self, x: Any) -> Any:
        z = tf.stack([affine.inverse(x) for affine in self.interpolated_affine], axis=-1)
        density = v1.reduce_sum(self.distribution.log_prob(z), axis=-2)
        rank = tf.rank(self.event_shape_tensor())
        changes = [affine.forward_log_det_jacobian(x, event_ndims=rank) for affine in self.interpolated_affine]
        return v1.reduce_logsumexp(self.mixture_distribution.logits - tf.stack(changes, axis=-1) + density, axis=-1)

    def _mean(self) -> Any:
        weights, mean = self._weights(), self._base_mean()
        terms = [weights[..., k] * affine.forward(mean) for k, affine in enumerate(self.interpolated_affine)]
        return _sum(terms)

    def _covariance(self) -> Any:
        within = covariance_of_operators(self, diag_only=False)
        return _sum([within, self._covariance_of_means(diag_only=False)])

    def _variance(self) -> Any:
        return _sum([covariance_of_operators(self, diag_only=True), self._covariance_of_means(diag_only=True)])

    def _covariance_of_means(self, diag_only: bool) -> Any:
        weights, mean = self._weights(), self._base_mean()
        if not diag_only:
            weights = weights[..., tf.newaxis, :]
        total, terms = self._mean(), []
        for k, affine in enumerate(self.interpolated_affine):
            difference = affine.forward(mean) - total
            square = tf.square(difference)
            if not diag_only:
                square = difference[..., :, tf.newaxis] * difference[..., tf.newaxis, :]
            terms.append(weights[..., k] * square)
        return _sum(terms)

    def _base_mean(self) -> Any:
        shape = joined(self.batch_shape_tensor(), self.event_shape_tensor())
        mean = tf.reshape(self.distribution.mean(), shape=tf.ones_like(shape, dtype=tf.int32))
        mean = tf.tile(mean, multiples=shape)
        mean.set_shape(self.batch_shape.concatenate(self.event_shape))
        return mean

    def _weights(self) -> Any:
        """Returns the probabilities of the points of the grid, [..., 1, n]."""
        probs = self.mixture_distribution.probs
        count = size_of(probs.shape.with_rank_at_least(1)[-1])
        count = v1.shape(probs)[-1] if count is None else count
        rank = self.event_shape.ndims
        rank = v1.shape(self.event_shape_tensor())[0] if rank is None else rank
        sizes = [self.mixture_distribution.batch_shape_tensor(), tf.ones([rank], dtype=tf.int32), [count]]
        return tf.reshape(probs, shape=tf.concat(sizes, axis=0))


def _ends(loc: Any, scale: Any, validate_args: bool) -> tuple[list[Any], Sequence[Any], Any]:
    if not scale or len(scale) < 2:
        raise ValueError(
            "Must specify list (or list-like object) of scale LinearOperators, one for each component with "
            "num_component >= 2."
        )
    loc = [None] * len(scale) if loc is None else loc
    if len(loc) != len(scale):
        raise ValueError("loc/scale must be same-length lists (or same-length list-like objects).")
    dtype = scale[0].dtype.base_dtype
    loc = [optional(part, f"loc{k}", dtype) for k, part in enumerate(loc)]
    for k, operator in enumerate(scale):
        if validate_args and not operator.is_positive_definite:
            raise ValueError(f"scale[{k}].is_positive_definite = {operator.is_positive_definite} != True")
        scale_dtype = operator.dtype.base_dtype
        if scale_dtype != dtype:
            raise TypeError(f'dtype mismatch; scale[{k}].base_dtype="{scale_dtype.name}" != "{dtype.name}"')
    return loc, scale, dtype


def _require_two(scale: Sequence[Any]) -> None:
    if len(scale) != 2:
        raise NotImplementedError(f"Currently only bimixtures are supported; len(scale)={len(scale)} is not 2.")


def _affine(kind: str, loc: Sequence[Any], scale: Sequence[Any], validate_args: bool) -> list[Any]:
    return [
        AffineLinearOperator(shift=shift, scale=operator, validate_args=validate_args, name=f"{kind}_affine_{k}")
        for k, (shift, operator) in enumerate(zip(loc, scale, strict=True))
    ]


def _shapes(grid: Any, affine_maps: Sequence[Any]) -> tuple[Any, Any, Any, Any]:
    """Returns the static and dynamic batch shape, and the static and dynamic event shape."""
    with v1.name_scope("determine_batch_event_shapes"):
        batch, batch_tensor, event, event_tensor = grid.shape[:-2], v1.shape(grid)[:-2], None, None
        for affine in affine_maps:
            parts = []
            if affine.shift is not None:
                shape = v1.shape(affine.shift)
                parts.append((affine.shift.shape[:-1], shape[:-1], affine.shift.shape[-1:], shape[-1:]))
            if affine.scale is not None:
                scale = affine.scale
                own_event = tf.TensorShape([scale.range_dimension]), scale.range_dimension_tensor()[tf.newaxis]
                parts.append((scale.batch_shape, scale.batch_shape_tensor(), *own_event))
            for batch_part, batch_part_tensor, event_part, event_part_tensor in parts:
                batch, batch_tensor = _both(batch, batch_tensor, batch_part, batch_part_tensor)
                event, event_tensor = _both(event, event_tensor, event_part, event_part_tensor)
        return batch, batch_tensor, event, event_tensor


def _both(static: Any, tensor: Any, part: Any, part_tensor: Any) -> tuple[Any, Any]:
    if static is None:
        return part, part_tensor
    return tf.broadcast_static_shape(static, part), v1.broadcast_dynamic_shape(tensor, part_tensor)


def _size(distribution: Any) -> Any:
    size = distribution.batch_shape.num_elements()
    return v1.reduce_prod(distribution.batch_shape_tensor()) if size is None else size


def _sum(terms: Sequence[Any]) -> Any:
    """Returns the sum of the terms that are not None, or None if there are no such terms."""
    total = None
    for term in terms:
        if term is not None:
            total = term if total is None else total + term
    return total
