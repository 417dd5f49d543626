"""Builds the small syntax trees of which guards.py and operators.py make expressions.

Our names end in "__", because Python does not mangle such names in classes.
"""

from __future__ import annotations

import ast
import copy

FORMAT, NUMBER, METHOD, PUT = "__numpy1_format__", "__numpy1_number__", "__numpy1_method__", "__numpy1_put__"
GET, KEY, TRUE, KEEP = "__numpy1_get__", "__numpy1_key__", "__numpy1_true__", "__numpy1_keep__"
ATTRIBUTE, ITEM, CALLED = "__numpy1_attribute__", "__numpy1_item__", "__numpy1_called__"
PLAIN, ARRAY, LIST = "__numpy1_plain__", "__numpy1_array__", "__numpy1_list__"
INT, FLOAT = "__numpy1_int__", "__numpy1_float__"
FILL, INTEGER, OVERFLOW = "__numpy1_fill__", "__numpy1_integer__", "__numpy1_overflow__"
PAIR = "__numpy1_pair__"
OURS = "__numpy1_"
_MOST_OF_INT8 = 127


def function(operator: str, in_place: bool = False) -> str:
    """Returns the name of the function for an operator, given by its name in `ast`."""
    return f"__numpy1_{'i' if in_place else ''}{operator.lower()}__"


def call(name: str, *arguments: ast.expr) -> ast.Call:
    """Returns the call of a function, given by name."""
    return ast.Call(ast.Name(name, ast.Load()), list(arguments), [])


def load(name: str) -> ast.Name:
    """Returns an expression that reads a name."""
    return ast.Name(name, ast.Load())


def assign(name: str, value: ast.expr) -> ast.Assign:
    """`name = value`."""
    return ast.Assign([ast.Name(name, ast.Store())], value)


def is_text(node: ast.expr) -> bool:
    """Returns True for a literal text."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str | bytes))


def fits_integers(node: ast.expr) -> bool:
    """Returns True for a literal that fits every integer dtype, or is no integer."""
    if isinstance(node, ast.Constant):
        return not isinstance(node.value, int) or 0 <= node.value <= _MOST_OF_INT8
    return isinstance(node, ast.JoinedStr | ast.Dict | ast.DictComp | ast.Set | ast.SetComp)


def is_simple(node: ast.expr) -> bool:
    """Returns True if reading `node` twice costs nothing and changes nothing."""
    return isinstance(node, ast.Name | ast.Constant) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant)
    )


def is_array(node: ast.expr) -> ast.expr:
    """Returns a test whether a value is an array."""
    return is_type(node, ARRAY)


def is_list(node: ast.expr) -> ast.expr:
    """Returns a test whether a value is a list."""
    return is_type(node, LIST)


def is_type(node: ast.expr, kind: str) -> ast.expr:
    """Returns a test whether a value has exactly this type, given by the name of ours for it."""
    return is_(class_of(node), load(kind))


def is_(node: ast.expr, other: ast.expr) -> ast.expr:
    """`node is other`."""
    return ast.Compare(node, [ast.Is()], [other])


def class_of(node: ast.expr) -> ast.expr:
    """`node.__class__`."""
    return ast.Attribute(node, "__class__", ast.Load())


def is_plain(node: ast.expr) -> ast.expr:
    """Returns a test whether a name holds a plain value."""
    numbers = [is_type(copy.deepcopy(node), kind) for kind in (INT, FLOAT)]
    return any_of([*numbers, ast.Compare(class_of(copy.deepcopy(node)), [ast.In()], [load(PLAIN)])])


def all_of(tests: list[ast.expr]) -> ast.expr:
    """Returns a test whether all `tests` are true."""
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def any_of(tests: list[ast.expr]) -> ast.expr:
    """Returns a test whether one of `tests` is true."""
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests)


def first_statement(body: list[ast.stmt]) -> int:
    """Returns the place after the docstring and the imports of `__future__`."""
    place = 0
    for statement in body:
        documents = place == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not documents and not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        place += 1
    return place
