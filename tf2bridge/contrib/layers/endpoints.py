"""End points: output tensors in collections, each with the names (aliases) that its layers gave it."""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import tensorflow as tf

v1 = tf.compat.v1


class NamedOutputs(NamedTuple):
    """A name and what goes by it."""

    name: str
    outputs: Any


def collect_named_outputs(collections: str | Sequence[str] | None, alias: str, outputs: Any) -> Any:
    """Returns `outputs`, put into `collections` under the name `alias` if there are any."""
    if collections:
        append_tensor_alias(outputs, alias)
        v1.add_to_collections(collections, outputs)
    return outputs


def append_tensor_alias(tensor: Any, alias: str) -> Any:
    """Returns `tensor`, whose attribute `aliases` now ends in `alias` (without a "/" at its end)."""
    alias = alias.removesuffix("/")
    if hasattr(tensor, "aliases"):
        tensor.aliases.append(alias)
    else:
        tensor.aliases = [alias]
    return tensor


def get_tensor_aliases(tensor: Any) -> list[str]:
    """Returns the aliases of `tensor`; one without any goes by its own name, without ":0"."""
    if hasattr(tensor, "aliases"):
        return list(tensor.aliases)
    return [tensor.name.removesuffix(":0")]


def gather_tensors_aliases(tensors: Iterable[Any]) -> list[str]:
    """Returns the aliases of all `tensors`, one after another."""
    return [alias for tensor in tensors for alias in get_tensor_aliases(tensor)]


def convert_collection_to_dict(collection: str, clear_collection: bool = False) -> dict[str, Any]:
    """Returns {alias: tensor} of a collection, in order, and empties the collection if asked to."""
    named = collections.OrderedDict(
        (alias, tensor) for tensor in v1.get_collection(collection) for alias in get_tensor_aliases(tensor)
    )
    if clear_collection:
        v1.get_default_graph().clear_collection(collection)
    return named
