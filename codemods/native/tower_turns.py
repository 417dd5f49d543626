"""The turns of a loop over towers, as statements with the names and the constants of each turn."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from codemods.names import Names
from codemods.native.kinds import Kind, kind_of_call, v1_name
from codemods.native.places import COMPREHENSIONS, method_of
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText, reindented
from codemods.tree import walk

_COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_Lines = list[tuple[str, int]]


def current_scope(context: ast.expr, names: Names) -> ast.Call | None:
    """Returns the call of a context that opens the scope that is open; None for other contexts."""
    if not isinstance(context, ast.Call) or v1_name(names, context.func) != "variable_scope":
        return None
    first = context.args[0] if context.args else None
    is_current = isinstance(first, ast.Call) and v1_name(names, first.func) == "get_variable_scope"
    return context if is_current else None


class Turns:
    """Writes the turns of a loop, one after another.

    Args:
        loop: The loop. Its target is a name.
        text: The text that it is in.
        names: The meanings of its names.
        taken: The names that are in use.
        constants: The names that have a constant before the loop.

    Attributes:
        shares: Whether the turns that follow use the variables of the first one.
    """

    def __init__(
        self, loop: ast.For, text: str, names: Names, taken: set[str], constants: Mapping[str, ast.Constant]
    ) -> None:
        assert isinstance(loop.target, ast.Name)
        self._loop, self._text, self._names, self._taken = loop, text, names, taken
        self._index = loop.target.id
        self._constants: dict[str, Any] = {name: node.value for name, node in constants.items()}
        self._last: dict[str, int] = {}
        self._given: dict[tuple[str, int], str] = {}
        self._current: dict[str, str] = {}
        self._bound: set[str] = set()
        self._turn = 0
        self.shares = False

    def all(self, number: int, indent: str, reuse: str) -> _Lines:
        """Returns the lines of all turns, with the lines that they are of.

        Args:
            number: How many turns there are.
            indent: The indentation of the loop.
            reuse: The statement from which on variables are those of before.
        """
        first = dict(self._constants)
        for _ in range(2):  # the first time finds out which turn binds a name last
            self._constants, self._current, self.shares = dict(first), {}, False
            made: _Lines = []
            for turn in range(number):
                shared, self._turn, self._bound = self.shares, turn, set()
                self._constants[self._index] = turn
                self._source = SourceText(self._text, self._names.tree)
                lines = self._block(self._loop.body, indent, False)
                made += [(f"{indent}{reuse}\n", self._loop.lineno)] if self.shares and (turn and not shared) else []
                made += lines
                if self.shares and not turn:
                    made.append((f"{indent}{reuse}\n", self._loop.lineno))
        return made

    def _block(self, statements: Sequence[ast.stmt], indent: str, is_scoped: bool) -> _Lines:
        made: _Lines = []
        for statement in statements:
            if not self._source.is_alone(statement):
                raise NotNativeError(statement, "NAT008", "the turns of these towers cannot be written out")
            if isinstance(statement, ast.If):
                runs = self._value(statement.test)
                if runs is None:
                    raise NotNativeError(statement, "NAT008", "the source does not say what this tower does")
                made += self._block(statement.body if runs else statement.orelse, indent, is_scoped)
            elif isinstance(statement, ast.With) and self._is_current_scope(statement):
                made += self._block(statement.body, indent, is_scoped)
            elif isinstance(statement, ast.With) and self._is_device(statement):
                made += self._block(statement.body, indent, is_scoped)  # one function computes all towers
            elif isinstance(statement, ast.With):
                made += self._with(statement, indent, is_scoped)
            elif self._is_reuse(statement) and not is_scoped:
                self.shares = True
            else:
                made += self._simple(statement, indent)
        return made

    def _is_device(self, block: ast.With) -> bool:
        opened = [item.context_expr for item in block.items]
        return all(isinstance(call, ast.Call) and v1_name(self._names, call.func) == "device" for call in opened)

    def _is_current_scope(self, block: ast.With) -> bool:
        """Returns whether a block opens the scope that is open already, `tf.get_variable_scope()`, once more."""
        context = current_scope(block.items[0].context_expr, self._names) if len(block.items) == 1 else None
        if context is None:
            return False
        options = {keyword.arg: keyword.value for keyword in context.keywords}
        reuse = options.pop("reuse", None)
        shares = self._value(reuse) if reuse is not None else False
        if options or len(context.args) > 1 or not isinstance(shares, bool) or block.items[0].optional_vars is not None:
            raise NotNativeError(context, "NAT005", "the source does not say which variables this tower uses again")
        self.shares = self.shares or shares
        return True

    def _is_reuse(self, statement: ast.stmt) -> bool:
        """Returns whether a statement is `tf.get_variable_scope().reuse_variables()`."""
        call = statement.value if isinstance(statement, ast.Expr) else None
        function = call.func if isinstance(call, ast.Call) else None
        if not isinstance(function, ast.Attribute) or function.attr != "reuse_variables":
            return False
        return (
            isinstance(function.value, ast.Call) and v1_name(self._names, function.value.func) == "get_variable_scope"
        )

    def _with(self, block: ast.With, indent: str, is_scoped: bool) -> _Lines:
        if block.body[0].lineno == block.lineno:
            raise NotNativeError(block, "NAT008", "the turns of these towers cannot be written out")
        scopes = (item.context_expr for item in block.items)
        named = any(isinstance(n, ast.Call) and v1_name(self._names, n.func) == "variable_scope" for n in scopes)
        for item in block.items:
            self._rename(item.context_expr)
            if item.optional_vars is not None:
                self._bind(item.optional_vars)
        end = block.items[-1].optional_vars or block.items[-1].context_expr
        positions = self._source.positions
        until = positions.after_newline(positions.line_end(self._source.span(end)[1]))
        head = self._put(block, self._source.lines_of(block)[0], until, indent)
        return [*head, *self._block(block.body, indent + self._source.indent_step, is_scoped or named)]

    def _simple(self, statement: ast.stmt, indent: str) -> _Lines:
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        if isinstance(statement, ast.Assign) and (len(targets) == 1 and isinstance(targets[0], ast.Name)):
            shared = self._shared(targets[0].id, statement.value)
            if shared is not None:
                return self._put(statement, *self._source.lines_of(statement), indent) if shared else []
        elif isinstance(statement, ast.For):
            self._bind_inside(statement)
        elif not isinstance(statement, (ast.Assign, ast.Expr)):
            raise NotNativeError(statement, "NAT008", "the turns of these towers cannot be written out")
        for node in ast.iter_child_nodes(statement):
            if node not in targets:
                self._rename(node)
        for node in (node for target in targets for node in walk(target)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                self._rename(node)
            elif isinstance(node, ast.Name):
                self._bind(node)
        return self._put(statement, *self._source.lines_of(statement), indent)

    def _shared(self, name: str, value: ast.expr) -> bool | None:
        """Returns whether a statement stands in this turn as it is; None if its value is one of this turn."""
        if isinstance(value, ast.Constant):
            self._constants[name] = value.value
            return True
        if self._is_optimizer(value):
            self._current[name] = name
            return not self._turn
        return None

    def _is_optimizer(self, value: ast.expr) -> bool:
        """Returns whether a value is an optimizer that one can stand for in all turns, as it only takes gradients."""
        name = v1_name(self._names, value.func) if isinstance(value, ast.Call) else None
        calls = (node for part in self._loop.body for node in walk(part) if isinstance(node, ast.Call))
        trains = any(method_of(call) in ("minimize", "apply_gradients") for call in calls)
        read = {node.id for node in walk(value) if isinstance(node, ast.Name)}
        is_same = not read & (self._constants.keys() | self._current.keys())
        return name is not None and kind_of_call(name) is Kind.OPTIMIZER and is_same and not trains

    def _bind_inside(self, loop: ast.For) -> None:
        """Gives the names that a loop inside a turn binds those of this turn."""
        stored = {n.id for n in walk(loop) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
        if stored & (self._constants.keys() | (self._current.keys() - self._bound)):
            raise NotNativeError(loop, "NAT008", "a name of this loop is that of another turn")
        for node in (n for n in walk(loop) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)):
            self._bind(node)

    def _rename(self, node: ast.AST) -> None:
        """Writes the constants and names of this turn in an expression."""
        own = {
            n.id
            for inner in walk(node)
            if isinstance(inner, COMPREHENSIONS)
            for part in inner.generators
            for n in walk(part.target)
            if isinstance(n, ast.Name)
        }
        for name in (n for n in walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)):
            if name.id in own:
                continue
            if name.id in self._constants:
                self._source.replace(self._source.span(name), repr(self._constants[name.id]))
            elif name.id in self._current:
                self._source.replace(self._source.span(name), self._current[name.id])

    def _bind(self, target: ast.AST) -> None:
        """Gives a name that is bound the one of this turn."""
        if not isinstance(target, ast.Name):
            raise NotNativeError(target, "NAT008", "the turns of these towers cannot be written out")
        name = target.id
        self._last[name] = max(self._turn, self._last.get(name, 0))
        self._constants.pop(name, None)
        self._bound.add(name)
        self._current[name] = name if self._last[name] == self._turn else self._name(name)
        self._source.replace(self._source.span(target), self._current[name])

    def _name(self, name: str) -> str:
        key = name, self._turn
        if key not in self._given:
            wished = f"{name}_{self._turn}"
            self._given[key] = next(n for n in (wished, *(f"{wished}_{k}" for k in range(9))) if n not in self._taken)
            self._taken.add(self._given[key])
        return self._given[key]

    def _put(self, node: ast.stmt, start: int, end: int, indent: str) -> _Lines:
        text = reindented(self._source.rendered((start, end)), self._source.indent_of(node), indent)
        first = self._source.positions.line(start)
        lines = text.splitlines(keepends=True)
        return [(line if line.endswith("\n") else f"{line}\n", first + n) for n, line in enumerate(lines)]

    def _value(self, node: ast.expr) -> Any:
        """Returns the value of a test in this turn; None if the source does not say it."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self._constants.get(node.id)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            value = self._value(node.operand)
            return None if value is None else not value
        compared = _COMPARED.get(type(node.ops[0])) if isinstance(node, ast.Compare) and len(node.ops) == 1 else None
        if compared is None or not isinstance(node, ast.Compare):
            return None
        left, right = self._value(node.left), self._value(node.comparators[0])
        both = isinstance(left, (int, float)) and isinstance(right, (int, float))
        return compared(left, right) if both else None
