"""The package keras at the time of TensorFlow 1: the names that identify it, and their places today."""

from __future__ import annotations

from functools import cache

from codemods.symbols import Answer, lookup
from codemods.symbols.exports import State, status

HOMES = ("tf2bridge.v1", "tf2bridge.v1.python")
"""Packages that have a `keras`: the public one, and that of its modules."""


@cache
def home(name: str) -> str | None:
    """Returns the package that has `keras.X` today, a public one if possible; None if there is none."""
    return next((package for package in HOMES if _is_bridged(package, name)), None)


def _is_bridged(package: str, name: str) -> bool:
    symbol = lookup(f"{package}.{name}".removeprefix("tf2bridge.v1."))
    return symbol is not None and symbol.answer is Answer.BRIDGE


@cache
def is_old(name: str) -> bool:
    """Returns whether a name such as `keras.engine.Layer` is in Keras 2 and not in Keras 3."""
    return name.startswith("keras.") and home(name) is not None and status(f"tensorflow.{name}").state is State.MISSING
