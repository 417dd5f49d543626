"""The name scope of training up to 1.13: one scope "training" for each compiled model.

Later releases and tf_keras enter a second scope when they make the function of a step, so that the next model has
"training_2".
"""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put
from tf2bridge.patching.during import during

_SCOPE = "training"
_METHOD = "_make_train_function"
_entered: ContextVar[list[str] | None] = ContextVar("_entered", default=None)
"""The scope that a model has entered while it makes the function of a step."""


def install(release: Release) -> None:
    """Changes models that are trained in a graph, for the whole process; for other releases, restores them."""
    backend: Any = importlib.import_module("tf_keras.src.backend")
    model: Any = importlib.import_module("tf_keras.src.engine.training_v1").Model
    if release.before(1, 14):
        put(backend, "name_scope", _once(backend.name_scope))
        put(model, _METHOD, during(getattr(model, _METHOD), _entered, lambda _self: []))


def _once(name_scope: Callable[[str], Any]) -> Callable[[str], Any]:
    def scope_of(name: str) -> Any:
        """Returns the name scope, or for "training" the one that the model has entered before."""
        entered = _entered.get()
        if entered is None or name != _SCOPE:
            return name_scope(name)
        return name_scope(entered[0]) if entered else _noted(name_scope, entered)

    return scope_of


@contextlib.contextmanager
def _noted(name_scope: Callable[[str], Any], entered: list[str]) -> Iterator[str]:
    with name_scope(_SCOPE) as scope:
        entered.append(scope)
        yield scope
