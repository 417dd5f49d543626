"""Functions of contrib.framework's `nest` that TensorFlow 2 lacks: subtrees longer than the shallow tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tf2bridge.internals.support import nest


def is_sequence(seq: Any) -> bool:
    """Returns True if `seq` is a list, tuple, dict or another nest. (TensorFlow 2 calls it `is_nested`.)"""
    return bool(nest.is_nested(seq))


def assert_shallow_structure(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> None:
    """Raises ValueError or TypeError unless `shallow_tree` is the top of `input_tree`.

    Without `check_subtrees_length` the nests of `input_tree` may be longer.
    """
    tree = input_tree if check_subtrees_length else _cut(shallow_tree, input_tree)
    nest.assert_shallow_structure(shallow_tree, tree, check_types, expand_composites)


def flatten_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[Any]:
    """Returns what `input_tree` holds at each leaf of `shallow_tree`. Raises as `assert_shallow_structure` does."""
    tree = input_tree if check_subtrees_length else _cut(shallow_tree, input_tree)
    return list(nest.flatten_up_to(shallow_tree, tree, check_types, expand_composites))


def flatten_with_tuple_paths_up_to(
    shallow_tree: Any,
    input_tree: Any,
    check_types: bool = True,
    expand_composites: bool = False,
    check_subtrees_length: bool = True,
) -> list[tuple[tuple[Any, ...], Any]]:
    """Returns `flatten_up_to`, each with its path of keys."""
    tree = input_tree if check_subtrees_length else _cut(shallow_tree, input_tree)
    return list(nest.flatten_with_tuple_paths_up_to(shallow_tree, tree, check_types, expand_composites))


def map_structure_up_to(
    shallow_tree: Any,
    func: Callable[..., Any],
    *inputs: Any,
    check_subtrees_length: bool = True,
    **kwargs: Any,
) -> Any:
    """Returns `shallow_tree` with the leaves `func(*subtrees of inputs)`. Raises ValueError without inputs."""
    trees = inputs if check_subtrees_length else [_cut(shallow_tree, tree) for tree in inputs]
    return nest.map_structure_up_to(shallow_tree, func, *trees, **kwargs)


def map_structure_with_tuple_paths_up_to(
    shallow_tree: Any,
    func: Callable[..., Any],
    *inputs: Any,
    check_subtrees_length: bool = True,
    **kwargs: Any,
) -> Any:
    """Does the same as `map_structure_up_to`. The first argument of `func` is the path of keys."""
    trees = inputs if check_subtrees_length else [_cut(shallow_tree, tree) for tree in inputs]
    return nest.map_structure_with_tuple_paths_up_to(shallow_tree, func, *trees, **kwargs)


def _cut(shallow: Any, tree: Any) -> Any:
    """Returns `tree` without the elements that have no counterpart in `shallow`."""
    if isinstance(shallow, Mapping) and isinstance(tree, Mapping) and set(shallow) <= set(tree):
        return {key: _cut(shallow[key], tree[key]) for key in shallow}
    plain = isinstance(tree, list | tuple) and not hasattr(tree, "_fields")
    if plain and isinstance(shallow, list | tuple) and len(shallow) <= len(tree):
        return type(tree)(_cut(shallow_part, part) for shallow_part, part in zip(shallow, tree, strict=False))
    return tree
