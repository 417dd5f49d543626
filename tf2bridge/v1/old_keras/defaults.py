"""Defaults of optimizers of Keras that depend on the release, as genuine 1.4.1 to 1.15.5 have them.

Up to 1.13 some learning rates are other ones and Adagrad starts at 0; up to 1.5 epsilon is 1e-8.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from typing import Any

from tf2bridge.v1.release import Release

_PATH = "tf_keras.src.optimizers.legacy"
_UNTIL_1_13 = {
    "adadelta:Adadelta": {"learning_rate": 1.0},
    "adagrad:Adagrad": {"learning_rate": 0.01, "initial_accumulator_value": 0.0},
    "adam:Adam": {},
    "adamax:Adamax": {"learning_rate": 0.002},
    "nadam:Nadam": {"learning_rate": 0.002},
    "rmsprop:RMSprop": {},
}
_originals: dict[str, Any] = {}


def install(release: Release) -> None:
    """Gives optimizers the defaults of a release, for the whole process, instead of those of another one."""
    for place, until_1_13 in _UNTIL_1_13.items():
        module, _, name = place.partition(":")
        cls: Any = getattr(importlib.import_module(f"{_PATH}.{module}"), name)
        made = _originals.setdefault(place, cls.__init__)
        defaults = dict(until_1_13) if release.version < (1, 14) else {}
        if release.version < (1, 6):
            defaults["epsilon"] = 1e-8
        cls.__init__ = _with_defaults(made, defaults) if defaults else made


def _with_defaults(made: Any, defaults: dict[str, float]) -> Any:
    signature = inspect.signature(made)

    @functools.wraps(made)
    def changed(self: Any, *args: Any, **kwargs: Any) -> None:
        given = {*signature.bind_partial(self, *args, **kwargs).arguments, *kwargs}
        if "lr" in kwargs:
            given.add("learning_rate")
        made(self, *args, **{name: value for name, value in defaults.items() if name not in given}, **kwargs)

    return changed
