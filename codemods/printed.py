"""Whether a file prints NumPy's scalars inside other values, where NumPy 2 writes `np.float32(0.5)` for `0.5`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.names import Names

_TEXT_FUNCTIONS = frozenset(
    ("basename", "decode", "dirname", "format", "join", "lower", "split", "str", "strip", "upper")
)
_DISPLAYS = (ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)


def prints_containers(names: Names) -> bool:
    """Returns whether a list, a dictionary or a `repr` is written out, and may hold numbers that NumPy made."""
    held = frozenset(_bound_to_containers(names))
    return any(_may_hold_numbers(value, held) for value in _written(names)) or any(_represented(names))


def _written(names: Names) -> Iterator[ast.expr]:
    """Every expression that becomes text: printed, formatted, or passed to str."""
    for call in names.nodes.get(ast.Call, []):
        assert isinstance(call, ast.Call)
        if getattr(call.func, "id", "") in ("print", "str") or _is_format(call.func):
            yield from call.args
    for operation in names.nodes.get(ast.BinOp, []):
        assert isinstance(operation, ast.BinOp)
        if isinstance(operation.op, ast.Mod) and _text(operation.left) is not None:
            values = operation.right
            yield from values.elts if isinstance(values, ast.Tuple) else [values]
    for value in names.nodes.get(ast.FormattedValue, []):
        assert isinstance(value, ast.FormattedValue)
        yield value.value


def _represented(names: Names) -> Iterator[bool]:
    """True for each `repr(value)` and `%r`."""
    for call in names.nodes.get(ast.Call, []):
        assert isinstance(call, ast.Call)
        yield getattr(call.func, "id", "") == "repr" and not all(isinstance(value, ast.Constant) for value in call.args)
    for operation in names.nodes.get(ast.BinOp, []):
        assert isinstance(operation, ast.BinOp)
        yield isinstance(operation.op, ast.Mod) and "%r" in (_text(operation.left) or "")


def _is_format(function: ast.expr) -> bool:
    return isinstance(function, ast.Attribute) and function.attr == "format" and _text(function.value) is not None


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _bound_to_containers(names: Names) -> Iterator[str]:
    """The names that the file assigns lists, dictionaries or what a session fetches as a list."""
    for assignment in names.nodes.get(ast.Assign, []):
        assert isinstance(assignment, ast.Assign)
        if _is_display(assignment.value) or _fetches_several(assignment.value):
            yield from (target.id for target in assignment.targets if isinstance(target, ast.Name))


def _is_display(value: ast.expr) -> bool:
    """Whether it is a list or dictionary; texts and constants in it are no numbers of NumPy."""
    if isinstance(value, ast.List | ast.Set):
        return not value.elts or not all(_is_no_number(element) for element in value.elts)
    if isinstance(value, ast.Dict):
        return not value.values or not all(_is_no_number(element) for element in value.values)
    if isinstance(value, ast.ListComp | ast.SetComp):
        return not _is_no_number(value.elt)
    return isinstance(value, _DISPLAYS)


def _is_no_number(value: ast.expr) -> bool:
    """Whether a value is a constant, or seen to be a text: "%s" % x, os.path.basename(x), x.name."""
    if isinstance(value, ast.BinOp):
        return isinstance(value.op, ast.Mod) and _text(value.left) is not None
    if isinstance(value, ast.Call):
        name = getattr(value.func, "attr", getattr(value.func, "id", ""))
        return name in _TEXT_FUNCTIONS
    if isinstance(value, ast.Attribute):
        return value.attr in ("name", "__name__")
    return isinstance(value, ast.Constant | ast.JoinedStr)


def _fetches_several(value: ast.expr) -> bool:
    """Whether it is `session.run([a, b])`."""
    is_run = isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "run"
    return is_run and any(isinstance(argument, _DISPLAYS) for argument in value.args[:1])  # type: ignore[attr-defined]


def _may_hold_numbers(value: ast.expr, held: frozenset[str]) -> bool:
    if isinstance(value, ast.Name):
        return value.id in held
    return (_is_display(value) and bool(list(ast.iter_child_nodes(value)))) or _fetches_several(value)
