"""Copying a part of a graph: as it is, or with other tensors in place of its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.graph_editor import live_ops
from tf2bridge.contrib.graph_editor.select.walks import get_walks_intersection_ops
from tf2bridge.contrib.graph_editor.subgraph import SubGraphView, make_view
from tf2bridge.contrib.graph_editor.transform.handlers import keep_t_if_possible_handler
from tf2bridge.contrib.graph_editor.transform.transformed import TransformerInfo
from tf2bridge.contrib.graph_editor.transform.transformer import Transformer
from tf2bridge.contrib.graph_editor.util.elements import ControlOutputs, get_unique_graph
from tf2bridge.contrib.graph_editor.util.trees import concatenate_unique, flatten_tree


def copy(
    sgv: Any, dst_graph: Any = None, dst_scope: str = "", src_scope: str = "", reuse_dst_scope: bool = False
) -> tuple[SubGraphView, TransformerInfo]:
    """Copies a view. The inputs of the copy are placeholders.

    Args:
        sgv: the view, or an argument of `make_view`.
        dst_graph: the graph of the copy, by default the graph of the view.
        dst_scope: as for `Transformer`.
        src_scope: as for `Transformer`.
        reuse_dst_scope: as for `Transformer`.

    Returns `(view of the copy, TransformerInfo that maps originals to copies)`. Raises TypeError if `dst_graph` is not
    a graph.
    """
    view = make_view(sgv)
    graph = view.graph if dst_graph is None else dst_graph
    return Transformer()(view, graph, dst_scope, src_scope, reuse_dst_scope=reuse_dst_scope)


def copy_with_input_replacements(
    sgv: Any,
    replacement_ts: Mapping[Any, Any],
    dst_graph: Any = None,
    dst_scope: str = "",
    src_scope: str = "",
    reuse_dst_scope: bool = False,
) -> tuple[SubGraphView, TransformerInfo]:
    """Copies a view, with other tensors in place of some of its inputs.

    replacement_ts: input of the view -> the tensor that the copy reads instead. Other inputs stay within one graph,
    and are placeholders in another graph. The other arguments and the result are those of `copy`.
    """
    view = make_view(sgv)
    graph = view.graph if dst_graph is None else dst_graph

    def replaced(info: Any, tensor: Any) -> Any:
        return replacement_ts[tensor] if tensor in replacement_ts else keep_t_if_possible_handler(info, tensor)

    copier = Transformer()
    copier.transform_external_input_handler = replaced
    return copier(view, graph, dst_scope, src_scope, reuse_dst_scope=reuse_dst_scope)


def graph_replace(
    target_ts: Any,
    replacement_ts: Mapping[Any, Any],
    dst_scope: str = "",
    src_scope: str = "",
    reuse_dst_scope: bool = False,
) -> Any:
    """Returns copies of tensors, computed with replacements for some tensors that they depend on.

    Args:
        target_ts: a nest of tensors.
        replacement_ts: tensor -> the tensor that is read instead.
        dst_scope: as for `Transformer`.
        src_scope: as for `Transformer`.
        reuse_dst_scope: as for `Transformer`.

    Returns the nest `target_ts` with the new tensors. A tensor that depends on no replaced tensor is unchanged.

    Raises ValueError if no tensor depends on a replaced tensor.
    """
    targets = flatten_tree(target_ts)
    control_ios = ControlOutputs(get_unique_graph(targets, check_types=tf.Tensor))
    ops = get_walks_intersection_ops(list(replacement_ts), targets, control_ios=control_ios)
    if not ops:
        raise ValueError("Targets and replacements are not connected!")
    _complete_loops(ops, control_ios)
    _, info = copy_with_input_replacements(ops, replacement_ts, None, dst_scope, src_scope, reuse_dst_scope)
    return info.transformed(target_ts, missing_fn=lambda tensor: tensor)


def _complete_loops(ops: list[Any], control_ios: ControlOutputs) -> None:
    """Adds the rest of each while loop that some of the operations belong to: half a loop cannot run."""
    loops = dict.fromkeys(loop for op in ops if (loop := live_ops.loop_of(op)) is not None)
    for loop in loops:
        enters, exits = ([tensor.op for tensor in tensors] for tensors in (loop.loop_enters, loop.loop_exits))
        concatenate_unique(ops, get_walks_intersection_ops(enters, exits, control_ios=control_ios))
