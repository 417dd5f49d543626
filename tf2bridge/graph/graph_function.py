"""A part of a legacy graph that can be called."""

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
    """How a call is made: with which lookup tables, name of a node -> table; `specs`, name of an input -> TensorSpec,
    where it is another than the graph's; `expansions`: operations that it must do without -> what computes them.
    """

    tables: Any
    specs: Mapping[str, tf.TensorSpec] = field(default_factory=dict)
    expansions: Mapping[str, Any] = field(default_factory=dict)


class GraphFunction:
    """What `session.run(fetches, feeds)` was, on live variables: takes the feeds in order or by name.

    Returns a list with a tensor for each fetch, None for an operation. `concrete` is the ConcreteFunction below it,
    `inputs` name -> TensorSpec. exact: whether it runs as it is written, see `tf2bridge.graph.exact_calls`.
    kept: what TensorFlow does not keep alive, as tables. replicated: variables with a copy for each replica of a
    strategy, whose handles the ConcreteFunction takes after the feeds.
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
        self._operations = [place for place, name in enumerate(fetches) if ":" not in name]

    def __call__(self, *args: Any, **kwargs: Any) -> list[tf.Tensor | None]:
        """Runs it. Raises InputMismatchError for missing or unknown inputs."""
        if kwargs or len(args) != len(self._types):
            args = self._bound(args, kwargs)
        tensors = [
            value if type(value) is EagerTensor and value.dtype is dtype else _tensor(value, dtype)
            for value, dtype in zip(args, self._types, strict=True)
        ]
        found: list[tf.Tensor | None] = list(self._run(tensors))
        for place in self._operations:
            found[place] = None
        return found

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
    """The value as a tensor of this type: of an array what `convert_to_tensor` gives, without its search for a way."""
    if type(value) is np.ndarray and context.executing_eagerly():
        return convert_to_eager_tensor(value, context.context(), dtype)
    return tf.convert_to_tensor(value, dtype)


def _in_replica(run: Callable[[list[Any]], Any], replicated: Sequence[Any]) -> Callable[[list[Any]], Any]:
    """Outside `strategy.run` the first copy of each variable is taken, as a read of it does."""

    def call(tensors: list[Any]) -> Any:
        if tf.distribute.in_cross_replica_context():
            return run([*tensors, *(variable.values[0].handle for variable in replicated)])
        return run([*tensors, *(variable.handle for variable in replicated)])

    return call


def _flat(concrete: Any) -> Callable[[list[Any]], Any]:
    """The function of a list of tensors, without what `ConcreteFunction.__call__` does to arguments of any kind."""
    captured = concrete.captured_inputs
    return lambda tensors: concrete._call_flat(tensors, captured)


def _exact(concrete: Any) -> Callable[[list[Any]], Any]:
    call = exactly(concrete)
    return lambda tensors: call(*tensors)
