"""Rewrites the statements of a program so that they work as with NumPy 1: assignments, conditions and loops."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any

from tf2bridge.program import nodes
from tf2bridge.program.flags import under_flag
from tf2bridge.program.guards import Guards, Tree, asked_together
from tf2bridge.program.nodes import assign, call, load
from tf2bridge.program.plain_names import Kind, Names, is_arithmetic, never_list


def as_value(key: ast.expr) -> ast.expr:
    """Returns the expression between the brackets of a subscript as an argument."""
    if isinstance(key, ast.Slice):
        parts = [part if part is not None else ast.Constant(None) for part in (key.lower, key.upper, key.step)]
        return call("slice", *parts)
    if isinstance(key, ast.Tuple):
        return ast.Tuple([as_value(part) for part in key.elts], ast.Load())
    return key


_Built = Callable[[list[ast.expr]], list[ast.stmt]]
"""Makes statements of the operands of a tree."""


class Statements(ast.NodeTransformer):
    """Visits statements; `guards` are those of the scope that is visited, `trusted` the builtins of the file."""

    def __init__(self, trusted: frozenset[str]) -> None:
        self.trusted = trusted
        self.plain_functions: frozenset[str] = frozenset()
        self.guards = Guards(Names(trusted=trusted, inspected=True))

    def visit_body(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Visits statements one after the other."""
        visited: list[ast.stmt] = []
        for statement in body:
            self.guards.next_statement()
            result: Any = self.visit(statement)
            visited += result if isinstance(result, list) else [result]
        return visited

    def truth(self, node: ast.expr) -> ast.expr:
        """Visits a condition."""
        if isinstance(node, ast.BoolOp):
            node.values = [self.truth(value) for value in node.values]
            return node
        known = self.guards.names.kind(node) <= Kind.PLAIN
        compares, follows = isinstance(node, ast.Compare), self.guards.names.follows_flag(node)
        visited: ast.expr = self.visit(node)
        return visited if known else ast.copy_location(self.guards.truth(visited, compares, follows), node)

    def visit_If(self, node: ast.If) -> ast.AST:  # ast requires this name
        node.test = self.truth(node.test)
        node.body, node.orelse = self.visit_body(node.body), self.visit_body(node.orelse)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:  # ast requires this name
        self.guards.loops += 1
        node.test = self.truth(node.test)
        node.body = self.visit_body(node.body)
        self.guards.loops -= 1
        node.orelse = self.visit_body(node.orelse)
        return node

    def visit_For(self, node: ast.For | ast.AsyncFor) -> ast.AST:  # ast requires this name
        node.iter = self.visit(node.iter)
        self.guards.loops += 1
        node.target = self.visit(node.target)
        node.body = self.visit_body(node.body)
        self.guards.loops -= 1
        node.orelse = self.visit_body(node.orelse)
        return node

    visit_AsyncFor = visit_For  # noqa: N815  # ast requires this name

    def visit_Assign(self, node: ast.Assign) -> Any:  # ast requires this name
        target = node.targets[0]
        if len(node.targets) == 1 and isinstance(target, ast.Subscript):
            return self._item_assigned(node, target)
        if len(node.targets) == 1 and isinstance(target, ast.Name) and _is_computed(node.value):
            return [ast.copy_location(statement, node) for statement in self._computed(node, target)]
        return self._bound(node, node.targets)

    def _computed(self, node: ast.Assign, target: ast.Name) -> list[ast.stmt]:
        """Returns the statements for `name = a op b`."""
        tree = Tree(node.value, self.guards.names, self.visit)
        if max(tree.kinds) <= Kind.PLAIN:
            return [assign(target.id, tree.native(tree.operands))]
        kept = self.guards.keep(target.id) if self._is_optimistic(target.id) else []
        steps = self.guards.steps(tree) if self.guards.has_variables else None
        if steps is None:
            return [assign(target.id, self.guards.guarded(tree)), *kept]

        def plain(operands: list[ast.expr]) -> list[ast.stmt]:
            return [assign(target.id, tree.native(operands))]

        def slow(operands: list[ast.expr]) -> list[ast.stmt]:
            return [assign(target.id, tree.called(operands)), *copy.deepcopy(kept)]

        return self._chosen(tree, steps, tree.operands, plain, slow)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:  # ast requires this name
        return node if node.value is None else self._bound(node, [node.target])

    def _bound(self, node: Any, targets: list[Any]) -> Any:
        """Returns the statements for an assignment that may bind optimistic names."""
        names = [part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)]
        optimistic = [name for name in names if self._is_optimistic(name)]
        self.guards.binding = bool(optimistic)
        node.value = self.visit(node.value)
        self.guards.binding = False
        for target in targets:
            self.visit(target)
        if self.guards.has_variables:
            return node
        kept = [statement for name in optimistic for statement in self.guards.keep(name)]
        return [node, *(ast.copy_location(statement, node) for statement in kept)]

    def _is_optimistic(self, name: str) -> bool:
        return self.guards.names.kinds.get(name) is Kind.OPTIMISTIC

    def _item_assigned(self, node: ast.Assign, target: ast.Subscript) -> Any:
        names = self.guards.names
        plain = names.kind(node.value) <= Kind.PLAIN
        by_list = _may_be_list(target.slice) and not never_list(target.slice, names)
        fits = nodes.fits_integers(node.value)
        value, holder, key = self.visit(node.value), self.visit(target.value), self.visit(target.slice)
        if plain and fits and not by_list:
            return ast.copy_location(ast.Assign([ast.Subscript(holder, key, ast.Store())], value), node)
        if not self.guards.has_variables:
            return ast.copy_location(ast.Expr(call(nodes.PUT, value, holder, as_value(key))), node)
        before: list[ast.stmt] = []
        value = self._stored(value, before, keeps_names=self._is_own(holder) and self._is_own(key))
        holder = holder if self._is_own(holder) else self._stored(holder, before)
        if by_list or _may_change(key):
            key = self._stored(as_value(key), before)
        tests = ([] if plain else [nodes.is_array(value)]) + ([nodes.is_list(key)] if by_list else [])
        put = ast.Expr(call(nodes.PUT, value, holder, as_value(copy.deepcopy(key))))
        store: ast.stmt = ast.Assign([ast.Subscript(copy.deepcopy(holder), key, ast.Store())], copy.deepcopy(value))
        if not fits:
            wrapping = ast.ExceptHandler(load(nodes.OVERFLOW), None, [copy.deepcopy(put)])
            store = ast.copy_location(ast.Try([ast.copy_location(store, node)], [wrapping], [], []), node)
        if tests:
            store = ast.If(tests[0] if len(tests) == 1 else ast.BoolOp(ast.Or(), tests), [put], [store])
        return [ast.copy_location(part, node) for part in (*before, store)]

    def _is_own(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id in self.guards.names.own)

    def _stored(self, node: ast.expr, before: list[ast.stmt], keeps_names: bool = True) -> ast.expr:
        """Returns `node` as a variable: a temporary one, unless it is a variable already."""
        if self._is_own(node) and keeps_names:
            return copy.deepcopy(node)
        name = self.guards.temporary()
        before.append(assign(name, node))
        return load(name)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:  # ast requires this name
        if not is_arithmetic(node.op) or nodes.is_text(node.value):
            self.generic_visit(node)
            return node
        target = node.target
        if isinstance(target, ast.Name):
            statements = self._name_changed(node, target)
        elif isinstance(target, ast.Attribute) and target.attr.startswith("__") and not target.attr.endswith("__"):
            self.generic_visit(node)  # Python mangles the name inside a class
            return node
        elif not self.guards.has_variables or _is_sliced(target):
            statements = [self._by_call(node, target)]
        else:
            statements = self._part_changed(node, target)
        return [ast.copy_location(statement, node) for statement in statements]

    def _name_changed(self, node: ast.AugAssign, target: ast.Name) -> list[ast.stmt]:
        own, name = self.guards.names, load(target.id)
        tree = Tree(node.value, own, self.visit)
        tree.add(own.kind(name), name)
        if max(tree.kinds) <= Kind.PLAIN:
            return [ast.AugAssign(target, node.op, tree.native(tree.operands))]
        optimistic = self._is_optimistic(target.id)
        steps = self.guards.steps(tree) if self.guards.has_variables and target.id in own.own else None

        def slow(operands: list[ast.expr]) -> list[ast.stmt]:
            right = tree.called(operands)
            value = call(nodes.function(type(node.op).__name__, in_place=True), load(target.id), right)
            return [assign(target.id, value), *(self.guards.keep(target.id) if optimistic else [])]

        def plain(operands: list[ast.expr]) -> list[ast.stmt]:
            return [ast.AugAssign(ast.Name(target.id, ast.Store()), node.op, tree.native(operands))]

        if steps is None:
            return slow(tree.operands)
        return self._chosen(tree, steps, tree.operands, plain, slow)

    def _chosen(
        self, tree: Tree, steps: list[int], operands: list[ast.expr], plain: _Built, slow: _Built
    ) -> list[ast.stmt]:
        """Returns the checks with the statements for plain operands, and the statements for others."""
        if not steps:
            return [ast.If(self.guards.is_set(), list(map(under_flag, plain(operands))), slow(operands))]
        before: list[ast.stmt] = []
        together = asked_together(tree, steps)
        asked = self.guards.question(steps[:together], operands, before)
        if steps[together:]:
            inner = self._chosen(tree, steps[together:], asked.operands, plain, slow)
        else:
            inner = list(map(under_flag, plain(asked.operands)))
        return [*before, ast.If(asked.test, inner, slow(asked.operands))]

    def _part_changed(self, node: ast.AugAssign, target: Any) -> list[ast.stmt]:
        """Returns `holder.attribute op= value` or `holder[key] op= value`.

        As in Python, the old value is read before `value`.
        """
        before: list[ast.stmt] = []
        holder = self.visit(target.value)
        holder = holder if self._is_own(holder) else self._stored(holder, before)
        key: Any = None
        by_list = isinstance(target, ast.Subscript) and not never_list(target.slice, self.guards.names)
        if isinstance(target, ast.Subscript):
            key = self._stored(self.visit(target.slice), before)

        def part(context: ast.expr_context) -> Any:
            if key is None:
                return ast.Attribute(copy.deepcopy(holder), target.attr, context)
            return ast.Subscript(copy.deepcopy(holder), copy.deepcopy(key), context)

        old = self.guards.temporary()
        read = self.guards.item(part(ast.Load())) if by_list else part(ast.Load())
        before.append(assign(old, read))
        tree = Tree(node.value, self.guards.names, self.visit)
        tree.add(Kind.UNKNOWN, load(old))

        def slow(operands: list[ast.expr]) -> list[ast.stmt]:
            in_place = nodes.function(type(node.op).__name__, in_place=True)
            value = call(in_place, load(old), tree.called(operands))
            if key is None:
                return [ast.Assign([part(ast.Store())], value)]
            return [ast.Expr(call(nodes.PUT, value, copy.deepcopy(holder), copy.deepcopy(key)))]

        def plain(operands: list[ast.expr]) -> list[ast.stmt]:
            change = ast.AugAssign(ast.Name(old, ast.Store()), node.op, tree.native(operands))
            return [change, ast.Assign([part(ast.Store())], load(old))]

        steps = self.guards.steps(tree)
        if steps is None:
            return [*before, *slow(tree.operands)]
        return [*before, *self._chosen(tree, steps, tree.operands, plain, slow)]

    def _by_call(self, node: ast.AugAssign, target: Any) -> ast.stmt:
        self.generic_visit(node)
        operator = ast.Constant(type(node.op).__name__)
        if isinstance(target, ast.Attribute):
            change = call(nodes.ATTRIBUTE, target.value, ast.Constant(target.attr), operator)
        else:
            change = call(nodes.ITEM, target.value, as_value(target.slice), operator)
        return ast.Expr(ast.Call(change, [node.value], []))


def _is_computed(node: ast.expr) -> bool:
    """Returns whether a value is the result of an operator that `guards` checks."""
    if not isinstance(node, ast.BinOp) or not is_arithmetic(node.op):
        return False
    return not nodes.is_text(node.left) and not nodes.is_text(node.right)


def _may_be_list(key: ast.expr) -> bool:
    return isinstance(key, ast.Name | ast.List | ast.ListComp | ast.BinOp)


def _may_change(key: ast.expr) -> bool:
    """Returns whether a key that is computed twice may have two values."""
    return any(isinstance(part, ast.Call | ast.NamedExpr | ast.Await | ast.Yield) for part in ast.walk(key))


def _is_sliced(target: Any) -> bool:
    return isinstance(target, ast.Subscript) and any(isinstance(part, ast.Slice) for part in ast.walk(target.slice))
