"""The variables of a tower function in an eager program: created once, under the strategy, with their legacy names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.graph.code_graph import build, values_of
from tf2bridge.train.tower.refusals import OwnVariableError
from tf2bridge.train.tower.result import Tower
from tf2bridge.train.tower.shared import Shared, as_shared

v1 = tf.compat.v1


class LiveVariables(Shared):
    """Variables with the initial values that a TF1 session would give them.

    Attributes:
        saved: Name -> variable, for each variable that a checkpoint holds.
        trainable: The trainable variables, in the order of their creation.
    """

    def __init__(self, tower_fn: Callable[..., Any], inputs: Sequence[Any], name: str) -> None:
        """Builds a tower once, in a graph of its own, to learn its variables. Call it within the strategy's scope.

        Args:
            tower_fn: The tower function.
            inputs: The specs of one tower's inputs.
            name: The name of the towers' scopes.

        Raises:
            OwnVariableError: The function makes variables that towers cannot share. What `tf2bridge.wrap` raises is
                raised, too.
        """
        super().__init__()
        specs = {f"input_{index}": spec for index, spec in enumerate(tf.nest.flatten(inputs))}
        scope = f"{name}_0/"

        def code(**feeds: Any) -> Any:
            with v1.name_scope(scope):
                return tower_fn(Tower(0, scope), *tf.nest.pack_sequence_as(inputs, list(feeds.values())))

        built = build(code, specs)
        values = values_of(built, built.own_ops)
        with built.graph.as_default():
            kept, local = v1.global_variables(), v1.local_variables()
        own = [variable.op.name for variable in (*kept, *local) if variable.op.name.startswith(scope)]
        if own:
            raise OwnVariableError(own)
        self._made = {variable.op.name: _live(variable, values[variable.op.name]) for variable in (*kept, *local)}
        self.saved = {variable.op.name: self._made[variable.op.name] for variable in kept}
        self.trainable = [variable for variable in self._made.values() if variable.trainable]
        self.updated = [variable for variable in self._made.values() if not variable.trainable]

    def create(self, _make: Callable[..., Any], /, **described: Any) -> Any:
        """Returns the existing variable of that name and adds it to the collections, as a variable creator."""
        variable = self._made.get(described["name"])
        if variable is None:
            raise OwnVariableError([described["name"]])
        named = described.get("collections") or [v1.GraphKeys.GLOBAL_VARIABLES]
        trained = [v1.GraphKeys.TRAINABLE_VARIABLES] if variable.trainable else []
        v1.add_to_collections({*named, *trained}, variable)
        return variable


def _live(legacy: Any, value: Any) -> Any:
    described = {"trainable": legacy.trainable, "name": legacy.op.name, "dtype": legacy.dtype.base_dtype}
    return tf.Variable(value, shape=legacy.shape, **as_shared(described))
