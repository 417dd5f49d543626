"""Finds the tensors of an object that TF 1.x code built, by attribute paths: `self.x`, `self.losses["l2"]`."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.internals.framework import CompositeTensor

v1 = tf.compat.v1

_NOT_THE_PROGRAMS = ("tensorflow", "tf_keras", "keras", "tf2bridge", "numpy")
"""Packages whose objects are not searched: the tensors inside an optimizer or a cell are private to it."""
_PLAIN = {"argparse", "types", "collections"}
"""Modules of the standard library whose objects serve as containers of a program's own values."""


def held(root: Any) -> dict[str, Any]:
    """Returns path -> tensor, variable, operation or session that `root` holds, the shortest paths first.

    A path joins names of attributes, keys of dicts, fields of named tuples and list indices: "cell.state.0". A value
    may have several paths. A sparse tensor counts as its parts: "x.indices".
    """
    leaves: dict[str, Any] = {}
    seen: set[int] = set()
    pending: deque[tuple[str, Any]] = deque([("", root)])
    while pending:
        path, value = pending.popleft()
        if is_leaf(value):
            leaves[path] = value
        elif id(value) not in seen:
            seen.add(id(value))
            pending.extend((f"{path}.{name}" if path else name, part) for name, part in _parts(value))
    return leaves


def is_leaf(value: Any) -> bool:
    """Returns whether a value is a tensor, operation, variable or session."""
    return isinstance(value, tf.Tensor | tf.Operation) or is_variable(value) or is_session(value)


def is_session(value: Any) -> bool:
    """Returns whether a value is a session. A wrapper of a session, such as `MonitoredSession`, is not."""
    return isinstance(value, v1.Session | v1.InteractiveSession)


def is_variable(value: Any) -> bool:
    """Returns whether a value is a reference or resource variable, or the result of an assignment to one."""
    from tf2bridge.internals.ops import BaseResourceVariable

    return isinstance(value, v1.Variable | BaseResourceVariable)


def graph_element(value: Any) -> Any:
    """Returns the tensor or operation that a session fetches for a value.

    For a variable it is a read; for the result of an assignment, a read after the assignment.
    """
    return value._as_graph_element() if is_variable(value) else value


def _parts(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from ((str(key), part) for key, part in value.items() if isinstance(key, str | int))
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        yield from zip(value._fields, value, strict=True)
    elif isinstance(value, list | tuple):
        yield from ((str(place), part) for place, part in enumerate(value))
    elif isinstance(value, CompositeTensor):
        names = ("indices", "values", "dense_shape")
        yield from ((name, getattr(value, name)) for name in names if getattr(value, name, None) is not None)
    elif hasattr(value, "__dict__") and not isinstance(value, type) and _is_the_programs(type(value).__module__):
        yield from _cached_properties(value)
        yield from vars(value).items()


def _is_the_programs(module: str) -> bool:
    root = module.partition(".")[0]
    return root not in _NOT_THE_PROGRAMS and (root not in sys.stdlib_module_names or root in _PLAIN)


def _cached_properties(value: Any) -> Iterator[tuple[str, Any]]:
    """Yields properties that cache their result, such as `loss` in `_cache_loss`: reading them again builds nothing."""
    kept = [name for name in vars(value) if name.startswith("_")]
    for base in type(value).__mro__:
        for name, member in vars(base).items():
            if isinstance(member, property) and any(attribute.endswith(f"_{name}") for attribute in kept):
                yield name, getattr(value, name)
