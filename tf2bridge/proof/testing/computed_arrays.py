"""Returns the results of a call as arrays by name."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tf2bridge.proof.testing.refusals import NotRunnableError

Arrays = dict[str, np.ndarray[Any, Any]]


def is_plain_function(value: Any) -> bool:
    """Returns whether something is code to call, and not a model, module, graph or file with outputs of its own."""
    kinds = {base.__name__ for base in type(value).__mro__}
    return callable(value) and not hasattr(value, "variables") and not kinds & {"Layer", "Module", "Checkpoint"}


def computed(side: str, callee: Any, inputs: Any) -> Arrays:
    """Runs a function, GraphModule, Keras model, or the graph at a path, and returns its outputs by name.

    A dict of inputs goes by name where the callee names its inputs, a tuple or list one by one, all else as one.
    """
    if isinstance(callee, str | Path):
        from tf2bridge.graph.load import load

        callee = load(callee)
    if not callable(callee):
        raise NotRunnableError(side, f"a {type(callee).__name__}")
    if not isinstance(inputs, Mapping):
        inputs = inputs if isinstance(inputs, tuple | list) else (inputs,)
        return named(_of_keras(callee, list(inputs)) if _is_layer(callee) else callee(*inputs))
    if not _is_layer(callee):
        return named(callee(**inputs))
    known = {getattr(port, "name", "") for port in getattr(callee, "inputs", None) or ()}
    return named(callee(inputs) if known == inputs.keys() else _of_keras(callee, list(inputs.values())))


def _is_layer(value: Any) -> bool:
    return any(base.__name__ == "Layer" for base in type(value).__mro__)


def _of_keras(layer: Any, inputs: list[Any]) -> Any:
    """A Keras model takes its inputs as one argument."""
    return layer(inputs[0] if len(inputs) == 1 else inputs)


def named(values: Any, name: str = "") -> Arrays:
    """Returns the arrays of a nest by their paths: "logits", "state/0"; a lone one is "output"."""
    if isinstance(values, Mapping):
        parts = [(str(key), value) for key, value in values.items()]
    elif hasattr(values, "_asdict"):
        return named(values._asdict(), name)
    elif isinstance(values, tuple | list) and not _is_plain(values):
        parts = [(str(number), value) for number, value in enumerate(values)]
    else:
        return {} if values is None else {name or "output": _array(values)}
    arrays: Arrays = {}
    for key, value in parts:
        arrays.update(named(value, f"{name}/{key}" if name else key))
    return arrays


def _is_plain(values: Any) -> bool:
    """Returns whether a sequence is one array of numbers, written as a list."""
    return bool(values) and all(isinstance(value, bool | int | float | str | bytes) for value in values)


def _array(value: Any) -> np.ndarray[Any, Any]:
    if hasattr(value, "indices") and hasattr(value, "dense_shape"):
        import tensorflow as tf

        value = tf.convert_to_tensor(value) if not hasattr(value, "op") else tf.sparse.to_dense(value)
    array = np.asarray(value.numpy() if hasattr(value, "numpy") else value)
    if array.dtype.kind in "US":
        array = np.asarray([str(item).encode() if isinstance(item, str) else item for item in array.flat], object)
        array = array.reshape(np.shape(value))
    return array.astype(np.float32) if array.dtype.name == "bfloat16" else array
