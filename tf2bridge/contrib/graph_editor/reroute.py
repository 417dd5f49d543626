"""Rewiring: the operations that read one tensor are made to read another."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

import tensorflow as tf

from tf2bridge.contrib.graph_editor import live_ops
from tf2bridge.contrib.graph_editor.subgraph import SubGraphView, make_view
from tf2bridge.contrib.graph_editor.util.elements import (
    check_graphs,
    get_consuming_ops,
    make_list_of_op,
    make_list_of_t,
)


class Way(Enum):
    """The readers to change: readers of the second tensor, of the first, or of both.

    Each value is `(the readers of the second read the first, the readers of the first read the second)`.
    """

    SWAP = (True, True)
    FIRST_TO_SECOND = (True, False)
    SECOND_TO_FIRST = (False, True)


def _reroute(ts0: Any, ts1: Any, direction: Way, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Rewires pairs of tensors; returns how many inputs of operations changed."""
    ts0, ts1 = make_list_of_t(ts0), make_list_of_t(ts1)
    _check_compatible(ts0, ts1)
    allowed = None if can_modify is None else frozenset(make_list_of_op(can_modify))
    forbidden = frozenset(() if cannot_modify is None else make_list_of_op(cannot_modify))

    def readers(tensor: Any) -> list[Any]:
        return [op for op in tensor.consumers() if op not in forbidden and (allowed is None or op in allowed)]

    # Who reads what is asked before anything changes: a tensor can be in several pairs.
    pairs = [(t0, t1, readers(t0), readers(t1)) for t0, t1 in zip(ts0, ts1, strict=True) if t0 is not t1]
    to_first, to_second = direction.value
    changed = 0
    for first, second, of_first, of_second in pairs:
        # In a swap, an operation that reads both tensors reads the second twice in the end, as in 1.15.
        changed += _read_instead(of_second, second, first) if to_first else 0
        changed += _read_instead(of_first, first, second) if to_second else 0
    return changed


def _read_instead(ops: list[Any], old: Any, new: Any) -> int:
    """Replaces the input `old` of operations by `new`. Returns the number of changed inputs."""
    places = [(op, index) for op in dict.fromkeys(ops) for index, tensor in enumerate(op.inputs) if tensor is old]
    for op, index in places:
        live_ops.set_input(op, index, new)
    return len(places)


def _check_compatible(ts0: list[Any], ts1: list[Any]) -> None:
    """Raises ValueError if a tensor of one list cannot replace the tensor of the other."""
    if len(ts0) != len(ts1):
        raise ValueError(f"ts0 and ts1 have different sizes: {len(ts0)} != {len(ts1)}")
    for t0, t1 in zip(ts0, ts1, strict=True):
        if not t0.dtype.is_compatible_with(t1.dtype):
            raise ValueError(f"Dtypes {t0.dtype} and {t1.dtype} are not compatible.")
        if not t0.get_shape().is_compatible_with(t1.get_shape()):
            raise ValueError(f"Shapes {t0.get_shape()} and {t1.get_shape()} are not compatible.")


def swap_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Exchanges the readers of each pair of tensors.

    Args:
        ts0: tensors, as `make_list_of_t` takes them.
        ts1: as many tensors of the same dtypes and shapes.
        can_modify: the only operations that may change, or None for all.
        cannot_modify: operations that may not change, or None.

    Returns the number of changed inputs of operations.

    Raises TypeError if an element is not a tensor, ValueError if tensors do not fit.
    """
    return _reroute(ts0, ts1, Way.SWAP, can_modify, cannot_modify)


def reroute_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Makes readers of `ts1` read `ts0`. Arguments and result are those of `swap_ts`."""
    return _reroute(ts0, ts1, Way.FIRST_TO_SECOND, can_modify, cannot_modify)


def reroute_b2a_ts(ts0: Any, ts1: Any, can_modify: Any = None, cannot_modify: Any = None) -> int:
    """Makes readers of `ts0` read `ts1`. Arguments and result are those of `swap_ts`. Only in 0.12."""
    return _reroute(ts0, ts1, Way.SECOND_TO_FIRST, can_modify, cannot_modify)


def _views(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    first, second = make_view(sgv0), make_view(sgv1)
    check_graphs(first, second)
    return first, second


def _reroute_inputs(sgv0: Any, sgv1: Any, direction: Way) -> tuple[SubGraphView, SubGraphView]:
    first, second = _views(sgv0, sgv1)
    through = get_consuming_ops(first.passthroughs) + get_consuming_ops(second.passthroughs)
    _reroute(first.inputs, second.inputs, direction, can_modify=[*first.ops, *second.ops, *through])
    _remap_inputs(first, second, direction)
    return first, second


def _remap_inputs(first: SubGraphView, second: SubGraphView, direction: Way) -> None:
    """Brings two views up to date after their inputs were rewired."""
    old_first, old_second = first.copy(), second.copy()
    to_first, to_second = direction.value
    if to_first:
        second._input_ts, second._passthrough_ts = list(old_first._input_ts), list(old_first._passthrough_ts)
    if to_second:
        first._input_ts, first._passthrough_ts = list(old_second._input_ts), list(old_second._passthrough_ts)
    if to_first:
        _follow_inputs(first, second)
    if to_second:
        _follow_inputs(second, first)


def _follow_inputs(passed_view: SubGraphView, view: SubGraphView) -> None:
    """Replaces the outputs of `view` that pass through `passed_view` by the new inputs."""
    for index, tensor in enumerate(view._output_ts):
        if passed_view.is_passthrough(tensor):
            view._output_ts[index] = view._input_ts[passed_view.input_index(tensor)]


def _reroute_outputs(sgv0: Any, sgv1: Any, direction: Way) -> tuple[SubGraphView, SubGraphView]:
    first, second = _views(sgv0, sgv1)
    _reroute(first.outputs, second.outputs, direction, cannot_modify=[*first.ops, *second.ops])
    return first, second


def _both(sgv0: Any, sgv1: Any, direction: Way) -> tuple[Any, Any]:
    _reroute_outputs(sgv0, sgv1, direction)
    _reroute_inputs(sgv0, sgv1, direction)
    return sgv0, sgv1


def swap_inputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Exchanges the inputs of two views, which `make_view` makes of the arguments; returns the views, up to date."""
    return _reroute_inputs(sgv0, sgv1, Way.SWAP)


def reroute_inputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Gives the second view the inputs of the first; returns both views, up to date."""
    return _reroute_inputs(sgv0, sgv1, Way.FIRST_TO_SECOND)


def reroute_b2a_inputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Gives the first view the inputs of the second; returns both views, up to date. Of 0.12."""
    return _reroute_inputs(sgv0, sgv1, Way.SECOND_TO_FIRST)


def swap_outputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Exchanges the readers of the outputs of two views, and returns the views."""
    return _reroute_outputs(sgv0, sgv1, Way.SWAP)


def reroute_outputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Makes readers of the second view's outputs read the first view's outputs. Returns both views."""
    return _reroute_outputs(sgv0, sgv1, Way.FIRST_TO_SECOND)


def reroute_b2a_outputs(sgv0: Any, sgv1: Any) -> tuple[SubGraphView, SubGraphView]:
    """Makes readers of the first view's outputs read the second view's outputs. Returns both views. Only in 0.12."""
    return _reroute_outputs(sgv0, sgv1, Way.SECOND_TO_FIRST)


def swap_ios(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Exchanges the inputs and the readers of the outputs of two views. Returns the arguments."""
    return _both(sgv0, sgv1, Way.SWAP)


def reroute_ios(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Gives the second view the inputs of the first, and its readers the outputs of the first; returns both."""
    return _both(sgv0, sgv1, Way.FIRST_TO_SECOND)


def reroute_b2a(sgv0: Any, sgv1: Any) -> tuple[Any, Any]:
    """Gives the first view the inputs of the second, and its readers the outputs of the second. Of 0.12."""
    return _both(sgv0, sgv1, Way.SECOND_TO_FIRST)


def remove_control_inputs(op: Any, cops: Any) -> None:
    """Removes control inputs of an operation.

    Raises TypeError if `op` is not an operation, ValueError if a member of `cops` is not a control input of `op`.
    """
    controls = _controls(op, cops, lambda control: control in op.control_inputs, "is not a control_input of")
    live_ops.replace_controls(op, [control for control in op.control_inputs if control not in controls])


def add_control_inputs(op: Any, cops: Any) -> None:
    """Adds control inputs to an operation.

    Raises TypeError if `op` is not an operation, ValueError if a member of `cops` is already a control input of `op`.
    """
    controls = _controls(op, cops, lambda control: control not in op.control_inputs, "is already a control_input of")
    live_ops.add_controls(op, controls)


def _controls(op: Any, cops: Any, is_right: Callable[[Any], bool], wrong: str) -> list[Any]:
    if not isinstance(op, tf.Operation):
        raise TypeError(f"Expected a tf.Operation, got: {type(op)}")
    controls = make_list_of_op(cops, allow_graph=False)
    for control in controls:
        if not is_right(control):
            raise ValueError(f"{control.name} {wrong} {op.name}")
    return controls
