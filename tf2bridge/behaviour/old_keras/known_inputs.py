"""`model.inputs` and `model.outputs` of a model that learns its inputs from data, as in all of 1.x.

Before the first batch both are empty lists; then they are symbolic. tf_keras keeps None, on which its own code relies:
only programs see the lists. They are made when a program asks.
"""

from __future__ import annotations

import functools
import importlib
import sys
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

import tensorflow as tf

from tf2bridge.frames import module_of
from tf2bridge.patching import put

_OF_KERAS = ("tf_keras.", "tensorflow.", "tf2bridge.")
_made: WeakKeyDictionary[Any, tuple[int, dict[str, list[Any]]]] = WeakKeyDictionary()
"""Model -> the number of its layers and its lists when they were made."""
_fed: WeakSet[Any] = WeakSet()
"""Models that were given data, or told their inputs; a call alone declares none."""
_FEEDING = ("fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch")


def install() -> None:
    """Changes models that train eagerly, in this process."""
    model: Any = importlib.import_module("tf_keras.src.engine.training").Model
    for name in ("inputs", "outputs"):
        put(model, name, _Known(name))
    put(model, "_set_inputs", _building(model._set_inputs))
    for name in _FEEDING:
        put(model, name, _noting(getattr(model, name)))


class _Known:
    """An attribute that is kept in the object, with another value for programs where it is None."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get__(self, model: Any, owner: Any = None) -> Any:
        if model is None:
            return self
        if self._name not in model.__dict__:
            raise AttributeError(self._name)
        value = model.__dict__[self._name]
        if value is not None or module_of(sys._getframe(1)).startswith(_OF_KERAS):
            return value
        return _lists(model)[self._name]

    def __set__(self, model: Any, value: Any) -> None:
        model.__dict__[self._name] = value

    def __delete__(self, model: Any) -> None:
        del model.__dict__[self._name]


def _lists(model: Any) -> dict[str, list[Any]]:
    """Returns the lists of both attributes, empty ones as long as the model has seen no data."""
    spec = model.save_spec(dynamic_batch=True)
    if not spec or not model.built or model not in _fed:
        return {"inputs": [], "outputs": []}
    count, made = _made.get(model, (-1, {}))
    if count != len(model.layers):
        made = _called(model, spec)
        _made[model] = len(model.layers), made
    return made


def _called(model: Any, spec: Any) -> dict[str, list[Any]]:
    """Calls a model with symbolic inputs; returns these and its outputs."""
    keras: Any = importlib.import_module("tf_keras")

    def made(part: Any) -> Any:
        return keras.Input(shape=part.shape[1:], dtype=keras.backend.floatx() if part.dtype.is_floating else part.dtype)

    inputs = tf.nest.map_structure(made, spec[0][0])
    outputs = model(inputs, **spec[1])
    return {"inputs": tf.nest.flatten(inputs), "outputs": tf.nest.flatten(outputs)}


def _building(note: Any) -> Any:
    """Returns `_set_inputs`, by which old programs declare the inputs of a model: it builds the model, too."""

    @functools.wraps(note)
    def changed(self: Any, inputs: Any, outputs: Any = None, training: Any = None) -> Any:
        result = note(self, inputs, outputs, training)
        _fed.add(self)
        if not self.built:
            _called(self, self.save_spec(dynamic_batch=True))
        return result

    return changed


def _noting(method: Any) -> Any:
    """Returns the method, which notes that the model got data."""

    @functools.wraps(method)
    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        _fed.add(self)
        return method(self, *args, **kwargs)

    return changed
