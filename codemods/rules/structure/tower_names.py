"""Finds the names that a tower loop passes on to the statements after it, and refuses loops that pass on more."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from codemods.context import Context
from codemods.rules.structure.tower_loop import LeftAloneError, TowerLoop, is_method, name_of, names_in

_STOPS = (
    *(ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.Break, ast.Continue, ast.Global, ast.Nonlocal),
    *(ast.Delete, ast.NamedExpr, ast.Import, ast.ImportFrom),
)
_LATER = ("summary.", "get_collection", "trainable_variables", "global_variables", "all_variables", "name_scope")
_SUMMARIES = ("histogram_summary", "scalar_summary", "image_summary")
_METHODS = ("append", "extend", "format")
_BUILTINS = ("print", "len", "zip", "enumerate", "isinstance", "str", "range")


def needed_later(towers: TowerLoop, context: Context) -> list[str]:
    """Returns the names that a tower binds and that statements after the loop read.

    Raises:
        LeftAloneError: a function for each tower would not mean the same as the loop.
    """
    _check_statements(towers)
    _check_order(towers, context)
    bound = _bound(towers)
    _check_carried(towers, bound)
    dropped = {name.id for statement in towers.gradients for name, is_stored in events(statement) if is_stored}
    later = _read_later(towers, {*bound, towers.number}, context)
    if towers.number in later:
        raise LeftAloneError(f"{towers.number} is read after the loop")
    needed = [name for name in bound if name in later and name != towers.averaged]
    definite = {name for statement in towers.body for name in _definite(statement)} | _scope_name(towers)
    for name in needed:
        if name in dropped:
            raise LeftAloneError(f"the last tower's gradients, {name}, are read after the loop")
        if name not in definite:
            raise LeftAloneError(f"{name} is read after the loop, and not every tower binds it")
    return needed


def events(node: ast.AST) -> Iterator[tuple[ast.Name, bool]]:
    """Yields the names within a node in the order of evaluation, and whether each is bound there."""
    if isinstance(node, ast.Name):
        yield node, isinstance(node.ctx, ast.Store)
        return
    children = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Assign | ast.AnnAssign):
        children = [part for part in (node.value, *getattr(node, "targets", [getattr(node, "target", None)])) if part]
    elif isinstance(node, ast.AugAssign):
        if isinstance(node.target, ast.Name):
            yield node.target, False
        children = [node.value, node.target]
    elif isinstance(node, ast.For):
        children = [node.iter, node.target, *node.body, *node.orelse]
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        targets = (target for part in node.generators for target in ast.walk(part.target))
        own = {target.id for target in targets if isinstance(target, ast.Name)}
        for child in children:
            yield from ((name, stored) for name, stored in events(child) if name.id not in own)
        return
    for child in children:
        yield from events(child)


def _scope_name(towers: TowerLoop) -> set[str]:
    given = towers.scope.optional_vars
    return {given.id} if isinstance(given, ast.Name) else set()


def _bound(towers: TowerLoop) -> list[str]:
    stored = (name.id for statement in towers.body for name, is_stored in events(statement) if is_stored)
    return list(dict.fromkeys([*sorted(_scope_name(towers)), *stored]))


def _check_statements(towers: TowerLoop) -> None:
    for statement in towers.body:
        for node in ast.walk(statement):
            if isinstance(node, _STOPS):
                raise LeftAloneError(f"a tower has a statement that cannot move into a function: {ast.unparse(node)}")
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.lineno != node.end_lineno:
                raise LeftAloneError("a tower has a string of several lines, whose indentation would change")
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                raise LeftAloneError(f"a tower defines {node.name}; define it before the loop")


def _check_order(towers: TowerLoop, context: Context) -> None:
    """Checks that the statements which train.towers runs in another order make no operations."""
    body = towers.body
    following = body[body.index(towers.gradients[0]) + 1 :]
    for call in _calls(statement for statement in following if statement not in towers.gradients):
        if not _is_plain(call):
            raise LeftAloneError(
                f"{ast.unparse(call)} comes after compute_gradients in each tower, but train.towers computes the "
                "gradients last"
            )
    after = _statements_between(towers, context)
    for call in _calls(statement for statement in after if statement is not towers.averaging):
        name = name_of(call, context)
        if not (name.startswith(_LATER) or name in _SUMMARIES or _is_plain(call)):
            raise LeftAloneError(
                f"{ast.unparse(call)} is between the loop and apply_gradients, but train.towers does both in one call"
            )
    stored = [
        name.id
        for statement in after
        if statement is not towers.averaging
        for name, is_stored in events(statement)
        if is_stored
    ]
    changed = [part for statement in after for part in ast.walk(statement) if _changes(part, towers.averaged)]
    named = [name for name in names_in(towers.enclosing, towers.averaged) if name not in towers.empty_list.targets]
    outside = [name for name in named if isinstance(name.ctx, ast.Store)]
    inside = names_in(towers.outer, towers.averaged)
    if towers.averaged in stored or changed or len([store for store in outside if store not in inside]) != 1:
        raise LeftAloneError(
            f"the averaged gradients, {towers.averaged}, are changed before they are applied; give towers a clip= "
            "function instead"
        )


def _statements_between(towers: TowerLoop, context: Context) -> list[ast.stmt]:
    parent = context.parent(towers.outer) or context.tree
    block: list[ast.stmt] = next(
        body for body in (getattr(parent, "body", []), getattr(parent, "orelse", [])) if towers.outer in body
    )
    return block[block.index(towers.outer) + 1 : block.index(towers.applying)]


def _calls(statements: Iterable[ast.stmt]) -> Iterator[ast.Call]:
    for statement in statements:
        yield from (node for node in ast.walk(statement) if isinstance(node, ast.Call))


def _is_plain(call: ast.Call) -> bool:
    """Returns whether a call makes no operations: a method of lists and strings, or a builtin function."""
    return any(is_method(call, name) for name in _METHODS) or getattr(call.func, "id", "") in _BUILTINS


def _changes(node: ast.AST, name: str) -> bool:
    """Returns whether the node changes the object: name.append(...), name[0] = ..."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        return bool(names_in(node.value, name))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return isinstance(node.func.value, ast.Name) and node.func.value.id == name
    return False


def _check_carried(towers: TowerLoop, bound: list[str]) -> None:
    seen = {towers.number, *_scope_name(towers)}
    for statement in towers.body:
        for name, is_stored in events(statement):
            if is_stored:
                seen.add(name.id)
            elif name.id in bound and name.id not in seen:
                raise LeftAloneError(f"{name.id} is carried from one tower to the next")


def _read_later(towers: TowerLoop, names: set[str], context: Context) -> set[str]:
    """Returns the names whose value of the loop a later statement may read."""
    end = towers.outer.end_lineno or 0
    decided: dict[str, bool] = {}
    for name, is_stored in events(towers.enclosing):
        if name.id in names and name.lineno > end and not (is_stored and _is_conditional(name, towers, context)):
            decided.setdefault(name.id, not is_stored)
    for function in ast.walk(towers.enclosing):
        if isinstance(function, ast.FunctionDef | ast.Lambda) and function is not towers.enclosing:
            decided |= {name.id: True for name, is_stored in events(function) if not is_stored and name.id in names}
    return {name for name, is_read in decided.items() if is_read}


def _is_conditional(name: ast.Name, towers: TowerLoop, context: Context) -> bool:
    """Returns whether the name is bound in a function, or in a statement that may not run."""
    node = context.parent(name)
    while node is not None and node is not towers.enclosing:
        if isinstance(node, ast.If | ast.For | ast.While | ast.Try | ast.FunctionDef | ast.Lambda | ast.ClassDef):
            return towers.outer not in ast.walk(node)
        node = context.parent(node)
    return False


def _definite(statement: ast.stmt) -> Iterator[str]:
    """Yields the names that a statement always binds."""
    if isinstance(statement, ast.With):
        for item in statement.items:
            yield from (name.id for name, is_stored in events(item) if is_stored)
        for part in statement.body:
            yield from _definite(part)
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        yield from (name.id for name, is_stored in events(statement) if is_stored)
