"""Makes optimizers from their names, and partitioners for parameter servers."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

NAMED = {
    "Adagrad": v1.train.AdagradOptimizer,
    "Adam": v1.train.AdamOptimizer,
    "Ftrl": v1.train.FtrlOptimizer,
    "RMSProp": v1.train.RMSPropOptimizer,
    "SGD": v1.train.GradientDescentOptimizer,
}

LARGE_SLICE = 64 << 20
"""Bytes. A smaller variable of an input layer is not cut."""


def optimizer_of(opt: Any, learning_rate: float | None = None) -> Any:
    """Returns an optimizer, given by its name, by a function, or itself. Raises ValueError for anything else."""
    if isinstance(opt, str):
        if opt not in NAMED:
            raise ValueError(f"Unsupported optimizer name: {opt}. Supported names are: {tuple(sorted(NAMED))}")
        if not learning_rate:
            raise ValueError("learning_rate must be specified when opt is string.")
        return NAMED[opt](learning_rate=learning_rate)
    optimizer = opt() if callable(opt) else opt
    if not isinstance(optimizer, v1.train.Optimizer):
        raise ValueError(f"The given object is not an Optimizer instance. Given: {optimizer}")
    return optimizer


def partitioner(config: Any, least: int | None = None) -> Any:
    """Cuts variables of at least `least` bytes into as many parts as there are parameter servers."""
    replicas = config.num_ps_replicas if config else 0
    given = {} if least is None else {"min_slice_size": least}
    return v1.min_max_variable_partitioner(max_partitions=replicas, **given)


def check_features(features: Any) -> None:
    """Raises ValueError unless the features are a dict."""
    if not isinstance(features, dict):
        raise ValueError(f"features should be a dictionary of `Tensor`s. Given type: {type(features)}")
