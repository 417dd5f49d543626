"""Functions that read checkpoints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1


def load_checkpoint(filepattern: str) -> Any:
    """Returns a reader of a checkpoint, or of the latest in a directory. Raises ValueError if there is none."""
    return v1.train.load_checkpoint(filepattern)


def load_variable(checkpoint_dir: str, name: str) -> Any:
    """Returns the array `name` of a checkpoint; ":0" at its end is left off."""
    return v1.train.load_variable(checkpoint_dir, name)


def list_variables(checkpoint_dir: str) -> list[tuple[str, list[int]]]:
    """Returns (name, shape) of each tensor of a checkpoint, by name."""
    return list(v1.train.list_variables(checkpoint_dir))


def init_from_checkpoint(checkpoint_dir: str, assignment_map: Mapping[str, Any]) -> None:
    """Sets the initial values of variables to those of a checkpoint.

    `assignment_map` maps the name of a tensor to a variable, to its name or to the list of its parts, or "a scope/" of
    the checkpoint to a scope of the graph.

    Raises:
        ValueError: a tensor is missing, or has another shape.
    """
    v1.train.init_from_checkpoint(checkpoint_dir, assignment_map)
