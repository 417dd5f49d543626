"""TensorArrays as TensorLists, which have gradients in functions, and which XLA and TFLite know."""

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
    """An operation on lists: its inputs by their place among the array operation's, or a constant that it needs."""

    op: str
    inputs: tuple[int | str, ...]
    flow: int | None = None  # the place of the flow among the array operation's inputs
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
"""Where the indices are all there are: XLA has no other way, and TFLite none that is as quick."""


def with_tensor_lists(nodes: Nodes) -> Nodes:
    """Returns the nodes with lists in place of arrays: what the flow was is the list itself.

    A graph that holds the gradients of arrays (`TensorArrayGradV3`), as a train_op's, is left as it is: these add up
    what is written twice, which no list does.
    """
    arrays = {name: node for name, node in nodes.items() if node.op == "TensorArrayV3"}
    if not arrays or any(node.op == "TensorArrayGradV3" for node in nodes.values()):
        return nodes
    _begin_with_the_array(nodes)
    found: Nodes = {}
    lists: list[str] = []
    for name, node in nodes.items():
        rule = _rule(nodes, node)
        if rule is not None:
            array = node if name in arrays else nodes[node_of(root(nodes, node.input[0]))]
            found |= {each.name: each for each in _on_lists(node, rule, array)}
            lists += [f"{name}:0"] if rule.gives_list else []
        elif node.op != "TensorArrayCloseV3":
            found[name] = node
    flows = {f"{name}:1": f"{name}:0" for name in arrays}
    redirected(found, lambda source: flows.get(source, source))
    retyped(found, reached(found, lists), types_pb2.DT_VARIANT)
    return found


def _begin_with_the_array(nodes: Nodes) -> None:
    """In 0.x the flow began with a constant; a list has to come from its maker."""
    begun: dict[str, str] = {}
    for node in nodes.values():
        rule = _RULES.get(node.op)
        if rule is not None and rule.flow is not None:
            first = root(nodes, data_inputs(node)[rule.flow])
            if nodes[node_of(first)].op == "Const":
                begun[first] = f"{node_of(root(nodes, node.input[0]))}:1"
    redirected(nodes, lambda source: begun.get(source, source))


def _rule(nodes: Nodes, node: Any) -> _Rule | None:
    if node.op in _WHOLE and _is_all(nodes, data_inputs(node)[1]):
        return _WHOLE[node.op]
    return _RULES.get(node.op)


def _is_all(nodes: Nodes, indices: str) -> bool:
    """Whether the indices are `range(0, size of the array or of the value)`, as `stack` and `unstack` make them."""
    made = nodes[node_of(indices)]
    if made.op != "Range":
        return False
    start, _limit, step = (nodes[node_of(source)] for source in data_inputs(made))
    return all(each.op == "Const" and value_of(each) == wanted for each, wanted in ((start, 0), (step, 1)))


def _on_lists(node: Any, rule: _Rule, array: Any) -> list[Any]:
    """The operation on lists, under the old name, and the constants that it needs."""
    given = data_inputs(node)
    near = node_of(given[0 if rule.flow is None else rule.flow])
    constants = {
        what: integers(f"{node.name}/{what.replace(' ', '_')}", values, near, dtype)
        for what, values, dtype in (
            (_SHAPE, _element_shape(node, array), types_pb2.DT_INT32),
            (_NO_LENGTHS, [], types_pb2.DT_INT64),
        )
        if what in rule.inputs
    }
    made = node_def_pb2.NodeDef(name=node.name, op=rule.op)
    made.input.extend(constants[each].name if isinstance(each, str) else given[each] for each in rule.inputs)
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
    """The sizes of an element, -1 where unknown; -1 alone is an unknown rank."""
    for holder, name in ((node, "element_shape"), (node, "element_shape_except0"), (array, "element_shape")):
        if name in holder.attr and not holder.attr[name].shape.unknown_rank:
            sizes = [size.size for size in holder.attr[name].shape.dim]
            return [-1, *sizes] if name.endswith("except0") else sizes
    return -1
