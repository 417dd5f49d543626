"""The Wishart distributions of positive definite matrices (https://en.wikipedia.org/wiki/Wishart_distribution)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.contrib.distributions.core import Distribution, begin, checked, parents_of, size_of, util, v1


class _WishartLinearOperator(Distribution):  # type: ignore[misc]  # TensorFlow has no types
    """The distribution of the sum of x @ x.T for `df` normal vectors of covariance scale @ scale.T.

    With `cholesky_input_output_matrices`, values are the Cholesky factors of these matrices.

    Raises:
        ValueError: there are fewer degrees of freedom than dimensions.
    """

    def __init__(
        self,
        df: Any,
        scale_operator: Any,
        cholesky_input_output_matrices: bool = False,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        self._cholesky_input_output_matrices = cholesky_input_output_matrices
        with v1.name_scope(name) as name, v1.name_scope("init", values=[df, *parents_of(scale_operator)]):
            if not scale_operator.dtype.is_floating:
                raise TypeError(f"scale_operator.dtype={scale_operator.dtype} is not a floating-point type")
            if not scale_operator.is_square:
                raise ValueError("scale_operator must be square.")
            self._scale_operator = scale_operator
            self._df = tf.convert_to_tensor(df, dtype=scale_operator.dtype, name="df")
            self._dimension = _dimension(scale_operator)
            self._df = _enough(self._df, self._dimension, validate_args)
        parents = [self._df, self._dimension, *parents_of(scale_operator)]
        begin(self, parameters, name or "", scale_operator.dtype, parents, reparameterized=True)

    @property
    def df(self) -> Any:
        """The degrees of freedom."""
        return self._df

    @property
    def scale_operator(self) -> Any:
        """The scale as a linear operator, [..., k, k]."""
        return self._scale_operator

    @property
    def cholesky_input_output_matrices(self) -> bool:
        """True if values are Cholesky factors."""
        return self._cholesky_input_output_matrices

    @property
    def dimension(self) -> Any:
        """The size k, a floating point scalar."""
        return self._dimension

    def scale(self) -> Any:
        """Returns the scale as a matrix, or its Cholesky factor."""
        return self._factor_or_square(self._cholesky_input_output_matrices)

    def _factor_or_square(self, factor: bool) -> Any:
        dense = self.scale_operator.to_dense()
        return dense if factor else self.scale_operator.matmul(dense, adjoint_arg=True)

    def _event_shape_tensor(self) -> Any:
        size = self.scale_operator.domain_dimension_tensor()
        return tf.stack([size, size])

    def _event_shape(self) -> Any:
        size = self.scale_operator.domain_dimension
        return tf.TensorShape([size, size])

    def _batch_shape_tensor(self) -> Any:
        return self.scale_operator.batch_shape_tensor()

    def _batch_shape(self) -> Any:
        return self.scale_operator.batch_shape

    def _sample_n(self, n: Any, seed: Any = None) -> Any:
        """Samples by Bartlett's decomposition: normal numbers below the diagonal, chi-squared roots on it."""
        batch_shape, event_shape = self.batch_shape_tensor(), self.event_shape_tensor()
        rank = v1.shape(batch_shape)[0] + 3  # samples, batch, event
        normal = v1.random_normal(
            tf.concat([[n], batch_shape, event_shape], 0), mean=0.0, stddev=1.0, dtype=self.dtype, seed=seed
        )
        df = self.df * tf.ones(self.scale_operator.batch_shape_tensor(), dtype=self.df.dtype.base_dtype)
        chi_squared = v1.random_gamma(
            [n],
            self._multi_gamma_sequence(0.5 * df, self.dimension),
            beta=0.5,
            dtype=self.dtype,
            seed=util.gen_new_seed(seed, "wishart"),
        )
        x = tf.linalg.set_diag(tf.linalg.band_part(normal, -1, 0), tf.sqrt(chi_squared))
        x = tf.transpose(x, tf.concat([tf.range(1, rank), [0]], 0))
        x = self.scale_operator.matmul(tf.reshape(x, tf.concat([batch_shape, [event_shape[0]], [-1]], 0)))
        x = tf.reshape(x, tf.concat([batch_shape, event_shape, [n]], 0))
        x = tf.transpose(x, tf.concat([[rank - 1], tf.range(0, rank - 1)], 0))
        return x if self.cholesky_input_output_matrices else tf.matmul(x, x, adjoint_b=True)

    def _log_prob(self, x: Any) -> Any:
        root = x if self.cholesky_input_output_matrices else tf.linalg.cholesky(x)
        trace = v1.reduce_sum(tf.square(self._divided_by_scale(root)), axis=[-2, -1])
        half_log_determinant = v1.reduce_sum(tf.math.log(tf.linalg.diag_part(root)), axis=[-1])
        density = (self.df - self.dimension - 1.0) * half_log_determinant - 0.5 * trace - self.log_normalization()
        if x.shape.ndims is not None:
            density.set_shape(x.shape[:-2])
        return density

    def _divided_by_scale(self, root: Any) -> Any:
        """Returns scale ** -1 @ root for all samples at once. The sample dimensions are moved to the end, and back."""
        batch_shape, event_shape = self.batch_shape_tensor(), self.event_shape_tensor()
        rank = tf.rank(root)
        samples = rank - v1.shape(batch_shape)[0] - 2
        sample_shape = tf.strided_slice(v1.shape(root), [0], [samples])
        behind = tf.transpose(root, tf.concat([tf.range(samples, rank), tf.range(0, samples)], 0))
        size = tf.cast(self.dimension, dtype=tf.int32)
        solved = self.scale_operator.solve(tf.reshape(behind, tf.concat((batch_shape, (size, -1)), 0)))
        solved = tf.reshape(solved, tf.concat([batch_shape, event_shape, sample_shape], 0))
        return tf.transpose(solved, tf.concat([tf.range(rank - samples, rank), tf.range(0, rank - samples)], 0))

    def _prob(self, x: Any) -> Any:
        return tf.exp(self._log_prob(x))

    def _entropy(self) -> Any:
        half_size, half_df = 0.5 * self.dimension + 0.5, 0.5 * self.df
        return (
            self.dimension * (half_df + half_size * math.log(2.0))
            + 2 * half_size * self.scale_operator.log_abs_determinant()
            + self._multi_lgamma(half_df, self.dimension)
            + (half_size - half_df) * self._multi_digamma(half_df, self.dimension)
        )

    def _mean(self) -> Any:
        if self.cholesky_input_output_matrices:
            return tf.sqrt(self.df) * self.scale_operator.to_dense()
        return self.df * self._factor_or_square(factor=False)

    def _variance(self) -> Any:
        x = tf.sqrt(self.df) * self._factor_or_square(factor=False)
        diagonal = tf.expand_dims(tf.linalg.diag_part(x), -1)
        variance = tf.square(x) + tf.matmul(diagonal, diagonal, adjoint_b=True)
        return tf.linalg.cholesky(variance) if self.cholesky_input_output_matrices else variance

    def _stddev(self) -> Any:
        if self.cholesky_input_output_matrices:
            raise ValueError("Computing std. dev. when is cholesky_input_output_matrices=True does not make sense.")
        return tf.linalg.cholesky(self.variance())

    def _mode(self) -> Any:
        number = self.df - self.dimension - 1.0
        number = tf.where(tf.less(number, 0.0), tf.constant(float("NaN"), dtype=self.dtype, name="nan"), number)
        if self.cholesky_input_output_matrices:
            return tf.sqrt(number) * self.scale_operator.to_dense()
        return number * self._factor_or_square(factor=False)

    def mean_log_det(self, name: str = "mean_log_det") -> Any:
        """Returns E(log(det(X)))."""
        with self._name_scope(name):
            digamma = self._multi_digamma(0.5 * self.df, self.dimension)
            return digamma + self.dimension * math.log(2.0) + 2 * self.scale_operator.log_abs_determinant()

    def log_normalization(self, name: str = "log_normalization") -> Any:
        """Returns the logarithm of the integral of the unnormalized density."""
        with self._name_scope(name):
            return (
                self.df * self.scale_operator.log_abs_determinant()
                + 0.5 * self.df * self.dimension * math.log(2.0)
                + self._multi_lgamma(0.5 * self.df, self.dimension)
            )

    def _multi_gamma_sequence(self, a: Any, p: Any, name: str = "multi_gamma_sequence") -> Any:
        """Returns a, a - 1/2, ..., a - (p - 1)/2, in the shape [..., p]."""
        with self._name_scope(name, values=[a, p]):
            sequence = tf.linspace(tf.constant(0.0, dtype=self.dtype), 0.5 - 0.5 * p, tf.cast(p, tf.int32))
            return sequence + tf.expand_dims(a, [-1])

    def _multi_lgamma(self, a: Any, p: Any, name: str = "multi_lgamma") -> Any:
        with self._name_scope(name, values=[a, p]):
            sequence = self._multi_gamma_sequence(a, p)
            return 0.25 * p * (p - 1.0) * math.log(math.pi) + v1.reduce_sum(tf.math.lgamma(sequence), axis=[-1])

    def _multi_digamma(self, a: Any, p: Any, name: str = "multi_digamma") -> Any:
        with self._name_scope(name, values=[a, p]):
            return v1.reduce_sum(tf.math.digamma(self._multi_gamma_sequence(a, p)), axis=[-1])


def _dimension(scale_operator: Any) -> Any:
    rank = scale_operator.shape.ndims
    size = None if rank is None else size_of(scale_operator.shape[-1])
    if size is None:
        return tf.cast(scale_operator.domain_dimension_tensor(), dtype=scale_operator.dtype, name="dimension")
    return tf.convert_to_tensor(size, dtype=scale_operator.dtype, name="dimension")


def _enough(df: Any, dimension: Any, validate_args: bool) -> Any:
    text = "Degrees of freedom (df = {}) cannot be less than dimension of scale matrix (scale.dimension = {})"
    known_df, known_dimension = tf.get_static_value(df), tf.get_static_value(dimension)
    if known_df is not None and known_dimension is not None:
        known_df = np.atleast_1d(known_df)
        if np.any(known_df < known_dimension):
            raise ValueError(text.format(known_df, known_dimension))
        return df
    if not validate_args:
        return df
    return checked(df, [v1.assert_less_equal(dimension, df, message=text.format(dimension, df))])


def _lower_triangular(tril: Any) -> Any:
    return tf.linalg.LinearOperatorLowerTriangular(
        tril=tril, is_non_singular=True, is_positive_definite=True, is_square=True
    )


class WishartCholesky(_WishartLinearOperator):
    """The Wishart distribution whose scale is given by its Cholesky factor."""

    def __init__(
        self,
        df: Any,
        scale: Any,
        cholesky_input_output_matrices: bool = False,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "WishartCholesky",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[scale]) as name:
            with v1.name_scope("init", values=[scale]):
                scale = tf.convert_to_tensor(scale)
                if validate_args:
                    scale = checked(scale, _checks_of_factor(scale))
            super().__init__(
                df, _lower_triangular(scale), cholesky_input_output_matrices, validate_args, allow_nan_stats, name
            )
        self._parameters = parameters


def _checks_of_factor(scale: Any) -> list[Any]:
    shape = v1.shape(scale)
    return [
        v1.assert_positive(tf.linalg.diag_part(scale), message="scale must be positive definite"),
        v1.assert_equal(shape[-1], shape[-2], message="scale must be square"),
    ]


class WishartFull(_WishartLinearOperator):
    """The Wishart distribution whose scale is given as a symmetric positive definite matrix."""

    def __init__(
        self,
        df: Any,
        scale: Any,
        cholesky_input_output_matrices: bool = False,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "WishartFull",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name) as name, v1.name_scope("init", values=[scale]):
            scale = tf.convert_to_tensor(scale)
            if validate_args:
                scale = util.assert_symmetric(scale)
            factor = tf.linalg.cholesky(scale)
            factor = checked(factor, [v1.assert_positive(tf.linalg.diag_part(factor))] if validate_args else [])
        super().__init__(
            df, _lower_triangular(factor), cholesky_input_output_matrices, validate_args, allow_nan_stats, name
        )
        self._parameters = parameters
