"""Optimizers of Keras as in 1.15: their defaults in a configuration, and their variables.

- Adagrad starts its accumulator at 0 if it is made by name or from a configuration; the class itself has 0.1
  (tensorflow/python/keras/optimizer_v2/adagrad.py of 1.15.5).
- Ftrl has no `beta`, which tf_keras keeps in a variable: a checkpoint would lack it.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

from tf2bridge.patching import put

_PATH = "tf_keras.src.optimizers.legacy"


def install() -> None:
    """Changes both in this process."""
    adagrad: Any = importlib.import_module(f"{_PATH}.adagrad").Adagrad
    put(adagrad, "from_config", classmethod(_from_config))
    ftrl: Any = importlib.import_module(f"{_PATH}.ftrl").Ftrl
    put(ftrl, "__init__", _without_beta(ftrl.__init__))
    put(ftrl, "get_config", _configured(ftrl.get_config))


def _from_config(cls: Any, config: dict[str, Any], custom_objects: Any = None) -> Any:
    del custom_objects
    given = dict(config)
    given.setdefault("initial_accumulator_value", 0.0)
    if "lr" in given:
        given["learning_rate"] = given.pop("lr")
    return cls(**given)


def _without_beta(made: Any) -> Any:
    @functools.wraps(made)
    def changed(self: Any, *args: Any, **kwargs: Any) -> None:
        made(self, *args, **kwargs)
        if self._hyper["beta"] == 0.0:
            self._hyper["beta"] = _nothing

    return changed


def _nothing() -> float:
    """Returns None. Keras makes no variable for a hyperparameter that is a function."""
    return 0.0


def _configured(get_config: Any) -> Any:
    @functools.wraps(get_config)
    def changed(self: Any) -> dict[str, Any]:
        config: dict[str, Any] = get_config(self)
        if self._hyper["beta"] is _nothing:
            del config["beta"]
        return config

    return changed
