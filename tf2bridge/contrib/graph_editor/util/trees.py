"""Nests and lists of operations and tensors, as every function of `tf.contrib.graph_editor` takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import tensorflow as tf


class ListView:
    """A list that cannot be changed through this view."""

    def __init__(self, list_: list[Any]) -> None:
        if not isinstance(list_, list):
            raise TypeError(f"Expected a list, got: {type(list_)}.")
        self._list = list_

    def __iter__(self) -> Iterator[Any]:
        return iter(self._list)

    def __len__(self) -> int:
        return len(self._list)

    def __bool__(self) -> bool:
        return bool(self._list)

    def __getitem__(self, i: Any) -> Any:
        return self._list[i]

    def __add__(self, other: Iterable[Any]) -> list[Any]:
        return [*self._list, *other]


def concatenate_unique(la: list[Any], lb: Iterable[Any]) -> list[Any]:
    """Appends to `la` what `lb` holds and `la` does not, in the order of `lb`; returns `la`."""
    known = set(la)
    for member in lb:
        if member not in known:
            known.add(member)
            la.append(member)
    return la


def is_iterable(obj: Any) -> bool:
    """Returns whether the members of `obj` can be walked over; a tensor counts as a single value."""
    if isinstance(obj, tf.Tensor):
        return False
    try:
        iter(obj)
    except Exception:  # a class may raise anything from __iter__
        return False
    return True


def flatten_tree(tree: Any, leaves: list[Any] | None = None) -> list[Any]:
    """Returns the leaves of a nest, appended to `leaves` if given. A dictionary gives the leaves of its values."""
    leaves = [] if leaves is None else leaves
    if isinstance(tree, str) or not is_iterable(tree):
        leaves.append(tree)
        return leaves
    for child in tree.values() if isinstance(tree, dict) else tree:
        flatten_tree(child, leaves)
    return leaves


def transform_tree(tree: Any, fn: Callable[[Any], Any], iterable_type: Callable[[Any], Any] = tuple) -> Any:
    """Returns the nest with `fn` of each leaf.

    Dictionaries, tuples, named tuples and sequences keep their types; any other iterable becomes an `iterable_type`.
    """
    if isinstance(tree, str) or not is_iterable(tree):
        return fn(tree)
    if isinstance(tree, Mapping):
        made: Any = type(tree)
        return made((key, transform_tree(child, fn)) for key, child in tree.items())
    children = [transform_tree(child, fn) for child in tree]
    if isinstance(tree, tuple) and hasattr(tree, "_asdict"):
        return type(tree)(*children)
    made = type(tree) if isinstance(tree, Sequence) else iterable_type
    return made(children)
