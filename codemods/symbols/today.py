"""What the TensorFlow of this interpreter (2.20 or later) makes of a legacy name. Imports TensorFlow when called."""

from __future__ import annotations

import importlib
import warnings
from dataclasses import dataclass
from typing import Any

from codemods.symbols.surface import PLAIN, arguments_of

_MISSING = object()


@dataclass(frozen=True)
class Found:
    """What a name is under tf.compat.v1 (or, for `python.*`, in TensorFlow's own files).

    `state`: "ok", "missing", or "refused" (Keras 3). `same`: tf.X is the very object that tf.compat.v1.X is.
    """

    state: str
    same: bool = False
    identity: int = 0
    arguments: tuple[str, ...] | None = None


def reach(root: Any, name: str) -> Any:
    """The object `root.name`, importing submodules on the way; raises AttributeError, as Keras 3's refusal does."""
    value = root
    for part in name.split("."):
        try:
            value = getattr(value, part)
        except ImportError as error:  # a lazily loaded part that is not installed
            raise AttributeError(name) from error
        except AttributeError as error:
            if "Keras" in str(error):
                raise
            try:
                value = importlib.import_module(f"{value.__name__}.{part}")
            except (ImportError, AttributeError):
                raise AttributeError(name) from error
    return value


def find(name: str) -> Found:
    """How the name stands on this TensorFlow."""
    tensorflow = importlib.import_module("tensorflow")
    root = tensorflow if name.startswith("python.") else tensorflow.compat.v1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = reach(root, name)
        except AttributeError as error:
            return Found("refused" if "Keras" in str(error) else "missing")
        try:
            other = reach(tensorflow, name)
        except AttributeError:
            other = _MISSING
    same = other is value or (isinstance(value, PLAIN) and type(other) is type(value) and bool(other == value))
    arguments = arguments_of(value)
    identity = 0 if isinstance(value, PLAIN) else id(value)
    return Found("ok", same, identity, None if arguments is None else tuple(arguments))


def in_bridge(name: str, namespace: str = "tf2bridge.v1") -> bool:
    """Whether a namespace of tf2bridge provides the name itself, and does not merely refuse it."""
    try:
        reach(importlib.import_module(namespace), name)
    except Exception:  # the namespace refuses with errors of its own
        return False
    return True
