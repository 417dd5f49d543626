"""Replaces a function wherever TensorFlow's modules hold it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tf2bridge.patching.ledger import note_functions
from tf2bridge.patching.modules import loaded_modules, swap
from tf2bridge.patching.own_names import own_names

Function = Callable[..., Any]


def twins(owner: Any, name: str) -> list[Function]:
    """Returns the functions with this name: `owner`'s own, and others made from it."""
    return all_twins([(owner, name)])[0]


def all_twins(places: Sequence[tuple[Any, str]]) -> list[list[Function]]:
    """Returns the twins of several functions, each given as its owner and its name, in one pass over all modules.

    TensorFlow's weak_tensor_ops put wrapped functions into some modules after the public API had taken the bare ones.
    """
    owned = [(name, getattr(owner, name)) for owner, name in places]
    functions = [{id(own): own} for _, own in owned]
    for names in map(own_names, loaded_modules()):
        for (name, own), of_name in zip(owned, functions, strict=True):
            other = names.get(name)
            if (
                callable(other)
                and getattr(other, "__module__", None) == own.__module__
                and other.__name__ == own.__name__
            ):
                of_name[id(other)] = other
    return [list(of_name.values()) for of_name in functions]


def rebind(replacements: dict[int, tuple[Function, Function]]) -> None:
    """Replaces functions in all loaded modules of TensorFlow, tf_keras and our own, in one pass.

    Args:
        replacements: maps the `id` of a function to (that function, the one to take its place).
    """
    note_functions(list(replacements.values()), swap(replacements))
