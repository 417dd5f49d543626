"""Lists of tensors, which loops read and write by number, as `tf.TensorArray`, which is made of the same operations."""

from __future__ import annotations

from collections.abc import Sequence

from tf2bridge.decompile.attributes import literal
from tf2bridge.decompile.idioms.layer import expression_node
from tf2bridge.decompile.inferred_shapes import merged
from tf2bridge.decompile.ir import Function, Kind, Node, Value, all_nodes, array_of, replace
from tf2bridge.decompile.lists import LIST_OPS, Shape, has_lists

_TAKEN = {
    "TensorListReserve": slice(1, 2),
    "TensorListFromTensor": slice(1),
    "TensorListSetItem": slice(3),
    "TensorListGetItem": slice(2),
    "TensorListStack": slice(1),
}
"""Type of an operation -> its inputs that stand in its expression."""
_STATED = {"TensorListReserve": 0, "TensorListGetItem": 2, "TensorListStack": 1}
"""Type of an operation -> its input that states the shape of the elements."""


def with_arrays(function: Function) -> Function:
    """Returns the function, changed: each list is a `tf.TensorArray`.

    Nothing is changed if a list is used in another way, or if an operation knows a shape that the array would not have.
    """
    nodes = list(all_nodes(function))
    if any(has_lists(node) for node in nodes if node.op not in (*LIST_OPS, Kind.WHILE, Kind.PARAMETER)):
        return function
    lists = [node for node in nodes if node.op in LIST_OPS]
    made_by = _makers(nodes)
    shapes = {node: _elements(node, lists, made_by) for node in lists if node.op in _MAKERS}
    if any(not _is_known(node, made_by, shapes) for node in lists):
        return function
    grows = any(node.attributes["resize_if_index_out_of_bounds"] for node in lists if node.op == "TensorListSetItem")
    replacements = {}
    for node in lists:
        made = expression_node(node, _template(node, shapes, grows), node.inputs[_TAKEN[node.op]])
        replacements[Value(node, 0)] = Value(made, 0)
    replace(function, replacements)
    return function


_MAKERS = ("TensorListReserve", "TensorListFromTensor")


def _makers(nodes: Sequence[Node]) -> dict[Value, Node]:
    """Returns each list -> the operation that made it: a loop changes the list that it begins with."""
    made_by: dict[Value, Node] = {}
    for node in nodes:
        if node.op in _MAKERS:
            made_by[Value(node, 0)] = node
        elif node.op == "TensorListSetItem" and node.inputs[0] in made_by:
            made_by[Value(node, 0)] = made_by[node.inputs[0]]
        elif node.op == Kind.WHILE:
            for place, start in enumerate(node.inputs):
                if start in made_by:
                    inside = (Value(body.parameters[place], 0) for body in node.bodies)
                    made_by.update(dict.fromkeys((Value(node, place), *inside), made_by[start]))
    return made_by


def _elements(maker: Node, lists: Sequence[Node], made_by: dict[Value, Node]) -> Shape | None:
    """Returns the shape of the elements of a list: what it is made of, or all that operations state of it."""
    if maker.op == "TensorListFromTensor":
        shape = maker.inputs[0].spec.shape
        return None if shape is None else shape[1:]
    users = (node for node in lists if node is maker or (node.op in _STATED and made_by.get(node.inputs[0]) is maker))
    shape = None
    for user in users:
        shape = merged(shape, _stated(user))
    return shape


def _is_known(node: Node, made_by: dict[Value, Node], shapes: dict[Node, Shape | None]) -> bool:
    """Returns True if an array has what an operation states of a list."""
    if node.op in _MAKERS:
        return True
    maker = made_by.get(node.inputs[0])
    if maker is None or node.attributes.get("num_elements", -1) != -1:
        return False
    return node.op == "TensorListSetItem" or merged(shapes[maker], _stated(node)) == shapes[maker]


def _stated(node: Node) -> Shape | None:
    """Returns the shape of elements that an operation is given, or None if it is not known."""
    array = array_of(node.inputs[_STATED[node.op]])
    return None if array is None or not array.ndim else tuple(size if size >= 0 else None for size in array.tolist())


def _template(node: Node, shapes: dict[Node, Shape | None], grows: bool) -> str:
    if node.op == "TensorListReserve":
        size, shape = array_of(node.inputs[1]), shapes[node]
        known = "" if shape is None else f", element_shape={literal(list(shape))}"
        further = known if shape is not None and None not in shape else f", infer_shape=False{known}"
        further = f", dynamic_size=True{further}" if grows else further
        dtype = literal(node.attributes["element_dtype"])
        return f"tf.TensorArray({dtype}, {'_0' if size is None else literal(size)}{further})"
    if node.op == "TensorListFromTensor":
        dtype, shape = node.inputs[0].spec
        size = shape[0] if shape and shape[0] else "tf.shape(_0)[0]"
        return f"tf.TensorArray({literal(dtype)}, {size}).unstack(_0)"
    return {
        "TensorListSetItem": "_0.write(_1, _2)",
        "TensorListGetItem": "_0.read(_1)",
        "TensorListStack": "_0.stack()",
    }[node.op]
