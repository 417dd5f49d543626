"""Moving averages of values, of their variances, and of their exponentials (as logarithm)."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.distributions.core import v1


def assign_moving_mean_variance(
    mean_var: Any, variance_var: Any, value: Any, decay: Any, name: str | None = None
) -> tuple[Any, Any]:
    """Moves both variables towards `value`, and returns their new values.

    delta = value - mean, mean += (1 - decay) * delta, variance = decay * (variance + (1 - decay) * delta ** 2);
    https://people.ds.cam.ac.uk/fanf2/hermes/doc/antiforgery/stats.pdf.

    Raises:
        TypeError: the dtypes differ.
    """
    values = [variance_var, mean_var, value, decay]
    with (
        v1.name_scope(name, "assign_moving_mean_variance", values),
        v1.colocate_with(variance_var),
        v1.colocate_with(mean_var),
    ):
        dtype = _floating(mean_var, "mean_var")
        if dtype != variance_var.dtype.base_dtype:
            variance_dtype = variance_var.dtype.base_dtype
            raise TypeError(f"mean_var.base_dtype({dtype.name}) != variance_var.base_dtype({variance_dtype.name})")
        value = tf.convert_to_tensor(value, dtype=dtype, name="value")
        decay = tf.convert_to_tensor(decay, dtype=dtype, name="decay")
        delta = value - mean_var
        with tf.control_dependencies([delta]):
            mean = v1.assign_add(mean_var, (1.0 - decay) * delta)
            step = (1.0 - decay) * (variance_var - decay * tf.square(delta))
            return mean, v1.assign_sub(variance_var, step)


def assign_log_moving_mean_exp(log_mean_exp_var: Any, log_value: Any, decay: Any, name: str | None = None) -> Any:
    """Moves the variable to log(decay * exp(variable) + (1 - decay) * exp(log_value)), and returns its new value."""
    values = [log_mean_exp_var, log_value, decay]
    with v1.name_scope(name, "assign_log_moving_mean_exp", values), v1.colocate_with(log_mean_exp_var):
        dtype = _floating(log_mean_exp_var, "log_mean_exp_var")
        log_value = tf.convert_to_tensor(log_value, dtype=dtype, name="log_value")
        decay = tf.convert_to_tensor(decay, dtype=dtype, name="decay")
        delta = (log_value - log_mean_exp_var)[tf.newaxis, ...]
        terms = tf.concat([tf.math.log(decay) * tf.ones_like(delta), delta + tf.math.log1p(-decay)], axis=0)
        return log_mean_exp_var.assign_add(v1.reduce_logsumexp(terms, axis=0))


def moving_mean_variance(
    value: Any, decay: Any, collections: list[str] | None = None, name: str | None = None
) -> tuple[Any, Any]:
    """Returns the moving mean and variance of `value`: two new variables. Reading the results updates them."""
    if collections is None:
        collections = [v1.GraphKeys.GLOBAL_VARIABLES]
    with v1.variable_scope(name, "moving_mean_variance", [value, decay]):
        value = tf.convert_to_tensor(value, name="value")
        dtype = _floating(value, "value")
        decay = tf.convert_to_tensor(decay, dtype=dtype, name="decay")
        variance, mean = (
            v1.get_variable(
                variable_name,
                shape=value.shape,
                dtype=value.dtype,
                initializer=v1.zeros_initializer(),
                trainable=False,
                collections=collections,
            )
            for variable_name in ("moving_variance", "moving_mean")
        )
        return assign_moving_mean_variance(mean, variance, value, decay)


def _floating(value: Any, name: str) -> Any:
    dtype = value.dtype.base_dtype
    if not dtype.is_floating:
        raise TypeError(f"{name}.base_dtype({dtype.name}) does not have float type `dtype`.")
    return dtype
