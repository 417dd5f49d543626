"""Positional arguments of tf.keras in the order of the release: `SGD(0.1, 0.9, 1e-6, True)` of 1.12 sets the decay.

tf_keras put new parameters between old ones and reordered others. So a call by position would mean something else,
often without an error. `positions.json` has the orders of genuine releases (fixtures/keras_positions.py). Calls inside
tf_keras keep the order of tf_keras.
"""

from __future__ import annotations

import functools
import importlib
import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tf2bridge.behaviour.release import Release
from tf2bridge.frames import first_outside, module_of
from tf2bridge.patching import put, rebind

_TABLE = Path(__file__).with_name("positions.json")
_SINCE = {"1.15.5": (1, 14), "1.12.3": (1, 10), "1.4.1": (0, 0)}
"""Release that was recorded -> the first that is taken to have the same orders; the newest first."""


def install(release: Release) -> None:
    """Changes the classes and functions for the whole process; for another release, it replaces what it has changed."""
    recorded = next(name for name, first in _SINCE.items() if not release.before(*first))
    functions, methods = {}, []
    for place, orders in json.loads(_TABLE.read_text(encoding="utf-8")).items():
        module, _, path = place.partition(":")
        *outer, name = path.split(".")
        owner: Any = functools.reduce(getattr, outer, importlib.import_module(module))
        original = getattr(owner, name)
        if order := orders.get(recorded):
            changed = _in_order(original, order, bound=len(outer))
            methods += [(owner, name, changed)] if outer else []
            functions.update({} if outer else {id(original): (original, changed)})
    rebind(functions)
    for owner, name, changed in methods:  # after all have been read: one class may inherit from another
        put(owner, name, changed)


def _in_order(original: Callable[..., Any], order: list[str], *, bound: int) -> Callable[..., Any]:
    """Returns `original` for calls with positional arguments in this order, after `bound` objects such as `self`."""
    today = list(inspect.signature(original).parameters)[bound:]
    pairs = zip(order, today, strict=False)
    same = next((place for place, (then, now) in enumerate(pairs) if then != now), len(today))

    @functools.wraps(original)
    def called(*args: Any, **kwargs: Any) -> Any:
        given = args[bound:]
        if not same < len(given) <= len(order) or _caller().startswith("tf_keras."):
            return original(*args, **kwargs)
        named = dict(zip(order[same:], given[same:], strict=False))
        if twice := named.keys() & kwargs.keys():
            raise TypeError(f"{original.__qualname__}() got multiple values for argument '{min(twice)}'")
        return original(*args[: bound + same], **named, **kwargs)

    return called


def _caller() -> str:
    """Returns the name of the module that calls the class or function. Frames of wrappers of tf2bridge are skipped."""
    return module_of(first_outside("tf2bridge."))
