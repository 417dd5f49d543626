"""Up to 1.8 the layers of tf.keras were layers of tf.layers, whose variables lie in variable scopes.

- The name of a variable begins with the scopes of the program ("model/dense/kernel") and the layers around its layer
  ("time_distributed/dense/kernel", "bidirectional/lstm_cell_1/kernel"). Scopes number these layers together with those
  of tf.layers.
- In a scope with `reuse`, a new layer gets the existing variables.
- Penalties and updates of moving means are in the collections that tf.losses and training steps read.
- Names of layers and models are numbered from one ("dense_1").

Read in 1.5 to 1.9 (`python/layers/base.py`, `keras/_impl/keras/engine`), measured on 1.4.1 and 1.8.0.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_keras import early_counts
from tf2bridge.behaviour.old_keras.names import snake_case
from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put
from tf2bridge.patching.during import during

v1 = tf.compat.v1

_ENGINE, _RECURRENT = "tf_keras.src.engine", "tf_keras.src.layers.rnn"
_BASE_NAME, _SCOPE = "_base_name", "_scope"
"""Attributes of a layer, called as they were there: its name without a number, and its variable scope."""
_called_by_model: ContextVar[Any] = ContextVar("_called_by_model", default=None)
"""The layer that a model calls: models ran the `call` of their layers, in a name scope of the layer's name."""


def install(release: Release) -> None:
    """Changes layers for the whole process, for releases up to 1.8."""
    layer: Any = importlib.import_module(f"{_ENGINE}.base_layer_v1").Layer
    if not release.before(1, 9):
        return
    layer_of_steps: Any = importlib.import_module(f"{_ENGINE}.base_layer").Layer
    network: Any = importlib.import_module(f"{_ENGINE}.functional").Functional
    for owner in (layer, layer_of_steps, network):
        put(owner, "_init_set_name", _numbered_from_one(owner._init_set_name))
    plain_scope, plain_loss = layer._name_scope, layer.add_loss
    _plain.update(name_scope=plain_scope, add_loss=plain_loss, penalty=layer._handle_weight_regularization)
    put(layer, "_name_scope", _name_scope)
    put(layer, "add_weight", _in_scope(layer.add_weight))
    put(layer, "add_loss", _add_loss)
    put(layer, "_handle_weight_regularization", _add_penalty)
    put(layer, "__call__", _called(layer.__call__))
    _change_recurrent_layers(release)
    early_counts.install(release)


_plain: dict[str, Callable[..., Any]] = {}
"""What tf_keras itself does: `name_scope`, `add_loss` and `penalty` of a layer."""


def _change_recurrent_layers(release: Release) -> None:
    both: Any = importlib.import_module(f"{_RECURRENT}.bidirectional").Bidirectional
    put(both, "__init__", _keeping_base_names(both.__init__))
    images: Any = importlib.import_module(f"{_RECURRENT}.base_conv_rnn").ConvRNN
    put(images, "build", (_with_weights_of_its_own if release.before(1, 8) else _with_named_cell)(images.build))
    if release.before(1, 5):
        loop: Any = importlib.import_module(f"{_RECURRENT}.base_rnn").RNN
        put(loop, "build", _with_weights_of_its_own(loop.build))


def _numbered_from_one(original: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(original)
    def changed(self: Any, name: str | None, zero_based: bool = True) -> None:
        del zero_based
        original(self, name, zero_based=False)
        self.__dict__[_BASE_NAME] = name or snake_case(type(self).__name__)

    return changed


def _has_scope(layer: Any) -> bool:
    return _BASE_NAME in layer.__dict__ and not isinstance(layer, _without_scope()) and not tf.executing_eagerly()


@functools.cache
def _without_scope() -> tuple[type, ...]:
    """Returns the classes that get no scope here: layers of tf.layers have their own; metrics and models have none."""
    return (
        importlib.import_module("tf_keras.src.legacy_tf_layers.base").Layer,
        importlib.import_module("tf_keras.src.metrics.base_metric").Metric,
        importlib.import_module(f"{_ENGINE}.functional").Functional,
    )


def _scope_of(layer: Any) -> Any:
    """Returns the variable scope of a layer. It lies in the scope of the layer's first call or first variable."""
    if layer.__dict__.get(_SCOPE) is None:
        with v1.variable_scope(None, default_name=layer.__dict__[_BASE_NAME]) as scope:
            layer.__dict__[_SCOPE] = scope
    return layer.__dict__[_SCOPE]


@contextlib.contextmanager
def _entered(layer: Any, reuse: bool | None = None) -> Iterator[Any]:
    with v1.variable_scope(_scope_of(layer), reuse=reuse, auxiliary_name_scope=False) as scope:
        yield scope


def _name_scope(self: Any) -> str:
    if _has_scope(self) and _called_by_model.get() is not self:
        name: str = _scope_of(self).original_name_scope
        return name
    plain: str = _plain["name_scope"](self)
    return plain


def _in_scope(original: Callable[..., Any]) -> Callable[..., Any]:
    """Returns `add_weight` that calls `tf.get_variable`. A reused variable gets no second penalty."""
    signature = inspect.signature(original)

    @functools.wraps(original)
    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        given = signature.bind(self, *args, **kwargs).arguments
        if given.get("name") is None or "getter" in kwargs or not _has_scope(self):
            return original(self, *args, **kwargs)
        regularizer = given.pop("regularizer", None)
        rest = {**given, **given.get("kwargs", {})}
        for name in ("self", "kwargs"):
            rest.pop(name, None)
        known = {id(variable) for variable in v1.global_variables()} if regularizer is not None else set()
        with _entered(self) as scope, tf.name_scope(scope.original_name_scope):
            if rest.get("initializer") is None:
                rest["initializer"] = scope.initializer
            rest["trainable"] = rest.get("trainable") is not False and self.trainable
            rest["use_resource"] = True  # a step reads and changes reference variables in no fixed order
            count = len(v1.global_variables())
            variable = original(self, **rest, getter=v1.get_variable)
            early_counts.count_less(len(v1.global_variables()) - count)
            if regularizer is not None and id(variable) not in known:
                regularizers: Any = importlib.import_module("tf_keras.src.regularizers")
                self._handle_weight_regularization(rest["name"], variable, regularizers.get(regularizer))
        return variable

    return changed


def _add_penalty(self: Any, name: str, variable: Any, regularizer: Callable[[Any], Any]) -> None:
    """Adds the penalty of a variable as one tensor. tf_keras makes a new tensor at each read of the losses."""
    if not _has_scope(self):
        _plain["penalty"](self, name, variable, regularizer)
        return
    for part in variable if hasattr(variable, "_get_variable_list") else [variable]:
        with tf.name_scope(f"{name}/Regularizer"):
            penalty = regularizer(part)
        if penalty is not None:
            self.add_loss(penalty)


def _add_loss(self: Any, losses: Any, **kwargs: Any) -> Any:
    result = _plain["add_loss"](self, losses, **kwargs)
    if _has_scope(self):
        _collect(v1.GraphKeys.REGULARIZATION_LOSSES, [loss for loss in tf.nest.flatten(losses) if tf.is_tensor(loss)])
    return result


def _called(original: Callable[..., Any]) -> Callable[..., Any]:
    utils: Any = importlib.import_module(f"{_ENGINE}.base_layer_utils")
    network: Any = importlib.import_module(f"{_ENGINE}.functional").Functional
    in_model = during(original, _called_by_model, lambda self, *_, **__: self)

    @functools.wraps(original)
    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not _has_scope(self):
            return original(self, *args, **kwargs)
        if isinstance(utils.call_context().layer, network):
            outputs = in_model(self, *args, **kwargs)
        else:
            with _entered(self, reuse=True if self.built else None):
                outputs = original(self, *args, **kwargs)
            _collect(v1.GraphKeys.UPDATE_OPS, self.updates)
        early_counts.count_reads(self)
        return outputs

    return changed


def _collect(name: str, values: list[Any]) -> None:
    """Adds values to a collection of the graph, each once."""
    collection = v1.get_collection_ref(name)
    known = {id(value) for value in collection}
    collection.extend(value for value in values if id(value) not in known)


def _keeping_base_names(original: Callable[..., None]) -> Callable[..., None]:
    """Returns the constructor of Bidirectional.

    The forward layer is a copy; it and its cells keep base names without numbers.
    """

    @functools.wraps(original)
    def changed(self: Any, layer: Any, *args: Any, **kwargs: Any) -> None:
        original(self, layer, *args, **kwargs)
        for made, given in zip(_parts(self.forward_layer), _parts(layer), strict=True):
            if _BASE_NAME in given.__dict__:
                made.__dict__[_BASE_NAME] = given.__dict__[_BASE_NAME]

    return changed


def _parts(layer: Any) -> list[Any]:
    """Returns a recurrent layer and its cells."""
    cell = getattr(layer, "cell", None)
    return [layer, *([] if cell is None else [cell, *getattr(cell, "cells", [])])]


def _with_weights_of_its_own(original: Callable[..., None]) -> Callable[..., None]:
    """Returns a method that first gives the cell the scope of its layer. In 1.x this layer held the weights itself."""

    @functools.wraps(original)
    def changed(self: Any, *args: Any, **kwargs: Any) -> None:
        if _has_scope(self):
            self.cell.__dict__[_SCOPE] = _scope_of(self)
        original(self, *args, **kwargs)

    return changed


def _with_named_cell(original: Callable[..., None]) -> Callable[..., None]:
    """Returns a method that first gives the cell of a ConvLSTM2D the name of its class in 1.x."""

    @functools.wraps(original)
    def changed(self: Any, *args: Any, **kwargs: Any) -> None:
        if _BASE_NAME in self.cell.__dict__:
            self.cell.__dict__[_BASE_NAME] = snake_case("ConvLSTM2DCell")
        original(self, *args, **kwargs)

    return changed
