"""The state and the result of a transformation: which copy belongs to which original."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.graph_editor.subgraph import SubGraphView
from tf2bridge.contrib.graph_editor.transform.handlers import transform_op_if_inside_handler
from tf2bridge.contrib.graph_editor.util.elements import ControlOutputs
from tf2bridge.contrib.graph_editor.util.trees import transform_tree


class Transformation:
    """One call of a transformer: the argument `info` of every handler.

    sgv: the view that is transformed.
    ops: its operations.
    sgv_inputs_set: its inputs.
    graph, scope: where it comes from.
    graph_, scope_: where the result goes.
    transformed_ops, transformed_ts: original -> copy, as far as there are copies.
    collections: name -> members, of the graph it comes from.
    control_outputs: the ControlOutputs of that graph.
    tmp_cyclic_ts: `(tensor, stand-in, reader)` for each tensor of a loop that was read before it was copied.
    """

    def __init__(self, sgv: SubGraphView, dst_graph: Any, dst_scope: str, src_scope: str) -> None:
        self.sgv = sgv
        self.sgv_inputs_set = frozenset(sgv.inputs)
        self.ops = frozenset(sgv.ops)
        self.control_outputs = ControlOutputs(sgv.graph)
        self.graph, self.scope = sgv.graph, src_scope
        self.graph_, self.scope_ = dst_graph, dst_scope
        self.transformed_ops: dict[Any, Any] = {}
        self.transformed_ts: dict[Any, Any] = {}
        self.collections = {key: self.graph.get_collection(key) for key in self.graph.get_all_collection_keys()}
        self.cyclic_ops: list[Any] = []
        self.transform_original_op_handler = transform_op_if_inside_handler
        self.tmp_cyclic_ts: list[tuple[Any, Any, Any]] = []

    def new_name(self, name: str) -> str:
        """Returns the name in the destination. Raises ValueError if `name` is not in the source scope."""
        if not name.startswith(self.scope):
            raise ValueError(f"{name} does not belong to source scope: {self.scope}.")
        return self.scope_ + name[len(self.scope) :]


class TransformerInfo:
    """The result of a transformation: finds the copy of an original, and the original of a copy."""

    def __init__(self, info: Any) -> None:
        """Copies the results of the transformation `info`."""
        self._graph, self._scope = info.graph, info.scope
        self._graph_, self._scope_ = info.graph_, info.scope_
        self._transformed_ops = info.transformed_ops
        self._transformed_ts = info.transformed_ts

    def _get_transformed_map(self, top: Any) -> dict[Any, Any]:
        if isinstance(top, tf.Operation):
            return dict(self._transformed_ops)
        if isinstance(top, tf.Tensor):
            return dict(self._transformed_ts)
        raise TypeError(f"Expected a tf.Tensor or a tf.Operation, got a {type(top)}")

    def _transformed_elem(self, original_top: Any, missing_fn: Callable[[Any], Any] | None = None) -> Any:
        copies = self._get_transformed_map(original_top)
        if original_top in copies:
            return copies[original_top]
        return None if missing_fn is None else missing_fn(original_top)

    def _original_elem(self, transformed_top: Any, missing_fn: Callable[[Any], Any] | None = None) -> Any:
        for original, copied in self._get_transformed_map(transformed_top).items():
            if copied is transformed_top:
                return original
        return None if missing_fn is None else missing_fn(transformed_top)

    def transformed(self, original: Any, missing_fn: Callable[[Any], Any] | None = None) -> Any:
        """Returns the copies of a nest of operations and tensors.

        Args:
            original: the nest.
            missing_fn: a function that returns the replacement of an original without a copy, by default None.

        Raises:
            TypeError: an element is neither an operation nor a tensor.
        """
        return transform_tree(original, partial(self._transformed_elem, missing_fn=missing_fn))

    def original(self, transformed: Any, missing_fn: Callable[[Any], Any] | None = None) -> Any:
        """Returns the originals of a nest of copies; `missing_fn` as for `transformed`."""
        return transform_tree(transformed, partial(self._original_elem, missing_fn=missing_fn))

    def __str__(self) -> str:
        if self._graph is self._graph_:
            place = f"  Within graph[{id(self._graph)}]{'' if self._scope_ else ' IN-PLACE'}"
        else:
            place = f"  graph[{id(self._graph)}] => graph[{id(self._graph_)}]"
        source = [f"  Relative to source scope: {self._scope}"] if self._scope else []
        destination = [f"  Scope destination: {self._scope_}"] if self._scope_ else []
        ops = [f"  {op.name} => {copied.name}" for op, copied in self._transformed_ops.items()]
        lines = ["Transform result info:", place, *source, *destination, "Operations mapping:", *ops]
        return "".join(f"{line}\n" for line in lines)
