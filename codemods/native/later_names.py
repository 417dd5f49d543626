"""Gives a name that a program binds anew for its next graph another name: `y`, then `y_2`.

A tutorial of several parts builds a graph, runs it, and builds the next one under the same names. Functions read a name
when they are called, so that each part needs names of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from codemods.native.places import is_main_block, names_in_texts
from codemods.native.source_text import SourceText
from codemods.tree import walk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_READING_NAMES = frozenset(("locals", "vars", "eval", "exec", "globals"))
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.Expr, ast.withitem)


class _UncertainError(Exception):
    """It is not certain which binding a use is of."""


@dataclass(frozen=True)
class _Flow:
    """Whether nodes may read a name that they have not bound before, and whether they bind it: no, maybe or surely."""

    reads: bool = False
    may_bind: bool = False
    binds: bool = False

    def then(self, other: _Flow) -> _Flow:
        return _Flow(
            self.reads or (other.reads and not self.binds), self.may_bind or other.may_bind, self.binds or other.binds
        )

    def maybe(self) -> _Flow:
        """Returns what it is where these nodes may not run."""
        return _Flow(self.reads, self.may_bind, False)


def with_later_names(text: str, name: str) -> str | None:
    """Returns a text in which later values of a name have other names; None if that is not certain or changes nothing.

    Args:
        text: A module.
        name: The name.
    """
    tree = ast.parse(text)
    source = SourceText(text, tree)
    taken = {node.id for node in walk(tree) if isinstance(node, ast.Name)}
    taken |= {node.arg for node in walk(tree) if isinstance(node, (ast.arg, ast.keyword)) and node.arg}
    taken |= {node.name for node in walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    changed = False
    for body in (node for node in walk(tree) if isinstance(node, (ast.FunctionDef, ast.Module))):
        try:
            generations = _generations(body, name)
        except _UncertainError:
            continue
        number = 1
        for nodes in generations[1:]:
            number += 1
            while f"{name}_{number}" in taken:
                number += 1
            for node in nodes:
                source.replace(source.span(node), f"{name}_{number}")
            changed = True
        taken |= {f"{name}_{n}" for n in range(2, number + 1)}
    return source.result() if changed else None


def _generations(body: ast.FunctionDef | ast.Module, name: str) -> list[list[ast.Name]]:
    """Returns the uses of each value of a name, in order.

    Raises:
        _UncertainError: Uses in other scopes, or in texts, may be of several values.
    """
    if _reads_names(body) or name in names_in_texts(body):
        raise _UncertainError
    units = list(_units(body.body))
    flows = [_flow(unit, name) for unit in units]
    made: list[list[ast.Name]] = [[]] if isinstance(body, ast.FunctionDef) and _is_argument(body, name) else []
    for number, (unit, flow) in enumerate(zip(units, flows, strict=True)):
        uses = list(_own_uses(unit, name))
        if not uses:
            continue
        if flow.may_bind and not flow.reads and (flow.binds or not _is_read(flows[number + 1 :])):
            made.append(uses)
        elif flow.binds and isinstance(unit, _SIMPLE):
            _last(made).extend(use for use in uses if isinstance(use.ctx, ast.Load))
            made.append([use for use in uses if not isinstance(use.ctx, ast.Load)])
        else:
            _last(made).extend(uses)
    return made


def _last(generations: list[list[ast.Name]]) -> list[ast.Name]:
    if not generations:
        raise _UncertainError
    return generations[-1]


def _is_argument(function: ast.FunctionDef, name: str) -> bool:
    return any(isinstance(node, ast.arg) and node.arg == name for node in walk(function.args))


def _reads_names(body: ast.AST) -> bool:
    return any(isinstance(node, ast.Name) and node.id in _READING_NAMES for node in walk(body))


def _is_read(flows: Sequence[_Flow]) -> bool:
    """Returns whether a value from before is read by the next statements."""
    for flow in flows:
        if flow.reads:
            return True
        if flow.binds:
            return False
    return False


def _units(body: Sequence[ast.stmt]) -> Iterator[ast.stmt | ast.withitem]:
    """Yields what runs one after another: statements, and what `with` opens."""
    for statement in body:
        if isinstance(statement, ast.With):
            yield from statement.items
            yield from _units(statement.body)
        elif is_main_block(statement):
            yield from _units(statement.body)
        else:
            yield statement


def _own_uses(node: ast.AST, name: str) -> Iterator[ast.Name]:
    """Yields the uses of a name in this scope.

    Raises:
        _UncertainError: A function or class uses it too, or changes it.
    """
    if isinstance(node, ast.Name):
        if node.id == name:
            if isinstance(node.ctx, ast.Del):
                raise _UncertainError
            yield node
        return
    if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
        raise _UncertainError
    if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)) and node.name == name:
        raise _UncertainError
    if isinstance(node, (ast.Import, ast.ImportFrom)) and any(
        (alias.asname or alias.name).split(".")[0] == name for alias in node.names
    ):
        raise _UncertainError
    if isinstance(node, ast.ExceptHandler) and node.name == name:
        raise _UncertainError
    if isinstance(node, _SCOPES):
        yield from _uses_of_scope(node, name)
        return
    for child in ast.iter_child_nodes(node):
        yield from _own_uses(child, name)


def _uses_of_scope(node: ast.AST, name: str) -> Iterator[ast.Name]:
    """Yields the uses in a comprehension, which runs at once; refuses those in functions, which run later."""
    below = list(walk(node))
    if any(isinstance(n, ast.arg) and n.arg == name for n in below):
        if any(isinstance(n, ast.Name) and n.id == name for n in _outside(node)):
            raise _UncertainError
        return
    used = [n for n in below if isinstance(n, ast.Name) and n.id == name]
    declared = any(isinstance(n, (ast.Global, ast.Nonlocal)) and name in n.names for n in below)
    stored = any(not isinstance(n.ctx, ast.Load) for n in used)
    if declared:
        raise _UncertainError
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        if used and (not stored or isinstance(node, ast.ClassDef)):
            raise _UncertainError
        return
    if stored or any(isinstance(n, ast.Lambda) for n in below):
        if used:
            raise _UncertainError
        return
    yield from used


def _outside(node: ast.AST) -> Iterator[ast.AST]:
    """Yields the nodes of a function that the scope round it evaluates: defaults and decorators."""
    arguments = getattr(node, "args", None)
    parts: list[ast.AST | None] = [*getattr(node, "decorator_list", [])]
    if isinstance(arguments, ast.arguments):
        parts += [*arguments.defaults, *arguments.kw_defaults]
    for part in parts:
        yield from walk(part) if part is not None else ()


def _flow(node: ast.AST, name: str) -> _Flow:
    """Returns whether a statement reads a name before it binds it, and whether it binds it."""
    if isinstance(node, ast.If):
        body, other = _flow_of(node.body, name), _flow_of(node.orelse, name)
        both = _Flow(body.reads or other.reads, body.may_bind or other.may_bind, body.binds and other.binds)
        return _plain(node.test, name).then(both)
    if isinstance(node, ast.For):
        once = _plain(node.target, name).then(_flow_of(node.body, name)).maybe()
        return _plain(node.iter, name).then(once).then(_flow_of(node.orelse, name).maybe())
    if isinstance(node, ast.While):
        once = _flow_of(node.body, name).maybe()
        return _plain(node.test, name).then(once).then(_flow_of(node.orelse, name).maybe())
    if isinstance(node, ast.With):
        return _flow_of([*node.items, *node.body], name)
    if isinstance(node, ast.Try):
        body = _flow_of(node.body, name)
        rest = _flow_of([*node.handlers, *node.finalbody], name)
        after = body.then(_flow_of(node.orelse, name))
        return _Flow(after.reads or rest.reads, after.may_bind or rest.may_bind, False)
    if isinstance(node, ast.ExceptHandler):
        return _flow_of(node.body, name).maybe()
    return _plain(node, name)


def _flow_of(nodes: Sequence[ast.AST], name: str) -> _Flow:
    made = _Flow()
    for node in nodes:
        made = made.then(_flow(node, name))
    return made


def _plain(node: ast.AST, name: str) -> _Flow:
    """Returns the flow of a simple statement or expression, which reads before it binds."""
    uses = list(_own_uses(node, name))
    if any(isinstance(below, ast.NamedExpr) and below.target.id == name for below in walk(node)):
        raise _UncertainError
    augmented = isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name
    binds = any(isinstance(use.ctx, ast.Store) for use in uses)
    return _Flow(augmented or any(isinstance(use.ctx, ast.Load) for use in uses), binds, binds)
