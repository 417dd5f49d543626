"""The variables that the replicas of a tower share. Trained variables are always equal, others after each step.

A tower updates some variables itself, such as the moving mean of batch normalization. Each replica updates its own copy
of them. When the step is done, all copies get the value of one tower, or the mean.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import tensorflow as tf

from tf2bridge.internals.training import moving_averages
from tf2bridge.patching import PatchSet, put
from tf2bridge.train.tower.refusals import ZeroDebiasError

v1 = tf.compat.v1


class Shared:
    """The variables that a tower function makes by `tf.get_variable` under a strategy."""

    def __init__(self) -> None:
        self.updated: list[Any] = []

    @contextlib.contextmanager
    def creating(self) -> Iterator[None]:
        """Lets the code of one replica make the variables within the block, or get those that another replica made."""
        with v1.variable_creator_scope(self.create):
            yield

    def create(self, make: Callable[..., Any], /, **described: Any) -> Any:
        """Creates a variable, as a variable creator; see tf.variable_creator_scope."""
        made = make(**as_shared(described))
        if described.get("trainable") is False:
            self.updated.append(made)
        return made

    def evened(self, choice: str | None) -> list[Any]:
        """Returns operations that make all copies of the towers' own updates equal: one copy's value, or the mean."""
        return [op for variable in self.updated for op in _evened(variable.values, choice)]


def as_shared(described: dict[str, Any]) -> dict[str, Any]:
    """Returns the arguments of a variable; one that is not trained gets a copy for each replica to update."""
    if described.get("trainable") is not False:
        return described
    reading, first = tf.VariableSynchronization.ON_READ, tf.VariableAggregation.ONLY_FIRST_REPLICA
    return described | {"synchronization": reading, "aggregation": first}


def _evened(copies: Any, choice: str | None) -> list[Any]:
    if choice == "mean":
        value = tf.add_n([copy.read_value() for copy in copies]) / len(copies)
    else:
        value = copies[0 if choice == "first" else -1].read_value()
    with tf.control_dependencies([value]):
        return [copy.assign(value) for copy in copies]


@contextlib.contextmanager
def averaging_apart() -> Iterator[None]:
    """Makes `assign_moving_average` in a replica update that replica only; TensorFlow's updates by the replicas' mean.

    Enter it once for all replicas, which take turns with their code. Between the replicas TensorFlow's own function
    runs.
    """
    genuine = moving_averages.assign_moving_average

    def assign(variable: Any, value: Any, decay: Any, zero_debias: bool = True, name: Any = None) -> Any:
        if tf.distribute.in_cross_replica_context():
            return genuine(variable, value, decay, zero_debias, name)
        return _assign_moving_average(variable, value, decay, zero_debias, name)

    with PatchSet("moving averages of each replica").for_a_while():
        put(moving_averages, "assign_moving_average", assign)
        yield


def _assign_moving_average(variable: Any, value: Any, decay: Any, zero_debias: bool, name: Any) -> Any:
    """Updates one copy, as python/training/moving_averages.py does."""
    if zero_debias:
        raise ZeroDebiasError(variable.name)
    with v1.name_scope(name, "AssignMovingAvg", [variable, value, decay]):
        rest = tf.cast(tf.convert_to_tensor(1.0 - decay, name="decay"), variable.dtype.base_dtype)
        return variable.assign_sub((variable - value) * rest)
