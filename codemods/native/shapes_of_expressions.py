"""The shapes and sizes that expressions of a program have when it builds its graph."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from codemods.names import Names
from codemods.native.kinds import v1_name
from codemods.native.places import place_of
from codemods.native.shape_rules import Dim, Shape, broadcast, product
from codemods.native.shapes_of_ops import Items, Number, OpShapes, Sizes, Tensor, Value, product_of

_PRODUCTS = frozenset(("numpy.prod", "np.prod", "numpy.product", "np.product"))
_OPERATORS: Mapping[type[ast.operator], tuple[str, Callable[[int, int], int]]] = {
    ast.Add: ("+", lambda a, b: a + b),
    ast.Sub: ("-", lambda a, b: a - b),
    ast.Mult: ("*", lambda a, b: a * b),
    ast.FloorDiv: ("//", lambda a, b: a // b if b else 0),
}


def wrapped(dim: Dim) -> str:
    """Returns the text of a size that can be part of a product."""
    text = str(dim)
    plain = isinstance(dim, int) or isinstance(
        ast.parse(text, mode="eval").body, (ast.Name, ast.Attribute, ast.Constant)
    )
    return text if plain else f"({text})"


@dataclass
class Evaluator(OpShapes):
    """Evaluates expressions to their shapes.

    Attributes:
        names: The meanings of the file's names.
        places: The values of places now.
        stable: Returns the text of an expression that has one value as long as the program runs; else None.
        called: Returns the value of a call of a function of the program.
    """

    names: Names
    stable: Callable[[ast.expr], str | None]
    called: Callable[[ast.Call, Evaluator], Value]
    places: dict[str, Value] = field(default_factory=dict)

    def value(self, node: ast.expr | None) -> Value:
        """Returns what an expression is; None if it is not known."""
        place = place_of(node) if node is not None else None
        if node is not None and place is not None and self.places.get(place) not in (None, Number(None)):
            return self.places[place]
        if isinstance(node, ast.Constant):
            if isinstance(node.value, bool) or not isinstance(node.value, (int, float)):
                return None
            return Number(node.value) if isinstance(node.value, int) else Tensor(())
        if isinstance(node, (ast.Name, ast.Attribute)):
            read = self._attribute(node) if isinstance(node, ast.Attribute) else None
            text = self.stable(node) if read is None else None
            return read if text is None else Number(text)
        if isinstance(node, (ast.List, ast.Tuple)):
            values = [self.value(part) for part in node.elts]
            given = any(isinstance(value, Number) and value.of_tensor for value in values)
            return Sizes(tuple(value.dim if isinstance(value, Number) else None for value in values), given)
        if isinstance(node, ast.Dict):
            keys = [key.value if isinstance(key, ast.Constant) else None for key in node.keys]
            return Items(dict(zip(keys, map(self.value, node.values), strict=True)))
        if isinstance(node, ast.UnaryOp):
            of = self.value(node.operand)
            negative = isinstance(node.op, ast.USub) and isinstance(of, Number) and isinstance(of.dim, int)
            return Number(-of.dim) if negative else of if isinstance(of, Tensor) else None  # type: ignore[union-attr,operator]
        if isinstance(node, ast.BinOp):
            return self._operation(node)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        return self._call(node) if isinstance(node, ast.Call) else None

    def dim(self, node: ast.expr | None) -> Dim:
        """Returns the size that an expression is."""
        value = self.value(node)
        return value.dim if isinstance(value, Number) else None

    def dims(self, node: ast.expr | None) -> Shape | None:
        """Returns the sizes that an expression lists, or the one that it is."""
        value = self.value(node)
        if isinstance(node, ast.Call) and v1_name(self.names, node.func) in ("stack", "pack", "shape") and node.args:
            inner = self.value(node.args[0])
            return inner.shape if isinstance(inner, Tensor) else self.dims(node.args[0])
        if isinstance(value, Number):  # a name may hold a list
            return None if isinstance(value.dim, str) and not value.of_tensor else (value.dim,)
        return value.dims if isinstance(value, Sizes) else None

    def shape(self, node: ast.expr | None) -> Shape | None:
        """Returns the shape of a tensor, or of what becomes one."""
        value = self.value(node)
        if isinstance(value, Number):  # a name may hold an array, or a tensor
            return None if isinstance(value.dim, str) and not value.of_tensor else ()
        return value.shape if isinstance(value, Tensor) else None

    def _attribute(self, node: ast.Attribute) -> Value:
        of = self.value(node.value)
        if isinstance(of, Tensor) and node.attr == "shape":
            return Sizes(of.shape, True) if of.shape is not None else None
        if isinstance(of, Sizes) and node.attr in ("ndims", "rank"):
            return Number(len(of.dims), True)
        if isinstance(of, Sizes) and node.attr == "dims":
            return of
        return of if isinstance(of, Number) and of.of_tensor and node.attr == "value" else None

    def _operation(self, node: ast.BinOp) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(left, Number) and isinstance(right, Number):
            sign, operate = _OPERATORS.get(type(node.op), (None, None))
            read = left.of_tensor or right.of_tensor
            if operate is None or left.dim is None or right.dim is None:
                return Number(None, read)
            if isinstance(left.dim, int) and isinstance(right.dim, int):
                return Number(operate(left.dim, right.dim), read)
            return Number(f"{wrapped(left.dim)} {sign} {wrapped(right.dim)}", read)
        if isinstance(left, Sizes) and isinstance(right, Sizes) and isinstance(node.op, ast.Add):
            return Sizes(left.dims + right.dims, left.of_tensor or right.of_tensor)
        if isinstance(left, Tensor) or isinstance(right, Tensor):
            matrix = isinstance(node.op, ast.MatMult)
            one, other = self.shape(node.left), self.shape(node.right)
            return Tensor(product_of(one, other) if matrix else broadcast(one, other))
        return None

    def _subscript(self, node: ast.Subscript) -> Value:
        of, index = self.value(node.value), node.slice
        if isinstance(of, Items):
            return of.values.get(index.value) if isinstance(index, ast.Constant) else None
        if isinstance(of, Sizes) and isinstance(index, ast.Slice):
            first, last, step = (self.dim(end) for end in (index.lower, index.upper, index.step))
            known = (0 if end is None else self.dim(end) for end in (index.lower, index.upper, index.step))
            if any(isinstance(end, str | None) for end in known):
                return None
            return Sizes(of.dims[first:last:step], of.of_tensor)  # type: ignore[index]
        number = self.dim(index) if isinstance(index, ast.expr) else None
        if isinstance(of, Sizes) and isinstance(number, int) and -len(of.dims) <= number < len(of.dims):
            return Number(of.dims[number], of.of_tensor)
        return Tensor(self._sliced(of.shape, index)) if isinstance(of, Tensor) and of.shape is not None else None

    def _sliced(self, shape: Shape, index: ast.expr) -> Shape | None:
        """Returns the shape of `x[:, -1, :]`."""
        parts = index.elts if isinstance(index, ast.Tuple) else [index]
        made: list[Dim] = []
        for number, part in enumerate(parts):
            if number >= len(shape):
                return None
            if isinstance(part, ast.Slice):
                made.append(shape[number] if part.lower is part.upper is part.step is None else None)
            elif not isinstance(self.value(part), Number):
                return None
        return (*made, *shape[len(parts) :])

    def _call(self, node: ast.Call) -> Value:
        name = v1_name(self.names, node.func)
        if name is not None:
            if any(isinstance(part, ast.Starred) for part in node.args):
                return None
            return self.of_op(name, node)
        if isinstance(node.func, ast.Attribute):
            made = _of_method(self.value(node.func.value), node.func.attr)
            if made is not None:
                return made
        return self._of_function(node)

    def _of_function(self, node: ast.Call) -> Value:
        """Returns what a function of Python, numpy or the program gives."""
        given = self.value(node.args[0]) if len(node.args) == 1 and not node.keywords else None
        function = self.names.qualified(node.func) or ast.unparse(node.func)
        if function == "int" and isinstance(given, Number):
            return given if given.of_tensor or isinstance(given.dim, int) else None
        if function == "len" and isinstance(given, Sizes):
            return Number(len(given.dims), given.of_tensor)
        if function in ("list", "tuple") and isinstance(given, Sizes):
            return given
        if function in _PRODUCTS and isinstance(given, Sizes):
            return Number(product(given.dims), given.of_tensor)
        return self.called(node, self)


def _of_method(of: Value, name: str) -> Value:
    if isinstance(of, Tensor) and name == "get_shape":
        return Sizes(of.shape, True) if of.shape is not None else None
    if isinstance(of, Sizes) and name == "num_elements":
        return Number(product(of.dims), of.of_tensor)
    return of if isinstance(of, Sizes) and name == "as_list" else None
