"""Finds out whether a file prints NumPy's scalars inside other values; NumPy 2 writes `np.float32(0.5)` for `0.5`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.names import Names

# Functions and methods that make one number of an array.
_REDUCING = frozenset(
    ("amax", "amin", "argmax", "argmin", "average", "dot", "exp", "float32", "float64", "int32", "int64", "log", "max",
     "mean", "median", "min", "norm", "percentile", "prod", "sqrt", "std", "sum", "var")
)  # fmt: skip
_FETCHING = frozenset(("eval", "run"))
_COMPREHENSIONS = (ast.ListComp, ast.SetComp)


def prints_containers(names: Names) -> bool:
    """Returns whether a list, a dictionary or a `repr` is written out that is seen to hold numbers of NumPy.

    Numbers of NumPy come from fetches of a session, from functions of NumPy, and from functions of the file that return
    them. Arguments of functions are not followed. Texts of errors do not count.
    """
    if not names.imports("numpy") and not any(_is_fetch(call) for call in names.nodes.get(ast.Call, [])):
        return False
    seen = _Seen(names)
    return any(seen.is_container(value) for value in _written(names)) or any(
        seen.is_number(value) or seen.is_container(value) for value in _represented(names)
    )


class _Seen:
    """The names of a file that hold numbers of NumPy, and those that hold lists or dictionaries of them."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._numbers: set[str] = set()
        self._containers: set[str] = set()
        bindings = [*_bindings(names), *_returned(names)]
        size = -1
        while size != len(self._numbers) + len(self._containers):  # a name may be bound before the names in its value
            size = len(self._numbers) + len(self._containers)
            for value, targets in bindings:
                self._bind(value, targets)
            for value, container in _put_in(names):
                if self.is_number(value):
                    self._containers.add(container)

    def _bind(self, value: ast.expr, targets: list[ast.expr]) -> None:
        bound = [target.id for target in targets if isinstance(target, ast.Name)]
        unpacked = [name.id for target in targets for name in getattr(target, "elts", []) if isinstance(name, ast.Name)]
        if self.is_container(value):
            self._containers.update(bound)
            self._numbers.update(unpacked)
        elif self.is_number(value):
            self._numbers.update((*bound, *unpacked))

    def is_number(self, value: ast.expr) -> bool:
        """Returns whether an expression is surely a number of NumPy: sess.run(x), np.mean(x), a name of one, a + b."""
        if isinstance(value, ast.Name):
            return value.id in self._numbers
        if isinstance(value, ast.BinOp):
            return self.is_number(value.left) or self.is_number(value.right)
        if isinstance(value, ast.Subscript):
            return self.is_number(value.value) or self.is_container(value.value)
        return isinstance(value, ast.Call) and self._makes_number(value)

    def _makes_number(self, call: ast.Call) -> bool:
        if isinstance(call.func, ast.Name):
            return call.func.id in self._numbers
        name, full_name = getattr(call.func, "attr", ""), self._names.qualified(call.func)
        if full_name is not None and full_name.startswith("numpy."):
            return name in _REDUCING
        if name in _FETCHING and (full_name is None or full_name.startswith("tensorflow.")):
            return not _fetches_several(call)
        return name in _REDUCING and isinstance(call.func, ast.Attribute) and self.is_number(call.func.value)

    def is_container(self, value: ast.expr) -> bool:
        """Returns whether an expression is a list, tuple or dictionary with a number of NumPy, or a name of one."""
        if isinstance(value, ast.Name):
            return value.id in self._containers
        if isinstance(value, ast.List | ast.Set | ast.Tuple):
            return any(self.is_number(element) or self.is_container(element) for element in value.elts)
        if isinstance(value, ast.Dict):
            return any(self.is_number(element) or self.is_container(element) for element in value.values)
        if isinstance(value, _COMPREHENSIONS):
            return self.is_number(value.elt)
        if isinstance(value, ast.DictComp):
            return self.is_number(value.value)
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            return value.func.id in self._containers
        return isinstance(value, ast.Call) and _fetches_several(value) and self._names.qualified(value.func) is None


def _is_fetch(call: ast.AST) -> bool:
    """Returns whether this is a call of a method that fetches: sess.run(x), x.eval()."""
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _FETCHING


def _fetches_several(call: ast.Call) -> bool:
    """Returns whether this is `session.run([a, b])`."""
    is_run = isinstance(call.func, ast.Attribute) and call.func.attr == "run"
    return is_run and any(isinstance(fetch, ast.List | ast.Tuple | ast.Dict) for fetch in call.args[:1])


def _bindings(names: Names) -> Iterator[tuple[ast.expr, list[ast.expr]]]:
    """Yields the value and the targets of each assignment."""
    for node in names.nodes.get(ast.Assign, []):
        assert isinstance(node, ast.Assign)
        yield node.value, node.targets
    for node in names.nodes.get(ast.AugAssign, []):
        assert isinstance(node, ast.AugAssign)
        yield node.value, [node.target]


def _returned(names: Names) -> Iterator[tuple[ast.expr, list[ast.expr]]]:
    """Yields each returned expression with the name of its function, which stands for the calls."""
    functions = [node for node in names.nodes.get(ast.FunctionDef, []) if isinstance(node, ast.FunctionDef)]
    for node in names.nodes.get(ast.Return, []):
        if isinstance(node, ast.Return) and node.value is not None:
            around = [made for made in functions if made.lineno <= node.lineno <= (made.end_lineno or 0)]
            name = max(around, key=lambda made: made.lineno).name if around else ""
            yield node.value, [ast.Name(name)]


def _put_in(names: Names) -> Iterator[tuple[ast.expr, str]]:
    """Yields the values that are put into a named list or dictionary: `losses.append(x)`, `losses["a"] = x`."""
    for call in names.nodes.get(ast.Call, []):
        assert isinstance(call, ast.Call)
        if (
            isinstance(call.func, ast.Attribute)
            and call.func.attr == "append"
            and isinstance(call.func.value, ast.Name)
        ):
            yield from ((value, call.func.value.id) for value in call.args)
    for node in names.nodes.get(ast.Assign, []):
        assert isinstance(node, ast.Assign)
        for target in node.targets:
            if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name) and _text(target.slice):
                yield node.value, target.value.id


def _written(names: Names) -> Iterator[ast.expr]:
    """Yields every expression that becomes text: printed, formatted, or passed to str. Texts of errors are left out."""
    raised = _in_errors(names)
    for call in names.nodes.get(ast.Call, []):
        assert isinstance(call, ast.Call)
        if call not in raised and (getattr(call.func, "id", "") in ("print", "str") or _is_format(call.func)):
            yield from call.args
    for operation in names.nodes.get(ast.BinOp, []):
        assert isinstance(operation, ast.BinOp)
        if operation not in raised and isinstance(operation.op, ast.Mod) and _text(operation.left) is not None:
            yield from _operands(operation)
    for value in names.nodes.get(ast.FormattedValue, []):
        assert isinstance(value, ast.FormattedValue)
        if value not in raised:
            yield value.value


def _represented(names: Names) -> Iterator[ast.expr]:
    """Yields every expression whose repr is written: repr(x), "%r" % x, f"{x!r}"."""
    raised = _in_errors(names)
    for call in names.nodes.get(ast.Call, []):
        if isinstance(call, ast.Call) and call not in raised and getattr(call.func, "id", "") == "repr":
            yield from call.args
    for operation in names.nodes.get(ast.BinOp, []):
        assert isinstance(operation, ast.BinOp)
        if operation not in raised and isinstance(operation.op, ast.Mod) and "%r" in (_text(operation.left) or ""):
            yield from _operands(operation)
    for value in names.nodes.get(ast.FormattedValue, []):
        if isinstance(value, ast.FormattedValue) and value not in raised and value.conversion == ord("r"):
            yield value.value


def _operands(operation: ast.BinOp) -> list[ast.expr]:
    """Returns the values that `"%s %s" % (a, b)` formats."""
    return operation.right.elts if isinstance(operation.right, ast.Tuple) else [operation.right]


def _in_errors(names: Names) -> set[ast.AST]:
    """Returns every node below `raise` and `assert`."""
    statements = [*names.nodes.get(ast.Raise, []), *names.nodes.get(ast.Assert, [])]
    return {node for statement in statements for node in ast.walk(statement)}


def _is_format(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and function.attr == "format" and _text(function.value) is not None


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
