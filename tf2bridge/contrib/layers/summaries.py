"""Summaries of tensors and of whole collections, as contrib.layers made them."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

_CUT_OFF_BELOW = ("Relu", "Softplus", "Relu6")


def summarize_activation(op: Any) -> Any:
    """Returns a histogram summary of the tensor `op`. A ReLU also gets scalar summaries of its fraction of zeros."""
    name, kind = op.op.name, op.op.type
    if kind in _CUT_OFF_BELOW:
        _share(tf.less, op.op.inputs[0], 0.0, f"{name}/zeros")
    if kind == "Relu6":
        _share(tf.greater, op.op.inputs[0], 6.0, f"{name}/sixes")
    return v1.summary.histogram(f"{name}/activation", op)


def summarize_tensor(tensor: Any, tag: str | None = None) -> Any:
    """Returns a scalar or histogram summary called `tag`; None for strings and booleans."""
    if tensor.dtype.is_compatible_with(tf.string) or tensor.dtype.base_dtype == tf.bool:
        return None
    write = v1.summary.scalar if tensor.shape.rank == 0 else v1.summary.histogram
    return write(tag or f"{tensor.op.name}_summary", tensor)


def summarize_tensors(tensors: Iterable[Any], summarizer: Callable[[Any], Any] = summarize_tensor) -> list[Any]:
    """Returns a summary of each tensor."""
    return [summarizer(tensor) for tensor in tensors]


def summarize_collection(
    collection: str, name_filter: str | None = None, summarizer: Callable[[Any], Any] = summarize_tensor
) -> list[Any]:
    """Returns a summary of each member of `collection` whose op name begins with the pattern `name_filter`."""
    members = v1.get_collection(collection)
    return summarize_tensors(
        [member for member in members if name_filter is None or re.match(name_filter, member.op.name)], summarizer
    )


summarize_variables = functools.partial(summarize_collection, v1.GraphKeys.GLOBAL_VARIABLES)
summarize_weights = functools.partial(summarize_collection, v1.GraphKeys.WEIGHTS)
summarize_biases = functools.partial(summarize_collection, v1.GraphKeys.BIASES)


def summarize_activations(
    name_filter: str | None = None, summarizer: Callable[[Any], Any] = summarize_activation
) -> list[Any]:
    """Returns summaries of the collection of activations."""
    return summarize_collection(v1.GraphKeys.ACTIVATIONS, name_filter, summarizer)


def _share(compare: Callable[[Any, Any], Any], values: Any, bound: float, tag: str) -> None:
    cut = v1.to_float(compare(values, tf.cast(bound, values.dtype)))
    v1.summary.scalar(tag, tf.reduce_mean(cut))
