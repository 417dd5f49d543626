"""Finds the loaded modules that may hold a function of TensorFlow, and sets their names."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Collection, Iterator
from types import ModuleType
from typing import Any

from tf2bridge.patching.own_names import own_names

ABSENT = object()
"""Stands for a name that does not exist."""

Place = tuple[int, str]
"""The `id` of a module, and a name in it."""

_PACKAGES = ("tensorflow", "tf_keras", "tf2bridge")


def loaded_modules() -> Iterator[Any]:
    """Yields the modules of TensorFlow, tf_keras and our own, and those that a `TFModuleWrapper` wraps."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in _PACKAGES:
            yield module
            wrapped = wrapped_by(module)
            if wrapped is not None:
                yield wrapped


def wrapped_by(module: Any) -> Any:
    """Returns the module that a wrapper of the public API replaces, or None."""
    return own_names(module).get("_tfmw_wrapped_module") if isinstance(module, ModuleType) else None


def swap(replacements: dict[int, tuple[Any, Any]], spared: Collection[Place] = ()) -> set[Place]:
    """Replaces values in all these modules, in one pass.

    Args:
        replacements: The `id` of a value -> (that value, its replacement).
        spared: Names that keep their value.

    Returns:
        The names that held a replacement before: the places of its definition.
    """
    new, places = {id(after) for _, after in replacements.values()}, set()
    concerned = new | replacements.keys()
    for module in loaded_modules():
        names = own_names(module)
        if concerned.isdisjoint(map(id, names.values())):  # nearly all modules: thousands, for each part of a release
            continue
        for name, value in [item for item in names.items() if id(item[1]) in concerned]:
            pair = replacements.get(id(value))
            if pair is None or pair[0] is not value:
                places.add((id(module), name))
            elif (id(module), name) not in spared:
                names[name] = pair[1]
                _refresh(module, name, pair[1])
    return places


def held(owner: Any, name: str) -> Any:
    """Returns what an object itself holds under this name, not what it inherits; `ABSENT` if it holds nothing."""
    if name in own_names(owner):
        return own_names(owner)[name]
    if isinstance(owner, ModuleType) or not hasattr(inspect.getattr_static(type(owner), name, None), "__set__"):
        return ABSENT
    return getattr(owner, name)  # a class's name, a function's annotations: they are in no dictionary


def write(owner: Any, name: str, value: Any) -> None:
    """Sets an attribute of a module, a class or another object; `ABSENT` deletes it."""
    if isinstance(owner, ModuleType):
        names = own_names(owner)
        if value is ABSENT:
            names.pop(name, None)
        else:
            names[name] = value
            _refresh(owner, name, value)
    elif value is not ABSENT:
        setattr(owner, name, value)
    elif name in own_names(owner):
        delattr(owner, name)


def _refresh(module: Any, name: str, value: Any) -> None:
    """Updates the second, faster dictionary of earlier lookups that modules of the public API keep."""
    if hasattr(module, "_fastdict_key_in") and module._fastdict_key_in(name):
        module._fastdict_insert(name, value)
