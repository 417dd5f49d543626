"""Functions of `tensorflow.python.keras.engine.saving` that take a list of layers, where tf_keras takes the model."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any


def save_weights_to_hdf5_group(f: Any, layers: Sequence[Any]) -> None:
    """Writes the weights of layers into an HDF5 group.

    Args:
        f: the group.
        layers: the layers of a model.
    """
    _formats().save_weights_to_hdf5_group(f, _model(layers))


def load_weights_from_hdf5_group(f: Any, layers: Sequence[Any]) -> None:
    """Reads the weights of layers from an HDF5 group, in the order of both.

    Args:
        f: the group.
        layers: the layers of a model.

    Raises:
        ValueError: the numbers of layers or of weights differ.
    """
    _formats().load_weights_from_hdf5_group(f, _model(layers))


def load_weights_from_hdf5_group_by_name(f: Any, layers: Sequence[Any], skip_mismatch: bool = False) -> None:
    """Reads the weights of those layers whose names are in an HDF5 group.

    Args:
        f: the group.
        layers: the layers of a model.
        skip_mismatch: whether layers with other weights or shapes are passed over.

    Raises:
        ValueError: the weights of a layer differ from those of the group, and `skip_mismatch` is False.
    """
    _formats().load_weights_from_hdf5_group_by_name(f, _model(layers), skip_mismatch)


def _model(layers: Sequence[Any]) -> Any:
    """Returns what tf_keras looks for in a model: its layers, and no weights of its own."""
    return SimpleNamespace(
        layers=layers, _flatten_layers=lambda: layers, _trainable_weights=[], _non_trainable_weights=[], name="layers"
    )


def _formats() -> Any:
    return importlib.import_module("tf_keras.src.saving.legacy.hdf5_format")
