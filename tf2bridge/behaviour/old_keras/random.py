"""Seeds of random numbers in Keras layers as in 1.15.

Noise layers and the dropout of recurrent cells drew their op seed from NumPy (`K.dropout`, `K.random_normal` of 1.15.5:
`np.random.randint(10e6)`), Dropout took it from the graph. A given seed is the same in each call; tf_keras increments
it.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np

from tf2bridge.patching import put


def install() -> None:
    """Changes the generator of all layers, for the whole process."""
    generator: Any = importlib.import_module("tf_keras.src.backend").RandomGenerator
    put(generator, "make_legacy_seed", _seed)
    layer: Any = importlib.import_module("tf_keras.src.engine.base_layer").BaseRandomLayer
    dropout: Any = importlib.import_module("tf_keras.src.layers.regularization.dropout").Dropout
    put(layer, "__init__", _of_numpy(layer.__init__, dropout))


def _seed(self: Any) -> int | None:
    if self._seed is not None:
        return int(self._seed)
    return np.random.randint(10**7) if vars(self).get("of_numpy") else None


def _of_numpy(made: Any, dropout: type) -> Any:
    @functools.wraps(made)
    def changed(self: Any, *args: Any, **kwargs: Any) -> None:
        made(self, *args, **kwargs)
        vars(self._random_generator)["of_numpy"] = not isinstance(self, dropout)

    return changed
