"""Puts a function in the place of another wherever TensorFlow's modules hold it, and takes it out again."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

from tf2bridge.v1.own_names import own_names

_HOLDERS = ("tensorflow", "tf_keras", "tf2bridge")

Function = Callable[..., Any]

_journals: list[list[tuple[Any, str, Any]]] = []
"""Of each block of `for_a_while` that is open: (module or class, name, what was there), in the order of the changes."""


def _modules() -> Iterator[Any]:
    """All loaded modules that may hold a function of TensorFlow, and those that a `TFModuleWrapper` wraps."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in _HOLDERS:
            yield module
            wrapped = own_names(module).get("_tfmw_wrapped_module")
            if wrapped is not None:
                yield wrapped


def twins(owner: Any, name: str) -> list[Function]:
    """Returns the functions that go by this name: `owner`'s own, and others made from it.

    TensorFlow's weak_tensor_ops put wrapped functions into some modules after the public API had taken the bare ones.
    """
    own = getattr(owner, name)
    found = {id(own): own}
    for module in _modules():
        other = own_names(module).get(name)
        if callable(other) and getattr(other, "__module__", None) == own.__module__ and other.__name__ == own.__name__:
            found[id(other)] = other
    return list(found.values())


def rebind(replacements: dict[int, tuple[Function, Function]]) -> None:
    """Replaces functions in all loaded modules of TensorFlow, in one pass.

    `replacements` maps the `id` of a function to (that function, the one to take its place).
    """
    for module in _modules():
        names = own_names(module)
        for name, value in list(names.items()):
            found = replacements.get(id(value))
            if found is not None and found[0] is value:
                _note(module, name, value)
                names[name] = found[1]
                _refresh(module, name, found[1])


def put(owner: Any, name: str, value: Any) -> None:
    """Replaces one attribute of a module or class."""
    _note(owner, name, vars(owner)[name] if name in vars(owner) else getattr(owner, name))  # a class keeps no __name__
    setattr(owner, name, value)


def _note(owner: Any, name: str, value: Any) -> None:
    for journal in _journals:
        journal.append((owner, name, value))


@contextlib.contextmanager
def for_a_while() -> Iterator[None]:
    """Puts back after the block what `rebind` replaced within it."""
    journal: list[tuple[Any, str, Any]] = []
    _journals.append(journal)
    try:
        yield
    finally:
        _journals.remove(journal)
        for owner, name, value in reversed(journal):
            if isinstance(owner, type):
                setattr(owner, name, value)
            else:
                own_names(owner)[name] = value
                _refresh(owner, name, value)


def _refresh(module: Any, name: str, value: Function) -> None:
    """Modules of the public API keep a second, faster dictionary of the names that were looked up before."""
    if hasattr(module, "_fastdict_key_in") and module._fastdict_key_in(name):
        module._fastdict_insert(name, value)
