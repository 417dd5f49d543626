"""Sizes of dimensions, conditions that may be constant, and the named outputs of layers."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

v1 = tf.compat.v1


def first_dimension(shape: Any, min_rank: int = 1) -> int:
    """Returns the size of the first dimension. Raises ValueError if it is unknown or the rank below `min_rank`."""
    return _dimension(shape, 0, min_rank)


def last_dimension(shape: Any, min_rank: int = 1) -> int:
    """Returns the size of the last dimension. Raises ValueError if it is unknown or the rank below `min_rank`."""
    return _dimension(shape, -1, min_rank)


def channel_dimension(shape: Any, data_format: str, min_rank: int = 1) -> int:
    """Returns the size of the channels. Raises ValueError if it is unknown or the rank below `min_rank`.

    `data_format` is "channels_first" or "channels_last".
    """
    return _dimension(shape, 1 if data_format == "channels_first" else -1, min_rank)


def two_element_tuple(int_or_tuple: Any) -> tuple[int, int]:
    """Returns (height, width) from one number for both, two numbers, or a shape of rank 2.

    Raises:
        ValueError: the argument has another form.
    """
    if isinstance(int_or_tuple, int):
        return int_or_tuple, int_or_tuple
    if isinstance(int_or_tuple, list | tuple | tf.TensorShape) and len(int_or_tuple) == 2:
        first, second = int_or_tuple
        return int(first), int(second)
    raise ValueError(f"give one int, two of them or a shape of rank 2, not {int_or_tuple!r}")


def n_positive_integers(n: Any, value: Any) -> tuple[int, ...]:
    """Returns `n` positive integers: the elements of a sequence, or one number `n` times.

    Raises:
        ValueError: a number is not a positive integer, or the sequence has another length.
    """
    if int(n) < 1 or int(n) != n:
        raise ValueError(f"n must be a positive integer, not {n!r}")
    try:
        values = (int(value),) * int(n)
    except (TypeError, ValueError):
        if len(value) != n:
            raise ValueError(f"expected {n} positive integers, not {value!r}") from None
        try:
            values = tuple(int(number) for number in value)
        except (TypeError, ValueError):
            raise ValueError(f"expected {n} positive integers, not {value!r}") from None
    if min(values) < 1:
        raise ValueError(f"expected positive integers, not {min(values)}")
    return values


def get_variable_collections(variables_collections: Any, name: str) -> Any:
    """Returns the collections of the variable `name`. A dict maps names; other values apply to all variables."""
    if isinstance(variables_collections, Mapping):
        return variables_collections.get(name)
    return variables_collections


def _dimension(shape: Any, index: int, min_rank: int) -> int:
    if shape.rank is None:
        raise ValueError("the rank of the shape is not known; set it with set_shape")
    if shape.rank < min_rank:
        raise ValueError(f"the shape {shape} has the rank {shape.rank}, not at least {min_rank}")
    size = shape.as_list()[index]
    if size is None:
        raise ValueError(f"dimension {index} of the shape {shape} is not known; set it with set_shape")
    return int(size)


def constant_value(value_or_tensor_or_var: Any, dtype: Any = None) -> Any:
    """Returns the value if it is known when the graph is built, else None. The value of a variable is never known.

    Raises:
        ValueError: the argument is None, or the dtype of a tensor or variable is not `dtype`.
    """
    value = value_or_tensor_or_var
    if value is None:
        raise ValueError("value_or_tensor_or_var cannot be None: give a value, a tensor or a variable")
    if not isinstance(value, tf.Tensor | tf.Variable):
        return value
    if dtype and value.dtype != dtype:
        raise ValueError(f"{value.name} has the dtype {value.dtype}, not {dtype}")
    return None if isinstance(value, tf.Variable) else tf.get_static_value(value)


def static_cond(pred: Any, fn1: Callable[[], Any], fn2: Callable[[], Any]) -> Any:
    """Returns `fn1()` if `pred` is true, else `fn2()`. Raises TypeError if one of them is not callable."""
    if not callable(fn1):
        raise TypeError("fn1 must be callable")
    if not callable(fn2):
        raise TypeError("fn2 must be callable")
    return fn1() if pred else fn2()


def smart_cond(pred: Any, fn1: Callable[[], Any], fn2: Callable[[], Any], name: str | None = None) -> Any:
    """Returns the result of `static_cond` if `pred` is constant, else a `tf.cond`."""
    known = constant_value(pred)
    if known is not None:
        return static_cond(known, fn1, fn2)
    return v1.cond(pred, fn1, fn2, name)  # As in TF 1.x, the name lands in the parameter `strict`.


class NamedOutputs(NamedTuple):
    """Outputs and their name."""

    name: str
    outputs: Any


def collect_named_outputs(collections: str | Sequence[str] | None, alias: str, outputs: Any) -> Any:
    """Returns `outputs`, and adds them to `collections`, if any, under the name `alias`."""
    if collections:
        append_tensor_alias(outputs, alias)
        v1.add_to_collections(collections, outputs)
    return outputs


def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """Returns `tensor` after adding `alias`, without a final "/", to its attribute `aliases`."""
    alias = alias.removesuffix("/")
    if hasattr(tensor, "aliases"):
        tensor.aliases.append(alias)
    else:
        tensor.aliases = [alias]
    return tensor


def get_tensor_aliases(tensor: Any) -> list[str]:
    """Returns the aliases of `tensor`. Without aliases, the list holds the tensor's name without ":0"."""
    if hasattr(tensor, "aliases"):
        return list(tensor.aliases)
    return [tensor.name.removesuffix(":0")]


def gather_tensors_aliases(tensors: Iterable[Any]) -> list[str]:
    """Returns one list of the aliases of all `tensors`."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def convert_collection_to_dict(collection: str, clear_collection: bool = False) -> dict[str, Any]:
    """Returns {alias: tensor} of a collection, in order. `clear_collection` empties the collection."""
    named = collections.OrderedDict(
        (alias, tensor) for tensor in v1.get_collection(collection) for alias in get_tensor_aliases(tensor)
    )
    if clear_collection:
        v1.get_default_graph().clear_collection(collection)
    return named
