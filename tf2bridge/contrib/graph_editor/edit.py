"""Cutting a part out of a graph, and joining parts."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tf2bridge.contrib.graph_editor.reroute import (
    remove_control_inputs,
    reroute_inputs,
    reroute_ts,
    swap_inputs,
    swap_outputs,
)
from tf2bridge.contrib.graph_editor.select.boundaries import check_cios
from tf2bridge.contrib.graph_editor.subgraph import SubGraphView, make_view
from tf2bridge.contrib.graph_editor.util.elements import ControlOutputs, check_graphs
from tf2bridge.contrib.graph_editor.util.scopes import make_placeholder_from_tensor, placeholder_name


def detach_control_inputs(sgv: Any) -> None:
    """Removes the control inputs that the operations of a view have from outside it."""
    view = make_view(sgv)
    inside = frozenset(view.ops)
    for op in view.ops:
        remove_control_inputs(op, [control for control in op.control_inputs if control not in inside])


def detach_control_outputs(sgv: Any, control_outputs: ControlOutputs) -> None:
    """Removes the operations of a view from the control inputs of those outside it.

    Raises TypeError if `control_outputs` is not a ControlOutputs.
    """
    if not isinstance(control_outputs, ControlOutputs):
        raise TypeError(f"Expected a util.ControlOutputs, got: {type(control_outputs)}")
    control_outputs.update()
    view = make_view(sgv)
    inside = frozenset(view.ops)
    for op in view.ops:
        for waiting in control_outputs.get(op):
            if waiting not in inside:
                remove_control_inputs(waiting, op)


def detach_inputs(sgv: Any, control_inputs: bool = False) -> tuple[SubGraphView, list[Any]]:
    """Replaces the inputs of a view by new placeholders.

    Args:
        sgv: the view, which is updated in place, or an argument of `make_view`.
        control_inputs: whether control inputs from outside are removed, too.

    Returns `(view, placeholders)`.
    """
    view = make_view(sgv)
    with view.graph.as_default():
        placeholders = [tf.compat.v1.placeholder(tensor.dtype, name=placeholder_name(tensor)) for tensor in view.inputs]
    swap_inputs(view, placeholders)
    if control_inputs:
        detach_control_inputs(view)
    return view, placeholders


def detach_outputs(sgv: Any, control_outputs: ControlOutputs | None = None) -> tuple[SubGraphView, list[Any]]:
    """Replaces the outputs of a view by new placeholders in all operations that read them.

    Args:
        sgv: the view, or an argument of `make_view`.
        control_outputs: a ControlOutputs if control dependencies are removed, too; or None.

    Returns `(view, placeholders)`: the view has only the outputs that had readers.
    """
    view = make_view(sgv)
    view = view.remap_outputs([index for index, tensor in enumerate(view.outputs) if tensor.consumers()])
    read = frozenset(view.outputs)
    readers = SubGraphView(view.consumers())
    with view.graph.as_default():
        placeholders = [make_placeholder_from_tensor(tensor) for tensor in readers.inputs if tensor in read]
    swap_outputs(view, placeholders)
    if control_outputs is not None:
        detach_control_outputs(view, control_outputs)
    return view, placeholders


def detach(
    sgv: Any, control_inputs: bool = False, control_outputs: Any = None, control_ios: Any = None
) -> tuple[Any, list[Any], list[Any]]:
    """Cuts a view out of its graph: `detach_inputs` and `detach_outputs`.

    Args:
        sgv: the view, which is updated in place, or an argument of `make_view`.
        control_inputs: as for `check_cios`.
        control_outputs: as for `check_cios`.
        control_ios: as for `check_cios`.

    Returns `(sgv, placeholders of the inputs, placeholders of the outputs)`.
    """
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    _, inputs = detach_inputs(sgv, control_inputs)
    _, outputs = detach_outputs(sgv, control_outputs)
    return sgv, inputs, outputs


def connect(sgv0: Any, sgv1: Any, disconnect_first: bool = False) -> tuple[SubGraphView, SubGraphView]:
    """Makes the outputs of one view the inputs of another.

    Args:
        sgv0: the view whose outputs are read, or an argument of `make_view`.
        sgv1: the view that reads them.
        disconnect_first: True to make the present readers of these outputs read placeholders.

    Returns both views. Raises ValueError if they belong to several graphs.
    """
    first, second = make_view(sgv0), make_view(sgv1)
    check_graphs(first, second)
    if disconnect_first:
        detach_outputs(first)
    reroute_inputs(SubGraphView(passthrough_ts=first.outputs), second)
    return first, second


def bypass(sgv: Any) -> tuple[SubGraphView, list[Any]]:
    """Replaces the outputs of a view by its inputs in all operations that read them.

    Returns `(view, placeholders)`: the placeholders that are its inputs now.
    """
    view = make_view(sgv)
    inputs = list(view.inputs)
    view, placeholders = detach_inputs(view)
    reroute_ts(inputs, view.outputs)
    return view, placeholders
