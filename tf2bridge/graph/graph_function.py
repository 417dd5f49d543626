"""`GraphFunction`: a part of a legacy graph as a function on live variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.graph.exact_calls import exactly
from tf2bridge.graph.refusals import InputMismatchError
from tf2bridge.internals.eager import context
from tf2bridge.internals.framework import EagerTensor, convert_to_eager_tensor


@dataclass(frozen=True)
class CallForm:
    """The options of making a call.

    Attributes:
        tables: table node name -> live table.
        specs: name of an input -> TensorSpec that replaces the graph's.
        expansions: type of an operation to replace -> the function that computes it.
    """

    tables: Any
    specs: Mapping[str, tf.TensorSpec] = field(default_factory=dict)
    expansions: Mapping[str, Any] = field(default_factory=dict)


class GraphFunction:
    """The counterpart of `session.run(fetches, feeds)` on live variables. It takes the feeds in order or by name.

    A call returns a list with a tensor for each fetch, or None for an operation.

    Args:
        concrete: the ConcreteFunction that computes the fetches.
        inputs: name -> TensorSpec of each feed, in order.
        fetches: endpoints and names of operations.
        exact: whether the graph runs as it is written; see `tf2bridge.graph.exact_calls`.
        kept: objects to keep alive, such as tables, since TensorFlow does not.
        replicated: variables with a copy for each replica of a strategy; the ConcreteFunction takes their handles after
            the feeds.
    """

    def __init__(
        self,
        concrete: Any,
        inputs: Mapping[str, tf.TensorSpec],
        fetches: Sequence[str],
        exact: bool = False,
        kept: Any = None,
        replicated: Sequence[Any] = (),
    ) -> None:
        self.concrete = concrete
        self._kept = kept
        run = _exact(concrete) if exact else _flat(concrete)
        self._run = _in_replica(run, replicated) if replicated else run
        self.inputs = dict(inputs)
        self.fetches = tuple(fetches)
        self._types = [spec.dtype for spec in inputs.values()]
        self._operations = [index for index, name in enumerate(fetches) if ":" not in name]

    def __call__(self, *args: Any, **kwargs: Any) -> list[tf.Tensor | None]:
        """Returns the fetches. Raises InputMismatchError for missing or unknown inputs."""
        if kwargs or len(args) != len(self._types):
            args = self._bound(args, kwargs)
        tensors = [
            value if type(value) is EagerTensor and value.dtype is dtype else _tensor(value, dtype)
            for value, dtype in zip(args, self._types, strict=True)
        ]
        results: list[tf.Tensor | None] = list(self._run(tensors))
        for index in self._operations:
            results[index] = None
        return results

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        if len(args) > len(self.inputs):
            raise InputMismatchError(self.inputs, f"{len(args)} inputs were given")
        given = dict(zip(self.inputs, args, strict=False))
        for name, value in kwargs.items():
            if name not in self.inputs or name in given:
                raise InputMismatchError(self.inputs, f"input {name!r} is given twice or unknown")
            given[name] = value
        missing = [name for name in self.inputs if name not in given]
        if missing:
            raise InputMismatchError(self.inputs, f"{', '.join(missing)} was not given")
        return tuple(given[name] for name in self.inputs)


def _tensor(value: Any, dtype: tf.DType) -> tf.Tensor:
    """Returns the value as a tensor of this type; for an array, it skips the dispatch of `convert_to_tensor`."""
    if type(value) is np.ndarray and context.executing_eagerly():
        return convert_to_eager_tensor(value, context.context(), dtype)
    return tf.convert_to_tensor(value, dtype)


def _in_replica(run: Callable[[list[Any]], Any], replicated: Sequence[Any]) -> Callable[[list[Any]], Any]:
    """Adds the variable handles of the current replica to a call; outside `strategy.run`, those of the first copies."""

    def call(tensors: list[Any]) -> Any:
        if tf.distribute.in_cross_replica_context():
            return run([*tensors, *(variable.values[0].handle for variable in replicated)])
        return run([*tensors, *(variable.handle for variable in replicated)])

    return call


def _flat(concrete: Any) -> Callable[[list[Any]], Any]:
    """Returns a function of a list of tensors that skips the argument handling of `ConcreteFunction.__call__`."""
    captured = concrete.captured_inputs
    return lambda tensors: concrete._call_flat(tensors, captured)


def _exact(concrete: Any) -> Callable[[list[Any]], Any]:
    call = exactly(concrete)
    return lambda tensors: call(*tensors)
