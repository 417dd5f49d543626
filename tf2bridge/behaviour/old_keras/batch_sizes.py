"""The batch size of an eager model for which the program gives none, as 1.13 to 1.15 choose it.

A model whose `Input` has a batch size is trained with that size, and refuses another one; tf_keras takes 32. If a
`Sequence` trains the model, validation arrays are cut into batches of the size of the `Sequence`. 1.15 refuses a batch
size for data that comes in batches. Up to 1.12 eager models took 32 (tensorflow/python/keras/engine/training.py of
1.15.5, `_validate_or_infer_batch_size`; measured on genuine 1.12.3, 1.13.2, 1.14.0 and 1.15.5).
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour import in_force
from tf2bridge.patching import put

_METHODS = ("fit", "evaluate", "predict")


def install(model: Any) -> None:
    """Makes the methods of the class `model` choose batch sizes by these rules."""
    for name in _METHODS:
        put(model, name, _sized(getattr(model, name)))


def _sized(method: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(method)

    @functools.wraps(method)
    def sized(*args: Any, **kwargs: Any) -> Any:
        if in_force.before(1, 13):
            return method(*args, **kwargs)
        given = signature.bind(*args, **kwargs)
        given.arguments.update(_chosen(given.arguments))
        return method(*given.args, **given.kwargs)

    return sized


def _chosen(given: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments for the batch size of a call in which the program gives none.

    Raises ValueError for a size that the model or the data contradicts.
    """
    x: Any = given.get("x")
    size = given.get("batch_size")
    if _has_batches(x):
        if size is not None and not in_force.before(1, 15):
            raise ValueError(
                "The `batch_size` argument must not be specified for the given input type. "
                f"Received input: {x}, batch_size: {size}"
            )
        beside = given.get("validation_data")
        if _is_sequence(x) and isinstance(beside, (tuple, list)) and given.get("validation_batch_size") is None:
            return {"validation_batch_size": len(tf.nest.flatten(x[0])[0])}
        return {}
    static = _static_size(given["self"])
    if static is None or size == static:
        return {}
    if size is not None:
        raise ValueError(
            f"The `batch_size` argument value {size} is incompatible with the specified batch size of your Input "
            f"Layer: {static}"
        )
    steps = given.get("steps_per_epoch", given.get("steps"))
    return {"batch_size": static} if steps is None else {}


def _has_batches(x: Any) -> bool:
    """Returns whether the data comes in batches: a data set, a `Sequence`, a generator."""
    return isinstance(x, tf.data.Dataset) or _is_sequence(x) or inspect.isgenerator(x)


def _is_sequence(x: Any) -> bool:
    return isinstance(x, importlib.import_module("tf_keras.src.utils.data_utils").Sequence)


def _static_size(model: Any) -> int | None:
    """Returns the batch size of the model's first input; None if it has none."""
    inputs = tf.nest.flatten(model.inputs or []) if getattr(model, "_is_graph_network", False) else []
    shape = inputs[0].shape if inputs else tf.TensorShape(None)
    return None if not shape.rank else tf.TensorShape(shape).as_list()[0]
