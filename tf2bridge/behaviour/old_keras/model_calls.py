"""Lets a model be called on tensors of other sizes than those of its `Input`, as in 1.x.

tf_keras checks the shapes against `Input`, and squeezes, expands or casts the tensors (engine/functional.py,
`input_spec` and `_conform_to_reference_input`). In 1.x the tensors went to the layers unchanged: a convolutional
network takes images of any size, and a nested model takes the tensors of the outer one. The data of `fit`, `evaluate`
and `predict` is conformed in 1.x, too, and since 1.13 checked.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from tf2bridge.behaviour import in_force
from tf2bridge.patching import put
from tf2bridge.patching.during import during

_CONFORM = "_conform_to_reference_input"
_stepping: ContextVar[Any] = ContextVar("_stepping", default=None)
"""The model that computes a step of `fit`, `evaluate` or `predict`."""


def install() -> None:
    """Changes models, for the whole process."""
    functional: Any = importlib.import_module("tf_keras.src.engine.functional").Functional
    sequential: Any = importlib.import_module("tf_keras.src.engine.sequential").Sequential
    model: Any = importlib.import_module("tf_keras.src.engine.training").Model
    for kind in (functional, sequential):
        put(kind, "input_spec", property(_without_shapes(kind.input_spec.fget), kind.input_spec.fset))
    put(functional, _CONFORM, _in_steps(getattr(functional, _CONFORM)))
    for step in ("train_step", "test_step", "predict_step"):
        put(model, step, during(getattr(model, step), _stepping, lambda self, *_, **__: self))


def _without_shapes(specs_of: Callable[..., Any]) -> Callable[..., Any]:
    """Returns the property `input_spec`: names for several inputs, None for one.

    The program's own specs stay as they are.
    """

    def specs(self: Any) -> Any:
        known = specs_of(self)
        checked = _stepping.get() is self and not in_force.before(1, 13)
        if checked or known is None or hasattr(self, "_manual_input_spec"):
            return known
        return [_named(spec) for spec in known] if len(known) > 1 else None

    return specs


def _named(spec: Any) -> Any:
    """Returns a spec with only the name of the input, and whether it may be left out (since tf_keras 2.21)."""
    plain = type(spec)(name=spec.name)
    if hasattr(spec, "optional"):
        plain.optional = spec.optional
    return plain


def _in_steps(conform: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(conform)
    def changed(self: Any, tensor: Any, ref_input: Any) -> Any:
        return conform(self, tensor, ref_input) if _stepping.get() is self else tensor

    return changed
