"""Checks of numbers for TPUConfig and TPUEstimator, and a hook that initializes datasets."""

from __future__ import annotations

import collections
import re
import time
from typing import Any

import tensorflow as tf

from tf2bridge.behaviour.messages import logging

v1 = tf.compat.v1
_LOOP = re.compile(r"([1-9]\d*)([smh]?)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}

IterationsPerLoopCounter = collections.namedtuple("IterationsPerLoopCounter", ["value", "unit"])


def check_positive_integer(value: Any, name: str) -> None:
    """Raises TypeError if a value is not an integer, ValueError if it is not positive."""
    if not isinstance(value, int):
        raise TypeError(f"{name} must be an int, not {type(value).__name__}")
    if value <= 0:
        raise ValueError(f"{name} must be positive, not {value}")


def parse_iterations_per_loop(iterations_per_loop: Any) -> IterationsPerLoopCounter:
    """Returns (a number, "count") or, for "60m" and the like, (seconds, "seconds"). Raises ValueError."""
    match = _LOOP.fullmatch(str(iterations_per_loop))
    if match is None:
        raise ValueError(
            f"iterations_per_loop of TPUConfig is {iterations_per_loop!r}; it must be a positive number of steps, or a "
            "time such as 3600s, 60m or 1h"
        )
    if not match[2]:
        return IterationsPerLoopCounter(int(match[1]), "count")
    return IterationsPerLoopCounter(int(match[1]) * _SECONDS[match[2]], "seconds")


class MultiHostDatasetInitializerHook(v1.train.SessionRunHook):  # type: ignore[name-defined,misc]
    """Runs the initializers of datasets whenever a session is made."""

    def __init__(self, dataset_initializers: Any) -> None:
        self._initializers = dataset_initializers

    def after_create_session(self, session: Any, coord: Any) -> None:
        """Runs them, and logs how long it took."""
        del coord
        start = time.time()
        session.run(self._initializers)
        logging.info("Initialized dataset iterators in %d seconds", time.time() - start)
