"""The types of NumPy arrays that the source says."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from codemods.names import Names
from codemods.native.places import calls_bound_to, named_arguments
from codemods.native.stated_names import BoundOnce

TYPES = frozenset(("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "bool"))
_MAKING: Mapping[str, int] = {
    "array": 1, "asarray": 1, "zeros": 1, "ones": 1, "empty": 1, "full": 2, "arange": 3,
    "loadtxt": 1, "linspace": 5,
}  # fmt: skip
"""Function of NumPy that gets a type -> the place of that among its arguments."""
_FLOATS = frozenset(("zeros", "ones", "empty", "linspace", "loadtxt", "random.rand", "random.randn", "random.normal"))
"""Functions of NumPy that give float64 where they get no type."""
_DRAWS = frozenset(("rand", "randn", "normal", "uniform", "random_sample", "standard_normal"))
"""Methods of `np.random.RandomState` that give float64."""
_SAME = frozenset(("reshape", "copy", "flatten", "ravel", "squeeze", "transpose"))
_MNIST = "examples.tutorials.mnist.input_data.read_data_sets"
_DATA_SETS = ("train", "validation", "test")


class ArrayTypes:
    """Tells the types of arrays by the statements of one block, which bind their names once."""

    def __init__(self, names: Names, block: ast.Module | ast.FunctionDef) -> None:
        self._names = names
        self._blocks = [BoundOnce(names.tree, block)]
        if block is not names.tree:
            self._blocks.append(BoundOnce(names.tree, names.tree))

    def of(self, node: ast.expr) -> str | None:
        """Returns the type of an array, such as "float32"; None if the source does not say it."""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            return self._of_item(node.value, node.slice.value)
        if isinstance(node, ast.Subscript):
            return self.of(node.value) if _keeps_arrays(node.slice) else None
        if isinstance(node, ast.Name):
            made = next(filter(None, (block.statement(node) for block in self._blocks)), None)
            return self.of(made.value) if made is not None else None
        if isinstance(node, ast.Attribute):
            return self.of(node.value) if node.attr == "T" else self._of_mnist(node)
        return self._of_call(node) if isinstance(node, ast.Call) else None

    def _of_item(self, node: ast.expr, key: object) -> str | None:
        """Returns the type of an array of a dict that the source says."""
        statements = (block.statement(node) for block in self._blocks if isinstance(node, ast.Name))
        made = next(filter(None, statements), None)
        if made is None or not isinstance(made.value, ast.Dict):
            return None
        pairs = zip(made.value.keys, made.value.values, strict=True)
        values = [value for part, value in pairs if isinstance(part, ast.Constant) and part.value == key]
        return self.of(values[0]) if len(values) == 1 else None

    def _of_call(self, call: ast.Call) -> str | None:
        stated = next((keyword.value for keyword in call.keywords if keyword.arg == "dtype"), None)
        name = (self._names.qualified(call.func) or "").removeprefix("numpy.")
        if name in _MAKING or name in _FLOATS:
            place = _MAKING.get(name, len(call.args))
            stated = stated or (call.args[place] if len(call.args) > place else None)
            if stated is not None:
                return self._type(stated)
            listed = name in ("array", "asarray") and call.args
            return "float64" if name in _FLOATS else _of_numbers(call.args[0]) if listed else None
        if not isinstance(call.func, ast.Attribute):
            return None
        if call.func.attr == "astype":
            given = named_arguments(call, ("dtype",)).get("dtype")
            return self._type(given) if given is not None else None
        if call.func.attr in _SAME:
            return self.of(call.func.value)
        if call.func.attr in _DRAWS and isinstance(call.func.value, ast.Name):
            made = calls_bound_to(call.func.value.id, self._names.tree)
            drawing = [self._names.qualified(part.func) == "numpy.random.RandomState" for part in made]
            return "float64" if drawing and all(drawing) and call.args else None
        return None

    def _type(self, node: ast.expr) -> str | None:
        if isinstance(node, ast.Constant):
            return node.value if node.value in TYPES else None
        if isinstance(node, ast.Name) and self._names.is_unbound(node):
            return {"float": "float64", "bool": "bool"}.get(node.id)
        name = (self._names.qualified(node) or "").removeprefix("numpy.")
        return name if name in TYPES else None

    def _of_mnist(self, node: ast.Attribute) -> str | None:
        """Returns the type of `mnist.train.images`, or of its labels, as `read_data_sets` of 1.x gives them."""
        data = node.value
        if not isinstance(data, ast.Attribute) or data.attr not in _DATA_SETS or not isinstance(data.value, ast.Name):
            return None
        calls = calls_bound_to(data.value.id, self._names.tree)
        if len(calls) != 1 or not (self._names.qualified(calls[0].func) or "").endswith(_MNIST):
            return None
        given = named_arguments(calls[0], ("train_dir", "fake_data", "one_hot", "dtype"))
        if given.keys() & {"fake_data", "dtype", "**"}:
            return None
        one_hot = given.get("one_hot")
        if node.attr == "images":
            return "float32"
        if node.attr != "labels" or not (one_hot is None or isinstance(one_hot, ast.Constant)):
            return None
        return "float64" if one_hot is not None and one_hot.value else "uint8"


def _keeps_arrays(index: ast.expr) -> bool:
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    return any(isinstance(part, ast.Slice) for part in parts)


def _of_numbers(node: ast.expr) -> str | None:
    """Returns the type of the array of a list that the source says: int64 (of Linux and macOS) or float64."""
    if isinstance(node, (ast.List, ast.Tuple)):
        types = {_of_numbers(element) for element in node.elts}
        if None in types or not types:
            return None
        return types.pop() if len(types) == 1 else "float64" if types == {"int64", "float64"} else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _of_numbers(node.operand)
    value = node.value if isinstance(node, ast.Constant) else None
    return {float: "float64", int: "int64"}.get(type(value))
