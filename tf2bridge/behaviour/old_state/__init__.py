"""Private state of TensorFlow 1.x that public programs read: `op._inputs`, `graph._nodes_by_name`, `adam._beta1_power`.

Each module beside this file lists attributes of some classes: in `ROWS` those of TensorFlow, in `KERAS` those of
tf_keras. A class gets an attribute only if the installed TensorFlow has none of that name.
`fixtures/private_state/` lists the attributes of objects in genuine releases, and a test compares them.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from tf2bridge.patching import put

Rows = Mapping[str, Mapping[str, Any]]
"""`module:Class` -> attribute -> its value, mostly a `Derived`."""


class Derived:
    """An attribute that is computed from the object at each read, until a program sets another value.

    It is not a property, because programs set such attributes, which were plain ones in 1.x.
    """

    def __init__(self, compute: Callable[[Any], Any]) -> None:
        self._compute = compute

    def __get__(self, obj: Any, owner: type | None = None) -> Any:
        """Returns the value for `obj`; on the class, this object itself."""
        return self if obj is None else self._compute(obj)


def method(body: Callable[..., Any]) -> Callable[..., Any]:
    """Returns `body` as the value of an attribute that programs call; it marks the row for readers."""
    return body


def renamed(name: str) -> Derived:
    """Returns the attribute that is called `name` in TensorFlow 2."""
    return Derived(lambda obj: getattr(obj, name))


def install() -> None:
    """Adds the attributes of TensorFlow's classes in this process."""
    for part in _parts():
        _add(getattr(part, "ROWS", {}))
        getattr(part, "install", _nothing)()


def install_in_keras() -> None:
    """Adds the attributes of tf_keras's classes. tf_keras must be importable."""
    for part in _parts():
        _add(getattr(part, "KERAS", {}))
        getattr(part, "install_in_keras", _nothing)()


def _nothing() -> None:
    """Does nothing: the default for modules that have only rows."""


def _parts() -> Iterator[Any]:
    for module in pkgutil.iter_modules(__path__):
        yield importlib.import_module(f"{__name__}.{module.name}")


def _add(rows: Rows) -> None:
    for path, attributes in rows.items():
        module, _, name = path.partition(":")
        owner: Any = getattr(importlib.import_module(module), name)
        for attribute, value in attributes.items():
            if not hasattr(owner, attribute):
                put(owner, attribute, value)
