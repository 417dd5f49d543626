"""Walks through a graph: the operations that lie after others, or before them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.graph_editor.select.boundaries import check_cios
from tf2bridge.contrib.graph_editor.util.elements import (
    get_consuming_ops,
    get_generating_ops,
    make_list_of_op,
    make_list_of_t,
)
from tf2bridge.contrib.graph_editor.util.trees import concatenate_unique, is_iterable


def get_forward_walk_ops(
    seed_ops: Any,
    inclusive: bool = True,
    within_ops: Any = None,
    within_ops_fn: Callable[[Any], Any] | None = None,
    stop_at_ts: Any = (),
    control_outputs: Any = None,
) -> list[Any]:
    """Returns the operations that depend on the seeds, each once, nearest first.

    Args:
        seed_ops: operations; or tensors, which mean the operations that read them.
        inclusive: whether the seeds are returned, too.
        within_ops: the operations that the walk may enter, or None for all.
        within_ops_fn: a function that is true of the operations that the walk may enter, or None.
        stop_at_ts: tensors that the walk does not pass.
        control_outputs: a ControlOutputs if the walk follows control dependencies, or None.

    Raises TypeError for anything but operations or tensors.
    """
    _, control_outputs = check_cios(False, control_outputs)
    stops = frozenset(make_list_of_t(stop_at_ts))

    def ahead(op: Any) -> Iterable[Any]:
        for tensor in op.outputs:
            if tensor not in stops:
                yield from tensor.consumers()
        if control_outputs is not None:
            yield from control_outputs.get(op)

    return _walk(_seeds(seed_ops, get_consuming_ops), ahead, inclusive, within_ops, within_ops_fn)


def get_backward_walk_ops(
    seed_ops: Any,
    inclusive: bool = True,
    within_ops: Any = None,
    within_ops_fn: Callable[[Any], Any] | None = None,
    stop_at_ts: Any = (),
    control_inputs: bool = False,
) -> list[Any]:
    """Returns the operations that the seeds depend on, each once, nearest first.

    Args:
        seed_ops: operations; or tensors, which mean the operations that compute them.
        inclusive: whether the seeds are returned, too.
        within_ops: the operations that the walk may enter, or None for all.
        within_ops_fn: a function that is true of the operations that the walk may enter, or None.
        stop_at_ts: tensors that the walk does not pass.
        control_inputs: whether the walk follows control dependencies.

    Raises TypeError for anything but operations or tensors.
    """
    stops = frozenset(make_list_of_t(stop_at_ts))

    def behind(op: Any) -> Iterable[Any]:
        yield from (tensor.op for tensor in op.inputs if tensor not in stops)
        if control_inputs:
            yield from op.control_inputs

    return _walk(_seeds(seed_ops, get_generating_ops), behind, inclusive, within_ops, within_ops_fn)


def _seeds(seed_ops: Any, ops_of: Callable[[Any], list[Any]]) -> list[Any]:
    """Returns the operations to start from. `ops_of` maps tensors to operations."""
    seeds = list(seed_ops) if is_iterable(seed_ops) else [seed_ops]
    if seeds and isinstance(seeds[0], tf.Tensor):
        return ops_of(seeds)
    return make_list_of_op(seeds, allow_graph=False)


def _walk(
    seeds: list[Any],
    following: Callable[[Any], Iterable[Any]],
    inclusive: bool,
    within_ops: Any,
    within_ops_fn: Callable[[Any], Any] | None,
) -> list[Any]:
    within = None if within_ops is None else frozenset(make_list_of_op(within_ops, allow_graph=False))
    # An empty `within_ops` keeps the seeds, as in 1.15.
    started = dict.fromkeys(seed for seed in seeds if not within or seed in within)
    reached = dict(started)
    wave = list(reached)
    while wave:
        wave = [
            op
            for op in dict.fromkeys(near for op in wave for near in following(op))
            if op not in reached and (within is None or op in within) and (within_ops_fn is None or within_ops_fn(op))
        ]
        reached.update(dict.fromkeys(wave))
    return [op for op in reached if inclusive or op not in started]


def get_walks_intersection_ops(
    forward_seed_ops: Any,
    backward_seed_ops: Any,
    forward_inclusive: bool = True,
    backward_inclusive: bool = True,
    within_ops: Any = None,
    within_ops_fn: Callable[[Any], Any] | None = None,
    control_inputs: bool = False,
    control_outputs: Any = None,
    control_ios: Any = None,
) -> list[Any]:
    """Returns the operations that depend on the first seeds and that the second seeds depend on.

    The arguments are those of `get_forward_walk_ops`, `get_backward_walk_ops` and `check_cios`.
    """
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    forward = get_forward_walk_ops(
        forward_seed_ops, forward_inclusive, within_ops, within_ops_fn, control_outputs=control_outputs
    )
    backward = frozenset(
        get_backward_walk_ops(
            backward_seed_ops, backward_inclusive, within_ops, within_ops_fn, control_inputs=control_inputs
        )
    )
    return [op for op in forward if op in backward]


def get_walks_union_ops(
    forward_seed_ops: Any,
    backward_seed_ops: Any,
    forward_inclusive: bool = True,
    backward_inclusive: bool = True,
    within_ops: Any = None,
    within_ops_fn: Callable[[Any], Any] | None = None,
    control_inputs: bool = False,
    control_outputs: Any = None,
    control_ios: Any = None,
) -> list[Any]:
    """Returns the operations that depend on the first seeds or that the second seeds depend on.

    The arguments are those of `get_forward_walk_ops`, `get_backward_walk_ops` and `check_cios`.
    """
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    forward = get_forward_walk_ops(
        forward_seed_ops, forward_inclusive, within_ops, within_ops_fn, control_outputs=control_outputs
    )
    backward = get_backward_walk_ops(
        backward_seed_ops, backward_inclusive, within_ops, within_ops_fn, control_inputs=control_inputs
    )
    return concatenate_unique(forward, backward)
