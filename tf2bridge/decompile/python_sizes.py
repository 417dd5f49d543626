"""Arithmetic on shapes as Python's own: `keras.ops.shape(x)` is a tuple, and its elements are numbers.

JAX must know all shapes before it runs, and computes with tensors only when it runs.
"""

from __future__ import annotations

from tf2bridge.decompile.ir import Function, Kind, Node, Spec, Value, array_of
from tf2bridge.decompile.sizes import SHAPE_INPUTS

TAKE_SIZES = {**{op: (place,) for op, place in SHAPE_INPUTS.items()}, "Range": (0, 1, 2)}
"""Type of a node -> its inputs that are shapes or sizes."""
_SIGNS = {"Add": "+", "AddV2": "+", "Sub": "-", "Mul": "*", "FloorDiv": "//"}
_WHOLE = ("int32", "int64")


def with_sizes(function: Function, of_any_rank: bool = False) -> Function:
    """Returns the function, changed: what computes shapes from shapes is an expression of Python.

    Such a node has the attribute "is_sizes". Other nodes take a tensor of it.

    Args:
        function: The function.
        of_any_rank: Shapes of tensors whose rank is not known are expressions, too.
    """
    _Sizes(of_any_rank).rewrite(function)
    return function


class _Sizes:
    def __init__(self, of_any_rank: bool) -> None:
        self._of_any_rank = of_any_rank
        self._sizes: dict[Value, Value] = {}
        self._tensors: dict[Value, Value] = {}

    def rewrite(self, function: Function) -> None:
        for node in function.nodes():
            better = None
            if not node.after and (self._of_any_rank or node.op != "Shape" or node.inputs[0].spec.shape is not None):
                better = _expression(node, self._sizes)
            if better is not None:
                self._sizes[Value(node, 0)] = Value(better, 0)
                continue
            taken = TAKE_SIZES.get(node.op, ())
            node.inputs = [
                self._sizes.get(value, value) if place in taken else self._tensor(value)
                for place, value in enumerate(node.inputs)
            ]
            for body in node.bodies:
                self.rewrite(body)
        function.results = [self._tensor(value) for value in function.results]

    def _tensor(self, value: Value) -> Value:
        """Returns a tensor of sizes; any other value as it is."""
        if value not in self._sizes:
            return value
        if value not in self._tensors:
            sizes = self._sizes[value]
            template = f"keras.ops.array(_0, {value.spec.dtype.name!r})"
            attributes = {"template": template}
            node = Node(value.node.name, Kind.EXPRESSION, [sizes], attributes, [value.spec], value.node.owner)
            self._tensors[value] = Value(node, 0)
        return self._tensors[value]


def _expression(node: Node, sizes: dict[Value, Value]) -> Node | None:
    """Returns the node of the expression of Python for a node that computes sizes, or None.

    Args:
        node: The node.
        sizes: Value -> the value of its expression of Python, of those before.
    """
    if len(node.outputs) != 1 or node.outputs[0].dtype.name not in _WHOLE:
        return None
    template: str | None
    if node.op == "Shape":
        template, inputs = "keras.ops.shape(_0)", node.inputs
    elif any(value not in sizes and array_of(value) is None for value in node.inputs) or not node.inputs:
        return None
    else:
        inputs = [value for value in node.inputs if value in sizes]
        names = {value: f"_{inputs.index(value)}" for value in inputs}
        template = _template(node, names) if inputs else None
        inputs = [sizes[value] for value in inputs]
    if template is None:
        return None
    spec = Spec(node.outputs[0].dtype, node.outputs[0].shape)
    attributes = {"template": template, "is_sizes": True}
    return Node(node.name, Kind.EXPRESSION, inputs, attributes, [spec], node.owner)


def _template(node: Node, names: dict[Value, str]) -> str | None:
    """Returns the expression of Python for a node, or None.

    Args:
        node: The node, which takes sizes and constants.
        names: Each value that is a size or shape -> its placeholder.
    """
    texts = [names.get(value) or _constant(value) for value in node.inputs]
    first = node.inputs[0]
    if node.op in _SIGNS and all(value.spec.shape == () for value in node.inputs):
        return f"{texts[0]} {_SIGNS[node.op]} {texts[1]}"
    if node.op == "Pack" and node.attributes["axis"] == 0 and first.spec.shape == ():
        return f"({', '.join(map(str, texts))},)"
    if node.op in ("Concat", "ConcatV2"):
        parts = texts[1:] if node.op == "Concat" else texts[:-1]
        return f"({', '.join(f'*{text}' for text in parts)},)"
    if node.op in ("Identity", "Snapshot") or (node.op == "Cast" and first.spec.dtype.name in _WHOLE):
        return texts[0]
    if node.op in ("ExpandDims", "Reshape") and first.spec.shape == () and node.outputs[0].shape == (1,):
        return f"({texts[0]},)"
    shape = first.spec.shape
    if first not in names or shape is None or len(shape) != 1:
        return None
    if node.op == "Squeeze":
        return f"{texts[0]}[0]"
    if node.op == "Prod" and shape[0] and node.outputs[0].shape == ():
        return " * ".join(f"{texts[0]}[{place}]" for place in range(shape[0]))
    return _part(node, texts[0])


def _constant(value: Value) -> str | None:
    array = array_of(value)
    if array is None or array.dtype.kind not in "iu" or array.ndim > 1:
        return None
    return repr(tuple(array.tolist())) if array.ndim else repr(array.item())


def _part(node: Node, shape: str | None) -> str | None:
    """Returns the expression of a part of a shape, or None."""
    bounds = [array_of(value) for value in node.inputs[1:]]
    if any(bound is None for bound in bounds):
        return None
    if node.op in ("Gather", "GatherV2"):
        places = bounds[0]
        if places.ndim:
            return f"({', '.join(f'{shape}[{place}]' for place in places.reshape(-1))},)" if places.ndim == 1 else None
        return f"{shape}[{places}]"
    if node.op == "Slice":
        (first,), (count,) = (bound.tolist() for bound in bounds)
        return f"{shape}[{first or ''}:{'' if count < 0 else first + count}]"
    if node.op != "StridedSlice" or node.attributes["new_axis_mask"] or node.attributes["ellipsis_mask"]:
        return None
    (begin,), (end,), (step,) = (bound.tolist() for bound in bounds)
    if node.attributes["shrink_axis_mask"]:
        return f"{shape}[{begin}]"
    low = "" if node.attributes["begin_mask"] else begin
    high = "" if node.attributes["end_mask"] else end
    return f"{shape}[{low}:{high}{f':{step}' if step != 1 else ''}]"
