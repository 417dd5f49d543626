"""Builds expressions that check the types of operands, and use Python's own operators for plain ones.

`a[i] * 2 + x` becomes `t * 2 + x if (t := a[i]).__class__ is flag else add(mul(t, 2), x)`, with more checks for plain
types other than int. The flag is a variable of the function. It is int, and becomes None when an optimistic name (a
variable that is expected to be plain) holds something else. A second flag is float or None. So one check covers the
operand and all these variables. A function that never clears its flag stands twice: with the checks, and without.
Two operands are checked at once: `t1.__class__ is t2.__class__ is flag`. `__class__` is faster than `type()`, and no
array hides its class.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tf2bridge.program.flags import FLAG, FLOAT_FLAG, float_flag, set_float_flag, under_flag, versions
from tf2bridge.program.nodes import (
    ARRAY,
    FLOAT,
    GET,
    INT,
    KEEP,
    KEY,
    LIST,
    NUMBER,
    OURS,
    PLAIN,
    TRUE,
    all_of,
    any_of,
    assign,
    call,
    class_of,
    first_statement,
    function,
    is_plain,
    is_simple,
    is_text,
    is_type,
    load,
)
from tf2bridge.program.plain_names import Kind, Names, is_arithmetic

_MOST_STEPS, _MOST_NODES = 3, 80
"""Questions in one expression, and its nodes: each question repeats the rest of the expression."""

Form = Any
"""(operator, form, form), (unary operator, form), or the number of an operand."""


class Tree:
    """An expression of operators, and its operands in the order in which Python evaluates them."""

    def __init__(self, node: ast.expr, names: Names, visit: Callable[[ast.expr], Any]) -> None:
        self.operands: list[ast.expr] = []
        self.kinds: list[Kind] = []
        self._operations = 0
        self._done: list[int] = []
        self._names, self._visit = names, visit
        self.form = self._formed(node)

    def _formed(self, node: ast.expr) -> Form:
        if isinstance(node, ast.BinOp) and is_arithmetic(node.op) and not (is_text(node.left) or is_text(node.right)):
            form = (node.op, self._formed(node.left), self._formed(node.right))
            self._operations += 1
            return form
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd) and not is_simple(node):
            operand = self._formed(node.operand)
            self._operations += 1
            return (node.op, operand)
        kind = self._names.kind(node)
        if kind is Kind.OPTIMISTIC and not self._names.follows_flag(node):
            kind = Kind.UNKNOWN
        return self.add(kind, self._visit(node))

    def add(self, kind: Kind, operand: ast.expr) -> int:
        """Adds an operand; returns its number."""
        self.kinds.append(kind)
        self._done.append(self._operations)
        self.operands.append(operand)
        return len(self.operands) - 1

    def are_adjacent(self, first: int, second: int) -> bool:
        """Returns whether Python computes nothing between two operands, or needs no time for the second.

        What it computes between them may have effects if the first is not plain.
        """
        return self._done[first] == self._done[second] or is_simple(self.operands[second])

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


def asked_together(tree: Tree, steps: list[int]) -> int:
    """Returns how many of the next operands to check can be checked at once: 1 or 2."""
    return 2 if len(steps) > 1 and tree.are_adjacent(*steps[:2]) else 1


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
        return self._asked(FLAG, INT)

    def _asked(self, flag: str, kind: str) -> ast.Name:
        if not self._changes:
            return load(kind)
        self._flags.add(flag)
        return load(flag)

    def begin(self, body: list[ast.stmt]) -> None:
        """Sets the flag at the beginning of a function or module, if a check uses it."""
        if not self._flags:
            return
        statements = [assign(FLAG, load(INT)), *([set_float_flag()] if FLOAT_FLAG in self._flags else [])]
        place = first_statement(body)
        line = body[min(place, len(body) - 1)]
        if self.names.guarded:
            test = all_of([is_plain(load(name)) for name in self.names.guarded])
            twice = versions(body, statements, test)
            if twice is not None:
                body[:] = twice
                return
            statements[0] = assign(FLAG, ast.IfExp(test, load(INT), ast.Constant(None)))
        body[place:place] = [ast.copy_location(statement, line) for statement in statements]

    def keep(self, name: str) -> list[ast.stmt]:
        """Returns the statements that clear the flags if the variable `name` is not plain."""
        return [assign(FLAG, call(KEEP, self.flag(), load(name))), set_float_flag()]

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

    def question(self, numbers: list[int], operands: list[ast.expr], before: list[ast.stmt] | None = None) -> Question:
        """Returns one check of one operand, or of two that are evaluated one after the other.

        With `before`, statements evaluate them, which is faster; it gets these statements.
        """
        reads: list[tuple[ast.expr, ast.expr]] = []
        for number in numbers:
            reads.append(self._read(number, operands, before))
            operands = [*operands[:number], reads[-1][1], *operands[number + 1 :]]
        expected: list[ast.expr] = [self.flag(), self._asked(FLOAT_FLAG, FLOAT)]
        if self.names.expects_float(operands):
            expected.reverse()
        first = [class_of(node) for node, _ in reads]
        again = [class_of(copy.deepcopy(node)) for _, node in reads]
        usual = [_are(first, expected[0]), _are(again, expected[1])]
        if len(reads) == 1:
            return Question(any_of([*usual, self._is_other(again[0])]), operands)
        unusual = [any_of([*(_are([kind], plain) for plain in expected), self._is_other(kind)]) for kind in again]
        return Question(any_of([*usual, all_of(unusual)]), operands)

    def _read(self, number: int, operands: list[ast.expr], before: list[ast.stmt] | None) -> tuple[ast.expr, ast.expr]:
        """Returns an operand for its check, and for its use after that: the same, or a temporary variable."""
        operand = operands[number]
        later = any(not is_simple(other) for other in operands[number + 1 :])
        if is_simple(operand) and not (later and not self._is_own(operand)):
            return copy.deepcopy(operand), copy.deepcopy(operand)
        name = self.temporary()
        if before is not None:
            before.append(assign(name, copy.deepcopy(operand)))
            return load(name), load(name)
        return ast.NamedExpr(ast.Name(name, ast.Store()), copy.deepcopy(operand)), load(name)

    def _is_other(self, kind: ast.expr) -> ast.expr:
        """Returns a test whether a type is another plain type and the flag is set."""
        test = ast.Compare(kind, [ast.In()], [load(PLAIN)])
        return ast.BoolOp(ast.And(), [self.is_set(), test]) if self._changes else test

    def is_set(self) -> ast.expr:
        """Returns a test whether the optimistic names of the function are plain."""
        return ast.Compare(self.flag(), [ast.IsNot()], [ast.Constant(None)])

    def _is_own(self, node: ast.expr) -> bool:
        return not isinstance(node, ast.Name) or node.id in self.names.own or node.id.startswith(OURS)

    def _nested(self, tree: Tree, steps: list[int], operands: list[ast.expr]) -> ast.expr:
        if not steps:
            return ast.IfExp(self.is_set(), under_flag(tree.native(operands)), self.kept(tree.called(operands)))
        together = asked_together(tree, steps)
        asked = self.question(steps[:together], operands)
        rest = steps[together:]
        plain = self._nested(tree, rest, asked.operands) if rest else under_flag(tree.native(asked.operands))
        return ast.IfExp(asked.test, plain, self.kept(tree.called(asked.operands)))

    def kept(self, value: ast.expr) -> ast.expr:
        """Returns `value`, and clears the flag if a value that is not plain goes to an optimistic name."""
        if not (self.binding and self.has_variables):
            return value
        name = self.temporary()
        named = ast.NamedExpr(ast.Name(name, ast.Store()), value)
        flag = ast.NamedExpr(ast.Name(FLAG, ast.Store()), call(KEEP, self.flag(), named))
        floats = ast.NamedExpr(ast.Name(FLOAT_FLAG, ast.Store()), float_flag())
        return ast.Subscript(ast.Tuple([flag, floats, load(name)], ast.Load()), ast.Constant(2), ast.Load())

    def _asking_names(self, tree: Tree) -> ast.expr:
        """Returns the checks where we cannot add variables: only names can be checked."""
        names = [operand for operand, kind in zip(tree.operands, tree.kinds, strict=True) if kind > Kind.PLAIN]
        if not all(map(is_simple, tree.operands)) or len(names) > _MOST_STEPS or self._in_module:
            return tree.called(tree.operands)
        tests = [is_plain(name) for name in names]
        return ast.IfExp(all_of(tests), tree.native(tree.operands), tree.called(tree.operands))

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
        test = is_type(key[0], LIST)
        chosen = ast.IfExp(test, call(KEY, holder[1], copy.deepcopy(key[1])), key[1])
        return ast.Subscript(holder[0], chosen, ast.Load())

    def number(self, node: ast.Call) -> ast.expr:
        """Returns `int(value)` for a value that may be an array."""
        value = self.asked(node.args[0])
        if value is None:
            return call(NUMBER, node.func, *node.args)
        converted = ast.Call(copy.deepcopy(node.func), [copy.deepcopy(value[1])], [])
        return ast.IfExp(is_type(value[0], ARRAY), call(NUMBER, node.func, value[1]), converted)

    def truth(self, node: ast.expr, compares: bool, follows_flag: bool) -> ast.expr:
        """Returns `node` as a condition; it may be an empty array."""
        if self.has_variables and follows_flag:
            return ast.IfExp(self.is_set(), node, call(TRUE, copy.deepcopy(node)))
        value = self.asked(node)
        if value is None:
            return call(TRUE, node)
        if not compares:
            return ast.IfExp(is_type(value[0], ARRAY), call(TRUE, value[1]), copy.deepcopy(value[1]))
        is_true = ast.Compare(value[0], [ast.Is()], [ast.Constant(True)])
        not_false = ast.Compare(value[1], [ast.IsNot()], [ast.Constant(False)])
        other = ast.BoolOp(ast.And(), [not_false, call(TRUE, copy.deepcopy(value[1]))])
        return ast.BoolOp(ast.Or(), [is_true, other])


def _are(kinds: list[ast.expr], kind: ast.expr) -> ast.expr:
    """Returns a test whether all types are this one."""
    first, *others = copy.deepcopy(kinds)
    return ast.Compare(first, [ast.Is() for _ in kinds], [*others, copy.deepcopy(kind)])


def _rebinds(node: ast.expr) -> bool:
    """Returns True if the program itself binds a name inside an expression."""
    named = (part for part in ast.walk(node) if isinstance(part, ast.NamedExpr))
    return any(not part.target.id.startswith(OURS) for part in named)
