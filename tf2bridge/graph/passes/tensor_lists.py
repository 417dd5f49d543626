"""Converts TensorArrays into TensorLists, which have gradients in functions, and which XLA and TFLite know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tf2bridge.formats.graphs.nodes import Nodes, data_inputs, is_control, node_of
from tf2bridge.graph.new_nodes import integers, value_of
from tf2bridge.graph.passes.passing_ops import reached, redirected, retyped, root
from tf2bridge.internals.framework import op_def_registry
from tf2bridge.internals.protos import node_def_pb2, types_pb2

_SHAPE, _NO_LENGTHS = "element shape", "no lengths"


@dataclass(frozen=True)
class _Rule:
    """An operation on lists.

    Attributes:
        op: the type of the operation.
        inputs: for each input, its index among the array operation's inputs, or the constant that it is.
        flow: the index of the flow among the array operation's inputs.
        gives_list: whether the operation returns a list.
    """

    op: str
    inputs: tuple[int | str, ...]
    flow: int | None = None
    gives_list: bool = False


_RULES = {
    "TensorArrayV3": _Rule("TensorListReserve", (_SHAPE, 0), None, True),
    "TensorArrayWriteV3": _Rule("TensorListSetItem", (3, 1, 2), 3, True),
    "TensorArrayReadV3": _Rule("TensorListGetItem", (2, 1, _SHAPE), 2),
    "TensorArrayGatherV3": _Rule("TensorListGather", (2, 1, _SHAPE), 2),
    "TensorArrayScatterV3": _Rule("TensorListScatterIntoExistingList", (3, 2, 1), 3, True),
    "TensorArraySizeV3": _Rule("TensorListLength", (1,), 1),
    "TensorArrayConcatV3": _Rule("TensorListConcatV2", (1, _SHAPE, _NO_LENGTHS), 1),
    "TensorArraySplitV3": _Rule("TensorListSplit", (1, _SHAPE, 2), 3, True),
}
_WHOLE = {
    "TensorArrayGatherV3": _Rule("TensorListStack", (2, _SHAPE), 2),
    "TensorArrayScatterV3": _Rule("TensorListFromTensor", (2, _SHAPE), 3, True),
}
"""The rules for indices of all elements: XLA has no other operation, and TFLite has none as fast."""


def with_tensor_lists(nodes: Nodes) -> Nodes:
    """Returns the nodes with lists in place of arrays; a list takes the place of the flow.

    A graph with gradients of arrays (`TensorArrayGradV3`), as for a train_op, stays as it is: these arrays add up
    repeated writes, and lists do not.
    """
    arrays = {name: node for name, node in nodes.items() if node.op == "TensorArrayV3"}
    if not arrays or any(node.op == "TensorArrayGradV3" for node in nodes.values()):
        return nodes
    _start_flows_at_arrays(nodes)
    result: Nodes = {}
    lists: list[str] = []
    for name, node in nodes.items():
        rule = _rule(nodes, node)
        if rule is not None:
            array = node if name in arrays else nodes[node_of(root(nodes, node.input[0]))]
            result |= {added.name: added for added in _on_lists(node, rule, array)}
            lists += [f"{name}:0"] if rule.gives_list else []
        elif node.op != "TensorArrayCloseV3":
            result[name] = node
    flows = {f"{name}:1": f"{name}:0" for name in arrays}
    redirected(result, lambda source: flows.get(source, source))
    retyped(result, reached(result, lists), types_pb2.DT_VARIANT)
    return result


def _start_flows_at_arrays(nodes: Nodes) -> None:
    """Makes every flow begin with its array, in place: in 0.x it began with a constant."""
    replacements: dict[str, str] = {}
    for node in nodes.values():
        rule = _RULES.get(node.op)
        if rule is not None and rule.flow is not None:
            first = root(nodes, data_inputs(node)[rule.flow])
            if nodes[node_of(first)].op == "Const":
                replacements[first] = f"{node_of(root(nodes, node.input[0]))}:1"
    redirected(nodes, lambda source: replacements.get(source, source))


def _rule(nodes: Nodes, node: Any) -> _Rule | None:
    if node.op in _WHOLE and _is_all(nodes, data_inputs(node)[1]):
        return _WHOLE[node.op]
    return _RULES.get(node.op)


def _is_all(nodes: Nodes, indices: str) -> bool:
    """Returns whether the indices are `range(0, size of the array or of the value)`, as of `stack` and `unstack`."""
    made = nodes[node_of(indices)]
    if made.op != "Range":
        return False
    start, _limit, step = (nodes[node_of(source)] for source in data_inputs(made))
    return all(node.op == "Const" and value_of(node) == wanted for node, wanted in ((start, 0), (step, 1)))


def _on_lists(node: Any, rule: _Rule, array: Any) -> list[Any]:
    """Returns the constants that the operation on lists needs, and this operation with the old name."""
    inputs = data_inputs(node)
    near = node_of(inputs[0 if rule.flow is None else rule.flow])
    constants = {
        role: integers(f"{node.name}/{role.replace(' ', '_')}", values, near, dtype)
        for role, values, dtype in (
            (_SHAPE, _element_shape(node, array), types_pb2.DT_INT32),
            (_NO_LENGTHS, [], types_pb2.DT_INT64),
        )
        if role in rule.inputs
    }
    made = node_def_pb2.NodeDef(name=node.name, op=rule.op)
    made.input.extend(
        constants[position].name if isinstance(position, str) else inputs[position] for position in rule.inputs
    )
    made.input.extend(source for source in node.input if is_control(source))
    _describe(made, array)
    return [*constants.values(), made]


def _describe(made: Any, array: Any) -> None:
    values = {
        "element_dtype": ("type", array.attr["dtype"].type),
        "shape_type": ("type", types_pb2.DT_INT32),
        "Tshape": ("type", types_pb2.DT_INT32),
        "num_elements": ("i", -1),
        "resize_if_index_out_of_bounds": ("b", array.attr["dynamic_size"].b),
    }
    for attribute in op_def_registry.get(made.op).attr:
        kind, value = values[attribute.name]
        setattr(made.attr[attribute.name], kind, value)


def _element_shape(node: Any, array: Any) -> list[int] | int:
    """Returns the sizes of an element, with -1 for an unknown size, or -1 alone for an unknown rank."""
    for holder, name in ((node, "element_shape"), (node, "element_shape_except0"), (array, "element_shape")):
        if name in holder.attr and not holder.attr[name].shape.unknown_rank:
            sizes = [size.size for size in holder.attr[name].shape.dim]
            return [-1, *sizes] if name.endswith("except0") else sizes
    return -1
