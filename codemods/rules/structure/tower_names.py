"""Which names a tower loop passes on: from one tower to the next, and to what follows the loop."""

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


def needed_later(found: TowerLoop, context: Context) -> list[str]:
    """What a tower binds and the statements after the loop read, of the last tower.

    Raises LeftAloneError where a function for each tower would not mean the same as the loop.
    """
    _check_statements(found)
    _check_order(found, context)
    bound = _bound(found)
    _check_carried(found, bound)
    dropped = {name.id for each in found.gradients for name, is_stored in events(each) if is_stored}
    later = _read_later(found, {*bound, found.number}, context)
    if found.number in later:
        raise LeftAloneError(f"{found.number} is read after the loop")
    needed = [name for name in bound if name in later and name != found.averaged]
    definite = {name for each in found.body for name in _definite(each)} | _scope_name(found)
    for name in needed:
        if name in dropped:
            raise LeftAloneError(f"the last tower's gradients, {name}, are read after the loop")
        if name not in definite:
            raise LeftAloneError(f"{name} is read after the loop, and not every tower binds it")
    return needed


def events(node: ast.AST) -> Iterator[tuple[ast.Name, bool]]:
    """The names within a node in the order they are evaluated, and whether each is bound there."""
    if isinstance(node, ast.Name):
        yield node, isinstance(node.ctx, ast.Store)
        return
    children = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Assign | ast.AnnAssign):
        children = [each for each in (node.value, *getattr(node, "targets", [getattr(node, "target", None)])) if each]
    elif isinstance(node, ast.AugAssign):
        if isinstance(node.target, ast.Name):
            yield node.target, False
        children = [node.value, node.target]
    elif isinstance(node, ast.For):
        children = [node.iter, node.target, *node.body, *node.orelse]
    elif isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        own = {each.id for part in node.generators for each in ast.walk(part.target) if isinstance(each, ast.Name)}
        for child in children:
            yield from ((name, stored) for name, stored in events(child) if name.id not in own)
        return
    for child in children:
        yield from events(child)


def _scope_name(found: TowerLoop) -> set[str]:
    given = found.scope.optional_vars
    return {given.id} if isinstance(given, ast.Name) else set()


def _bound(found: TowerLoop) -> list[str]:
    stored = (name.id for each in found.body for name, is_stored in events(each) if is_stored)
    return list(dict.fromkeys([*sorted(_scope_name(found)), *stored]))


def _check_statements(found: TowerLoop) -> None:
    for statement in found.body:
        for node in ast.walk(statement):
            if isinstance(node, _STOPS):
                raise LeftAloneError(f"a tower has a statement that cannot move into a function: {ast.unparse(node)}")
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.lineno != node.end_lineno:
                raise LeftAloneError("a tower has a string of several lines, whose indentation would change")
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                raise LeftAloneError(f"a tower defines {node.name}; define it before the loop")


def _check_order(found: TowerLoop, context: Context) -> None:
    """What towers does in another order than the program makes no operations that could tell."""
    body = found.body
    following = body[body.index(found.gradients[0]) + 1 :]
    for call in _calls(each for each in following if each not in found.gradients):
        if not _is_plain(call):
            raise LeftAloneError(
                f"{ast.unparse(call)} comes after compute_gradients in each tower, but train.towers computes the "
                "gradients last"
            )
    after = _statements_between(found, context)
    for call in _calls(each for each in after if each is not found.averaging):
        name = name_of(call, context)
        if not (name.startswith(_LATER) or name in _SUMMARIES or _is_plain(call)):
            raise LeftAloneError(
                f"{ast.unparse(call)} is between the loop and apply_gradients, but train.towers does both in one call"
            )
    stored = [name.id for each in after if each is not found.averaging for name, is_stored in events(each) if is_stored]
    changed = [part for each in after for part in ast.walk(each) if _changes(part, found.averaged)]
    named = [name for name in names_in(found.home, found.averaged) if name not in found.made.targets]
    outside = [name for name in named if isinstance(name.ctx, ast.Store)]
    inside = names_in(found.outer, found.averaged)
    if found.averaged in stored or changed or len([each for each in outside if each not in inside]) != 1:
        raise LeftAloneError(
            f"the averaged gradients, {found.averaged}, are changed before they are applied; give towers a clip= "
            "function instead"
        )


def _statements_between(found: TowerLoop, context: Context) -> list[ast.stmt]:
    parent = context.parent(found.outer) or context.tree
    block: list[ast.stmt] = next(
        each for each in (getattr(parent, "body", []), getattr(parent, "orelse", [])) if found.outer in each
    )
    return block[block.index(found.outer) + 1 : block.index(found.applying)]


def _calls(statements: Iterable[ast.stmt]) -> Iterator[ast.Call]:
    for each in statements:
        yield from (node for node in ast.walk(each) if isinstance(node, ast.Call))


def _is_plain(call: ast.Call) -> bool:
    """Whether a call makes no operations: a method of lists and texts, or a function of Python."""
    return any(is_method(call, name) for name in _METHODS) or getattr(call.func, "id", "") in _BUILTINS


def _changes(node: ast.AST, name: str) -> bool:
    """name.append(...), name[0] = ..."""
    if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
        return bool(names_in(node.value, name))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return isinstance(node.func.value, ast.Name) and node.func.value.id == name
    return False


def _check_carried(found: TowerLoop, bound: list[str]) -> None:
    seen = {found.number, *_scope_name(found)}
    for each in found.body:
        for name, is_stored in events(each):
            if is_stored:
                seen.add(name.id)
            elif name.id in bound and name.id not in seen:
                raise LeftAloneError(f"{name.id} is carried from one tower to the next")


def _read_later(found: TowerLoop, names: set[str], context: Context) -> set[str]:
    """Those of the names whose value of the loop something after it may read."""
    end = found.outer.end_lineno or 0
    decided: dict[str, bool] = {}
    for name, is_stored in events(found.home):
        if name.id in names and name.lineno > end and not (is_stored and _is_conditional(name, found, context)):
            decided.setdefault(name.id, not is_stored)
    for function in ast.walk(found.home):
        if isinstance(function, ast.FunctionDef | ast.Lambda) and function is not found.home:
            decided |= {name.id: True for name, is_stored in events(function) if not is_stored and name.id in names}
    return {name for name, is_read in decided.items() if is_read}


def _is_conditional(name: ast.Name, found: TowerLoop, context: Context) -> bool:
    """Whether a statement that may not run, or a function, binds the name."""
    node = context.parent(name)
    while node is not None and node is not found.home:
        if isinstance(node, ast.If | ast.For | ast.While | ast.Try | ast.FunctionDef | ast.Lambda | ast.ClassDef):
            return found.outer not in ast.walk(node)
        node = context.parent(node)
    return False


def _definite(statement: ast.stmt) -> Iterator[str]:
    """Names that a statement binds whatever happens."""
    if isinstance(statement, ast.With):
        for item in statement.items:
            yield from (name.id for name, is_stored in events(item) if is_stored)
        for each in statement.body:
            yield from _definite(each)
    elif isinstance(statement, ast.Assign | ast.AnnAssign):
        yield from (name.id for name, is_stored in events(statement) if is_stored)
