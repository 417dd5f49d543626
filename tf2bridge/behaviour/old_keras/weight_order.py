"""The order of weights up to 1.14: models list trainable weights first, and return values layer by layer.

In `model.weights` the moving averages of all layers come last. `get_weights` and `set_weights` go through the layers. A
layer that is a model has its own weights in the order of `weights`. 1.15 and tf_keras always go layer by layer. So a
list of values from one release would be assigned to other weights of the same shapes by another.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put
from tf2bridge.patching.during import during

_ordered: ContextVar[Any] = ContextVar("_ordered", default=None)
"""The model whose values are read or set now."""


def install(release: Release) -> None:
    """Changes the order in this process, for releases up to 1.14."""
    if not release.before(1, 15):
        return
    model: Any = importlib.import_module("tf_keras.src.engine.training").Model
    model_of_graphs: Any = importlib.import_module("tf_keras.src.engine.training_v1").Model
    put(model, "weights", property(_weights(sequences=release.before(1, 12))))
    put(model, "non_trainable_weights", property(_not_trainable(model.non_trainable_weights.fget)))
    for owner in (model, model_of_graphs):
        put(owner, "get_weights", _by_layer(owner.get_weights))
        put(owner, "set_weights", _by_layer(owner.set_weights))


def _weights(sequences: bool) -> Callable[[Any], list[Any]]:
    """Returns the property `weights`. `sequences`: go layer by layer in nested Sequentials (up to 1.11)."""
    sequential: Any = importlib.import_module("tf_keras.src.engine.sequential").Sequential

    def layers(model: Any) -> Iterator[Any]:
        for layer in model.layers:
            if sequences and isinstance(model, sequential) and isinstance(layer, sequential):
                yield from layers(layer)
            else:
                yield layer

    def weights(self: Any) -> list[Any]:
        if _ordered.get() is not self:
            return [*self.trainable_weights, *self.non_trainable_weights]
        token = _ordered.set(None)
        try:
            return [weight for layer in layers(self) for weight in layer.weights]
        finally:
            _ordered.reset(token)

    return weights


def _not_trainable(original: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """Returns `non_trainable_weights`; in a frozen model, trainable weights of its layers come first."""

    def changed(self: Any) -> list[Any]:
        listed = original(self)
        if self._trainable:
            return listed
        trained = {id(weight) for layer in self._flatten_layers() for weight in layer._trainable_weights}
        return sorted(listed, key=lambda weight: id(weight) not in trained)

    return changed


def _by_layer(original: Callable[..., Any]) -> Callable[..., Any]:
    return during(original, _ordered, lambda model, *_: model)
