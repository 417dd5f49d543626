"""The variables of a file: the values that are assigned to a name in its scope, and where the name is read."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from codemods.context import Context


@dataclass(frozen=True)
class Variable:
    """A name of one scope.

    Attributes:
        values: everything that is assigned to it, in the order of the text.
        reads: the places that read it, functions within its scope included.
        private: nothing outside the file can read it, as it is no attribute of a class or of an imported module.
    """

    values: tuple[ast.expr, ...]
    reads: tuple[ast.Name, ...]
    private: bool


def variable_of(name: ast.Name, context: Context, *, enters: bool = False) -> Variable | None:
    """Returns the variable of a name; None if anything but a plain assignment binds it.

    With `enters`, `with value as name` is an assignment, too, as it is for files, which return themselves.
    """
    names = context.names
    bindings = names.bindings(name)
    if not bindings:
        return None
    places = [place for place in names.scopes if names.bindings(place) is bindings]
    stores = [place for place in places if isinstance(place.ctx, ast.Store)]
    values = [_assigned(store, context, enters) for store in stores]
    if len(stores) != len(bindings) or not all(values):
        return None
    scopes = [names.scopes[store] for store in stores]
    imported = context.path in context.project.imported
    private = not any(scope.kind == "class" or (scope.kind == "module" and imported) for scope in scopes)
    reads = tuple(sorted((p for p in places if isinstance(p.ctx, ast.Load)), key=lambda p: (p.lineno, p.col_offset)))
    return Variable(tuple(value for value in values if value is not None), reads, private)


def always_holds(
    name: ast.Name,
    context: Context,
    seen: frozenset[ast.expr],
    holds: Callable[[ast.expr, Context, frozenset[ast.expr]], bool],
    *,
    enters: bool = False,
) -> bool:
    """Returns whether every value assigned to a variable is of a kind: `a = csr_matrix(x)`, and later `a = a.T`.

    Args:
        name: The variable.
        context: The file.
        seen: Values that are followed already; they are taken to be of the kind.
        holds: Returns whether a value is, given the values that are followed then.
        enters: As for `variable_of`.
    """
    variable = variable_of(name, context, enters=enters)
    if variable is None or not variable.values:
        return False
    new = [value for value in variable.values if value not in seen]
    return all(holds(value, context, seen | {*variable.values}) for value in new)


def _assigned(store: ast.Name, context: Context, enters: bool) -> ast.expr | None:
    """Returns the value of `a = value`, or the one for `a` in `a, b = value, other`."""
    parent = context.parent(store)
    if isinstance(parent, ast.withitem):
        return parent.context_expr if enters else None
    if isinstance(parent, ast.Assign | ast.AnnAssign | ast.NamedExpr):
        return parent.value
    assignment = context.parent(parent) if isinstance(parent, ast.Tuple) else None
    if not isinstance(parent, ast.Tuple) or not isinstance(assignment, ast.Assign):
        return None
    value = assignment.value
    if not isinstance(value, ast.Tuple) or len(value.elts) != len(parent.elts):
        return None
    starred = any(isinstance(item, ast.Starred) for item in (*value.elts, *parent.elts))
    return None if starred else value.elts[parent.elts.index(store)]
