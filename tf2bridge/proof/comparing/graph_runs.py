"""Runs a live legacy graph as a side of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from tf2bridge.checkpoint.planning.legacy_run import following
from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.formats.graphs.nodes import by_name, node_of
from tf2bridge.graph.fetchable import always_run
from tf2bridge.graph.graph_module import GraphModule
from tf2bridge.proof.comparing.sides import Port
from tf2bridge.proof.numbers.pieces import Array


class GraphRunner:
    """Runs a GraphModule: its outputs by its functions, and all other tensors by the graph in a session."""

    def __init__(self, module: GraphModule) -> None:
        self._module = module
        self._nodes = by_name(module.graph.graph_def.node)
        self._inner: set[str] = set()

    @property
    def inputs(self) -> list[Port]:
        """The placeholders behind the outputs, or those of the signature."""
        ends = self._module.ends.inputs
        return [self._port(name, spec, ends[name]) for name, spec in self._module.inputs.items()]

    @property
    def outputs(self) -> list[Port]:
        """The outputs of the signature, or the tensors that no operation uses."""
        ends = self._module.ends.outputs
        return [self._port(name, spec, ends[name]) for name, spec in self._module.outputs.items()]

    @property
    def variables(self) -> dict[str, Array]:
        """Name -> present value."""
        return {variable.name.removesuffix(":0"): variable.numpy() for variable in self._module.variables}

    def every(self, fed: Sequence[str]) -> list[Port]:
        """Returns all tensors that follow from these inputs and can be fetched from the graph; none of training."""
        ends = self._module.ends.inputs
        with self._module.session() as session:
            graph = session.graph
            places = {op.name: number for number, op in enumerate(graph.get_operations())}
            sources = {graph.get_operation_by_name(node_of(ends[name])) for name in fed}
            closed = {
                op for op in graph.get_operations() if op.type in ("Placeholder", "PlaceholderV2") and op not in sources
            }
            reached = [
                tensor
                for tensor in following(sources, closed)
                if _is_value(tensor) and tensor.op.name in self._fetchable
            ]
            tensors = sorted(reached, key=lambda tensor: (places[tensor.op.name], tensor.value_index))
            self._inner = {tensor.name for tensor in tensors}
            return [Port(tensor.name, tensor.dtype.name, _sizes(tensor.shape)) for tensor in tensors]

    def find(self, name: str) -> str | None:
        """Returns the tensor of a recorded name in this graph, under the name that its release gave it."""
        node, _, port = name.partition(":")
        known = node if node in self._nodes else self._modern.get(modern(node))
        return None if known is None else f"{known}:{port or 0}"

    def run(self, feeds: Mapping[str, Array], names: Sequence[str]) -> dict[str, Array]:
        """Returns name -> value. Raises what making a function of the graph does."""
        if self._inner.intersection(names):
            return self._in_session(feeds, names)
        return {name: np.asarray(tensor) for name, tensor in self.tensors(feeds, names).items()}

    def tensors(self, feeds: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
        """Returns name -> tensor, by the functions of the module."""
        results = self._module.function(list(feeds), list(names))(*feeds.values())
        return {name: result for name, result in zip(names, results, strict=True) if result is not None}

    def _in_session(self, feeds: Mapping[str, Array], names: Sequence[str]) -> dict[str, Array]:
        ends = self._module.ends.inputs
        with self._module.session() as session:
            results = session.run(list(names), {ends.get(name, name): value for name, value in feeds.items()})
        return dict(zip(names, map(np.asarray, results), strict=True))

    @cached_property
    def _fetchable(self) -> set[str]:
        return always_run(self._nodes)

    @cached_property
    def _modern(self) -> dict[str, str]:
        return {modern(name): name for name in self._nodes}

    def _port(self, name: str, spec: Any, source: str) -> Port:
        node = self._nodes[node_of(source)]
        return Port(
            name, spec.dtype.name, _sizes(spec.shape), (source,), optional=str(node.op) == "PlaceholderWithDefault"
        )


def _is_value(tensor: Any) -> bool:
    """Returns True if a tensor holds numbers, and is not only the flow of a TensorArray."""
    return not tensor.op.type.startswith("TensorArray") or tensor.op.type.startswith(
        ("TensorArrayRead", "TensorArrayGather")
    )


def _sizes(shape: Any) -> tuple[int | None, ...] | None:
    return None if shape.rank is None else tuple(shape.as_list())
