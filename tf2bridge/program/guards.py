"""Builds expressions that check the types of operands, and use Python's own operators for plain ones.

`a[i] * 2 + x` becomes `t * 2 + x if (t := a[i]).__class__ is flag else add(mul(t, 2), x)`, with more checks for plain
types other than int. The flag is a variable of the function. It is int, and becomes None when an optimistic name (a
variable that is expected to be plain) holds something else. A second flag is float or None. So one check covers the
operand and all these variables. `__class__` is faster than `type()`, and no array hides its class. Our names end in
"__", because Python does not mangle such names in classes.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tf2bridge.program.plain_names import Kind, Names, is_arithmetic

FORMAT, NUMBER, METHOD, PUT = "__numpy1_format__", "__numpy1_number__", "__numpy1_method__", "__numpy1_put__"
GET, KEY, TRUE, KEEP = "__numpy1_get__", "__numpy1_key__", "__numpy1_true__", "__numpy1_keep__"
ATTRIBUTE, ITEM, CALLED = "__numpy1_attribute__", "__numpy1_item__", "__numpy1_called__"
PLAIN, ARRAY, LIST = "__numpy1_plain__", "__numpy1_array__", "__numpy1_list__"
INT, FLOAT = "__numpy1_int__", "__numpy1_float__"
FILL, INTEGER, OVERFLOW = "__numpy1_fill__", "__numpy1_integer__", "__numpy1_overflow__"
PAIR = "__numpy1_pair__"
_OURS = "__numpy1_"
_FLAG, _FLOAT_FLAG = "__numpy1_expected__", "__numpy1_expected_float__"
_MOST_OF_INT8 = 127
_MOST_STEPS, _MOST_NODES = 3, 80
"""Questions in one expression, and its nodes: each question repeats the rest of the expression."""

Form = Any
"""(operator, form, form), (unary operator, form), or the number of an operand."""


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


class Tree:
    """An expression of operators, and its operands in the order in which Python evaluates them."""

    def __init__(self, node: ast.expr, names: Names, visit: Callable[[ast.expr], Any]) -> None:
        self.operands: list[ast.expr] = []
        self.kinds: list[Kind] = []
        self._names, self._visit = names, visit
        self.form = self._formed(node)

    def _formed(self, node: ast.expr) -> Form:
        if isinstance(node, ast.BinOp) and is_arithmetic(node.op) and not (is_text(node.left) or is_text(node.right)):
            return (node.op, self._formed(node.left), self._formed(node.right))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd) and not is_simple(node):
            return (node.op, self._formed(node.operand))
        kind = self._names.kind(node)
        if kind is Kind.OPTIMISTIC and not self._names.follows_flag(node):
            kind = Kind.UNKNOWN
        return self.add(kind, self._visit(node))

    def add(self, kind: Kind, operand: ast.expr) -> int:
        """Adds an operand; returns its number."""
        self.kinds.append(kind)
        self.operands.append(operand)
        return len(self.operands) - 1

    def native(self, operands: list[ast.expr], form: Form = None) -> ast.expr:
        """Returns the expression with Python's own operators."""
        return _built(self.form if form is None else form, operands, lambda op, a, b: ast.BinOp(a, op, b))

    def called(self, operands: list[ast.expr], form: Form = None) -> ast.expr:
        """Returns the expression with calls of our functions."""
        return _built(
            self.form if form is None else form,
            operands,
            lambda op, a, b: call(function(type(op).__name__), a, b),
        )

    def size(self) -> int:
        """Returns the number of nodes of the expression."""
        return sum(1 for operand in self.operands for _ in ast.walk(operand))


def _built(form: Form, operands: list[ast.expr], joined: Callable[..., ast.expr]) -> ast.expr:
    if isinstance(form, int):
        return copy.deepcopy(operands[form])
    if len(form) == 2:
        return ast.UnaryOp(form[0], _built(form[1], operands, joined))
    return joined(form[0], _built(form[1], operands, joined), _built(form[2], operands, joined))


@dataclass(frozen=True)
class Question:
    """A check whether an operand is plain: the test, and the operands after it."""

    test: ast.expr
    operands: list[ast.expr]


class Guards:
    """Our variables in one scope, and the checks that can use them.

    `loops` counts the loops around the statement. `binding` is True while the statement binds an optimistic name.
    """

    def __init__(self, names: Names, in_module: bool = False) -> None:
        self.names = names
        self.loops = 0
        self.binding = False
        self._in_module = in_module
        self._temporary = 0
        self._flags: set[str] = set()
        self._changes = Kind.OPTIMISTIC in names.kinds.values()

    @property
    def has_variables(self) -> bool:
        """Returns True where we may add variables: in functions, and in loops of modules."""
        return not self.names.inspected and (not self._in_module or self.loops > 0)

    def next_statement(self) -> None:
        """Allows the names of temporary variables to be used again."""
        self._temporary = 0

    def temporary(self) -> str:
        """Returns the name of a temporary variable for this statement."""
        self._temporary += 1
        return f"__numpy1_{self._temporary}__"

    def flag(self) -> ast.Name:
        """Returns the flag: the variable that says whether the function's optimistic names are plain."""
        return self._asked(_FLAG, INT)

    def _asked(self, flag: str, kind: str) -> ast.Name:
        if not self._changes:
            return load(kind)
        self._flags.add(flag)
        return load(flag)

    def begin(self, body: list[ast.stmt]) -> None:
        """Sets the flag at the beginning of a function or module, if a check uses it."""
        if not self._flags:
            return
        value: ast.expr = load(INT)
        if self.names.guarded:
            tests = [_is_plain(load(name)) for name in self.names.guarded]
            value = ast.IfExp(_all(tests), value, ast.Constant(None))
        statements = [assign(_FLAG, value), *([_set_float_flag()] if _FLOAT_FLAG in self._flags else [])]
        place = _first_statement(body)
        line = body[min(place, len(body) - 1)]
        body[place:place] = [ast.copy_location(statement, line) for statement in statements]

    def keep(self, name: str) -> list[ast.stmt]:
        """Returns the statements that clear the flags if the variable `name` is not plain."""
        return [assign(_FLAG, call(KEEP, self.flag(), load(name))), _set_float_flag()]

    def guarded(self, tree: Tree) -> ast.expr:
        """Returns the expression of a tree: Python's operators for plain operands, else calls of our functions."""
        if max(tree.kinds) <= Kind.PLAIN:
            return tree.native(tree.operands)
        if not self.has_variables:
            return self._asking_names(tree)
        steps = self.steps(tree)
        if steps is None:
            return self.kept(tree.called(tree.operands))
        return self._nested(tree, steps, tree.operands)

    def steps(self, tree: Tree) -> list[int] | None:
        """Returns the operands to check, in order; None if there are too many, [] if the flag is enough."""
        unknown = [number for number, kind in enumerate(tree.kinds) if kind is Kind.UNKNOWN]
        last = max(unknown, default=-1)
        steps = [n for n in range(last + 1) if tree.kinds[n] is Kind.UNKNOWN or not is_simple(tree.operands[n])]
        too_long = len(steps) > _MOST_STEPS or tree.size() > _MOST_NODES
        return None if too_long or any(map(_rebinds, tree.operands)) else steps

    def question(self, number: int, operands: list[ast.expr]) -> Question:
        """Returns the check of an operand."""
        operand = operands[number]
        later = any(not is_simple(other) for other in operands[number + 1 :])
        if is_simple(operand) and not (later and not self._is_own(operand)):
            return self._expects(copy.deepcopy(operand), operands)
        name = self.temporary()
        named = ast.NamedExpr(ast.Name(name, ast.Store()), copy.deepcopy(operand))
        return self._expects(named, [*operands[:number], load(name), *operands[number + 1 :]])

    def _expects(self, node: ast.expr, operands: list[ast.expr]) -> Question:
        """Returns a test whether `node` is plain and the flag is set."""
        expected: list[ast.expr] = [self.flag(), self._asked(_FLOAT_FLAG, FLOAT)]
        if self.names.expects_float(operands):
            expected.reverse()
        again = load(node.target.id) if isinstance(node, ast.NamedExpr) else node
        tests = [_is(_class(copy.deepcopy(again)), kind) for kind in expected]
        tests[0] = _is(_class(node), expected[0])
        question = ast.BoolOp(ast.Or(), [*tests, self._is_other(_class(copy.deepcopy(again)))])
        return Question(question, operands)

    def _is_other(self, kind: ast.expr) -> ast.expr:
        """Returns a test whether a type is another plain type and the flag is set."""
        test = ast.Compare(kind, [ast.In()], [load(PLAIN)])
        return ast.BoolOp(ast.And(), [self.is_set(), test]) if self._changes else test

    def is_set(self) -> ast.expr:
        """Returns a test whether the optimistic names of the function are plain."""
        return ast.Compare(self.flag(), [ast.IsNot()], [ast.Constant(None)])

    def _is_own(self, node: ast.expr) -> bool:
        return not isinstance(node, ast.Name) or node.id in self.names.own or node.id.startswith(_OURS)

    def _nested(self, tree: Tree, steps: list[int], operands: list[ast.expr]) -> ast.expr:
        if not steps:
            return ast.IfExp(self.is_set(), under_flag(tree.native(operands)), self.kept(tree.called(operands)))
        asked = self.question(steps[0], operands)
        rest = steps[1:]
        plain = self._nested(tree, rest, asked.operands) if rest else under_flag(tree.native(asked.operands))
        return ast.IfExp(asked.test, plain, self.kept(tree.called(asked.operands)))

    def kept(self, value: ast.expr) -> ast.expr:
        """Returns `value`, and clears the flag if a value that is not plain goes to an optimistic name."""
        if not (self.binding and self.has_variables):
            return value
        name = self.temporary()
        named = ast.NamedExpr(ast.Name(name, ast.Store()), value)
        flag = ast.NamedExpr(ast.Name(_FLAG, ast.Store()), call(KEEP, self.flag(), named))
        floats = ast.NamedExpr(ast.Name(_FLOAT_FLAG, ast.Store()), _float_flag())
        return ast.Subscript(ast.Tuple([flag, floats, load(name)], ast.Load()), ast.Constant(2), ast.Load())

    def _asking_names(self, tree: Tree) -> ast.expr:
        """Returns the checks where we cannot add variables: only names can be checked."""
        names = [operand for operand, kind in zip(tree.operands, tree.kinds, strict=True) if kind > Kind.PLAIN]
        if not all(map(is_simple, tree.operands)) or len(names) > _MOST_STEPS or self._in_module:
            return tree.called(tree.operands)
        tests = [_is_plain(name) for name in names]
        return ast.IfExp(_all(tests), tree.native(tree.operands), tree.called(tree.operands))

    def asked(self, operand: ast.expr) -> tuple[ast.expr, ast.expr] | None:
        """Returns an operand for its check and for its use; None if this needs a variable that we cannot add."""
        if isinstance(operand, ast.Name):
            return operand, copy.deepcopy(operand)
        if not self.has_variables:
            return None
        name = self.temporary()
        return ast.NamedExpr(ast.Name(name, ast.Store()), operand), load(name)

    def item(self, node: ast.Subscript) -> ast.expr:
        """Returns `holder[key]` for a key that may be a list."""
        if not (isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Name)) and not self.has_variables:
            return call(GET, node.value, node.slice)
        holder, key = self.asked(node.value), self.asked(node.slice)
        assert holder is not None and key is not None
        test = _is_type(key[0], LIST)
        chosen = ast.IfExp(test, call(KEY, holder[1], copy.deepcopy(key[1])), key[1])
        return ast.Subscript(holder[0], chosen, ast.Load())

    def number(self, node: ast.Call) -> ast.expr:
        """Returns `int(value)` for a value that may be an array."""
        value = self.asked(node.args[0])
        if value is None:
            return call(NUMBER, node.func, *node.args)
        converted = ast.Call(copy.deepcopy(node.func), [copy.deepcopy(value[1])], [])
        return ast.IfExp(_is_type(value[0], ARRAY), call(NUMBER, node.func, value[1]), converted)

    def truth(self, node: ast.expr, compares: bool, follows_flag: bool) -> ast.expr:
        """Returns `node` as a condition; it may be an empty array."""
        if compares and self.has_variables and follows_flag:
            return ast.IfExp(self.is_set(), node, call(TRUE, copy.deepcopy(node)))
        value = self.asked(node)
        if value is None:
            return call(TRUE, node)
        if not compares:
            return ast.IfExp(_is_type(value[0], ARRAY), call(TRUE, value[1]), copy.deepcopy(value[1]))
        is_true = ast.Compare(value[0], [ast.Is()], [ast.Constant(True)])
        not_false = ast.Compare(value[1], [ast.IsNot()], [ast.Constant(False)])
        other = ast.BoolOp(ast.And(), [not_false, call(TRUE, copy.deepcopy(value[1]))])
        return ast.BoolOp(ast.Or(), [is_true, other])


class _UnderFlag(ast.NodeTransformer):
    """Removes checks of the flag where it is known to be set."""

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:  # ast requires this name
        self.generic_visit(node)
        test = node.test
        is_flag = isinstance(test, ast.Compare) and isinstance(test.left, ast.Name) and test.left.id == _FLAG
        return node.body if is_flag else node


def under_flag(node: Any) -> Any:
    """Returns an expression or statement without checks of the flag, which is known to be set."""
    return _UnderFlag().visit(node)


def _rebinds(node: ast.expr) -> bool:
    """Returns True if the program itself binds a name inside an expression."""
    named = (part for part in ast.walk(node) if isinstance(part, ast.NamedExpr))
    return any(not part.target.id.startswith(_OURS) for part in named)


def is_array(node: ast.expr) -> ast.expr:
    """Returns a test whether a value is an array."""
    return _is_type(node, ARRAY)


def is_list(node: ast.expr) -> ast.expr:
    """Returns a test whether a value is a list."""
    return _is_type(node, LIST)


def _float_flag() -> ast.expr:
    return ast.BoolOp(ast.And(), [load(_FLAG), load(FLOAT)])


def _set_float_flag() -> ast.stmt:
    return assign(_FLOAT_FLAG, _float_flag())


def _is_type(node: ast.expr, kind: str) -> ast.expr:
    return _is(_class(node), load(kind))


def _is(node: ast.expr, other: ast.expr) -> ast.expr:
    return ast.Compare(node, [ast.Is()], [other])


def _class(node: ast.expr) -> ast.expr:
    return ast.Attribute(node, "__class__", ast.Load())


def _is_plain(node: ast.expr) -> ast.expr:
    """Returns a test whether a name holds a plain value."""
    other = ast.Compare(_class(copy.deepcopy(node)), [ast.In()], [load(PLAIN)])
    return ast.BoolOp(ast.Or(), [_is_type(copy.deepcopy(node), INT), other])


def _all(tests: list[ast.expr]) -> ast.expr:
    return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)


def _first_statement(body: list[ast.stmt]) -> int:
    """Returns the place after the docstring and the imports of `__future__`."""
    place = 0
    for statement in body:
        documents = place == 0 and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not documents and not (isinstance(statement, ast.ImportFrom) and statement.module == "__future__"):
            break
        place += 1
    return place
