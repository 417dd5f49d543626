"""Places: the names and attributes that hold what a program builds, such as `x` and `self.x`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from codemods.tree import walk

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_OWN_NAMES = (*FUNCTIONS, *COMPREHENSIONS)


def place_of(node: ast.AST) -> str | None:
    """Returns the place that an expression names: "x", or "self.x"; None if it names none."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
        return f"self.{node.attr}"
    return None


def calls_bound_to(place: str | None, tree: ast.AST) -> list[ast.Call]:
    """Returns the calls whose results a place holds, in a whole file; none if it is bound to anything else."""
    calls: list[ast.Call] = []
    stores = 0
    for below in walk(tree):
        if isinstance(below, ast.arg) and below.arg == place:
            return []
        stores += place_of(below) == place and isinstance(getattr(below, "ctx", None), ast.Store)
        for target in below.targets if isinstance(below, ast.Assign) else ():
            for part, value in bound_pairs(target, below.value):  # type: ignore[attr-defined]
                calls += [value] if place_of(part) == place and isinstance(value, ast.Call) else []
    return calls if place is not None and len(calls) == stores else []


def is_main_block(statement: ast.stmt) -> TypeGuard[ast.If]:
    """Returns whether a statement is `if __name__ == '__main__':`."""
    if not isinstance(statement, ast.If) or statement.orelse:
        return False
    return ast.unparse(statement.test) in ("__name__ == '__main__'", "'__main__' == __name__")


def method_of(call: ast.Call) -> str:
    """Returns the last part of the dotted name of what is called, such as `apply`; "" if it is a name alone."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def last_name(node: ast.AST | None) -> str:
    """Returns the last name of a place, "train_op" for model.train_op; "" for other expressions."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_none(node: ast.AST) -> bool:
    """Returns whether an expression is the constant None."""
    return isinstance(node, ast.Constant) and node.value is None


def named_arguments(call: ast.Call, parameters: Sequence[str]) -> dict[str, ast.expr]:
    """Returns parameter -> argument; that of `**options` has the name "**". Surplus arguments are left out."""
    given = dict(zip(parameters, call.args, strict=False))
    return given | {keyword.arg or "**": keyword.value for keyword in call.keywords}


def uses(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yields each place that is read below a node, with its node. Names of inner scopes are left out."""
    yield from _uses(node, frozenset())


def _uses(node: ast.AST, own: frozenset[str]) -> Iterator[tuple[str, ast.AST]]:
    place = place_of(node)
    if place is not None and isinstance(node, (ast.Name, ast.Attribute)):
        if isinstance(node.ctx, ast.Load) and place not in own:
            yield place, node
        return
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        for outside in (*node.decorator_list, node.args):
            yield from _uses(outside, own)
        own = own | bound_names(node)
        for statement in node.body:
            yield from _uses(statement, own)
        return
    if isinstance(node, _OWN_NAMES):
        own = own | bound_names(node)
    for child in ast.iter_child_nodes(node):
        yield from _uses(child, own)


def outer_reads(node: ast.stmt) -> set[str]:
    """Returns the places that a statement reads, but those that a branch of it binds before it reads them."""
    return _outer_reads([node], set())[0] if isinstance(node, ast.If) else {place for place, _ in uses(node)}


def _outer_reads(statements: Sequence[ast.stmt], bound: set[str]) -> tuple[set[str], set[str]]:
    """Returns what statements read of what is bound before them, and what is bound after them."""
    reads: set[str] = set()
    for statement in statements:
        if isinstance(statement, ast.If):
            ways = [_outer_reads(body, bound) for body in (statement.body, statement.orelse)]
            reads |= {place for place, _ in uses(statement.test)} - bound
            reads |= ways[0][0] | ways[1][0]
            bound = ways[0][1] & ways[1][1]
        elif isinstance(statement, ast.With):
            heads = [part for item in statement.items for part in (item.context_expr, item.optional_vars) if part]
            reads |= {place for head in heads for place, _ in uses(head)} - bound
            inside, bound = _outer_reads(statement.body, bound.union(*map(stores, heads)))
            reads |= inside
        else:
            reads |= {place for place, _ in uses(statement)} - bound
            bound = bound | stores(statement) if isinstance(statement, ast.Assign) else bound
    return reads, bound


def variable_names(tree: ast.AST) -> set[str]:
    """Returns the names of all variables and parameters in a tree."""
    named = {node.id for node in walk(tree) if isinstance(node, ast.Name)}
    return named | {node.arg for node in walk(tree) if isinstance(node, ast.arg)}


def bound_names(node: ast.AST) -> frozenset[str]:
    """Returns the names that a function or comprehension has of its own."""
    names = {argument.arg for argument in walk(node) if isinstance(argument, ast.arg)}
    declared = {name for below in walk(node) if isinstance(below, (ast.Global, ast.Nonlocal)) for name in below.names}
    stores = {below.id for below in walk(node) if isinstance(below, ast.Name) and isinstance(below.ctx, ast.Store)}
    inner = {
        below.name for below in walk(node) if isinstance(below, (ast.FunctionDef, ast.ClassDef)) and below is not node
    }
    return frozenset((names | stores | inner) - declared)


def stores(node: ast.AST) -> set[str]:
    """Returns the places that a statement binds or changes, outside functions and comprehensions in it."""
    places: set[str] = set()
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, _OWN_NAMES):
        return set()
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(node.ctx, (ast.Store, ast.Del)):
        place = place_of(node.value if isinstance(node, ast.Subscript) else node)
        if place is not None:
            places.add(place)
    if isinstance(node, ast.ExceptHandler) and node.name:
        places.add(node.name)
    changed = changed_by(node)
    if changed is not None:
        places.add(changed)
    for child in ast.iter_child_nodes(node):
        places |= stores(child)
    return places


def names_in_texts(node: ast.AST) -> set[str]:
    """Returns the names in f-strings: before Python 3.12 their places in the text are not known."""
    texts = (below for below in walk(node) if isinstance(below, ast.JoinedStr))
    return {name.id for text in texts for name in walk(text) if isinstance(name, ast.Name)}


def mutates(node: ast.stmt) -> set[str]:
    """Returns the places whose containers a statement changes, so that it reads them too."""
    places: set[str] = set()
    for below in walk(node):
        changed = changed_by(below)
        if changed is not None:
            places.add(changed)
        if isinstance(below, ast.AugAssign):
            place = place_of(below.target)
            places |= {place} if place else set()
        if isinstance(below, ast.Subscript) and isinstance(below.ctx, ast.Store):
            place = place_of(below.value)
            places |= {place} if place else set()
    return places


_CHANGES = frozenset(("append", "extend", "insert", "update", "add", "setdefault"))


def changed_by(node: ast.AST) -> str | None:
    """Returns the place of `place.append(value)`, and of `random.shuffle(place)`.

    Only a statement counts: `tf.add(a, b)` changes nothing.
    """
    call = node.value if isinstance(node, ast.Expr) else None
    if (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "shuffle"
        and call.args
    ):
        return place_of(call.args[0])
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in _CHANGES:
        return place_of(call.func.value)
    return None


def bound_pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """Returns what an assignment binds, one by one where both sides are written so."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else None
    values = value.elts if isinstance(value, (ast.Tuple, ast.List)) else None
    if parts is not None and values is not None and len(parts) == len(values):
        return list(zip(parts, values, strict=True))
    return [(target, value)]
