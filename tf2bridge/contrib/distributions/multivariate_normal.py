"""Multivariate normal distributions: a location and a linear operator, x = loc + scale @ standard normal."""

from __future__ import annotations

import math
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1
Distribution: Any = v1.distributions.Distribution
_DIAGONAL = (tf.linalg.LinearOperatorIdentity, tf.linalg.LinearOperatorScaledIdentity, tf.linalg.LinearOperatorDiag)


class MultivariateNormalLinearOperator(Distribution):  # type: ignore[misc]  # no types
    """The normal distribution of vectors [..., k] with mean `loc` and covariance `scale @ scale.T`.

    Raises ValueError without a scale, TypeError if it is not of floating type.
    """

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalLinearOperator",
    ) -> None:
        parameters = dict(locals())
        if scale is None:
            raise ValueError("Missing required `scale` parameter.")
        if not scale.dtype.is_floating:
            raise TypeError("`scale` parameter must have floating-point dtype.")
        with v1.name_scope(name, values=[loc]) as name:
            self._loc = None if loc is None else tf.convert_to_tensor(loc, name="loc", dtype=scale.dtype)
            self._scale = scale
        super().__init__(
            dtype=scale.dtype,
            reparameterization_type=v1.distributions.FULLY_REPARAMETERIZED,
            validate_args=validate_args,
            allow_nan_stats=allow_nan_stats,
            parameters=parameters,
            graph_parents=[] if self._loc is None else [self._loc],
            name=name,
        )

    @property
    def loc(self) -> Any:
        """The location, [..., k], or None for zero."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The linear operator, [..., k, k]."""
        return self._scale

    def _batch_shape(self) -> Any:
        own = self.scale.batch_shape
        return own if self.loc is None else tf.broadcast_static_shape(own, self.loc.shape[:-1])

    def _batch_shape_tensor(self) -> Any:
        own = self.scale.batch_shape_tensor()
        return own if self.loc is None else tf.broadcast_dynamic_shape(own, v1.shape(self.loc)[:-1])

    def _event_shape(self) -> Any:
        return tf.TensorShape([self.scale.domain_dimension])

    def _event_shape_tensor(self) -> Any:
        return self.scale.domain_dimension_tensor()[None]

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        shape = tf.concat([[n], self.batch_shape_tensor(), self.event_shape_tensor()], 0)
        drawn = self.scale.matvec(v1.random_normal(shape, dtype=self.dtype, seed=seed))
        return drawn if self.loc is None else drawn + self.loc

    def _log_prob(self, x: Any) -> Any:
        centred = x if self.loc is None else x - self.loc
        standard = self.scale.solvevec(centred)
        density = -0.5 * tf.square(standard) - 0.5 * math.log(2 * math.pi)
        return v1.reduce_sum(density, axis=-1) - self.scale.log_abs_determinant()

    def _entropy(self) -> Any:
        size = tf.cast(self.scale.domain_dimension_tensor(), self.dtype)
        entropy = 0.5 * (1 + math.log(2 * math.pi)) * size + self.scale.log_abs_determinant()
        return entropy + tf.zeros(self.batch_shape_tensor(), self.dtype)

    def _mean(self) -> Any:
        zeros = tf.zeros(tf.concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0), self.dtype)
        return zeros if self.loc is None else self.loc + zeros

    def _mode(self) -> Any:
        return self._mean()

    def _covariance(self) -> Any:
        if isinstance(self.scale, _DIAGONAL):
            return tf.linalg.diag(tf.square(self.scale.diag_part()))
        return self.scale.matmul(self.scale.to_dense(), adjoint_arg=True)

    def _variance(self) -> Any:
        if isinstance(self.scale, _DIAGONAL):
            return tf.square(self.scale.diag_part())
        return tf.linalg.diag_part(self._covariance())

    def _stddev(self) -> Any:
        return tf.abs(self.scale.diag_part()) if isinstance(self.scale, _DIAGONAL) else tf.sqrt(self._variance())


class MultivariateNormalDiag(MultivariateNormalLinearOperator):
    """The one with a diagonal scale: `scale_diag`, [..., k], plus `scale_identity_multiplier`, [...], on the diagonal.

    Raises ValueError if neither gives the size k, nor `loc`.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiag",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name) as name, v1.name_scope("init", values=[loc, scale_diag, scale_identity_multiplier]):
            loc, scale_diag, multiplier = (
                None if each is None else tf.convert_to_tensor(each)
                for each in (loc, scale_diag, scale_identity_multiplier)
            )
            scale = _diagonal(loc, scale_diag, multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalDiagWithSoftplusScale(MultivariateNormalDiag):
    """The one whose diagonal is `softplus(scale_diag)`."""

    def __init__(
        self,
        loc: Any,
        scale_diag: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiagWithSoftplusScale",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[scale_diag]) as name:
            super().__init__(loc, tf.nn.softplus(scale_diag), None, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalTriL(MultivariateNormalLinearOperator):
    """The one with a lower triangular scale, `scale_tril`, [..., k, k]; without it the identity."""

    def __init__(
        self,
        loc: Any = None,
        scale_tril: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalTriL",
    ) -> None:
        parameters = dict(locals())
        if loc is None and scale_tril is None:
            raise ValueError("Must specify one or both of `loc`, `scale_tril`.")
        with v1.name_scope(name) as name, v1.name_scope("init", values=[loc, scale_tril]):
            if loc is not None:
                loc = tf.convert_to_tensor(loc, name="loc")
            if scale_tril is None:
                scale = _diagonal(loc, None, None)
            else:
                scale = tf.linalg.LinearOperatorLowerTriangular(
                    tf.convert_to_tensor(scale_tril, name="scale_tril"), is_non_singular=True
                )
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """The one with a covariance matrix, [..., k, k], symmetric and positive definite; without it the identity."""

    def __init__(
        self,
        loc: Any = None,
        covariance_matrix: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalFullCovariance",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name) as name, v1.name_scope("init", values=[loc, covariance_matrix]):
            tril = None
            if covariance_matrix is not None:
                covariance = tf.convert_to_tensor(covariance_matrix, name="covariance_matrix")
                checks = [_symmetric(covariance)] if validate_args else []
                with tf.control_dependencies(checks):
                    tril = tf.linalg.cholesky(covariance)
        super().__init__(loc, tril, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@v1.distributions.RegisterKL(MultivariateNormalLinearOperator, MultivariateNormalLinearOperator)  # type: ignore[untyped-decorator]
def _divergence(a: Any, b: Any, name: str | None = None) -> Any:
    """https://en.wikipedia.org/wiki/Multivariate_normal_distribution#Kullback-Leibler_divergence."""
    with v1.name_scope(name, "kl_mvn", [a.loc, b.loc]):
        if isinstance(a.scale, _DIAGONAL) and isinstance(b.scale, _DIAGONAL):
            ratio = (a.stddev() / b.stddev())[..., None]
        else:
            ratio = b.scale.solve(a.scale.to_dense())
        distance = b.scale.solve((b.mean() - a.mean())[..., None])
        size = tf.cast(a.scale.domain_dimension_tensor(), a.dtype)
        squares = v1.reduce_sum(tf.square(ratio), [-2, -1]) + v1.reduce_sum(tf.square(distance), [-2, -1])
        divergence = b.scale.log_abs_determinant() - a.scale.log_abs_determinant() + 0.5 * (squares - size)
        divergence.set_shape(tf.broadcast_static_shape(a.batch_shape, b.batch_shape))
        return divergence


def _diagonal(loc: Any, scale_diag: Any, multiplier: Any) -> Any:
    if scale_diag is not None:
        diagonal = scale_diag if multiplier is None else scale_diag + multiplier[..., None]
        return tf.linalg.LinearOperatorDiag(diagonal, is_non_singular=True, is_self_adjoint=True)
    if loc is None:
        raise ValueError("Cannot infer `event_shape` unless `loc` is specified.")
    size = loc.shape[-1] if loc.shape[-1] is not None else v1.shape(loc)[-1]
    size = getattr(size, "value", size)
    if multiplier is None:
        return tf.linalg.LinearOperatorIdentity(size, dtype=loc.dtype)
    return tf.linalg.LinearOperatorScaledIdentity(size, multiplier, is_non_singular=True)


def _symmetric(matrix: Any) -> Any:
    return v1.assert_equal(matrix, tf.linalg.matrix_transpose(matrix), message="Matrix was not symmetric")
