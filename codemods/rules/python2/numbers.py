"""Tells from the text whether an expression of a Python 2 program is an integer or a float."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field

from codemods.context import Context

_WHOLE = ast.Add | ast.Sub | ast.Mult | ast.FloorDiv | ast.Mod | ast.Div
_INTEGER_FUNCTIONS = ("len", "int", "ord")
_INTEGERS = frozenset(("string.atoi", "string.atol", "math.factorial"))
_RANGES = ("range", "xrange")
_FLOATS = frozenset(
    {
        "numpy.sqrt", "numpy.exp", "numpy.log", "numpy.log2", "numpy.log10", "numpy.mean", "numpy.std", "numpy.var",
        "numpy.average", "numpy.sin", "numpy.cos", "numpy.tanh", "numpy.float32", "numpy.float64", "numpy.linspace",
        "numpy.random.rand", "numpy.random.randn", "numpy.random.uniform", "numpy.random.normal",
        "numpy.random.random", "numpy.linalg.norm", "math.sqrt", "math.exp", "math.log", "math.pow", "math.sin",
        "math.cos", "time.time", "time.clock", "random.random", "random.uniform", "random.gauss",
        "tensorflow.to_float", "tensorflow.sqrt", "tensorflow.exp", "tensorflow.log", "tensorflow.sigmoid",
        "tensorflow.tanh", "tensorflow.nn.sigmoid", "tensorflow.nn.tanh", "tensorflow.nn.softmax",
        "tensorflow.nn.l2_loss", "tensorflow.truncated_normal", "tensorflow.random_normal",
    }
)  # fmt: skip
_FLOAT_TYPES = frozenset(("float", "numpy.float32", "numpy.float64", "tensorflow.float32", "tensorflow.float64"))


@dataclass
class Kinds:
    """Answers for the expressions of one file.

    Attributes:
        context: the file.
        assumed: names whose values are being looked at now; in `n = n + 1` the name n passes, and the rest decides.
    """

    context: Context
    assumed: set[str] = field(default_factory=set)

    def is_integer(self, node: ast.expr) -> bool:
        """Returns whether this is a literal, len(...), a size of a shape, an integer flag, or +, -, * or // of such
        values.
        """
        if isinstance(node, ast.Constant):
            return type(node.value) is int
        if isinstance(node, ast.UnaryOp):
            return isinstance(node.op, ast.USub | ast.UAdd | ast.Invert) and self.is_integer(node.operand)
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, _WHOLE) and self.is_integer(node.left) and self.is_integer(node.right)
        if isinstance(node, ast.Name):
            return self._all_values(node, self.is_integer)
        if isinstance(node, ast.Call) and self._calls(node, ("abs", "min", "max")):
            numbers = self._calls(node, ("abs",)) or len(node.args) > 1  # else the argument is a list
            return numbers and all(map(self.is_integer, node.args))
        if isinstance(node, ast.Call) and self.context.qualified(node.func) in _INTEGERS:
            return True
        return self._calls(node, _INTEGER_FUNCTIONS) or _is_size(node) or self._is_flag(node, "DEFINE_integer")

    def is_float(self, node: ast.expr) -> bool:
        """Returns whether this is a float literal, float(...), a call that returns a float, or an operation with such a
        value.
        """
        if isinstance(node, ast.Constant):
            return isinstance(node.value, float | complex)
        if isinstance(node, ast.UnaryOp):
            return self.is_float(node.operand)
        if isinstance(node, ast.BinOp):
            return self.is_float(node.left) or self.is_float(node.right)
        if isinstance(node, ast.Name):
            return self._all_values(node, self.is_float)
        if isinstance(node, ast.Call):
            name = self.context.qualified(node.func) or ""
            return name in _FLOATS or self._casts(node, name) or self._calls(node, ("float",))
        return self._is_flag(node, "DEFINE_float")

    def _calls(self, node: ast.expr, functions: tuple[str, ...]) -> bool:
        """Returns whether this calls one of these builtin functions."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return False
        return node.func.id in functions and self.context.names.is_unbound(node.func)

    def _casts(self, call: ast.Call, name: str) -> bool:
        """Returns whether this is tf.cast(x, tf.float32) or x.astype(float)."""
        if name == "tensorflow.cast" and len(call.args) == 2:
            return self._names_float(call.args[1])
        method = isinstance(call.func, ast.Attribute) and call.func.attr == "astype"
        return method and len(call.args) == 1 and self._names_float(call.args[0])

    def _names_float(self, node: ast.expr) -> bool:
        name = self.context.qualified(node) or (node.id if isinstance(node, ast.Name) else "")
        return name in _FLOAT_TYPES

    def _is_flag(self, node: ast.expr, define: str) -> bool:
        """Returns whether this is FLAGS.name of a flag that this file defines, and only with this function."""
        if not isinstance(node, ast.Attribute) or ast.unparse(node.value).rpartition(".")[2] != "FLAGS":
            return False
        calls = [call for call in self.context.names.nodes.get(ast.Call, []) if isinstance(call, ast.Call)]
        defined = [call for call in calls if call.args and _text(call.args[0]) == node.attr]
        by = {ast.unparse(call.func).rpartition(".")[2] for call in defined}
        return {name for name in by if name.startswith("DEFINE_")} == {define}

    def _all_values(self, use: ast.Name, test: Callable[[ast.expr], bool]) -> bool:
        """Returns whether every value assigned to the name passes the test; the unknown value of a parameter does not
        pass.
        """
        names = self.context.names
        bindings = names.bindings(use)
        if use.id in self.assumed:
            return bool(bindings)
        stores = [
            node
            for node in names.scopes
            if node.id == use.id and isinstance(node.ctx, ast.Store) and names.bindings(node) is bindings
        ]
        if not bindings or len(stores) != len(bindings):
            return False
        self.assumed.add(use.id)
        try:
            return all(self._passes(store, test) for store in stores)
        finally:
            self.assumed.discard(use.id)

    def _passes(self, store: ast.Name, test: Callable[[ast.expr], bool]) -> bool:
        parent = self.context.parent(store)
        if isinstance(parent, ast.Assign):
            return test(parent.value)
        if isinstance(parent, ast.AugAssign):
            return test(ast.BinOp(store, parent.op, parent.value))
        if isinstance(parent, ast.For | ast.comprehension):
            return self._calls(parent.iter, _RANGES) and test(ast.Constant(0))
        if isinstance(parent, ast.Tuple | ast.List):
            return self._passes_beside(store, parent, test)
        return False

    def _passes_beside(self, store: ast.Name, group: ast.Tuple | ast.List, test: Callable[[ast.expr], bool]) -> bool:
        """Returns whether the name's value passes in `a, b = 1, 2` or `for i, x in enumerate(xs)`."""
        place, parent = group.elts.index(store), self.context.parent(group)
        if isinstance(parent, ast.For | ast.comprehension):
            return place == 0 and self._calls(parent.iter, ("enumerate",)) and test(ast.Constant(0))
        if not isinstance(parent, ast.Assign) or not isinstance(parent.value, ast.Tuple | ast.List):
            return False
        both = (*group.elts, *parent.value.elts)
        paired = len(both) == 2 * len(group.elts) and not any(isinstance(part, ast.Starred) for part in both)
        return paired and test(parent.value.elts[place])


def _is_size(node: ast.expr) -> bool:
    """Returns whether this is a size: x.shape[0], x.get_shape()[1].value, x.get_shape().as_list()[-1], x.ndim.

    A Dimension counts as an integer, because its division rounds down too.
    """
    if isinstance(node, ast.Attribute) and node.attr == "value":
        node = node.value
    elif isinstance(node, ast.Attribute):
        return node.attr == "ndim"
    if not isinstance(node, ast.Subscript) or isinstance(node.slice, ast.Slice | ast.Tuple):
        return False
    holder: ast.expr = node.value
    if isinstance(holder, ast.Call) and isinstance(holder.func, ast.Attribute) and holder.func.attr == "as_list":
        holder = holder.func.value
    if isinstance(holder, ast.Call):
        return isinstance(holder.func, ast.Attribute) and holder.func.attr == "get_shape"
    return isinstance(holder, ast.Attribute) and holder.attr == "shape"


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
