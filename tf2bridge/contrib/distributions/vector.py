"""Distributions of vectors loc + scale @ z, where z is exponential, Laplace or Student's t; and a skewed normal one."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions import bijectors
from tf2bridge.contrib.distributions.bijectors.affine import Affine
from tf2bridge.contrib.distributions.bijectors.composed import Chain
from tf2bridge.contrib.distributions.core import checked, optional, parents_of, util, v1
from tf2bridge.contrib.distributions.multivariate_normal import _OfLinearOperator, require_scale
from tf2bridge.contrib.distributions.scales import (
    covariance_of,
    make_diag_scale,
    shapes_from_loc_and_scale,
    stddev_of,
    variance_of,
)
from tf2bridge.contrib.distributions.sinh_arcsinh import skewed, standard_or_checked
from tf2bridge.contrib.distributions.transformed_distribution import TransformedDistribution

kinds: Any = v1.distributions


class VectorExponentialLinearOperator(_OfLinearOperator):
    """loc + scale @ z, where the numbers of z have the exponential distribution of rate 1."""

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorExponentialLinearOperator",
    ) -> None:
        parameters = dict(locals())
        require_scale(scale)
        with v1.name_scope(name, values=[loc, *parents_of(scale)]) as name:
            loc = optional(loc, "loc")
            self._begin(
                lambda: kinds.Exponential(rate=tf.ones([], dtype=scale.dtype), allow_nan_stats=allow_nan_stats),
                loc,
                scale,
                parameters,
                name,
            )

    def _mean(self) -> Any:
        return self._of_vector(tf.ones(self._shape_of_draw(), self.dtype))

    def _mode(self) -> Any:
        return self._of_vector(tf.zeros(self._shape_of_draw(), self.dtype))

    def _of_vector(self, z: Any) -> Any:
        scaled = self.bijector.scale.matvec(z)
        return scaled if self.loc is None else tf.identity(self.loc) + scaled

    def _covariance(self) -> Any:
        return covariance_of(self.scale)

    def _variance(self) -> Any:
        return variance_of(self.scale)

    def _stddev(self) -> Any:
        return stddev_of(self.scale)


class VectorExponentialDiag(VectorExponentialLinearOperator):
    """The distribution with the diagonal scale `scale_diag` + `scale_identity_multiplier`."""

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorExponentialDiag",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name) as name, v1.name_scope("init", values=[loc, scale_diag, scale_identity_multiplier]):
            scale = make_diag_scale(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class VectorLaplaceLinearOperator(_OfLinearOperator):
    """loc + scale @ z, where the numbers of z have the Laplace distribution of location 0 and scale 1."""

    def __init__(
        self,
        loc: Any = None,
        scale: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorLaplaceLinearOperator",
    ) -> None:
        parameters = dict(locals())
        require_scale(scale)
        with v1.name_scope(name, values=[loc, *parents_of(scale)]):
            loc, dtype = optional(loc, "loc"), scale.dtype
            self._begin(
                lambda: kinds.Laplace(loc=tf.zeros([], dtype=dtype), scale=tf.ones([], dtype=dtype)),
                loc,
                scale,
                parameters,
                name,
            )

    def _mean(self) -> Any:
        return self._location()

    def _mode(self) -> Any:
        return self._mean()

    def _covariance(self) -> Any:
        return 2.0 * covariance_of(self.scale)

    def _variance(self) -> Any:
        return 2.0 * variance_of(self.scale)

    def _stddev(self) -> Any:
        return np.sqrt(2) * stddev_of(self.scale)


class VectorLaplaceDiag(VectorLaplaceLinearOperator):
    """The distribution with the diagonal scale `scale_diag` + `scale_identity_multiplier`."""

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorLaplaceDiag",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name), v1.name_scope("init", values=[loc, scale_diag, scale_identity_multiplier]):
            scale = make_diag_scale(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class _VectorStudentT(TransformedDistribution):
    """loc + scale @ z, where the numbers of z have Student's t distribution; scale is that of the bijector Affine."""

    def __init__(
        self,
        df: Any,
        loc: Any = None,
        scale_identity_multiplier: Any = None,
        scale_diag: Any = None,
        scale_tril: Any = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "VectorStudentT",
    ) -> None:
        parameters = dict(locals())
        del allow_nan_stats
        scales = (scale_identity_multiplier, scale_diag, scale_tril, scale_perturb_factor, scale_perturb_diag)
        with v1.name_scope(name) as name, v1.name_scope("init", values=[df, loc, *scales]):
            affine = bijectors.Affine(loc, *scales, validate_args=validate_args)
            distribution = kinds.StudentT(
                df=df, loc=tf.zeros([], dtype=affine.dtype), scale=tf.ones([], dtype=affine.dtype)
            )
            batch_shape, event_shape = shapes_from_loc_and_scale(affine.shift, affine.scale)
            empty = tf.constant([], dtype=tf.int32)
            super().__init__(
                distribution=distribution,
                bijector=affine,
                batch_shape=util.pick_vector(distribution.is_scalar_batch(), batch_shape, empty),
                event_shape=event_shape,
                validate_args=validate_args,
                name=name,
            )
            self._parameters = parameters

    @property
    def df(self) -> Any:
        """The degrees of freedom."""
        return self.distribution.df

    @property
    def loc(self) -> Any:
        """The location, [..., k], or None for zero."""
        return self.bijector.shift

    @property
    def scale(self) -> Any:
        """The linear operator, [..., k, k]."""
        return self.bijector.scale


class VectorSinhArcsinhDiag(TransformedDistribution):
    """loc + c * sinh((arcsinh(z) + skewness) * tailweight), z standard normal or of `distribution`, c from the scale.

    A skewness of 0 and a tailweight of 1 leave z as it is.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        skewness: Any = None,
        tailweight: Any = None,
        distribution: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalLinearOperator",
    ) -> None:
        parameters = dict(locals())
        given = [loc, scale_diag, scale_identity_multiplier, skewness, tailweight]
        with v1.name_scope(name, values=given) as name:
            self._loc = optional(loc, "loc")
            self._scale = make_diag_scale(self._loc, scale_diag, scale_identity_multiplier)
            batch_shape, event_shape = shapes_from_loc_and_scale(self._loc, self._scale)
            diagonal = self._scale.diag_part()
            base, checks = standard_or_checked(distribution, diagonal.dtype, validate_args, allow_nan_stats)
            if checks:
                diagonal = checked(diagonal, checks)
            self._skewness, self._tailweight, bend, factor = skewed(skewness, tailweight, diagonal)
            affine = Affine(shift=self._loc, scale_diag=factor, validate_args=validate_args)
            super().__init__(
                distribution=base,
                bijector=Chain([affine, bend]),
                batch_shape=batch_shape,
                event_shape=event_shape,
                validate_args=validate_args,
                name=name,
            )
        self._parameters = parameters

    @property
    def loc(self) -> Any:
        """The location, [..., k], or None for zero."""
        return self._loc

    @property
    def scale(self) -> Any:
        """The linear operator, [..., k, k]."""
        return self._scale

    @property
    def tailweight(self) -> Any:
        """The tailweight."""
        return self._tailweight

    @property
    def skewness(self) -> Any:
        """The skewness."""
        return self._skewness
