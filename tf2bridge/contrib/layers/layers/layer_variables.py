"""The variables of layers, with the names and collections of contrib.layers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.framework.variables.making import model_variable
from tf2bridge.contrib.layers.utils import collect_named_outputs, get_variable_collections

v1 = tf.compat.v1


_PASSED = (
    *("shape", "dtype", "initializer", "regularizer", "collections", "trainable", "caching_device", "partitioner"),
    *("use_resource", "synchronization", "aggregation"),
)


def model_variable_getter(rename: Mapping[str, str] | None = None) -> Callable[..., Any]:
    """Returns a custom getter that makes model variables. The variable `name` of a layer is called `rename[name]`."""

    def layer_variable_getter(getter: Callable[..., Any], name: str, *args: Any, **kwargs: Any) -> Any:
        prefix, slash, last = name.rpartition("/")
        passed = {key: kwargs[key] for key in _PASSED if key in kwargs}
        name = prefix + slash + (rename or {}).get(last, last)
        return model_variable(name, *args, custom_getter=getter, **passed)

    return layer_variable_getter


def add_to_collections(variable: Any, variables_collections: Any, name: str) -> None:
    """Adds a layer's variable to the collections that the argument `variables_collections` gives for `name`."""
    parts = list(variable) if hasattr(variable, "as_tensor") else [variable]
    for collection in get_variable_collections(variables_collections, name) or []:
        for part in parts:
            if not any(part is member for member in v1.get_collection(collection)):
                v1.add_to_collection(collection, part)


def finished(
    outputs: Any,
    normalizer_fn: Callable[..., Any] | None,
    normalizer_params: Mapping[str, Any] | None,
    activation_fn: Callable[[Any], Any] | None,
    outputs_collections: Any,
    name: str,
) -> Any:
    """Returns `outputs` after the normalizer and the activation, and collects them as `name`."""
    if normalizer_fn is not None:
        outputs = normalizer_fn(outputs, **(normalizer_params or {}))
    if activation_fn is not None:
        outputs = activation_fn(outputs)
    return collect_named_outputs(outputs_collections, name, outputs)
