"""The variables of a tower function in an eager program: made once, under the strategy, by their legacy names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import tensorflow as tf

from tf2bridge.graph.built import build, values_of
from tf2bridge.train.tower.refusals import OwnVariableError
from tf2bridge.train.tower.result import Tower
from tf2bridge.train.tower.shared import Shared, as_shared

v1 = tf.compat.v1


class LiveVariables(Shared):
    """Variables with the initial values that a TF1 session would give them.

    saved: name -> each variable that a checkpoint holds. trainable: those that are trained, in the order of making.
    """

    def __init__(self, tower_fn: Callable[..., Any], inputs: Sequence[Any], name: str) -> None:
        """Builds a tower once, in a graph of its own, to learn of its variables; `inputs` are the specs of one tower.

        Raises OwnVariableError, and what `tf2bridge.wrap` does. Call it within the strategy's scope.
        """
        super().__init__()
        specs = {f"input_{index}": each for index, each in enumerate(tf.nest.flatten(inputs))}
        scope = f"{name}_0/"

        def code(**feeds: Any) -> Any:
            with v1.name_scope(scope):
                return tower_fn(Tower(0, scope), *tf.nest.pack_sequence_as(inputs, list(feeds.values())))

        built = build(code, specs)
        values = values_of(built, built.own_ops)
        with built.graph.as_default():
            kept, local = v1.global_variables(), v1.local_variables()
        own = [each.op.name for each in (*kept, *local) if each.op.name.startswith(scope)]
        if own:
            raise OwnVariableError(own)
        self._made = {each.op.name: _live(each, values[each.op.name]) for each in (*kept, *local)}
        self.saved = {each.op.name: self._made[each.op.name] for each in kept}
        self.trainable = [each for each in self._made.values() if each.trainable]
        self.updated = [each for each in self._made.values() if not each.trainable]

    def create(self, _make: Callable[..., Any], /, **described: Any) -> Any:
        """A variable creator that makes none: it gives the one of that name, and puts it into the collections."""
        found = self._made.get(described["name"])
        if found is None:
            raise OwnVariableError([described["name"]])
        named = described.get("collections") or [v1.GraphKeys.GLOBAL_VARIABLES]
        trained = [v1.GraphKeys.TRAINABLE_VARIABLES] if found.trainable else []
        v1.add_to_collections({*named, *trained}, found)
        return found


def _live(legacy: Any, value: Any) -> Any:
    described = {"trainable": legacy.trainable, "name": legacy.op.name, "dtype": legacy.dtype.base_dtype}
    return tf.Variable(value, shape=legacy.shape, **as_shared(described))
