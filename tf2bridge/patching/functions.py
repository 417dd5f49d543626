"""Replaces a function wherever TensorFlow's modules hold it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tf2bridge.patching.ledger import note_functions
from tf2bridge.patching.modules import loaded_modules, swap
from tf2bridge.patching.own_names import own_names

Function = Callable[..., Any]


def twins(owner: Any, name: str) -> list[Function]:
    """Returns the functions with this name: `owner`'s own, and others made from it.

    TensorFlow's weak_tensor_ops put wrapped functions into some modules after the public API had taken the bare ones.
    """
    own = getattr(owner, name)
    functions = {id(own): own}
    for module in loaded_modules():
        other = own_names(module).get(name)
        if callable(other) and getattr(other, "__module__", None) == own.__module__ and other.__name__ == own.__name__:
            functions[id(other)] = other
    return list(functions.values())


def rebind(replacements: dict[int, tuple[Function, Function]]) -> None:
    """Replaces functions in all loaded modules of TensorFlow, tf_keras and our own, in one pass.

    Args:
        replacements: maps the `id` of a function to (that function, the one to take its place).
    """
    note_functions(list(replacements.values()), swap(replacements))
