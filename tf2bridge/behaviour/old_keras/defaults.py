"""Defaults of Keras that differ in 2.x or depend on the release, as genuine 1.4.1 to 1.15.5 have them.

- Two losses were renamed after 1.15.
- Up to 1.13 some learning rates differ, and Adagrad starts at 0.
- Up to 1.10 the uniform initializer draws from 0 to 1, and the normal one with a standard deviation of 1.
- Up to 1.5 the epsilon of optimizers is 1e-8.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from typing import Any

from tf2bridge.behaviour.release import Release
from tf2bridge.patching import put

_OPTIMIZERS = "optimizers.legacy"
_INITIALIZERS = "initializers.initializers_v1"
_SMALL = {"epsilon": 1e-8}
_DEFAULTS: tuple[tuple[tuple[int, int], str, dict[str, Any]], ...] = (
    ((2, 0), "losses:KLDivergence", {"name": "kullback_leibler_divergence"}),
    ((2, 0), "losses:LogCosh", {"name": "logcosh"}),
    ((1, 14), f"{_OPTIMIZERS}.adadelta:Adadelta", {"learning_rate": 1.0}),
    ((1, 14), f"{_OPTIMIZERS}.adagrad:Adagrad", {"learning_rate": 0.01, "initial_accumulator_value": 0.0}),
    ((1, 14), f"{_OPTIMIZERS}.adamax:Adamax", {"learning_rate": 0.002}),
    ((1, 14), f"{_OPTIMIZERS}.nadam:Nadam", {"learning_rate": 0.002}),
    ((1, 11), f"{_INITIALIZERS}:RandomNormal", {"stddev": 1.0}),
    ((1, 11), f"{_INITIALIZERS}:RandomUniform", {"minval": 0.0, "maxval": 1.0}),
    ((1, 11), f"{_INITIALIZERS}:TruncatedNormal", {"stddev": 1.0}),
    ((1, 6), f"{_OPTIMIZERS}.adadelta:Adadelta", _SMALL),
    ((1, 6), f"{_OPTIMIZERS}.adagrad:Adagrad", _SMALL),
    ((1, 6), f"{_OPTIMIZERS}.adam:Adam", _SMALL),
    ((1, 6), f"{_OPTIMIZERS}.adamax:Adamax", _SMALL),
    ((1, 6), f"{_OPTIMIZERS}.nadam:Nadam", _SMALL),
    ((1, 6), f"{_OPTIMIZERS}.rmsprop:RMSprop", _SMALL),
)
"""(the first release without them, module of tf_keras and class, values of parameters)."""


def install(release: Release) -> None:
    """Gives the classes the defaults of a release, for the whole process, instead of those of another one."""
    values: dict[str, dict[str, Any]] = {}
    for first_without, place, defaults in _DEFAULTS:
        values.setdefault(place, {}).update(defaults if release.before(*first_without) else {})
    for place, defaults in values.items():
        module, _, name = place.partition(":")
        cls: Any = getattr(importlib.import_module(f"tf_keras.src.{module}"), name)
        if defaults:
            put(cls, "__init__", _with_defaults(cls.__init__, defaults))


def _with_defaults(made: Any, defaults: dict[str, Any]) -> Any:
    signature = inspect.signature(made)

    @functools.wraps(made)
    def changed(self: Any, *args: Any, **kwargs: Any) -> None:
        given = {*signature.bind_partial(self, *args, **kwargs).arguments, *kwargs}
        if "lr" in kwargs:
            given.add("learning_rate")
        made(self, *args, **{name: value for name, value in defaults.items() if name not in given}, **kwargs)

    return changed
