"""Copies a view into another scope or graph, with handlers that programs can replace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.graph_editor import live_ops
from tf2bridge.contrib.graph_editor.reroute import add_control_inputs
from tf2bridge.contrib.graph_editor.subgraph import SubGraphView, make_view
from tf2bridge.contrib.graph_editor.transform.handlers import (
    assign_renamed_collections_handler,
    copy_op_handler,
    keep_t_if_possible_handler,
    replace_t_with_placeholder_handler,
    transform_op_if_inside_handler,
)
from tf2bridge.contrib.graph_editor.transform.transformed import Transformation, TransformerInfo
from tf2bridge.contrib.graph_editor.util.scopes import make_placeholder_from_tensor, scope_finalize


class Transformer:
    """Copies a view. With the default handlers, the inputs of the copy are placeholders.

    These attributes can be replaced:
    transform_op_handler: `(info, op, new_inputs)` -> `(copy, its outputs)`.
    transform_control_input_handler: `(info, op)` -> the control input of the copy, or None for none.
    assign_collections_handler: `(info, original, copy)`; puts the copy into collections.
    transform_external_input_handler: `(info, tensor)` -> the replacement of an input of the view.
    transform_external_hidden_input_handler: the same for inputs of operations that the view does not list.
    transform_original_op_handler: `(info, op)` -> the replacement of the original op of `op`, or None.
    """

    def __init__(self) -> None:
        self.transform_op_handler: Callable[..., tuple[Any, Any]] = copy_op_handler
        self.transform_control_input_handler: Callable[..., Any] = transform_op_if_inside_handler
        self.assign_collections_handler: Callable[..., None] = assign_renamed_collections_handler
        self.transform_external_input_handler: Callable[..., Any] = replace_t_with_placeholder_handler
        self.transform_external_hidden_input_handler: Callable[..., Any] = keep_t_if_possible_handler
        self.transform_original_op_handler: Callable[..., Any] = transform_op_if_inside_handler

    def __call__(
        self, sgv: Any, dst_graph: Any, dst_scope: str, src_scope: str = "", reuse_dst_scope: bool = False
    ) -> tuple[SubGraphView, TransformerInfo]:
        """Transforms a view.

        Args:
            sgv: the view, or an argument of `make_view`.
            dst_graph: the graph of the result.
            dst_scope: the scope of the result.
            src_scope: the scope that is removed from names: "a" here and "b" in `dst_scope` turn a/x into b/x.
            reuse_dst_scope: True if the scope may already exist. Otherwise an existing scope gets a number.

        Returns `(view of the result, TransformerInfo that maps originals to copies)`. Raises TypeError if `dst_graph`
        is not a graph, ValueError if an operation is not in `src_scope`.
        """
        view = make_view(sgv)
        if not isinstance(dst_graph, tf.Graph):
            raise TypeError(f"Expected a tf.Graph, got: {type(dst_graph)}")
        destination = scope_finalize(dst_scope)
        if destination and not reuse_dst_scope:
            destination = scope_finalize(dst_graph.unique_name(destination[:-1]))
        info = Transformation(view, dst_graph, destination, scope_finalize(src_scope))
        self._copy_ops(info)
        self._close_loops(info)
        self._connect_controls(info)
        return _transformed_view(info), TransformerInfo(info)

    def _copy_ops(self, info: Transformation) -> None:
        """Copies the operations in the order in which they were made."""
        # By name: what tf.Assert returns is a wrapper, equal to nothing that is reached through the graph, as in 1.15.
        places = {op.name: place for place, op in enumerate(info.graph.get_operations())} if info.ops else {}
        for op in sorted(info.sgv.ops, key=lambda op: places[op.name]):
            inputs = [self._transformed_t(info, tensor, op) for tensor in op.inputs]
            copied, outputs = self.transform_op_handler(info, op, inputs)
            if copied is op:
                raise ValueError("In-place transformation not allowed.")
            info.transformed_ops[op] = copied
            self.assign_collections_handler(info, op, copied)
            for tensor, output in zip(op.outputs, outputs, strict=False):  # a handler may return fewer
                info.transformed_ts[tensor] = output
                self.assign_collections_handler(info, tensor, output)

    def _transformed_t(self, info: Transformation, t: Any, consumer_op: Any) -> Any:
        """Returns the tensor that the copy of `consumer_op` reads in place of `t`."""
        if t in info.transformed_ts:
            return info.transformed_ts[t]
        if t in info.sgv_inputs_set:
            return self.transform_external_input_handler(info, t)
        if t.op not in info.ops:
            return self.transform_external_hidden_input_handler(info, t)
        stand_in = self._stand_in(info, t, consumer_op)
        info.tmp_cyclic_ts.append((t, stand_in, consumer_op))
        return stand_in

    def _stand_in(self, info: Transformation, t: Any, consumer_op: Any) -> Any:
        """Returns a placeholder for a tensor of a loop, which is read until the tensor is copied."""
        if consumer_op.type == "Merge":
            return self._transformed_t(info, consumer_op.inputs[0], consumer_op)
        if t.op.type == "Enter":
            return self._transformed_t(info, t.op.inputs[0], consumer_op)
        with info.graph_.as_default():
            return make_placeholder_from_tensor(t, scope=info.scope_, prefix="geph_tmp")

    def _close_loops(self, info: Transformation) -> None:
        """Replaces the stand-ins by the copies."""
        for tensor, stand_in, reader in info.tmp_cyclic_ts:
            if tensor not in info.transformed_ts or reader not in info.transformed_ops:
                raise ValueError(f"The tensor {tensor.name} and {reader.name} should be transformed by now.")
            copied = info.transformed_ops[reader]
            live_ops.set_input(copied, _place_of(stand_in, copied), info.transformed_ts[tensor])

    def _connect_controls(self, info: Transformation) -> None:
        """Gives the copies their control inputs, and the operations they were made for."""
        for op in info.sgv.ops:
            copied = info.transformed_ops[op]
            made_for = live_ops.original_op(op)
            original = self.transform_original_op_handler(info, made_for) if made_for else None
            if original is not None:
                live_ops.set_original_op(copied, original)
            controls = [self.transform_control_input_handler(info, control) for control in op.control_inputs]
            add_control_inputs(copied, [control for control in controls if control is not None])


def _transformed_view(info: Transformation) -> SubGraphView:
    """Returns the view of the copies, with inputs and outputs in the order of the originals."""
    view = SubGraphView(list(info.transformed_ops.values()))
    inputs, outputs = frozenset(view.inputs), frozenset(view.outputs)

    def places(originals: Any, kept: frozenset[Any]) -> list[Any]:
        copies = [info.transformed_ts.get(tensor) for tensor in originals]
        return [copied for copied in copies if copied in kept]

    return view.remap(places(info.sgv.inputs, inputs), places(info.sgv.outputs, outputs))


def _place_of(tensor: Any, op: Any) -> int:
    """Returns the first position of a tensor among the inputs of an operation."""
    return next(index for index, read in enumerate(op.inputs) if read is tensor)
