"""Several objects of one class, each made in a scope of its own, as two agents that share a session."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from codemods import scopes
from codemods.names import Names
from codemods.native.call_order import runs_again
from codemods.native.closed_classes import uses_of
from codemods.native.kinds import v1_name
from codemods.native.layers import scope_name
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText


def calls_apart(owner: ast.ClassDef, tree: ast.Module, names: Names) -> list[ast.Call] | None:
    """Returns the calls that make the objects of a class: one, or several with a scope of their own for each.

    None if a call may run again, if objects share a scope, or if the class is used otherwise.
    """
    made: list[ast.Call] = []
    for use in uses_of(owner, tree):
        call = names.parents.get(use)
        if not isinstance(call, ast.Call) or call.func is not use or runs_again(call, tree, names):
            return None
        made.append(call)
    named = {_first_name(scope, names) for call in made if (scope := scope_of(call, names)) is not None}
    return made if len(made) == 1 or (len(named) == len(made) and None not in named) else None


def scope_of(call: ast.AST | None, names: Names) -> ast.Call | None:
    """Returns the scope of `with tf.variable_scope("name"): model = Model(...)`, if no other scope is round it."""
    statement = names.parents.get(call) if isinstance(call, ast.Call) else None
    block = names.parents.get(statement) if isinstance(statement, ast.Assign) else None
    if not isinstance(block, ast.With) or len(block.items) != 1 or block.items[0].optional_vars is not None:
        return None
    outer = names.parents.get(block)
    while outer is not None:
        items = outer.items if isinstance(outer, ast.With) else ()
        made = (item.context_expr.func for item in items if isinstance(item.context_expr, ast.Call))
        if len(items) != sum(v1_name(names, function) == "Session" for function in made):
            return None
        outer = names.parents.get(outer)
    context = block.items[0].context_expr
    if not isinstance(context, ast.Call) or context.keywords or v1_name(names, context.func) != "variable_scope":
        return None
    return context


def _first_name(context: ast.expr, names: Names) -> str | None:
    try:
        scope = scope_name(context, names)
    except NotNativeError:
        return None
    return scope.split("/")[0] if scope else None


def scopes_of_objects(text: str, owners: Sequence[ast.ClassDef]) -> str:
    """Returns a text whose objects stand in a `tf.name_scope` each, which begins the names of their variables.

    TensorFlow 2 has no `variable_scope`, and its `name_scope` begins the names of variables.
    """
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    for use in (use for owner in owners for use in uses_of(owner, tree)):
        scope = scope_of(names.parents.get(use), names)
        if scope is not None:
            source.replace(source.span(scope.func), f"{names.alias_of('tensorflow') or 'tf'}.name_scope")
    return source.result()
