"""Network of contrib.eager: a group of layers with one name. tf.keras.Model replaced it in 1.6."""

from __future__ import annotations

import collections
import re
import weakref
from collections.abc import Collection
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.installed import core_layers

v1 = tf.compat.v1
_GIVEN: Any = weakref.WeakKeyDictionary()
"""{graph: the number of Networks of each base name}."""


class Network:
    """Base class: `__init__` calls `track_layer` for each layer, `call` uses them.

    Variables are resource variables, named after the network and the layer: "my_net/dense/kernel".

    Raises:
        ValueError: the name contains a slash.
    """

    def __init__(self, name: str | None = None) -> None:
        if isinstance(name, v1.VariableScope):
            raise ValueError("the name of a Network cannot be a variable scope")
        if name is not None and "/" in name:
            raise ValueError(f"the name of a Network cannot hold a slash: {name}")
        self._name = name
        self._layers: list[Any] = []
        self._owned: dict[str, Any] = {}
        self._uids: collections.Counter[str] = collections.Counter()
        self._parent: Network | None = None
        self._scope: Any = None
        self._home = v1.get_variable_scope()

    @property
    def name(self) -> str:
        """The name. Raises ValueError before the network is called, or tracked by another network."""
        if self._name is None:
            raise ValueError("a Network has its name once it is called, or tracked by another Network")
        return self._name

    @property
    def layers(self) -> list[Any]:
        """The tracked layers."""
        return self._layers

    def track_layer(self, layer: Any) -> Any:
        """Adds a layer or a network, and returns it. Raises TypeError for other objects, ValueError for a used name."""
        if isinstance(layer, Network):
            if layer._name is None:
                layer._name = _unique(_snake(type(layer).__name__), self._uids, self._owned)
            layer._parent = layer._parent or self
        elif isinstance(layer, core_layers().Layer):
            layer._use_resource_variables = True
            if not layer.built and layer._name != layer._base_name:
                layer._name = _unique(layer._base_name, self._uids, self._owned)
        else:
            raise TypeError(f"track_layer takes layers of tf.layers and Networks, not {type(layer).__name__}")
        if self._owned.setdefault(layer.name, layer) is not layer:
            raise ValueError(f"this Network has a layer {layer.name!r} already")
        if not any(tracked is layer for tracked in self._layers):
            self._layers.append(layer)
        return layer

    def __call__(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Returns the result of `call`, which runs in the scope of the network."""
        self._set_scope()
        with v1.variable_scope(self._scope, auxiliary_name_scope=False), v1.name_scope(f"{self._scope.name}/"):
            return self.call(inputs, *args, **kwargs)

    def call(self, inputs: Any, *args: Any, **kwargs: Any) -> Any:
        """Computes the outputs. Subclasses define it."""
        raise NotImplementedError(f"{type(self).__name__} must define call()")

    def get_layer(self, name: str | None = None, index: int | None = None) -> Any:
        """Returns a tracked layer by its name or index. Raises ValueError if there is no such layer."""
        if (name is None) == (index is None):
            raise ValueError("give either the name or the index of a layer")
        matching = [layer for place, layer in enumerate(self._layers) if place == index or layer.name == name]
        if not matching:
            raise ValueError(f"this Network has no layer {name if index is None else index}")
        return matching[0]

    @property
    def weights(self) -> list[Any]:
        """The variables of all layers."""
        return [weight for layer in self._layers for weight in layer.weights]

    variables = weights

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables of all layers."""
        return [weight for layer in self._layers for weight in layer.trainable_weights]

    trainable_variables = trainable_weights

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables of all layers."""
        return [weight for layer in self._layers for weight in layer.non_trainable_weights]

    @property
    def losses(self) -> list[Any]:
        """The regularization losses of all layers."""
        return [loss for layer in self._layers for loss in layer.losses]

    def _set_scope(self) -> None:
        if self._scope is not None:
            return
        if self._parent is not None:
            self._parent._set_scope()
        if self._name is None:
            given = _GIVEN.setdefault(v1.get_default_graph(), collections.Counter())
            self._name = _unique(_snake(type(self).__name__), given, ())
        self._scope = _opened(self._parent._scope if self._parent else self._home, self._name)
        for layer in self._layers:
            if not isinstance(layer, Network) and layer._scope is None:
                layer._scope = _opened(self._scope, layer.name)


class Sequential(Network):
    """A Network of layers and functions that are called one after another."""

    def __init__(self, layers_funcs: Any = None, name: str | None = None) -> None:
        super().__init__(name=name)
        self._steps: list[Any] = []
        for layer_or_function in layers_funcs or ():
            self.add(layer_or_function)

    def add(self, layer_func: Any) -> None:
        """Adds a layer or a function. Raises TypeError if it is not callable."""
        if not callable(layer_func):
            raise TypeError(f"Sequential.add takes layers and functions, not {type(layer_func).__name__}")
        if hasattr(layer_func, "call"):
            self.track_layer(layer_func)
        self._steps.append(layer_func)

    def call(self, inputs: Any, training: Any = None) -> Any:
        """Returns the output of the last step. Steps with the parameter `training` receive it if it is not None."""
        for step in self._steps:
            takes = getattr(step, "call", step).__code__.co_varnames
            inputs = step(inputs, training) if training is not None and "training" in takes else step(inputs)
        return inputs


def _opened(parent: Any, name: str) -> Any:
    with (
        v1.variable_scope(parent, auxiliary_name_scope=False),
        v1.variable_scope(None, name, use_resource=True) as scope,
    ):
        return scope


def _unique(base: str, given: collections.Counter[str], taken: Collection[str]) -> str:
    while True:
        number = given[base]
        given[base] += 1
        name = f"{base}_{number}" if number else base
        if name not in taken:
            return name


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])|(?<!^)([A-Z])(?=[a-z])", r"_\1\2", name).lower()
