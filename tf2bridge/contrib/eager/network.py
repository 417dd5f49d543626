"""Network of contrib.eager: a group of layers with one name. tf.keras.Model replaced it in 1.6."""

from __future__ import annotations

import collections
import re
import weakref
from collections.abc import Collection
from typing import Any

import tensorflow as tf

from tf2bridge import internals
from tf2bridge.behaviour.installed import core_layers

v1 = tf.compat.v1
_GIVEN: Any = weakref.WeakKeyDictionary()
"""{graph: the number of Networks of each name of a scope and base name}."""
_TAKEN = "A Network named '{}' already exists (or a variable_scope was created with this name). Names must be unique."


class Network(tf.__internal__.tracking.Trackable):  # type: ignore[misc]
    """Base class: `__init__` calls `track_layer` for each layer, `call` uses them.

    Variables are resource variables, named after the network and the layer: "my_net/dense/kernel". The network that
    tracked a layer first gives it its name and its scope, whichever network calls it first.

    Raises:
        ValueError: the name contains a slash. When it is called: the name is taken.
    """

    def __init__(self, name: str | None = None) -> None:
        if isinstance(name, v1.VariableScope):
            raise ValueError("VariableScopes are not valid Network names.")
        if name is not None and "/" in name:
            raise ValueError("Forward slashes ('/') are not allowed in Network names.")
        self._name = name
        self._layers: list[Any] = []
        self._owned: dict[str, Any] = {}
        self._uids: collections.Counter[tuple[str, str]] = collections.Counter()
        self._parent: Any = None  # False: it has none, and gets none
        self._scope: Any = None
        self._home = v1.get_variable_scope()
        self._opened_scopes = internals.ops.variable_scope.get_variable_scope_store().variable_scopes_count

    def _gather_saveables_for_checkpoint(self) -> Any:
        raise NotImplementedError("tfe.Network does not support object-based checkpointing: use tf.keras.Model")

    @property
    def name(self) -> str:
        """The name. Raises ValueError before the network is called, or tracked by another network."""
        if self._name is None:
            raise ValueError(
                "The network does not yet have a final name, but a name was requested for it. Networks get a name "
                "when they are added to another Network via track_layer, or when they are first called/built."
            )
        return self._name

    @property
    def scope_name(self) -> str:
        """The name of the variable scope. Raises ValueError before the network is called."""
        if self._scope is None:
            raise ValueError(f"No name available for layer scope because the layer {self.name!r} was not used yet.")
        return str(self._scope.name)

    @property
    def trainable(self) -> bool:
        """True. Raises AttributeError if it is set to False."""
        return True

    @trainable.setter
    def trainable(self, value: bool) -> None:
        if not value:
            raise AttributeError("cannot mark Network as not trainable")

    @property
    def layers(self) -> list[Any]:
        """The tracked layers."""
        return self._layers

    def track_layer(self, layer: Any) -> Any:
        """Adds a layer or a network, and returns it. Raises TypeError for other objects, ValueError for a used name."""
        if isinstance(layer, Network):
            layer._finish_name(self)
        elif isinstance(layer, core_layers().Layer):
            layer._use_resource_variables = True
            if not layer.built and _parent_of(layer) is None:
                if layer._name != layer._base_name:
                    layer._name = _unique(layer._base_name, self._uids, self._owned)
                layer._first_network = weakref.ref(self)
        else:
            raise TypeError(f"Network.track_layer() passed type {type(layer)}, not a tf.layers.Layer")
        built = getattr(layer, "built", layer._scope)
        if _parent_of(layer) is self and not built and self._owned.setdefault(layer.name, layer) is not layer:
            raise ValueError(f"Attempt to add two Layers with the name '{layer.name}' to the same Network.")
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

    def _finish_name(self, parent: Network | None) -> None:
        if self._name is None and parent is not None:
            self._name = _unique(_snake(type(self).__name__), parent._uids, parent._owned)
        elif self._name is None:
            given = _GIVEN.setdefault(v1.get_default_graph(), collections.Counter())
            home = self._home.name
            inside = {name.removeprefix(f"{home}/") for name in self._opened_scopes if name.startswith(f"{home}/")}
            taken = inside if home else set(self._opened_scopes)
            self._name = _unique(_snake(type(self).__name__), given, taken, home)
        if self._parent is not False and _parent_of(self) is None:
            self._parent = weakref.ref(parent) if parent is not None else False

    def _set_scope(self) -> None:
        if self._scope is None:
            parent = _parent_of(self)
            if parent is None:
                self._finish_name(None)
                self._open_scope(self._home)
                self._name = str(self.scope_name)
            else:
                parent._set_scope()
                self._open_scope(parent._scope)
        for layer in self._layers:
            if not isinstance(layer, Network) and layer._scope is None:
                parent = _parent_of(layer)
                if parent is None:
                    raise ValueError(
                        f"The parent of a Layer added to Network {self.name} was garbage collected before the Layer "
                        "was built. If this limitation bothers you please file a feature request."
                    )
                if parent is not self:
                    parent._set_scope()
                layer._scope = layer._scope or _opened(parent._scope, layer.name)

    def _open_scope(self, parent: Any) -> None:
        if f"{parent.name}/{self.name}" in self._opened_scopes:
            raise ValueError(_TAKEN.format(self.name))
        scope = _opened(parent, self.name)
        if scope.name.rpartition("/")[2] != self.name:
            raise ValueError(_TAKEN.format(self.name))
        self._scope = scope


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
            raise TypeError(
                "Sequential.add() takes only tf.layers.Layer objects or callables; "
                f"not '{layer_func}' of type '{type(layer_func)}'."
            )
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


def _parent_of(layer: Any) -> Network | None:
    """Returns the network that tracked a layer or a network first; None if there is none, or none any more."""
    parent = layer._parent if isinstance(layer, Network) else getattr(layer, "_first_network", None)
    return parent() if parent else None


def _unique(base: str, given: collections.Counter[tuple[str, str]], taken: Collection[str], namespace: str = "") -> str:
    while True:
        number = given[namespace, base]
        given[namespace, base] += 1
        name = f"{base}_{number}" if number else base
        if name not in taken:
            return name


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])|(?<!^)([A-Z])(?=[a-z])", r"_\1\2", name).lower()
