"""Rewrites a program's syntax tree so that its arithmetic is NumPy 1's: see `old_arithmetic`."""

from __future__ import annotations

import ast
from typing import Any

from tf2bridge.program import old_arithmetic

# Names that end in "__" are not mangled inside classes.
_FORMAT, _NUMBER, _METHOD, _PUT = "__numpy1_format__", "__numpy1_number__", "__numpy1_method__", "__numpy1_put__"
_GET = "__numpy1_get__"
_ATTRIBUTE, _ITEM = "__numpy1_attribute__", "__numpy1_item__"
_NUMBERS = ("int", "float", "complex")


def _name(operator: ast.operator) -> str:
    return f"__numpy1_{type(operator).__name__.lower()}__"


def _in_place(operator: ast.operator) -> str:
    return f"__numpy1_i{type(operator).__name__.lower()}__"


BUILTINS: dict[str, Any] = {
    **{f"__numpy1_{name.lower()}__": old_arithmetic.plain(name) for name in old_arithmetic.OPERATORS},
    **{f"__numpy1_i{name.lower()}__": old_arithmetic.in_place(name) for name in old_arithmetic.OPERATORS},
    _FORMAT: old_arithmetic.formatted,
    _NUMBER: old_arithmetic.number,
    _METHOD: old_arithmetic.method,
    _PUT: old_arithmetic.put,
    _GET: old_arithmetic.item,
    _ATTRIBUTE: old_arithmetic.changed_attribute,
    _ITEM: old_arithmetic.changed_item,
    "sum": old_arithmetic.total,
}
"""Names that the program's files find among their builtins."""


def with_old_arithmetic(tree: ast.Module) -> ast.Module:
    """Returns `tree` with its arithmetic, its assignments to items and calls of `int` and `float` as calls of ours."""
    changed: ast.Module = _Arithmetic().visit(tree)
    return ast.fix_missing_locations(changed)


class _Arithmetic(ast.NodeTransformer):
    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:  # the name ast asks for
        self.generic_visit(node)
        if isinstance(node.op, ast.Mod) and _is_text(node.left):
            return ast.copy_location(call(_FORMAT, node.left, node.right), node)
        if not _is_known(node.op) or (_is_literal(node.left) and _is_literal(node.right)):
            return node
        if _is_text(node.left) or _is_text(node.right):
            return node
        return ast.copy_location(call(_name(node.op), node.left, node.right), node)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:  # the name ast asks for
        self.generic_visit(node)
        target, operator = node.target, type(node.op).__name__
        if not _is_known(node.op) or _is_text(node.value):
            return node
        if isinstance(target, ast.Name):
            value = call(_in_place(node.op), ast.Name(target.id, ast.Load()), node.value)
            return ast.copy_location(ast.Assign([target], value), node)
        if isinstance(target, ast.Attribute):
            if target.attr.startswith("__") and not target.attr.endswith("__"):
                return node  # Python mangles the name inside a class
            change = call(_ATTRIBUTE, target.value, ast.Constant(target.attr), ast.Constant(operator))
        else:
            change = call(_ITEM, target.value, as_value(target.slice), ast.Constant(operator))
        return ast.copy_location(ast.Expr(ast.Call(change, [node.value], [])), node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:  # the name ast asks for
        target = node.targets[0]
        by_list = isinstance(target, ast.Subscript) and _may_be_list(target.slice)
        self.generic_visit(node)
        if len(node.targets) > 1 or not isinstance(target, ast.Subscript):
            return node
        if _is_literal(node.value) and not by_list:
            return node
        put = call(_PUT, node.value, target.value, as_value(target.slice))  # in the order in which Python evaluates
        return ast.copy_location(ast.Expr(put), node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:  # the name ast asks for
        by_list = _may_be_list(node.slice)
        self.generic_visit(node)
        if not by_list or not isinstance(node.ctx, ast.Load):
            return node
        return ast.copy_location(call(_GET, node.value, node.slice), node)

    def visit_Call(self, node: ast.Call) -> ast.AST:  # the name ast asks for
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in old_arithmetic.METHODS:
            node.func = ast.copy_location(call(_METHOD, function.value, ast.Constant(function.attr)), function)
        elif isinstance(function, ast.Name) and function.id in _NUMBERS and _takes_one(node):
            return ast.copy_location(call(_NUMBER, function, *node.args), node)
        return node


def call(name: str, *arguments: ast.expr) -> ast.Call:
    """The call of a function by its name."""
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def as_value(key: ast.expr) -> ast.expr:
    """What lies between the brackets of a subscript, as an argument."""
    if isinstance(key, ast.Slice):
        parts = [part if part is not None else ast.Constant(None) for part in (key.lower, key.upper, key.step)]
        return call("slice", *parts)
    if isinstance(key, ast.Tuple):
        return ast.Tuple([as_value(part) for part in key.elts], ast.Load())
    return key


def _is_known(operator: ast.operator) -> bool:
    return type(operator).__name__ in old_arithmetic.OPERATORS


def _takes_one(node: ast.Call) -> bool:
    return len(node.args) == 1 and not node.keywords and not isinstance(node.args[0], ast.Starred | ast.Constant)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def _may_be_list(key: ast.expr) -> bool:
    return isinstance(key, ast.Name | ast.List | ast.ListComp | ast.BinOp)


def _is_literal(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)
