"""Keeps the random numbers of Python for the program: Keras draws its seeds from them, and TensorFlow 1 did not."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from typing import Any

from tf2bridge.patching import put

_DRAWING = ("OrthogonalInitializer", "RandomNormal", "RandomUniform", "TruncatedNormal", "VarianceScaling")
"""Initializers whose base classes draw a seed where they get none; all others are made of these."""


class KerasSeeds:
    """A state of random numbers for Keras alone."""

    def __init__(self) -> None:
        self._state = random.Random(0).getstate()  # so that two proofs of a program say the same

    def install(self) -> None:
        """Has Keras draw from this state, and leave those of Python and NumPy, which are the recorded ones."""
        import keras
        import tensorflow as tf

        for made in (*(getattr(keras.initializers, name) for name in _DRAWING), keras.random.SeedGenerator):
            put(made, "__init__", self._apart(made.__init__))
        put(keras.utils, "set_random_seed", tf.random.set_seed)

    def _apart(self, original: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(original)
        def init(made: Any, *args: Any, **options: Any) -> None:
            of_program = random.getstate()
            random.setstate(self._state)
            try:
                original(made, *args, **options)
            finally:
                self._state = random.getstate()
                random.setstate(of_program)

        return init
