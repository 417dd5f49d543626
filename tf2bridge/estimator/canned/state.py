"""Keeps the variables of feature columns in variable scopes, as the layers of 1.15.5 did."""

from __future__ import annotations

import collections
import contextlib
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

from tf2bridge.internals.columns import StateManager
from tf2bridge.internals.ops import _pure_variable_scope

v1 = tf.compat.v1


class ColumnState(StateManager):  # type: ignore[misc]  # TensorFlow has no types
    """Makes resource variables with `get_variable`, so that reuse and partitioners hold; keeps tables too."""

    def __init__(self) -> None:
        self._variables: dict[Any, dict[str, Any]] = collections.defaultdict(dict)
        self._resources: dict[Any, dict[str, Any]] = collections.defaultdict(dict)
        self.created: list[Any] = []

    def create_variable(
        self,
        feature_column: Any,
        name: str,
        shape: Any,
        dtype: Any = None,
        trainable: bool = True,
        use_resource: bool = True,
        initializer: Any = None,
    ) -> Any:
        """Returns a new variable of a column. Raises ValueError if it has one of this name."""
        if name in self._variables[feature_column]:
            raise ValueError("Variable already exists.")
        made = v1.get_variable(
            name, shape, dtype=dtype, initializer=initializer, trainable=trainable, use_resource=use_resource
        )
        self._variables[feature_column][name] = made
        self.created.append(made)
        return made

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """Returns the variable of a column. Raises ValueError if there is none."""
        if name not in self._variables[feature_column]:
            raise ValueError("Variable does not exist.")
        return self._variables[feature_column][name]

    def add_resource(self, feature_column: Any, name: str, resource: Any) -> None:
        """Keeps a table."""
        self._resources[feature_column][name] = resource

    def has_resource(self, feature_column: Any, name: str) -> bool:
        """Returns whether a table of this name is kept."""
        return name in self._resources[feature_column]

    def get_resource(self, feature_column: Any, name: str) -> Any:
        """Returns the table of a column. Raises ValueError if there is none."""
        if not self.has_resource(feature_column, name):
            raise ValueError("Resource does not exist.")
        return self._resources[feature_column][name]


@contextlib.contextmanager
def names_below(name: str) -> Iterator[None]:
    """Opens a variable scope without a name scope: only variables that are made within have its name."""
    with _pure_variable_scope(name):
        yield


def flat(variables: Any) -> list[Any]:
    """Returns the variables, with the parts of partitioned ones."""
    parts = []
    for variable in variables:
        parts += [variable] if isinstance(variable, (tf.Variable, tf.Tensor)) else list(variable)
    return parts
