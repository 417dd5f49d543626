"""The variables that the replicas of a tower share: trained ones are equal at any time, others after each step.

What a tower updates itself, such as the moving mean of batch normalization, each replica updates in its own copy; when
the step is done all copies take the value of one tower, or the mean.
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
    """The variables of a tower function, as it makes them by `tf.get_variable` under a strategy."""

    def __init__(self) -> None:
        self.updated: list[Any] = []

    @contextlib.contextmanager
    def creating(self) -> Iterator[None]:
        """Within the block, the code of one replica makes the variables, or meets those that another one made."""
        with v1.variable_creator_scope(self.create):
            yield

    def create(self, make: Callable[..., Any], /, **described: Any) -> Any:
        """A variable creator: see tf.variable_creator_scope."""
        made = make(**as_shared(described))
        if described.get("trainable") is False:
            self.updated.append(made)
        return made

    def evened(self, choice: str | None) -> list[Any]:
        """Operations after which all copies of what towers updated are equal: the value of one of them, or the mean."""
        return [op for variable in self.updated for op in _evened(variable.values, choice)]


def as_shared(described: dict[str, Any]) -> dict[str, Any]:
    """How a variable is made: one that is not trained has a copy for each replica to update."""
    if described.get("trainable") is not False:
        return described
    reading, first = tf.VariableSynchronization.ON_READ, tf.VariableAggregation.ONLY_FIRST_REPLICA
    return described | {"synchronization": reading, "aggregation": first}


def _evened(copies: Any, choice: str | None) -> list[Any]:
    if choice == "mean":
        value = tf.add_n([each.read_value() for each in copies]) / len(copies)
    else:
        value = copies[0 if choice == "first" else -1].read_value()
    with tf.control_dependencies([value]):
        return [each.assign(value) for each in copies]


@contextlib.contextmanager
def averaging_apart() -> Iterator[None]:
    """Within the block, `assign_moving_average` in a replica is for that replica: TensorFlow's takes their mean.

    It is entered once for all replicas, which take turns within their code; between them TensorFlow's goes on as it is.
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
    """The update of python/training/moving_averages.py, of one copy."""
    if zero_debias:
        raise ZeroDebiasError(variable.name)
    with v1.name_scope(name, "AssignMovingAvg", [variable, value, decay]):
        rest = tf.cast(tf.convert_to_tensor(1.0 - decay, name="decay"), variable.dtype.base_dtype)
        return variable.assign_sub((variable - value) * rest)
