"""Counts layers that several submodels share once for each submodel, as in all of 1.x.

tf_keras counts each layer once. In 1.x:
- The model lists the weights of such a layer once for each submodel, and adds penalties on weights as often.
- Penalties on outputs of the layer are added once up to 1.14, and once for each submodel in 1.15.
- `fit` changes each weight once in a step. Optimizers of `tf.train` up to 1.14 change it once for each submodel.

Up to 1.12 a layer of a program's own class did not track layers in its attributes: their weights were not in its lists,
`fit` did not change them, and their penalties did not count.
"""

from __future__ import annotations

import functools
import importlib
import math
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put
from tf2bridge.patching.during import during

_ENGINE = "tf_keras.src.engine"
_COLLECTED = "_collected_trainable_weights"
"""The attribute of a model of a graph for what its optimizer is to change."""
_LIBRARIES = ("tf_keras", "tf2bridge", "tensorflow", "builtins")
_once: ContextVar[bool] = ContextVar("_once", default=False)
"""True while a step of training runs eagerly in which each weight is changed once."""


def install(release: Release) -> None:
    """Changes how layers are counted for the whole process."""
    layer: Any = importlib.import_module(f"{_ENGINE}.base_layer").Layer
    layer_of_graphs: Any = importlib.import_module(f"{_ENGINE}.base_layer_v1").Layer
    model: Any = importlib.import_module(f"{_ENGINE}.training").Model
    for owner in (layer, layer_of_graphs):
        put(owner, "_dedup_weights", _as_they_are)
        put(owner, "count_params", _counting_each(owner.count_params))
    put(layer, "_flatten_modules", _flattened(tracked=not release.before(1, 13)))
    put(model, "trainable_weights", property(_trainable))
    put(model, "non_trainable_weights", property(_not_trainable))
    put(model, "_undeduplicated_weights", property(_all_weights))
    _change_steps(release.before(1, 15))
    if release.before(1, 15):
        put(model, "losses", property(_losses))


def _change_steps(early: bool) -> None:
    """Makes a step change each weight once; with `early`, optimizers of tf.train are excepted."""
    graphs: Any = importlib.import_module(f"{_ENGINE}.training_v1").Model
    foreign: Any = importlib.import_module("tf_keras.src.optimizers.optimizer_v1").TFOptimizer

    def collected(self: Any) -> list[Any]:
        if _COLLECTED not in self.__dict__:
            raise AttributeError(_COLLECTED)
        weights: list[Any] = self.__dict__[_COLLECTED]
        return weights if early and isinstance(self.optimizer, foreign) else _unique(weights)

    def collect(self: Any, weights: Iterable[Any]) -> None:
        self.__dict__[_COLLECTED] = list(weights)

    def check(self: Any) -> None:
        if _COLLECTED in self.__dict__ and len(self.trainable_weights) != len(self.__dict__[_COLLECTED]):
            tf.compat.v1.logging.log_first_n(
                tf.compat.v1.logging.WARN,
                "Discrepancy between trainable weights and collected trainable weights, did you set `model.trainable` "
                "without calling `model.compile` after ?",
                1,
            )

    put(graphs, "_check_trainable_weights_consistency", check)
    put(graphs, _COLLECTED, property(collected, collect))
    if not early:
        model: Any = importlib.import_module(f"{_ENGINE}.training").Model
        eager: Any = importlib.import_module(f"{_ENGINE}.training_eager_v1")
        put(model, "train_step", _changing_once(model.train_step))
        put(eager, "_process_single_batch", _changing_once(eager._process_single_batch))


def _changing_once(step: Callable[..., Any]) -> Callable[..., Any]:
    return during(step, _once, lambda *_, **__: True)


def _unique(listed: Iterable[Any]) -> list[Any]:
    return list({id(item): item for item in listed}.values())


def _counting_each(original: Callable[..., int]) -> Callable[..., int]:
    @functools.wraps(original)
    def counted(self: Any) -> int:
        original(self)  # which builds a model, or says that the layer is not built
        return sum(math.prod(map(int, weight.shape)) for weight in self.weights)

    return counted


def _as_they_are(self: Any, weights: Iterable[Any]) -> list[Any]:
    del self
    return list(weights)


def _flattened(tracked: bool) -> Callable[..., Iterator[Any]]:
    """Returns the method that yields the modules in a layer.

    `tracked`: layers of a program's own classes track the layers in their attributes.
    """

    def flattened(self: Any, recursive: bool = True, include_self: bool = True) -> Iterator[Any]:
        """Yields a layer and the modules in it, without metrics. A module in two of them comes twice."""
        if include_self:
            yield self
        yield from below(self, recursive, frozenset((id(self),)))

    def below(module: Any, recursive: bool, around: frozenset[int]) -> Iterator[Any]:
        for child in _children(module) if tracked or not _is_own_layer(type(module)) else ():
            if id(child) not in around:  # a layer may know the one that it is in
                yield child
                if recursive:
                    yield from below(child, recursive, around | {id(child)})

    return flattened


def _children(module: Any) -> Iterator[Any]:
    """Returns the modules in the attributes of a module, also in lists and mappings, each once."""
    metrics: Any = importlib.import_module("tf_keras.src.metrics")
    pending = list(reversed(getattr(module, "_self_tracked_trackables", None) or ()))
    seen: set[int] = set()
    while pending:
        child = pending.pop()
        if id(child) in seen:
            continue
        seen.add(id(child))
        if isinstance(child, tf.Module):
            if not isinstance(child, metrics.Metric):
                yield child
        elif isinstance(child, tf.__internal__.tracking.TrackableDataStructure):
            pending.extend(reversed(list(child._values)))


def _is_own_layer(kind: type) -> bool:
    """Returns whether a class is defined by a program and `Layer` is its nearest base class from a library."""
    first = next(base for base in kind.__mro__ if base.__module__.partition(".")[0] in _LIBRARIES)
    return first is not kind and first.__name__ == "Layer"


def _of_children(model: Any, kind: str) -> list[Any]:
    """Returns the weights of the children of a model. A layer that is an attribute and in a list counts for both."""
    return [weight for child in model._self_tracked_trackables for weight in getattr(child, kind)]


def _trainable(self: Any) -> list[Any]:
    self._assert_weights_created()
    weights = [*_of_children(self, "trainable_variables"), *self._trainable_weights] if self._trainable else []
    return _unique(weights) if _once.get() else weights


def _not_trainable(self: Any) -> list[Any]:
    self._assert_weights_created()
    fixed = [*_of_children(self, "non_trainable_variables"), *self._non_trainable_weights]
    return fixed if self._trainable else [*_of_children(self, "trainable_variables"), *self._trainable_weights, *fixed]


def _all_weights(self: Any) -> list[Any]:
    self._assert_weights_created()
    return [*_of_children(self, "variables"), *self._trainable_weights, *self._non_trainable_weights]


def _losses(self: Any) -> list[Any]:
    """Returns the penalties of a model, each tensor once."""
    layer: Any = importlib.import_module(f"{_ENGINE}.base_layer").Layer
    return _unique(layer.losses.fget(self))
