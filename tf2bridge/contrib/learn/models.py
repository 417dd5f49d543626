"""`contrib.learn.models`: linear and logistic regression in one call, and their losses."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def linear_regression_zero_init(x: Any, y: Any) -> tuple[Any, Any]:
    """Does the same as `linear_regression`, with initial weights 0."""
    return linear_regression(x, y, init_mean=0.0, init_stddev=0.0)


def logistic_regression_zero_init(x: Any, y: Any) -> tuple[Any, Any]:
    """Does the same as `logistic_regression`, with initial weights 0."""
    return logistic_regression(x, y, init_mean=0.0, init_stddev=0.0)


def linear_regression(x: Any, y: Any, init_mean: float | None = None, init_stddev: float = 1.0) -> tuple[Any, Any]:
    """Returns predictions, of the shape of `y`, and the mean squared error, a scalar.

    `x` is [batch, features], `y` [batch] or [batch, outputs]. Without `init_mean` the variables have the default
    initializer of their scope, else they are drawn from a normal distribution.
    """
    outputs = 1 if len(y.get_shape()) == 1 else y.get_shape()[1]
    with v1.variable_scope("linear_regression"):
        return mean_squared_error_regressor(x, y, *_variables(x, y, outputs, init_mean, init_stddev))


def logistic_regression(
    x: Any, y: Any, class_weight: Any = None, init_mean: float | None = None, init_stddev: float = 1.0
) -> tuple[Any, Any]:
    """Returns probabilities, [batch, classes], and the cross entropy, a scalar.

    `x` is [batch, features], `y` [batch, classes] with one 1 in each row. Without `class_weight` the tensor
    "class_weight:0" of the graph is taken if there is one. The initial values are those of `linear_regression`.
    """
    with v1.variable_scope("logistic_regression"):
        weights, bias = _variables(x, y, y.get_shape()[-1], init_mean, init_stddev)
        if not class_weight:
            class_weight = _class_weight_of_graph()
        return softmax_classifier(x, y, weights, bias, class_weight=class_weight)


def _variables(x: Any, y: Any, outputs: Any, mean: float | None, stddev: float) -> tuple[Any, Any]:
    scope, dtype = v1.get_variable_scope().name, x.dtype.base_dtype
    v1.summary.histogram(f"{scope}.x", x)
    v1.summary.histogram(f"{scope}.y", y)

    def variable(name: str, shape: list[Any]) -> Any:
        initializer = None if mean is None else v1.random_normal_initializer(mean, stddev, dtype=dtype)
        return v1.get_variable(name, shape, initializer=initializer, dtype=dtype)

    weights, bias = variable("weights", [x.get_shape()[1], outputs]), variable("bias", [outputs])
    v1.summary.histogram(f"{scope}.weights", weights)
    v1.summary.histogram(f"{scope}.bias", bias)
    return weights, bias


def _class_weight_of_graph() -> Any:
    try:
        return v1.get_default_graph().get_tensor_by_name("class_weight:0")
    except KeyError:
        return None


def mean_squared_error_regressor(
    tensor_in: Any, labels: Any, weights: Any, biases: Any, name: str | None = None
) -> tuple[Any, Any]:
    """Returns predictions, of the shape of `labels`, and the mean squared error, a scalar."""
    with v1.name_scope(name, "mean_squared_error_regressor", [tensor_in, labels]):
        predictions = v1.nn.xw_plus_b(tensor_in, weights, biases)
        if len(labels.get_shape()) == 1 and len(predictions.get_shape()) == 2:
            predictions = v1.squeeze(predictions, axis=[1])
        return predictions, v1.losses.mean_squared_error(labels, predictions)


def softmax_classifier(
    tensor_in: Any, labels: Any, weights: Any, biases: Any, class_weight: Any = None, name: str | None = None
) -> tuple[Any, Any]:
    """Returns probabilities, [batch, classes], and the cross entropy, a scalar. `class_weight` multiplies logits."""
    with v1.name_scope(name, "softmax_classifier", [tensor_in, labels]):
        logits = v1.nn.xw_plus_b(tensor_in, weights, biases)
        if class_weight is not None:
            logits = tf.multiply(logits, class_weight)
        return tf.nn.softmax(logits), v1.losses.softmax_cross_entropy(labels, logits)
