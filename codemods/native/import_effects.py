"""Tells the statements of a module that do something when it is imported, beyond binding names."""

from __future__ import annotations

import ast
import builtins

from codemods.names import Names
from codemods.native.places import is_main_block
from codemods.tree import walk

_DOING = frozenset(
    "print input open exec eval exit quit breakpoint setattr delattr next __import__ help compile globals".split()  # noqa: SIM905
)
_PLAIN_CALLS = frozenset(dir(builtins)) - _DOING
_PLAIN_NAMES = frozenset(
    (
        *("re.compile", "collections.namedtuple", "collections.OrderedDict", "collections.defaultdict"),
        *("logging.getLogger", "os.getcwd", "functools.partial"),
        *(f"numpy.{name}" for name in ("array", "zeros", "ones", "arange", "float32", "sqrt", "log")),
        *(f"tensorflow.{name}" for name in ("Session", "ConfigProto", "GPUOptions")),
    )
)
"""Calls that make a value and do nothing else. A session that nothing uses runs nothing."""
_PLAIN_MODULES = ("os.path", "math")
_MAKERS = ("_initializer", "_regularizer")
_WITH_EFFECT = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)
_PLAIN_DECORATORS = frozenset(("staticmethod", "classmethod", "property", "functools.wraps"))
_SWITCHES = ("disable_v2_behavior", "enable")


def has_effect(statement: ast.stmt, names: Names) -> bool:
    """Returns whether a statement at the top of a module does more, when it is imported, than to bind names."""
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.Pass, ast.Global)) or is_switch(statement):
        return False
    if isinstance(statement, ast.If) and is_main_block(statement):
        return False
    parts = _parts(statement)
    if parts is None:
        return True
    return any(has_effect(p, names) if isinstance(p, ast.stmt) else _does(p, names) for p in parts)


def _parts(statement: ast.stmt) -> list[ast.stmt | ast.expr] | None:
    """Returns what runs with a statement; None if the statement itself does something."""
    if isinstance(statement, ast.Expr):
        return [statement.value]
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        value = [statement.value] if statement.value is not None else []
        return [*value] if all(_is_plain_target(target) for target in targets) else None
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        defaults = (*statement.args.defaults, *statement.args.kw_defaults)
        return None if _is_decorated(statement) else [default for default in defaults if default is not None]
    if isinstance(statement, ast.ClassDef):
        is_made = _is_decorated(statement) or statement.keywords
        return None if is_made else [*statement.bases, *statement.body]
    if isinstance(statement, ast.If):
        return [statement.test, *statement.body, *statement.orelse]
    if isinstance(statement, ast.Try):
        handled = [inner for handler in statement.handlers for inner in handler.body]
        return [*statement.body, *handled, *statement.orelse, *statement.finalbody]
    return None


def is_switch(statement: ast.stmt) -> bool:
    """Returns whether a statement is the line that the compat target adds to switch TensorFlow to graphs."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _SWITCHES


def _is_plain_target(target: ast.expr) -> bool:
    if isinstance(target, (ast.Tuple, ast.List)):
        return all(_is_plain_target(part) for part in target.elts)
    return isinstance(target, ast.Name)


def _is_decorated(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    return any(
        ast.unparse(decorator) not in _PLAIN_DECORATORS
        and not (isinstance(decorator, ast.Attribute) and decorator.attr in ("setter", "getter", "deleter"))
        for decorator in node.decorator_list
    )


def _does(value: ast.expr, names: Names) -> bool:
    """Returns whether an expression may do more than give a value."""
    if isinstance(value, ast.Lambda):
        return False
    nodes = list(walk(value))
    inside = {id(b) for node in nodes if isinstance(node, ast.Lambda) for b in walk(node.body)}
    nodes = [node for node in nodes if id(node) not in inside]
    calls = (node for node in nodes if isinstance(node, ast.Call))
    return any(isinstance(node, _WITH_EFFECT) for node in nodes) or any(
        not _is_plain_call(call, names) for call in calls
    )


def _is_plain_call(call: ast.Call, names: Names) -> bool:
    function = call.func
    if isinstance(function, ast.Name) and names.is_unbound(function):
        return function.id in _PLAIN_CALLS
    if isinstance(function, ast.Attribute) and isinstance(function.value, (ast.Constant, ast.JoinedStr)):
        return True  # a method of a text
    name = (names.qualified(function) or "").replace("tensorflow.compat.v1.", "tensorflow.")
    return (
        name in _PLAIN_NAMES
        or name.rpartition(".")[0] in _PLAIN_MODULES
        or (name.startswith("tensorflow.") and name.endswith(_MAKERS))
    )
