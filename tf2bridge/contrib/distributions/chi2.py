"""The chi-squared distribution."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.core import v1

Gamma: Any = v1.distributions.Gamma


class Chi2(Gamma):  # type: ignore[misc]  # TensorFlow has no types
    """The sum of the squares of `df` standard normal numbers."""

    def __init__(self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Chi2") -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[df]) as name:
            with tf.control_dependencies([v1.assert_positive(df)] if validate_args else []):
                self._df = tf.identity(df, name="df")
            super().__init__(
                concentration=0.5 * self._df,
                rate=tf.constant(0.5, dtype=self._df.dtype),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return {"df": tf.convert_to_tensor(sample_shape, dtype=tf.int32)}

    @property
    def df(self) -> Any:
        """The degrees of freedom."""
        return self._df


class Chi2WithAbsDf(Chi2):
    """The chi-squared distribution with `floor(abs(df))` degrees of freedom."""

    def __init__(
        self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Chi2WithAbsDf"
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[df]) as name:
            super().__init__(
                df=tf.floor(tf.abs(df, name="abs_df"), name="floor_abs_df"),
                validate_args=validate_args,
                allow_nan_stats=allow_nan_stats,
                name=name,
            )
        self._parameters = parameters
