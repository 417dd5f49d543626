"""The installed TensorFlow and tf_keras, imported at first use and refused by name where they cannot serve."""

from __future__ import annotations

import functools
import importlib
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

from tf2bridge.behaviour.refusals import NewerTensorFlowWarning
from tf2bridge.errors import MissingExtraError, UnsupportedTensorFlowError

SUPPORTED = ((2, 20), (2, 21), (2, 22))


@functools.cache
def tensorflow() -> Any:
    """Returns the module `tensorflow`.

    Warns of a release that is newer than those that tf2bridge was tried with. Raises MissingExtraError or
    UnsupportedTensorFlowError.
    """
    try:
        module = importlib.import_module("tensorflow")
        version = module.__version__
    except (ModuleNotFoundError, AttributeError) as error:
        if isinstance(error, ModuleNotFoundError) and error.name != "tensorflow":
            raise
        raise MissingExtraError("tensorflow", "tf", "tf2bridge.v1") from None
    number = tuple(int(part) for part in version.split(".")[:2])
    if number < SUPPORTED[0]:
        raise UnsupportedTensorFlowError(version)
    if number > SUPPORTED[-1]:
        _warn_of_newer()
    return module


def _warn_of_newer() -> None:
    from tf2bridge.patching.doctor import examine

    warnings.warn(
        f"{examine('tensorflow').verdict}; these are names that tf2bridge replaces or uses, and `tf2bridge doctor` "
        "lists them",
        NewerTensorFlowWarning,
        stacklevel=3,
    )


_listener: Callable[[], object] = lambda: None  # noqa: E731 - nobody listens at first

KERAS = "tf_keras.api._v1.keras"
LEGACY = f"{KERAS}.__internal__.legacy"


def core_layers() -> Any:
    """Returns the module `tf.layers` of TF 1.x. Raises MissingExtraError."""
    return supplier(f"{LEGACY}.layers")


def core_cells() -> Any:
    """Returns the module `tf.nn.rnn_cell` of TF 1.x. Raises MissingExtraError."""
    return supplier(f"{LEGACY}.rnn_cell")


def private(subject: ModuleType, name: str) -> Any:
    """Returns a private name of TensorFlow, of a module of `tf2bridge.internals`, once TensorFlow is known to serve.

    Raises MissingExtraError or UnsupportedTensorFlowError.
    """
    tensorflow()
    return getattr(subject, name)


@functools.cache
def supplier(module: str) -> Any:
    """Returns a module of tf_keras, the Keras 2 of TF 1.x programs, or of TensorFlow. Raises MissingExtraError."""
    tensorflow()
    try:
        imported = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name != "tf_keras":
            raise
        raise MissingExtraError("tf_keras", "tf", "tf.layers, tf.nn.rnn_cell and tf.keras of TensorFlow 1.x") from None
    if module.startswith("tf_keras"):
        _listener()
    return imported


def when_keras_is_imported(listener: Callable[[], None]) -> None:
    """Has a function called each time that a module of tf_keras was asked for, in place of the one before."""
    global _listener
    _listener = listener
