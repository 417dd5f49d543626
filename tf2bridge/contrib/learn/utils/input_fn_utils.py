"""Inputs of a served model of contrib.learn: InputFnOps of placeholders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.learn.estimators.model_fn import InputFnOps

v1 = tf.compat.v1


def build_parsing_serving_input_fn(feature_spec: Any, default_batch_size: int | None = None) -> Callable[[], Any]:
    """Returns an input_fn that is fed with serialized tf.Examples."""

    def input_fn() -> Any:
        serialized = v1.placeholder(tf.string, [default_batch_size], name="input_example_tensor")
        return InputFnOps(v1.parse_example(serialized, feature_spec), None, {"examples": serialized})

    return input_fn


def build_default_serving_input_fn(
    features: dict[str, Any], default_batch_size: int | None = None
) -> Callable[[], Any]:
    """Returns an input_fn that is fed with features like the given tensors."""

    def input_fn() -> Any:
        fed = {}
        for name, tensor in features.items():
            shape = [default_batch_size, *tensor.get_shape().as_list()[1:]]
            fed[name] = v1.placeholder(tensor.dtype, shape, name=tensor.op.name)
        return InputFnOps(fed, None, fed)

    return input_fn
