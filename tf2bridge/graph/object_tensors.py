"""The tensors of an object that TF 1.x code built, by the attributes that hold them: `self.x`, `self.losses["l2"]`."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.internals.framework import CompositeTensor

v1 = tf.compat.v1

_NOT_THE_PROGRAMS = ("tensorflow", "tf_keras", "keras", "tf2bridge", "numpy")
"""Packages whose objects are no models: the tensors inside an optimizer or a cell are its own affair."""
_PLAIN = {"argparse", "types", "collections"}
"""Modules of the standard library whose objects a program holds its own things in."""


def held(found: Any) -> dict[str, Any]:
    """Returns path -> tensor, variable, operation or session that `found` holds, the shortest paths first.

    A path joins the names of attributes, keys of dicts, fields of named tuples and places in lists: "cell.state.0". One
    thing may lie at several paths. Of a sparse tensor it is the parts that count: "x.indices".
    """
    leaves: dict[str, Any] = {}
    seen: set[int] = set()
    pending: deque[tuple[str, Any]] = deque([("", found)])
    while pending:
        path, each = pending.popleft()
        if is_leaf(each):
            leaves[path] = each
        elif id(each) not in seen:
            seen.add(id(each))
            pending.extend((f"{path}.{name}" if path else name, part) for name, part in _parts(each))
    return leaves


def is_leaf(each: Any) -> bool:
    """Whether this is something that a session runs, or a session."""
    return isinstance(each, tf.Tensor | tf.Operation) or is_variable(each) or is_session(each)


def is_session(each: Any) -> bool:
    """Whether this is a session, not one that wraps another (`MonitoredSession`)."""
    return isinstance(each, v1.Session | v1.InteractiveSession)


def is_variable(each: Any) -> bool:
    """Whether this is a variable of either kind, or what assigning to one returned."""
    from tf2bridge.internals.ops import BaseResourceVariable

    return isinstance(each, v1.Variable | BaseResourceVariable)


def graph_element(each: Any) -> Any:
    """The tensor or operation that a session would fetch: of a variable a read, of an assignment a read after it."""
    return each._as_graph_element() if is_variable(each) else each


def _parts(each: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(each, Mapping):
        yield from ((str(key), value) for key, value in each.items() if isinstance(key, str | int))
    elif isinstance(each, tuple) and hasattr(each, "_fields"):
        yield from zip(each._fields, each, strict=True)
    elif isinstance(each, list | tuple):
        yield from ((str(place), value) for place, value in enumerate(each))
    elif isinstance(each, CompositeTensor):
        names = ("indices", "values", "dense_shape")
        yield from ((name, getattr(each, name)) for name in names if getattr(each, name, None) is not None)
    elif hasattr(each, "__dict__") and not isinstance(each, type) and _is_the_programs(type(each).__module__):
        yield from _cached_properties(each)
        yield from vars(each).items()


def _is_the_programs(module: str) -> bool:
    root = module.partition(".")[0]
    return root not in _NOT_THE_PROGRAMS and (root not in sys.stdlib_module_names or root in _PLAIN)


def _cached_properties(each: Any) -> Iterator[tuple[str, Any]]:
    """What properties gave that keep it, as `_cache_loss` for `loss`: asking them again builds nothing."""
    kept = [name for name in vars(each) if name.startswith("_")]
    for base in type(each).__mro__:
        for name, member in vars(base).items():
            if isinstance(member, property) and any(one.endswith(f"_{name}") for one in kept):
                yield name, getattr(each, name)
