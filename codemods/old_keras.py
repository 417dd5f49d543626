"""The package keras of TensorFlow 1's time: which names tell of it, and where they are today."""

from __future__ import annotations

from functools import cache

from codemods.symbols import Answer, lookup
from codemods.symbols.exports import State, status

HOMES = ("tf2bridge.v1", "tf2bridge.v1.python")
"""Packages that have a `keras`: the public one, and that of its modules."""


@cache
def home(name: str) -> str | None:
    """The package below which `keras.X` is today, the public one if it can be; None where there is none."""
    return next((package for package in HOMES if _is_bridged(package, name)), None)


def _is_bridged(package: str, name: str) -> bool:
    symbol = lookup(f"{package}.{name}".removeprefix("tf2bridge.v1."))
    return symbol is not None and symbol.answer is Answer.BRIDGE


@cache
def is_old(name: str) -> bool:
    """Whether `keras.engine.Layer` and its like are meant: Keras 2 has the name, and Keras 3 has not."""
    return name.startswith("keras.") and home(name) is not None and status(f"tensorflow.{name}").state is State.MISSING
