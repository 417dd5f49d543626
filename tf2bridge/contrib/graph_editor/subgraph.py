"""A view of a part of a graph: its operations, and the tensors that are taken for its inputs and outputs."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.graph_editor.select.boundaries import compute_boundary_ts
from tf2bridge.contrib.graph_editor.select.filters import get_name_scope_ops
from tf2bridge.contrib.graph_editor.select.selection import select_ops_and_ts
from tf2bridge.contrib.graph_editor.select.walks import get_walks_union_ops
from tf2bridge.contrib.graph_editor.util.elements import get_unique_graph, make_list_of_op, make_list_of_t
from tf2bridge.contrib.graph_editor.util.trees import ListView, concatenate_unique


class SubGraphView:
    """Operations of one graph, seen as a function of its inputs that returns its outputs.

    A view changes no graph. Its inputs and outputs can be fewer than those that its operations have, in another order,
    and an output can be there twice. A passthrough tensor is one that no operation of the view reads or computes: it
    is an input and an output. A view does not notice later changes of the graph; the functions that rewire a graph
    bring the views up to date that they are given.
    """

    def __init__(self, inside_ops: Any = (), passthrough_ts: Any = ()) -> None:
        """Makes the view of some operations.

        Args:
            inside_ops: the operations, as `make_list_of_op` takes them.
            passthrough_ts: tensors that pass through, as `make_list_of_t` takes them. Those that the operations read
                or compute are left out.

        Raises TypeError for anything else, ValueError if they belong to several graphs.
        """
        ops, tensors = make_list_of_op(inside_ops), make_list_of_t(passthrough_ts)
        self._graph = get_unique_graph([*ops, *tensors], none_if_empty=True)
        self._ops = ops
        inputs, outputs, insides = compute_boundary_ts(ops)
        connected = {*inputs, *outputs, *insides}
        self._passthrough_ts = [tensor for tensor in tensors if tensor not in connected]
        self._input_ts = inputs + self._passthrough_ts
        self._output_ts = outputs + self._passthrough_ts

    def __copy__(self) -> SubGraphView:
        view = self.__class__.__new__(self.__class__)
        for name, value in vars(self).items():
            setattr(view, name, value if name == "_graph" else list(value))
        return view

    def copy(self) -> SubGraphView:
        """Returns another view of the same part of the graph."""
        return copy.copy(self)

    def remap_default(self, remove_input_map: bool = True, remove_output_map: bool = True) -> SubGraphView:
        """Returns the view with all inputs, or all outputs, or both, that its operations have."""
        view = self.copy()
        inputs, outputs, _ = compute_boundary_ts(self._ops)
        if remove_input_map:
            view._input_ts = inputs + self._passthrough_ts
        if remove_output_map:
            view._output_ts = outputs + self._passthrough_ts
        return view

    def remap_inputs(self, new_input_indices: Iterable[Any]) -> SubGraphView:
        """Returns the view with some of its inputs.

        Args:
            new_input_indices: positions in `inputs`, or tensors of it, each at most once.

        Raises ValueError for another position or tensor, or for duplicates.
        """
        return self.remap(new_input_indices=new_input_indices)

    def remap_outputs(self, new_output_indices: Iterable[Any]) -> SubGraphView:
        """Returns the view with some of its outputs: positions in `outputs`, or tensors of it, also repeated.

        Raises ValueError for another position or tensor.
        """
        return self.remap(new_output_indices=new_output_indices)

    def remap(
        self, new_input_indices: Iterable[Any] | None = None, new_output_indices: Iterable[Any] | None = None
    ) -> SubGraphView:
        """Returns the view with other inputs, outputs, or both, as `remap_inputs` does; None leaves them."""
        view = self.copy()
        if new_input_indices is not None:
            view._input_ts = _remapped(self._input_ts, new_input_indices, is_repeatable=False)
        if new_output_indices is not None:
            view._output_ts = _remapped(self._output_ts, new_output_indices, is_repeatable=True)
        return view

    def remap_outputs_make_unique(self) -> SubGraphView:
        """Returns the view with each of its outputs once."""
        view = self.copy()
        view._output_ts = concatenate_unique([], self._output_ts)
        return view

    def remap_outputs_to_consumers(self) -> SubGraphView:
        """Returns the view with each of its outputs as often as operations read it."""
        view = self.remap_outputs_make_unique()
        view._output_ts = [tensor for tensor in view._output_ts for _ in tensor.consumers()]
        return view

    def remove_unused_ops(self, control_inputs: bool = True) -> SubGraphView:
        """Returns the view with only the operations that its inputs or outputs lead to.

        control_inputs: whether control inputs lead to operations, too.
        """
        view = self.copy()
        used = get_walks_union_ops(
            self.connected_inputs, self.connected_outputs, within_ops=self._ops, control_inputs=control_inputs
        )
        view._ops = [op for op in self._ops if op in frozenset(used)]
        return view

    def find_op_by_name(self, op_name: str) -> Any:
        """Returns the operation of a name. Raises ValueError if there is none, AssertionError if there are several."""
        named = [op for op in self._ops if op.name == op_name]
        if not named:
            raise ValueError(f"{op_name} not in subgraph.")
        if len(named) > 1:
            raise AssertionError(f"More than 1 op named: {op_name}!")
        return named[0]

    def __str__(self) -> str:
        if not self:
            return "SubGraphView: empty"

        def lines(title: str, names: list[str]) -> str:
            count = f"[{len(names)}]:" if names else ": empty"
            return "".join([f"** {title}{count}\n", *(f"  {name}\n" for name in names)])

        def tensors(listed: list[Any]) -> list[str]:
            return [f"{tensor.name} *" if self.is_passthrough(tensor) else tensor.name for tensor in listed]

        head = f"SubGraphView (graphid={id(self.graph)}):\n"
        ends = lines("inputs", tensors(self._input_ts)) + lines("outputs", tensors(self._output_ts))
        return head + lines("ops", [op.name for op in self._ops]) + ends

    @property
    def graph(self) -> Any:
        """The graph, or None for an empty view."""
        return self._graph

    @property
    def ops(self) -> list[Any]:
        """The operations."""
        return self._ops

    @property
    def inputs(self) -> ListView:
        """The tensors that are taken for inputs."""
        return ListView(self._input_ts)

    @property
    def connected_inputs(self) -> list[Any]:
        """The inputs that do not pass through."""
        return [tensor for tensor in self._input_ts if not self.is_passthrough(tensor)]

    @property
    def outputs(self) -> ListView:
        """The tensors that are taken for outputs."""
        return ListView(self._output_ts)

    @property
    def connected_outputs(self) -> list[Any]:
        """The outputs that do not pass through."""
        return [tensor for tensor in self._output_ts if not self.is_passthrough(tensor)]

    @property
    def passthroughs(self) -> ListView:
        """The tensors that pass through."""
        return ListView(self._passthrough_ts)

    def __bool__(self) -> bool:
        return self._graph is not None

    def op(self, op_id: int) -> Any:
        """Returns the operation at a position of `ops`."""
        return self._ops[op_id]

    def is_passthrough(self, t: Any) -> bool:
        """Returns whether a tensor passes through."""
        return any(tensor is t for tensor in self._passthrough_ts)

    def __enter__(self) -> SubGraphView:
        return self

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        pass

    def input_index(self, t: Any) -> int:
        """Returns the position of a tensor in `inputs`. Raises ValueError if it is not there."""
        return _position(t, self._input_ts)

    def output_index(self, t: Any) -> int:
        """Returns the first position of a tensor in `outputs`. Raises ValueError if it is not there."""
        return _position(t, self._output_ts)

    def consumers(self) -> list[Any]:
        """Returns the operations that read an output and are not in the view, each once."""
        inside = frozenset(self._ops)
        readers = (op for tensor in self._output_ts for op in tensor.consumers())
        return concatenate_unique([], (op for op in readers if op not in inside))


def _position(tensor: Any, tensors: list[Any]) -> int:
    for index, member in enumerate(tensors):
        if member is tensor:
            return index
    raise ValueError(f"Can't find {tensor} among {[member.name for member in tensors]} of the subgraph.")


def _remapped(tensors: list[Any], chosen: Iterable[Any], is_repeatable: bool) -> list[Any]:
    """Returns the tensors at the positions `chosen`. An element of `chosen` may also be a tensor."""
    positions = [part if isinstance(part, int) else _position(part, tensors) for part in chosen]
    for position in positions:
        if not 0 <= position < len(tensors):
            raise ValueError(f"Out of [0, {len(tensors)}[ range: {position}")
    if not is_repeatable and len(set(positions)) != len(positions):
        raise ValueError(f"Found repetition in mapping: {positions}")
    return [tensors[position] for position in positions]


def make_view(*args: Any, **kwargs: Any) -> SubGraphView:
    """Returns a view of the selected operations. A single argument that is a view is returned unchanged.

    The arguments are those of `select_ops_and_ts`; the tensors become passthrough tensors. With the keyword `graph`,
    all must belong to that graph.

    Raises TypeError for an argument of another type, ValueError for another keyword or another graph.
    """
    graph = kwargs.get("graph")
    is_view = len(args) == 1 and isinstance(args[0], SubGraphView)
    view = args[0] if is_view else SubGraphView(*select_ops_and_ts(*args, **kwargs))
    if graph is not None and view.graph is not None:
        if not isinstance(graph, tf.Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(graph)}")
        if view.graph is not graph:
            raise ValueError("Graph mismatch.")
    return view


def make_view_from_scope(scope: str, graph: Any) -> SubGraphView:
    """Returns a view of the operations of a graph below a name scope."""
    return SubGraphView(get_name_scope_ops(graph, scope))
