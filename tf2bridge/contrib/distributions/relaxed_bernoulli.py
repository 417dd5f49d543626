"""The continuous relaxation of two categories (https://arxiv.org/abs/1611.00712)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions import bijectors
from tf2bridge.contrib.distributions.core import util, v1
from tf2bridge.contrib.distributions.logistic import Logistic
from tf2bridge.contrib.distributions.transformed_distribution import TransformedDistribution


class RelaxedBernoulli(TransformedDistribution):
    """The relaxed distribution of two categories: numbers between zero and one."""

    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "RelaxedBernoulli",
    ) -> None:
        parameters = dict(locals())
        with v1.name_scope(name, values=[logits, probs, temperature]) as name:
            with tf.control_dependencies([v1.assert_positive(temperature)] if validate_args else []):
                self._temperature = tf.identity(temperature, name="temperature")
            self._logits, self._probs = util.get_logits_and_probs(
                logits=logits, probs=probs, validate_args=validate_args
            )
            super().__init__(
                distribution=Logistic(
                    self._logits / self._temperature,
                    1.0 / self._temperature,
                    validate_args=validate_args,
                    allow_nan_stats=allow_nan_stats,
                    name=name + "/Logistic",
                ),
                bijector=bijectors.Sigmoid(validate_args=validate_args),
                validate_args=validate_args,
                name=name,
            )
        self._parameters = parameters

    @staticmethod
    def _param_shapes(sample_shape: Any) -> dict[str, Any]:
        return {"logits": tf.convert_to_tensor(sample_shape, dtype=tf.int32)}

    @property
    def temperature(self) -> Any:
        """The temperature, positive."""
        return self._temperature

    @property
    def logits(self) -> Any:
        """The log-odds of a one."""
        return self._logits

    @property
    def probs(self) -> Any:
        """The probability of a one."""
        return self._probs
