"""`tf.keras.experimental.LinearCosineDecay` and `NoisyLinearCosineDecay`.

Keras dropped the classes with 2.12 (its release notes); the functions of `tf.train` compute the same. Facts are those
of TensorFlow 1.15.5.
"""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import KERAS, supplier

_keras = supplier(KERAS)
v1 = tf.compat.v1


class LinearCosineDecay(_keras.optimizers.schedules.LearningRateSchedule):  # type: ignore[misc, name-defined]
    """The rate of `tf.compat.v1.train.linear_cosine_decay` for a step, a scalar.

    Args:
        initial_learning_rate: The first rate, a number or a scalar tensor. decay_steps: How many steps the decay takes.
        num_periods: How many periods of the cosine these steps hold. alpha: What is added to the linear part. beta:
        What is added to the product of both. name: The scope of the operations.
    """

    _decay = staticmethod(v1.train.linear_cosine_decay)

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        num_periods: Any = 0.5,
        alpha: Any = 0.0,
        beta: Any = 0.001,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.initial_learning_rate = initial_learning_rate
        self.decay_steps = decay_steps
        self.num_periods = num_periods
        self.alpha = alpha
        self.beta = beta
        self.name = name

    def __call__(self, step: Any) -> Any:
        config = self.get_config()
        rate = self._decay(config.pop("initial_learning_rate"), step, **config)
        return rate() if callable(rate) else rate  # a function where programs run eagerly

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments."""
        return {
            "initial_learning_rate": self.initial_learning_rate,
            "decay_steps": self.decay_steps,
            "num_periods": self.num_periods,
            "alpha": self.alpha,
            "beta": self.beta,
            "name": self.name,
        }


class NoisyLinearCosineDecay(LinearCosineDecay):
    """The rate of `tf.compat.v1.train.noisy_linear_cosine_decay` for a step, a scalar.

    Args:
        initial_learning_rate: The first rate, a number or a scalar tensor.
        decay_steps: How many steps the decay takes.
        initial_variance: The variance of the noise at step 0.
        variance_decay: The power of (1 + step) by which it is divided.
        num_periods: How many periods of the cosine the steps hold.
        alpha: What is added to the linear part.
        beta: What is added to the product of both.
        name: The scope of the operations.
    """

    _decay = staticmethod(v1.train.noisy_linear_cosine_decay)

    def __init__(
        self,
        initial_learning_rate: Any,
        decay_steps: Any,
        initial_variance: Any = 1.0,
        variance_decay: Any = 0.55,
        num_periods: Any = 0.5,
        alpha: Any = 0.0,
        beta: Any = 0.001,
        name: str | None = None,
    ) -> None:
        super().__init__(initial_learning_rate, decay_steps, num_periods, alpha, beta, name)
        self.initial_variance = initial_variance
        self.variance_decay = variance_decay

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments."""
        noise = {"initial_variance": self.initial_variance, "variance_decay": self.variance_decay}
        return {**super().get_config(), **noise}
