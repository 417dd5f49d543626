"""Lists of operations or tensors of one graph, made from the arguments of a caller."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.graph_editor.util.trees import concatenate_unique, is_iterable


def check_graphs(*args: Any) -> None:
    """Checks that all arguments have the same `graph`; an argument whose graph is None passes. Raises ValueError."""
    graphs = [part.graph for part in args]
    first = next((graph for graph in graphs if graph is not None), None)
    for index, graph in enumerate(graphs):
        if graph is not None and graph is not first:
            raise ValueError(f"Argument[{index}]: Wrong graph!")


def get_unique_graph(tops: Any, check_types: Any = None, none_if_empty: bool = False) -> Any:
    """Returns the graph that all the operations and tensors belong to.

    Args:
        tops: an iterable of operations or tensors; or a graph, which is returned.
        check_types: the type, or the types, that are allowed. By default operations and tensors.
        none_if_empty: whether no member means None instead of an error.

    Raises TypeError if `tops` is no iterable of these types, ValueError if the graphs differ or if `tops` is empty.
    """
    if isinstance(tops, tf.Graph):
        return tops
    if not is_iterable(tops):
        raise TypeError(f"{type(tops)} is not iterable")
    types = (tf.Operation, tf.Tensor) if check_types is None else check_types
    types = tuple(types) if is_iterable(types) else (types,)
    graph = None
    for part in tops:
        if not isinstance(part, types):
            raise TypeError(f"Expected a type in ({', '.join(map(str, types))}), got: {type(part)}")
        if graph is not None and part.graph is not graph:
            raise ValueError(f"Operation {part} does not belong to given graph")
        graph = part.graph
    if graph is None and not none_if_empty:
        raise ValueError("Can't find the unique graph of an empty list")
    return graph


def make_list_of_op(ops: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ts: bool = False) -> list[Any]:
    """Returns a new list of operations.

    Args:
        ops: an iterable of operations, a single operation, or a graph: all its operations.
        check_graph: whether members of another type or of several graphs are errors.
        allow_graph: whether `ops` may be a graph.
        ignore_ts: whether tensors are left out without an error.

    Raises TypeError for a wrong type, ValueError for members of several graphs.
    """
    if isinstance(ops, tf.Graph):
        return list(_of_graph(ops, allow_graph).get_operations())
    return _members(ops, tf.Operation, check_graph, ignore_ts)


def make_list_of_t(ts: Any, check_graph: bool = True, allow_graph: bool = True, ignore_ops: bool = False) -> list[Any]:
    """Returns a new list of tensors.

    Args:
        ts: an iterable of tensors, a single tensor, or a graph: all its tensors.
        check_graph: whether members of another type or of several graphs are errors.
        allow_graph: whether `ts` may be a graph.
        ignore_ops: whether operations are left out without an error.

    Raises TypeError for a wrong type, ValueError for members of several graphs.
    """
    if isinstance(ts, tf.Graph):
        return get_tensors(_of_graph(ts, allow_graph))
    return _members(ts, tf.Tensor, check_graph, ignore_ops)


def _of_graph(graph: Any, allowed: bool) -> Any:
    if not allowed:
        raise TypeError("allow_graph is False: cannot convert a tf.Graph.")
    return graph


def _members(parts: Any, kind: Any, check_graph: bool, ignore_others: bool) -> list[Any]:
    parts = list(parts) if is_iterable(parts) else [parts]
    if parts and check_graph:
        get_unique_graph(parts, check_types=None if ignore_others else kind)
    return [part for part in parts if isinstance(part, kind)]


def get_tensors(graph: Any) -> list[Any]:
    """Returns every tensor of a graph, in the order of their operations. Raises TypeError for anything else."""
    if not isinstance(graph, tf.Graph):
        raise TypeError(f"Expected a graph, got: {type(graph)}")
    return [tensor for op in graph.get_operations() for tensor in op.outputs]


def get_generating_ops(ts: Any) -> list[Any]:
    """Returns the operation that computes each of the tensors. Raises TypeError for anything but tensors."""
    return [tensor.op for tensor in make_list_of_t(ts, allow_graph=False)]


def get_consuming_ops(ts: Any) -> list[Any]:
    """Returns the operations that read any of the tensors, each once. Raises TypeError for anything but tensors."""
    tensors = make_list_of_t(ts, allow_graph=False)
    return concatenate_unique([], (op for tensor in tensors for op in tensor.consumers()))


class ControlOutputs:
    """Operation -> the operations that wait for it: the control inputs of a graph in reverse."""

    def __init__(self, graph: Any) -> None:
        """Reads the control inputs of all operations of `graph`. Raises TypeError if it is not a tf.Graph."""
        if not isinstance(graph, tf.Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
        self._graph = graph
        self._control_outputs: dict[Any, list[Any]] = {}
        self._version: int | None = None
        self.update()

    def update(self) -> ControlOutputs:
        """Reads the graph again if operations were added to it; returns itself."""
        if self._version != self._graph.version:
            self._control_outputs.clear()
            for op in self._graph.get_operations():
                for control in op.control_inputs:
                    concatenate_unique(self._control_outputs.setdefault(control, []), [op])
            self._version = self._graph.version
        return self

    def get_all(self) -> dict[Any, list[Any]]:
        """Returns operation -> the operations that wait for it."""
        return self._control_outputs

    def get(self, op: Any) -> Iterable[Any]:
        """Returns the operations that wait for `op`."""
        return self._control_outputs.get(op, ())

    @property
    def graph(self) -> Any:
        """The graph that was read."""
        return self._graph
