"""Quadrature schemes: points and weights for log-normal distributions, and for the softmax of normal distributions."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.bijectors.elementwise import Exp
from tf2bridge.contrib.distributions.bijectors.vectors import SoftmaxCentered
from tf2bridge.contrib.distributions.core import checked, size_of, util, v1
from tf2bridge.contrib.distributions.transformed_distribution import TransformedDistribution

Normal: Any = v1.distributions.Normal


def quadrature_scheme_lognormal_gauss_hermite(
    loc: Any, scale: Any, quadrature_size: int, validate_args: bool = False, name: str | None = None
) -> Any:
    """Returns the grid, [..., n], whose exponentials are points of the log-normal distribution, and weights, [n].

    Abramowitz & Stegun, 25.4.46.
    """
    del validate_args
    with v1.name_scope(name, "vector_diffeomixture_quadrature_gauss_hermite", [loc, scale]):
        points, probs = _gauss_hermite(quadrature_size, loc.dtype)
        return loc[..., tf.newaxis] + np.sqrt(2.0) * scale[..., tf.newaxis] * points, probs


def quadrature_scheme_lognormal_quantiles(
    loc: Any, scale: Any, quadrature_size: int, validate_args: bool = False, name: str | None = None
) -> Any:
    """Returns the grid, [..., n], of midpoints between quantiles of the log-normal distribution, and weights, [n]."""
    with v1.name_scope(name, "quadrature_scheme_lognormal_quantiles", [loc, scale]):
        distribution = TransformedDistribution(
            distribution=Normal(loc=loc, scale=scale), bijector=Exp(), validate_args=validate_args
        )
        quantiles = _to_the_end(distribution.quantile(_edges(distribution, quadrature_size)), distribution)
        grid = (quantiles[..., :-1] + quantiles[..., 1:]) / 2.0
        grid.set_shape(distribution.batch_shape.concatenate([quadrature_size]))
        return grid, _equal_weights(quadrature_size, distribution.dtype)


def quadrature_scheme_softmaxnormal_gauss_hermite(
    normal_loc: Any, normal_scale: Any, quadrature_size: int, validate_args: bool = False, name: str | None = None
) -> Any:
    """Returns the grid, [..., 2, n], of points on the simplex, and weights, [n]; of location and scale, [..., 1]."""
    with v1.name_scope(name, "quadrature_scheme_softmaxnormal_gauss_hermite", [normal_loc, normal_scale]):
        loc, scale = _parameters(normal_loc, normal_scale, validate_args)
        points, probs = _gauss_hermite(quadrature_size, loc.dtype)
        normal = loc[..., tf.newaxis] + np.sqrt(2.0) * scale[..., tf.newaxis] * points
        return tf.nn.softmax(-util.pad(normal, axis=-2, front=True), axis=-2), probs


def quadrature_scheme_softmaxnormal_quantiles(
    normal_loc: Any, normal_scale: Any, quadrature_size: int, validate_args: bool = False, name: str | None = None
) -> Any:
    """Returns the grid, [..., 2, n], of midpoints between quantiles on the simplex, and weights, [n]."""
    with v1.name_scope(name, "softmax_normal_grid_and_probs", [normal_loc, normal_scale]):
        loc, scale = _parameters(normal_loc, normal_scale, validate_args)
        distribution = Normal(loc=loc, scale=scale)
        quantiles = SoftmaxCentered().forward(distribution.quantile(_edges(distribution, quadrature_size)))
        quantiles = _to_the_end(quantiles, distribution)
        quantiles.set_shape(_grid_shape(distribution, quadrature_size + 1))
        grid = (quantiles[..., :-1] + quantiles[..., 1:]) / 2.0
        grid.set_shape(_grid_shape(distribution, quadrature_size))
        return grid, _equal_weights(quadrature_size, distribution.dtype)


def _gauss_hermite(size: int, dtype: Any) -> tuple[Any, Any]:
    points, probs = np.polynomial.hermite.hermgauss(deg=size)
    number = dtype.as_numpy_dtype
    probs = probs.astype(number)
    probs /= np.sum(np.abs(probs))
    return points.astype(number), tf.convert_to_tensor(probs, name="probs", dtype=dtype)


def _edges(distribution: Any, size: int) -> Any:
    """Returns size + 1 probabilities between 0 and 1, [size + 1, 1, ...], which broadcast with batches."""
    zero = tf.zeros([], dtype=distribution.dtype)
    edges = tf.linspace(zero, tf.constant(1.0, distribution.dtype), size + 3)[1:-1]
    return tf.reshape(edges, tf.concat([[-1], tf.ones([_rank(distribution)], dtype=tf.int32)], axis=0))


def _to_the_end(values: Any, distribution: Any) -> Any:
    """Returns `values` with its first dimension moved behind the batch dimensions."""
    return tf.transpose(values, tf.concat([tf.range(1, 1 + _rank(distribution)), [0]], axis=0))


def _rank(distribution: Any) -> Any:
    rank = distribution.batch_shape.ndims
    return v1.shape(distribution.batch_shape_tensor())[0] if rank is None else rank


def _equal_weights(size: int, dtype: Any) -> Any:
    return tf.fill(dims=[size], value=1.0 / tf.cast(size, dtype))


def _grid_shape(distribution: Any, size: int) -> Any:
    shape = distribution.batch_shape.with_rank_at_least(1)
    count = size_of(shape[-1])
    return shape[:-1].concatenate([None if count is None else count + 1, size])


def _parameters(normal_loc: Any, normal_scale: Any, validate_args: bool) -> tuple[Any, Any]:
    loc = tf.convert_to_tensor(normal_loc, name="normal_loc")
    scale = tf.convert_to_tensor(normal_scale, dtype=loc.dtype.base_dtype, name="normal_scale")
    return loc, maybe_check_quadrature_param(scale, "normal_scale", validate_args)


def maybe_check_quadrature_param(param: Any, name: str, validate_args: bool) -> Any:
    """Returns `param` after a check that it holds vectors of one number.

    Raises:
        ValueError: `param` is a scalar.
        NotImplementedError: the vectors are longer. Only mixtures of two components are supported.
    """
    with v1.name_scope("check_" + name, values=[param]):
        checks = []
        if param.shape.ndims == 0:
            raise ValueError(
                f"Mixing params must be a (batch of) vector; {name}.rank={param.shape.ndims} is not at least one."
            )
        if param.shape.ndims is None and validate_args:
            message = f"Mixing params must be a (batch of) vector; {name}.rank is not at least one."
            checks.append(v1.assert_rank_at_least(param, 1, message=message))
        size = size_of(param.shape.with_rank_at_least(1)[-1])
        if size is None:
            message = f"Currently only bimixtures are supported; {name}.shape[-1] is not 1."
            checks += [v1.assert_equal(v1.shape(param)[-1], 1, message=message)] if validate_args else []
        elif size != 1:
            raise NotImplementedError(f"Currently only bimixtures are supported; {name}.shape[-1]={size} is not 1.")
        return checked(param, checks) if checks else param
