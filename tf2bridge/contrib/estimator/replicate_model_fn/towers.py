"""TowerOptimizer: takes the gradients of all towers of a replicated model_fn and applies their sums in the last one."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import tensorflow as tf

v1 = tf.compat.v1

_Optimizer: Any = v1.train.Optimizer
STATES = "replicate_model_fn_graph_states"
"""The collection that holds the state of a graph while its towers are built."""


class State:
    """Where the building of the towers of a graph stands."""

    def __init__(self) -> None:
        self.reduction: Any = None
        self.towers = 1
        self.used = False
        self.first_scopes: tuple[Any, Any] = (None, None)
        self._tower = 0
        self._gradients: dict[int, list[Any]] = defaultdict(list)

    @property
    def is_last(self) -> bool:
        """True while the last tower is built."""
        return self._tower == self.towers - 1

    @contextlib.contextmanager
    def tower(self, tower_id: int, variable_scope: Any, name_scope: str) -> Iterator[None]:
        """Marks one tower as being built, for a block."""
        if tower_id == 0:
            self.first_scopes = (variable_scope, name_scope)
        self._tower = tower_id
        yield

    def collect(self, pairs: list[Any]) -> None:
        """Keeps the gradients that an optimizer of this tower was given."""
        self._gradients[self._tower].append(pairs)

    def latest(self) -> list[Any]:
        """Returns the pairs of all towers for the optimizer that was called last."""
        call = len(self._gradients[self._tower]) - 1
        return [pair for tower in range(self._tower + 1) for pair in self._gradients[tower][call]]

    def has_same_calls(self) -> bool:
        """Returns True if every tower can make the same calls of optimizers."""
        return sum(map(len, self._gradients.values())) % self.towers == 0


def state() -> State:
    """Returns the State of the default graph."""
    known = v1.get_default_graph().get_collection_ref(STATES)
    if not known:
        known.append(State())
    return known[-1]  # type: ignore[no-any-return]  # TensorFlow has no types


def clear_state() -> None:
    """Removes the State from the default graph: it cannot be stored in a file."""
    v1.get_default_graph().clear_collection(STATES)


def scaled(loss: Any, reduction: str, towers: int) -> Any:
    """Returns the share of one tower in the total loss."""
    if loss is None or towers == 1 or reduction == v1.losses.Reduction.SUM:
        return loss
    return v1.div(loss, 1.0 * towers, name="averaged_loss")


def summed(values: list[Any], device: Any, name: str | None = None) -> Any:
    """Returns the sum of tensors or IndexedSlices. Raises ValueError if IndexedSlices are given a name."""
    with tf.device(device):
        if not isinstance(values[0], tf.IndexedSlices):
            return tf.add_n(values, name=name)
        if name:
            raise ValueError(f"The name {name} is not expected to be given to IndexedSlices {values}")
        rows = tf.concat([value.values for value in values], axis=0)
        return tf.IndexedSlices(rows, tf.concat([value.indices for value in values], axis=0), values[0].dense_shape)


class TowerOptimizer(_Optimizer):  # type: ignore[misc]  # TensorFlow has no types
    """Wraps an optimizer, or the result of a function. Outside a replicated model_fn it changes nothing."""

    COLLECTION_FOR_GRAPH_STATES = STATES

    def __init__(self, optimizer_or_optimizer_fn: Any) -> None:
        self._given = optimizer_or_optimizer_fn

    @staticmethod
    def has_been_used() -> bool:
        """Returns True if the default graph has used a TowerOptimizer."""
        return state().used

    def _own(self) -> Any:
        if callable(self._given):
            self._given = self._given()
        state().used = True
        return self._given

    def get_name(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the result of the wrapped optimizer."""
        return self._own().get_name(*args, **kwargs)

    def variables(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the result of the wrapped optimizer."""
        return self._own().variables(*args, **kwargs)

    def get_slot(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the result of the wrapped optimizer."""
        return self._own().get_slot(*args, **kwargs)

    def get_slot_names(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the result of the wrapped optimizer."""
        return self._own().get_slot_names(*args, **kwargs)

    def compute_gradients(self, loss: Any, *args: Any, **kwargs: Any) -> Any:
        """Returns the gradients of the wrapped optimizer for this tower's share of the loss."""
        return self._own().compute_gradients(scaled(loss, state().reduction, state().towers), *args, **kwargs)

    def apply_gradients(self, grads_and_vars: Any, global_step: Any = None, **kwargs: Any) -> Any:
        """Keeps the gradients; in the last tower the other optimizer applies their sums."""
        towers = state()
        if towers.towers == 1:
            return self._own().apply_gradients(grads_and_vars, global_step, **kwargs)
        pairs = list(grads_and_vars)
        towers.collect(pairs)
        if not towers.is_last:
            with tf.control_dependencies([_values(gradient) for gradient, _ in pairs if gradient is not None]):
                return tf.no_op(name="train_op_placeholder")
        variable_scope, name_scope = towers.first_scopes
        with v1.variable_scope(variable_scope), v1.name_scope(name_scope):
            return self._own().apply_gradients(_sums(towers.latest()), global_step=global_step, **kwargs)


def _values(gradient: Any) -> Any:
    return gradient.values if isinstance(gradient, tf.IndexedSlices) else gradient


def _sums(pairs: list[Any]) -> list[Any]:
    """Returns (sum of gradients, variable) for each variable, on its device."""
    gradients: dict[int, list[Any]] = {}
    variables = {}
    for gradient, variable in pairs:
        if gradient is not None:
            gradients.setdefault(id(variable), []).append(gradient)
            variables[id(variable)] = variable
    with v1.name_scope("gradient_aggregating"):
        return [
            (summed(tower_gradients, variables[key].device), variables[key])
            for key, tower_gradients in gradients.items()
        ]
