"""Rewrites a program's syntax tree so that it computes as with NumPy 1: see `old_arithmetic`.

A loop over Python's own numbers must not become slow. So an expression stays unchanged if no operand can be an array
(plain_names.py). Otherwise it checks the types of such operands inline (guards.py), and calls our functions if one is
an array.
"""

from __future__ import annotations

import ast
from typing import Any

from tf2bridge.program import comparisons, guards, nodes, old_arithmetic, own_builtins
from tf2bridge.program.nodes import call
from tf2bridge.program.numpy_1 import integers
from tf2bridge.program.plain_names import (
    Kind,
    Names,
    Scope,
    is_arithmetic,
    names_of,
    never_list,
    plain_functions,
    trusted_builtins,
)
from tf2bridge.program.statements import Statements

_NUMBERS = ("int", "float", "complex")
_BINARY = frozenset(("add", "divide", "floor_divide", "fmax", "fmin", "maximum", "minimum", "mod", "multiply", "power"))
_BINARY |= {"remainder", "subtract", "true_divide"}
_BINARY |= {"left_shift", "right_shift", "bitwise_and", "bitwise_or", "bitwise_xor"}
"""Functions of NumPy that compute what an operator or a comparison of two arrays does."""

BUILTINS: dict[str, Any] = {
    **{nodes.function(name): old_arithmetic.plain(name) for name in old_arithmetic.OPERATORS},
    **{nodes.function(name, in_place=True): old_arithmetic.in_place(name) for name in old_arithmetic.OPERATORS},
    nodes.FORMAT: old_arithmetic.formatted,
    nodes.NUMBER: old_arithmetic.number,
    nodes.METHOD: old_arithmetic.method,
    nodes.PUT: old_arithmetic.put,
    nodes.GET: old_arithmetic.item,
    nodes.KEY: old_arithmetic.key,
    nodes.TRUE: old_arithmetic.true,
    nodes.KEEP: old_arithmetic.keep,
    nodes.ATTRIBUTE: old_arithmetic.changed_attribute,
    nodes.ITEM: old_arithmetic.changed_item,
    nodes.FILL: integers.fill,
    nodes.INTEGER: integers.integer,
    nodes.OVERFLOW: OverflowError,
    nodes.PAIR: old_arithmetic.promoted,
    **comparisons.BUILTINS,
    nodes.INT: int,
    nodes.FLOAT: float,
    nodes.PLAIN: old_arithmetic.PLAIN,
    nodes.ARRAY: old_arithmetic.ARRAY,
    nodes.LIST: list,
    nodes.CALLED: own_builtins.chooser(own_builtins.OLD_CALLS),
}
"""Names that the program's files find among their builtins."""


def with_old_arithmetic(tree: ast.Module) -> ast.Module:
    """Returns `tree` with NumPy 1's arithmetic, truth of arrays, assignments to items, `int`, `float` and `math`."""
    changed: ast.Module = _Program(trusted_builtins(tree), _converting(tree)).visit(tree)
    return ast.fix_missing_locations(changed)


class _Program(Statements, ast.NodeTransformer):
    """Visits expressions and scopes; `Statements` visits statements. `converting` are functions of numbers, by name."""

    def __init__(self, trusted: frozenset[str], converting: frozenset[str]) -> None:
        super().__init__(trusted)
        self._converting = converting

    def visit_Module(self, node: ast.Module) -> ast.AST:  # ast requires this name
        self.plain_functions = plain_functions(node, self.trusted)
        return self._in_scope(node, guards.Guards(self._names_of(node), in_module=True))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:  # ast requires this name
        node.decorator_list = [self.visit(decorator) for decorator in node.decorator_list]
        self.visit(node.args)
        return self._in_scope(node, guards.Guards(self._names_of(node)))

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815  # ast requires this name

    def visit_arguments(self, node: ast.arguments) -> ast.AST:  # ast requires this name
        """Visits the defaults. Annotations stay: in one that Python does not evaluate, no name can be bound."""
        node.defaults = [self.visit(default) for default in node.defaults]
        node.kw_defaults = [default if default is None else self.visit(default) for default in node.kw_defaults]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:  # ast requires this name
        return self._inside(node, Names(trusted=self.trusted, inspected=True))

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:  # ast requires this name
        return self._inside(node, self.guards.names.inner(node))

    visit_ListComp: Any = visit_Lambda  # noqa: N815  # ast requires this name
    visit_SetComp: Any = visit_Lambda  # noqa: N815  # ast requires this name
    visit_DictComp: Any = visit_Lambda  # noqa: N815  # ast requires this name
    visit_GeneratorExp: Any = visit_Lambda  # noqa: N815  # ast requires this name

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:  # ast requires this name
        conditions = [self.truth(test) if isinstance(test, ast.Name) else self.visit(test) for test in node.ifs]
        node.target, node.iter, node.ifs = self.visit(node.target), self.visit(node.iter), conditions
        return node

    def _names_of(self, node: Scope) -> Names:
        return names_of(node, self.trusted, self.plain_functions)

    def _in_scope(self, node: Scope, inner: guards.Guards) -> ast.AST:
        outer, self.guards = self.guards, inner
        node.body = self.visit_body(node.body)
        inner.begin(node.body)
        self.guards = outer
        return node

    def _inside(self, node: Any, names: Names) -> ast.AST:
        """Visits a scope to which we cannot add variables: a class, a comprehension, a lambda."""
        outer, self.guards = self.guards, guards.Guards(names)
        self.generic_visit(node)
        self.guards = outer
        changed: ast.AST = node
        return changed

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:  # ast requires this name
        if isinstance(node.op, ast.Mod) and nodes.is_text(node.left):
            plain = self._prints_plain(node.right)
            self.generic_visit(node)
            return node if plain else ast.copy_location(call(nodes.FORMAT, node.left, node.right), node)
        if not is_arithmetic(node.op) or nodes.is_text(node.left) or nodes.is_text(node.right):
            self.generic_visit(node)
            return node
        tree = guards.Tree(node, self.guards.names, self.visit)
        return ast.copy_location(self.guards.guarded(tree), node)

    def _prints_plain(self, node: ast.expr) -> bool:
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        return all(self.guards.names.kind(part) is Kind.NUMBER for part in parts)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:  # ast requires this name
        node.test = self.truth(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:  # ast requires this name
        node.operand = self.truth(node.operand) if isinstance(node.op, ast.Not) else self.visit(node.operand)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:  # ast requires this name
        checked = (
            isinstance(node.ctx, ast.Load)
            and _may_be_list(node.slice)
            and not never_list(node.slice, self.guards.names)
        )
        self.generic_visit(node)
        return ast.copy_location(self.guards.item(node), node) if checked else node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:  # ast requires this name
        asked = comparisons.asked_operand(node, self.guards.names)
        self.generic_visit(node)
        return node if asked is None else ast.copy_location(comparisons.guarded(node, asked, self.guards), node)

    def visit_Assert(self, node: ast.Assert) -> ast.AST:  # ast requires this name
        """Keeps a comparison in an assertion unchanged, because pytest explains it."""
        if isinstance(node.test, ast.Compare):
            self.generic_visit(node.test)
        else:
            node.test = self.visit(node.test)
        if node.msg is not None:
            node.msg = self.visit(node.msg)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:  # ast requires this name
        function = node.func
        plain = len(node.args) == 1 and self.guards.names.kind(node.args[0]) <= Kind.PLAIN
        self.generic_visit(node)
        if isinstance(function, ast.Attribute) and function.attr in old_arithmetic.METHODS:
            node.func = ast.copy_location(call(nodes.METHOD, function.value, ast.Constant(function.attr)), function)
        elif _is_binary(node):
            pair = ast.copy_location(call(nodes.PAIR, *node.args), node)
            node.args = [ast.Starred(pair, ast.Load())]
        elif _makes_integer(node):
            return ast.copy_location(call(nodes.INTEGER, function, *node.args), node)
        elif isinstance(function, ast.Attribute) and function.attr == "fill" and _takes_one_integer(node):
            return ast.copy_location(call(nodes.FILL, function.value, *node.args), node)
        elif isinstance(function, ast.Name) and function.id in own_builtins.NAMES:
            node.func = ast.copy_location(call(nodes.CALLED, function), function)
        elif isinstance(function, ast.Name) and function.id == "map" and _is_old_call(node.args):
            node.args[0] = ast.copy_location(call(nodes.CALLED, node.args[0]), node.args[0])
        elif self._is_converting(function) and _takes_one(node) and not plain:
            return ast.copy_location(self.guards.number(node), node)
        return node

    def _is_converting(self, function: ast.expr) -> bool:
        """Returns whether a function turns its argument into a number: `float`, or a function of the module math."""
        if isinstance(function, ast.Attribute):
            return isinstance(function.value, ast.Name) and function.value.id == "math"
        return isinstance(function, ast.Name) and function.id in self._converting


def _converting(tree: ast.Module) -> frozenset[str]:
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == "math"]
    return frozenset((*_NUMBERS, *(alias.asname or alias.name for node in imports for alias in node.names)))


def _is_binary(node: ast.Call) -> bool:
    """Returns whether this is a call such as `np.maximum(a, b)`."""
    function = node.func
    if not isinstance(function, ast.Attribute) or function.attr not in _BINARY or len(node.args) != 2:
        return False
    of_numpy = isinstance(function.value, ast.Name) and function.value.id in ("np", "numpy")
    return of_numpy and not any(isinstance(argument, ast.Starred) for argument in node.args)


def _makes_integer(node: ast.Call) -> bool:
    """Returns whether this is a call such as `np.uint8(x)`."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in integers.TYPES and _takes_one_integer(node)


def _takes_one_integer(node: ast.Call) -> bool:
    """Returns whether the call has one argument, which may be an integer that does not fit every dtype."""
    if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
        return False
    literal = isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, int)
    return not literal or not nodes.fits_integers(node.args[0])


def _is_old_call(arguments: list[ast.expr]) -> bool:
    """Returns whether the first argument names a builtin function whose calls have an older meaning."""
    return bool(arguments) and isinstance(arguments[0], ast.Name) and arguments[0].id in own_builtins.NAMES


def _takes_one(node: ast.Call) -> bool:
    return len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred | ast.Constant)


def _may_be_list(key: ast.expr) -> bool:
    return isinstance(key, ast.Name | ast.List | ast.ListComp | ast.BinOp)
