"""A TF 1.x graph as a live object: callable eagerly, with `tf.Variable`s named exactly as in TF1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tensorflow as tf

from tf2bridge.graph.refusals import InputMismatchError


@dataclass(frozen=True)
class LiveGraph:
    """What a GraphModule is made of.

    graph_def: the nodes that the outputs need, without the inputs' and the variables' own.
    inputs: name -> spec. feeds: tensor names ("x:0") in the order of `inputs`.
    variables: in creation order. handles: the tensor name of each one's handle ("w:0").
    outputs: name -> spec. fetches: tensor names in the order of `outputs`. structure: nest of what is returned.
    """

    graph_def: Any
    inputs: Mapping[str, tf.TensorSpec]
    feeds: Sequence[str]
    variables: Sequence[tf.Variable]
    handles: Sequence[str]
    outputs: Mapping[str, tf.TensorSpec]
    fetches: Sequence[str]
    structure: Any


class GraphModule(tf.Module):  # type: ignore[misc]  # TensorFlow is untyped
    """A TF 1.x graph with live variables: `m(x)`, differentiable with respect to `m.trainable_variables`.

    A call computes what `session.run` of the outputs would, and runs no other op of the graph.
    """

    def __init__(self, live: LiveGraph, name: str = "graph_module") -> None:
        super().__init__(name=name)
        self._inputs = dict(live.inputs)
        self._outputs = dict(live.outputs)
        self._variables = tuple(live.variables)
        self._structure = live.structure
        self._function = tf.function(_imported(live), input_signature=list(live.inputs.values()), autograph=False)

    @property
    def inputs(self) -> dict[str, tf.TensorSpec]:
        """The inputs by name, in the order of a call."""
        return dict(self._inputs)

    @property
    def outputs(self) -> dict[str, tf.TensorSpec]:
        """The outputs by name: the key, where build_fn returned a dict, else the op's name."""
        return dict(self._outputs)

    @property
    def variables(self) -> tuple[tf.Variable, ...]:
        """Every variable of the graph, local ones too, in creation order."""
        return self._variables

    @property
    def trainable_variables(self) -> tuple[tf.Variable, ...]:
        """The variables of the collection "trainable_variables", in creation order."""
        return tuple(variable for variable in self._variables if variable.trainable)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Returns what build_fn returned, with values. Raises InputMismatchError for missing or unknown inputs."""
        values = self._function(*self._bound(args, kwargs))
        return tf.nest.pack_sequence_as(self._structure, values, expand_composites=True)

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[tf.Tensor]:
        if len(args) > len(self._inputs):
            raise InputMismatchError(self._inputs, f"{len(args)} inputs were given")
        given = dict(zip(self._inputs, args, strict=False))
        for name, value in kwargs.items():
            if name not in self._inputs or name in given:
                raise InputMismatchError(self._inputs, f"input {name!r} is given twice or unknown")
            given[name] = value
        missing = [name for name in self._inputs if name not in given]
        if missing:
            raise InputMismatchError(self._inputs, f"{', '.join(missing)} was not given")
        return [tf.convert_to_tensor(given[name], spec.dtype) for name, spec in self._inputs.items()]


def _imported(live: LiveGraph) -> Any:
    """The function that imports the graph into the one being traced, on the live variables' handles."""
    variables = tuple(live.variables)

    def run(*inputs: tf.Tensor) -> list[tf.Tensor]:
        tracing = tf.compat.v1.get_default_graph()
        for variable in variables:
            tracing.watch_variable(variable)  # a handle alone does not tell GradientTape which variable is read
        sources = dict(zip(live.feeds, inputs, strict=True))
        sources |= {
            handle: tracing.capture(variable.handle) for handle, variable in zip(live.handles, variables, strict=True)
        }
        used = {source for node in live.graph_def.node for source in node.input} | set(live.fetches)
        sources = {name: tensor for name, tensor in sources.items() if {name, name.removesuffix(":0")} & used}
        direct = {name: tf.identity(sources[name]) for name in live.fetches if name in sources}
        names = [name for name in live.fetches if name not in direct]
        found = iter(tf.graph_util.import_graph_def(live.graph_def, sources, names, name=""))
        return [direct[name] if name in direct else next(found) for name in live.fetches]

    return run
