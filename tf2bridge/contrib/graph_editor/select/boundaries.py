"""The boundary of a set of operations: their neighbours, and the tensors that cross the boundary."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tf2bridge.contrib.graph_editor.select.filters import input_tensors, output_tensors
from tf2bridge.contrib.graph_editor.util.elements import ControlOutputs, make_list_of_op
from tf2bridge.contrib.graph_editor.util.trees import concatenate_unique


def check_cios(control_inputs: bool = False, control_outputs: Any = None, control_ios: Any = None) -> tuple[Any, Any]:
    """Returns which control dependencies count: `(control_inputs, control_outputs)`.

    Args:
        control_inputs: whether control inputs count.
        control_outputs: a ControlOutputs if control outputs count, or None. It is updated in place.
        control_ios: a ControlOutputs if both count, in place of the two other arguments; or None.

    Raises TypeError if either is not a ControlOutputs, ValueError if both are given.
    """
    for given in (control_ios, control_outputs):
        if given is not None and not isinstance(given, ControlOutputs):
            raise TypeError(f"Expected a util.ControlOutputs, got: {type(given)}")
    if control_ios is not None:
        if control_outputs is not None:
            raise ValueError("control_outputs should be None when using control_ios.")
        control_inputs, control_outputs = True, control_ios
    if control_outputs is not None:
        control_outputs.update()
    return control_inputs, control_outputs


def get_ops_ios(
    ops: Any, control_inputs: bool = False, control_outputs: Any = None, control_ios: Any = None
) -> list[Any]:
    """Returns the neighbours of the operations, without duplicates: producers of inputs and readers of outputs.

    The other arguments are those of `check_cios`. Raises TypeError for anything but operations.
    """
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)

    def around(op: Any) -> Iterable[Any]:
        yield from (tensor.op for tensor in op.inputs)
        for tensor in op.outputs:
            yield from tensor.consumers()
        if control_outputs is not None:
            yield from control_outputs.get(op)
        if control_inputs:
            yield from op.control_inputs

    return concatenate_unique([], (near for op in make_list_of_op(ops) for near in around(op)))


def compute_boundary_ts(ops: Any) -> tuple[list[Any], list[Any], list[Any]]:
    """Returns `(inputs, outputs, inside)` of a set of operations.

    An input is read and not computed by the operations. An output is computed by the operations, and read by other
    operations or by none. An inside tensor is computed and read by the operations. It may also be an output.
    """
    ops = make_list_of_op(ops)
    members = frozenset(ops)
    read, computed = input_tensors(ops), output_tensors(ops)
    produced = frozenset(computed)
    inside = [tensor for tensor in read if tensor in produced]
    hidden = {tensor for tensor in inside if members.issuperset(tensor.consumers())}
    inputs = [tensor for tensor in read if tensor not in produced]
    return inputs, [tensor for tensor in computed if tensor not in hidden], inside


def get_within_boundary_ops(
    ops: Any,
    seed_ops: Any,
    boundary_ops: Any = (),
    inclusive: bool = True,
    control_inputs: bool = False,
    control_outputs: Any = None,
    control_ios: Any = None,
) -> list[Any]:
    """Returns the members of `ops` that the seeds reach, in both directions, without crossing the boundary.

    Args:
        ops: the operations that may be returned.
        seed_ops: the operations to start from.
        boundary_ops: the operations that are not crossed.
        inclusive: whether boundary operations that are reached are returned, too.
        control_inputs: as for `check_cios`.
        control_outputs: as for `check_cios`.
        control_ios: as for `check_cios`.

    Raises TypeError for anything but operations, ValueError if a seed is on the boundary.
    """
    control_inputs, control_outputs = check_cios(control_inputs, control_outputs, control_ios)
    ops = make_list_of_op(ops)
    boundary = frozenset(make_list_of_op(boundary_ops))
    reached = set(make_list_of_op(seed_ops, allow_graph=False))
    if boundary & reached:
        raise ValueError("Boundary is intersecting with the seeds.")
    wave = set(reached)
    while wave:
        near = set(get_ops_ios(wave, control_inputs, control_outputs)) - reached
        wave = near - boundary
        reached |= near if inclusive else wave
    return [op for op in ops if op in reached]
