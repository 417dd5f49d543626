"""Shared code of the implementations of batch normalization: arguments, variables and moving averages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.variables.making import model_variable
from tf2bridge.contrib.layers.utils import get_variable_collections, smart_cond
from tf2bridge.internals.training import moving_averages

v1 = tf.compat.v1

_DEFAULTS = {
    "beta": v1.zeros_initializer,
    "gamma": v1.ones_initializer,
    "moving_mean": v1.zeros_initializer,
    "moving_variance": v1.ones_initializer,
}


@dataclass(frozen=True)
class Settings:
    """The arguments of `batch_norm` that every implementation needs."""

    decay: Any
    center: bool
    scale: bool
    epsilon: float
    activation_fn: Callable[[Any], Any] | None
    param_initializers: Mapping[str, Any]
    param_regularizers: Mapping[str, Any]
    updates_collections: Any
    is_training: Any
    variables_collections: Any
    outputs_collections: Any
    trainable: bool
    data_format: str
    zero_debias_moving_mean: bool = False
    as_in_0_12: bool = False
    """Whether a fused kernel always gets its offset and scale from variables, and moments are about the moving mean."""

    @property
    def channels_first(self) -> bool:
        """True if the channels are the second dimension."""
        return self.data_format == "NCHW"

    def initializer(self, name: str) -> Any:
        """Returns the initializer of the variable `name`."""
        return self.param_initializers.get(name, _DEFAULTS[name]())

    def variable(self, name: str, shape: Any, dtype: Any, trainable: bool, regularizer: Any = None) -> Any:
        """Returns the variable `name`, which has one number for each channel."""
        return model_variable(
            name,
            shape=shape,
            dtype=dtype,
            initializer=self.initializer(name),
            regularizer=regularizer,
            collections=get_variable_collections(self.variables_collections, name),
            trainable=trainable,
        )

    def moving_averages(self, shape: Any, dtype: Any) -> tuple[Any, Any]:
        """Returns the variables of the moving mean and variance, which are never partitioned."""
        with v1.variable_scope(v1.get_variable_scope()) as scope:
            scope.set_partitioner(None)
            mean = self.variable("moving_mean", shape, dtype, trainable=False)
            return mean, self.variable("moving_variance", shape, dtype, trainable=False)

    def updates(self, averages: tuple[Any, Any], moments: tuple[Any, Any]) -> tuple[Any, Any]:
        """Returns the ops that move the averages towards the moments of this batch."""
        assign = moving_averages.assign_moving_average
        mean = assign(averages[0], moments[0], self.decay, zero_debias=self.zero_debias_moving_mean)
        return mean, assign(averages[1], moments[1], self.decay, zero_debias=False)

    def collect_updates(self, averages: tuple[Any, Any], moments: tuple[Any, Any]) -> None:
        """Adds the update ops to `updates_collections`. The program runs them with its training op."""
        both = smart_cond(self.is_training, lambda: self.updates(averages, moments), lambda: averages)
        for update in both:
            v1.add_to_collections(self.updates_collections, update)


def per_channel(inputs: Any, settings: Settings) -> Any:
    """Returns the shape [channels] of `inputs`. Raises ValueError if the number of channels is unknown."""
    shape = inputs.shape[1:2] if settings.channels_first else inputs.shape[-1:]
    if not shape.is_fully_defined():
        raise ValueError(f"the channels of {inputs.name}, {inputs.shape}, are not known; set them with set_shape")
    return shape
