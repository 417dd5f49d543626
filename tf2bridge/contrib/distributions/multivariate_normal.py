"""Multivariate normal distributions: a location and a linear operator, x = loc + scale @ standard normal."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions import bijectors
from tf2bridge.contrib.distributions.core import (
    batch_and_event,
    checked,
    optional,
    parents_of,
    register_kl,
    util,
    v1,
)
from tf2bridge.contrib.distributions.scales import (
    covariance_of,
    is_diagonal_scale,
    make_diag_scale,
    shapes_from_loc_and_scale,
    stddev_of,
    variance_of,
    with_low_rank,
)
from tf2bridge.contrib.distributions.transformed_distribution import TransformedDistribution

Normal: Any = v1.distributions.Normal


class _OfLinearOperator(TransformedDistribution):
    """loc + scale @ z, where the elements of z are independent draws from a scalar distribution."""

    def _begin(self, standard: Any, loc: Any, scale: Any, parameters: dict[str, Any], name: str) -> None:
        batch_shape, event_shape = shapes_from_loc_and_scale(loc, scale)
        TransformedDistribution.__init__(
            self,
            distribution=standard(),
            bijector=bijectors.AffineLinearOperator(shift=loc, scale=scale, validate_args=parameters["validate_args"]),
            batch_shape=batch_shape,
            event_shape=event_shape,
            validate_args=parameters["validate_args"],
            name=name,
        )
        self._parameters = parameters

    @property
    def loc(self) -> Any:
        """The location, [..., k], or None for zero."""
        return self.bijector.shift

    @property
    def scale(self) -> Any:
        """The linear operator, [..., k, k]."""
        return self.bijector.scale

    def _shape_of_draw(self) -> Any:
        shape = self.batch_shape.concatenate(self.event_shape)
        return shape if shape.is_fully_defined() else batch_and_event(self)

    def _location(self) -> Any:
        """Returns `loc` in the shape of a draw."""
        shape = self._shape_of_draw()
        if self.loc is None:
            return tf.zeros(shape, self.dtype)
        if isinstance(shape, tf.TensorShape) and shape == self.loc.shape:
            return tf.identity(self.loc)
        return tf.identity(self.loc) + tf.zeros(shape, self.dtype)


def require_scale(scale: Any) -> None:
    """Raises ValueError if `scale` is None, and TypeError if its dtype is not floating."""
    if scale is None:
        raise ValueError("Missing required `scale` parameter.")
    if not scale.dtype.is_floating:
        raise TypeError("`scale` parameter must have floating-point dtype.")


class MultivariateNormalLinearOperator(_OfLinearOperator):
    """The normal distribution of vectors [..., k] with mean `loc` and covariance `scale @ scale.T`.

    Raises:
        ValueError: `scale` is None.
        TypeError: the dtype of `scale` is not floating.
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
        require_scale(scale)
        with v1.name_scope(name, values=[loc, *parents_of(scale)]) as name:
            loc = optional(loc, "loc")
            zero_and_one = tf.zeros([], dtype=scale.dtype), tf.ones([], dtype=scale.dtype)
        self._begin(lambda: Normal(loc=zero_and_one[0], scale=zero_and_one[1]), loc, scale, parameters, name)

    def _mean(self) -> Any:
        return self._location()

    def _mode(self) -> Any:
        return self._mean()

    def _covariance(self) -> Any:
        return covariance_of(self.scale)

    def _variance(self) -> Any:
        return variance_of(self.scale)

    def _stddev(self) -> Any:
        return stddev_of(self.scale)


class MultivariateNormalDiag(MultivariateNormalLinearOperator):
    """The multivariate normal distribution with a diagonal scale.

    The diagonal is `scale_diag`, [..., k], plus `scale_identity_multiplier`, [...].

    Raises:
        ValueError: neither the scale nor `loc` gives the size k.
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
            scale = make_diag_scale(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalDiagWithSoftplusScale(MultivariateNormalDiag):
    """The multivariate normal distribution whose scale has the diagonal `softplus(scale_diag)`."""

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


class MultivariateNormalDiagPlusLowRank(MultivariateNormalLinearOperator):
    """The multivariate normal distribution whose scale is diagonal plus a product of low rank.

    The product is `scale_perturb_factor @ diag(scale_perturb_diag) @ scale_perturb_factor.T`, of factors [..., k, r].
    """

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiagPlusLowRank",
    ) -> None:
        parameters = dict(locals())
        diagonal, product = (scale_diag, scale_identity_multiplier), (scale_perturb_factor, scale_perturb_diag)
        with v1.name_scope(name) as name, v1.name_scope("init", values=[loc, *diagonal, *product]):
            has_product = any(part is not None for part in product)
            scale = make_diag_scale(loc, *diagonal, validate_args=validate_args, assert_positive=has_product)
            factor = optional(scale_perturb_factor, "scale_perturb_factor")
            factor_diag = optional(scale_perturb_diag, "scale_perturb_diag")
            if has_product:
                scale = with_low_rank(scale, factor, factor_diag)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalTriL(MultivariateNormalLinearOperator):
    """The multivariate normal distribution with a lower triangular scale `scale_tril`, [..., k, k], or the identity."""

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
            loc, scale_tril = optional(loc, "loc"), optional(scale_tril, "scale_tril")
            if scale_tril is None:
                scale = tf.linalg.LinearOperatorIdentity(
                    num_rows=util.dimension_size(loc, -1),
                    dtype=loc.dtype,
                    is_self_adjoint=True,
                    is_positive_definite=True,
                    assert_proper_shapes=validate_args,
                )
            else:
                scale = tf.linalg.LinearOperatorLowerTriangular(
                    scale_tril, is_non_singular=True, is_self_adjoint=False, is_positive_definite=False
                )
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """The multivariate normal distribution with a covariance matrix, [..., k, k], or the identity."""

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
                matrix = tf.convert_to_tensor(covariance_matrix, name="covariance_matrix")
                if validate_args:
                    transposed = tf.linalg.matrix_transpose(matrix)
                    message = "Matrix was not symmetric"
                    matrix = checked(matrix, [v1.debugging.assert_near(matrix, transposed, message=message)])
                tril = tf.linalg.cholesky(matrix)
            super().__init__(loc, tril, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@register_kl(MultivariateNormalLinearOperator, MultivariateNormalLinearOperator)  # type: ignore[untyped-decorator]
def _divergence(a: Any, b: Any, name: str | None = None) -> Any:
    """Returns https://en.wikipedia.org/wiki/Multivariate_normal_distribution#Kullback-Leibler_divergence."""
    parents = [a.loc, b.loc, *parents_of(a.scale), *parents_of(b.scale)]
    with v1.name_scope(name, "kl_mvn", parents):
        if is_diagonal_scale(a.scale) and is_diagonal_scale(b.scale):
            ratio = (a.stddev() / b.stddev())[..., tf.newaxis]
        else:
            ratio = b.scale.solve(a.scale.to_dense())
        determinants = b.scale.log_abs_determinant() - a.scale.log_abs_determinant()
        size = tf.cast(a.scale.domain_dimension_tensor(), a.dtype)
        distance = b.scale.solve((b.mean() - a.mean())[..., tf.newaxis])
        divergence = determinants + 0.5 * (-size + _sum_of_squares(ratio) + _sum_of_squares(distance))
        divergence.set_shape(tf.broadcast_static_shape(a.batch_shape, b.batch_shape))
        return divergence


def _sum_of_squares(matrix: Any) -> Any:
    return v1.reduce_sum(tf.square(matrix), axis=[-2, -1])
