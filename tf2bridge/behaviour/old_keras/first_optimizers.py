"""The optimizers that Keras had first: tf.keras.optimizers up to 1.13, and tensorflow.python.keras.optimizers after it.

They make their updates in `get_updates(loss, params)`, which subclasses in programs define. Their learning rate is the
variable `lr`, and their slots are called "training/Adam/Variable:0". tf_keras has them (optimizer_v1.py) as 1.14 and
1.15 had them. Up to 1.13 variables and updates are named for the class of the optimizer, and `decay` counts the steps
before the current one; Adam and Adamax of later releases count the current one too. Up to 1.5 epsilon is 1e-8. These
optimizers need a graph. For a model that is trained eagerly, an optimizer of 1.14 with the same configuration takes
their place.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import inspect
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.old_keras.clipping import clipped_by
from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put, rebind
from tf2bridge.patching.during import during

_MODULES = {
    "SGD": "gradient_descent",
    "RMSprop": "rmsprop",
    "Adagrad": "adagrad",
    "Adadelta": "adadelta",
    "Adam": "adam",
    "Adamax": "adamax",
    "Nadam": "nadam",
}
"""Class -> the module of tf_keras that has the one of 1.14 in its place."""

_SMALL = 1e-8
_BASE = "Optimizer"
OWN = "tf_keras.src.optimizers.optimizer_v1"
_API = "tf_keras.api._v1.keras.optimizers"
_COUNTING_FIRST = ("Adam", "Adamax")
"""Those that from 1.14 on count a step before they read how many there were."""
_BOUNDS = ("clipnorm", "clipvalue")
_scoped: ContextVar[bool] = ContextVar("_scoped", default=False)


def install(release: Release) -> None:
    """Puts them into tf.keras.optimizers up to 1.13, and into tensorflow.python.keras.optimizers."""
    old = release.before(1, 14)
    first = _first(release.before(1, 6)) if old else _of_1_14()
    for name, made in first.items():
        put(importlib.import_module(OWN), name, made)  # what tensorflow.python.keras.optimizers has
    if not old:
        return
    later = _kept()
    rebind({id(later[name]): (later[name], first[name]) for name in _MODULES})
    for name in _MODULES:
        put(importlib.import_module(_place(name)), name, later[name])
    put(importlib.import_module(_API), _BASE, first[_BASE])
    optimizers: Any = importlib.import_module("tf_keras.src.optimizers")
    rebind({id(optimizers.deserialize): (optimizers.deserialize, _made_of(optimizers.deserialize, first))})


def _made_of(deserialize: Any, first: dict[str, Any]) -> Any:
    """Returns the function that makes an optimizer from its configuration: a first one if the configuration fits it."""

    @functools.wraps(deserialize)
    def changed(config: dict[str, Any], custom_objects: Any = None, **kwargs: Any) -> Any:
        name = named_by(config, custom_objects)
        return first[name].from_config(config["config"]) if name else deserialize(config, custom_objects, **kwargs)

    return changed


def named_by(config: dict[str, Any], custom_objects: Any) -> str:
    """Returns the name of the first optimizer that a configuration fits, or ""."""
    is_other = "learning_rate" in config["config"] or config["class_name"] in (custom_objects or ())
    return "" if is_other or tf.executing_eagerly() else _name(config["class_name"])


def _place(name: str) -> str:
    return f"tf_keras.src.optimizers.legacy.{_MODULES[name]}"


@functools.cache
def _kept() -> dict[str, Any]:
    """Returns the optimizers of tf.keras.optimizers since 1.14 and their base class, as tf_keras has them."""
    made = {name: getattr(importlib.import_module(_place(name)), name) for name in _MODULES}
    return {**made, _BASE: getattr(importlib.import_module(_API), _BASE)}


@functools.cache
def _own() -> dict[str, Any]:
    """Returns the first optimizers and their base class, as tf_keras has them."""
    module = importlib.import_module(OWN)
    return {name: getattr(module, name) for name in (*_MODULES, _BASE)}


@functools.cache
def _of_1_14() -> dict[str, Any]:
    """Returns the first optimizers of python.keras since 1.14, beside the later ones, and their base class."""
    made = {name: _ordered(_own()[name], int(name in _COUNTING_FIRST)) for name in _MODULES}
    return {**made, _BASE: _own()[_BASE]}


@functools.cache
def _first(before_1_6: bool) -> dict[str, Any]:
    """Returns the optimizers up to 1.13 and their base class."""
    made = {name: _up_to_1_13(_ordered(_own()[name], 0), before_1_6) for name in _MODULES}
    return {**made, _BASE: _named_by_class()}


@functools.cache
def _named_by_class() -> Any:
    """Returns the base class up to 1.13."""

    class Optimizer(_own()[_BASE]):  # type: ignore[misc]  # tf_keras is untyped
        """An optimizer whose updates and slots are named for its class."""

        def __init_subclass__(cls, **kwargs: Any) -> None:
            super().__init_subclass__(**kwargs)
            cls.get_updates = _in_scope(cls.get_updates)

        def get_gradients(self, loss: Any, params: Any) -> Any:
            """Returns the gradients, clipped as the release does."""
            bounds = {name: self.__dict__.pop(name, None) for name in _BOUNDS}
            try:
                gradients = super().get_gradients(loss, params)
            finally:
                self.__dict__.update({name: bound for name, bound in bounds.items() if bound is not None})
            return clipped_by(gradients, *bounds.values())

    return Optimizer


def _in_scope(get_updates: Any) -> Any:
    """Returns the method in a name scope with the name of the class.

    A base method that it calls enters no second scope.
    """

    inside = during(get_updates, _scoped, lambda *_, **__: True)

    @functools.wraps(get_updates)
    def changed(self: Any, *args: Any, **kwargs: Any) -> Any:
        if _scoped.get():
            return get_updates(self, *args, **kwargs)
        with tf.name_scope(type(self).__name__):
            return inside(self, *args, **kwargs)

    return changed


def _ordered(made: Any, counted: int) -> Any:
    """Returns the class with a rate that decays by the number of earlier steps plus `counted`.

    In the releases the order of both was not fixed.
    """

    class Ordered(made):  # type: ignore[misc]  # tf_keras is untyped
        def get_updates(self, loss: Any, params: Any) -> Any:
            with _decayed(self, counted):
                return super().get_updates(loss, params)

        def _create_all_weights(self, params: Any) -> Any:
            with tf.control_dependencies(None):  # what a variable starts with is no part of a step
                return super()._create_all_weights(params)

    return _in_place_of(made, Ordered)


def _up_to_1_13(made: Any, before_1_6: bool) -> Any:
    """Returns the class of a release up to 1.13, made from the class of later releases."""
    parameters = inspect.signature(made.__init__)
    epsilon = {"epsilon": _SMALL} if before_1_6 and "epsilon" in parameters.parameters else {}

    class First(made, _named_by_class()):  # type: ignore[misc]  # tf_keras is untyped
        weights: list[Any]

        def __init__(self, *args: Any, **kwargs: Any) -> None:
            given = parameters.bind_partial(self, *args, **kwargs).arguments
            super().__init__(*args, **({} if "epsilon" in given else epsilon), **kwargs)

        def _create_all_weights(self, params: Any) -> Any:
            if before_1_6 and made.__name__ == "Adam":
                with tf.control_dependencies(None):
                    return _two_moments(self, params)
            kept = super()._create_all_weights(params)
            self.weights = [weight for weight in self.weights if weight is not getattr(self, "m_schedule", None)]
            return kept

        def get_config(self) -> Any:
            config = super().get_config()
            return {name: value for name, value in config.items() if name != "amsgrad" or not before_1_6}

    First.__init__.__wrapped__ = made.__init__  # type: ignore[attr-defined]  # its signature
    return _in_place_of(made, First)


def _in_place_of(made: Any, cls: Any) -> Any:
    cls.__name__, cls.__qualname__, cls.__module__ = made.__name__, made.__qualname__, made.__module__
    cls.__doc__ = made.__doc__
    return cls


def _two_moments(optimizer: Any, params: Any) -> tuple[list[Any], list[Any], list[None]]:
    """Returns the slots of an Adam without `amsgrad`."""
    backend: Any = importlib.import_module("tf_keras.src.backend")
    means, squares = ([backend.zeros(backend.int_shape(param)) for param in params] for _ in range(2))
    optimizer.weights = [optimizer.iterations, *means, *squares]
    return means, squares, [None for _ in params]


@contextlib.contextmanager
def _decayed(optimizer: Any, counted: int) -> Iterator[None]:
    """Computes a decaying rate before the step is counted, with `counted` added to the number of steps."""
    rate, decay = getattr(optimizer, "lr", None), getattr(optimizer, "initial_decay", 0)
    if not decay:
        yield
        return
    steps = tf.cast(optimizer.iterations + counted, optimizer.decay.dtype)
    optimizer.lr, optimizer.initial_decay = rate * (1.0 / (1.0 + optimizer.decay * steps)), 0
    try:
        with tf.control_dependencies([optimizer.lr]):
            yield
    finally:
        optimizer.lr, optimizer.initial_decay = rate, decay


def for_eager_models(optimizer: Any) -> Any:
    """Returns the optimizer for an eager model: one of 1.14 in place of a first one, others as given."""
    if isinstance(optimizer, importlib.import_module(OWN).TFOptimizer):
        return optimizer.optimizer  # `compile` wraps it
    if isinstance(optimizer, _own()[_BASE]) and (name := _name(type(optimizer).__name__)):
        return _as_in_1_14(optimizer, name)
    return optimizer


def _name(identifier: str) -> str:
    return next((name for name in _MODULES if name.lower() == identifier.lower()), "")


def _as_in_1_14(optimizer: Any, name: str) -> Any:
    config = optimizer.get_config()
    config["learning_rate"] = config.pop("lr")
    if name == "Nadam":
        config["decay"] = config.pop("schedule_decay")
    if name == "Adagrad":
        config["initial_accumulator_value"] = 0.0
    return _kept()[name](**config)
