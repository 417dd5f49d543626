"""Whether each class of a program builds a part of the graph that no other part reads, as an actor and a critic do.

Then each class can be rewritten as if it were alone: other code calls the methods of its objects, as before. The names
of its variables must not depend on the other parts either, and nothing may read all variables of the graph.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence, Set

from codemods.names import Names
from codemods.native.closed_classes import has_plain_bases, is_closed, uses_of
from codemods.native.kinds import OF_VARIABLES, Kind, kind_of_call, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.layers import scope_name
from codemods.native.mains import builds
from codemods.native.refusals import NotNativeError
from codemods.native.scopes_of_objects import calls_apart, scope_of
from codemods.tree import walk

_OF_ALL = frozenset(
    (
        "trainable_variables", "global_variables", "all_variables", "local_variables", "model_variables",
        "get_collection", "get_collection_ref", "add_to_collection", "train.Saver", "summary.merge_all",
        "merge_all_summaries", "train.get_or_create_global_step", "train.create_global_step", "train.get_global_step",
        "reset_default_graph", "Graph", "get_default_graph", "get_variable_scope", "control_dependencies",
        "losses.get_total_loss", "losses.get_losses", "report_uninitialized_variables", "global_variables_initializer",
        "initialize_all_variables", "local_variables_initializer", "initialize_local_variables",
    )
)  # fmt: skip
"""Names that give what is in the whole graph, or that change it."""
_SWITCHES = ("disable_v2_behavior", "enable")
"""Statements of a file that say how it runs."""


def owners_apart(tree: ast.Module, names: Names) -> list[ast.ClassDef]:
    """Returns the classes that each build a part of the graph of their own; none if this is not certain."""
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    owners = [node for node in classes if any(builds(method, names) for method in _methods(node))]
    others = [node for node in tree.body if node not in owners]
    made = [use for owner in owners for use in uses_of(owner, tree)]
    opened = {id(scope) for use in made if (scope := scope_of(names.parents.get(use), names)) is not None}
    if not owners or any(_builds_below(node, names, opened) for node in others):
        return []
    if len(made) < 2 or not all(_is_opaque(owner, owners, tree, names) for owner in owners):
        return []
    taken: set[str] = set()
    for owner in owners:
        stated = set(_beginnings(owner, names))
        below = (node for other in tree.body if other is not owner for node in walk(other))
        texts = {node.value for node in below if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        clashing = taken | (texts if _counts_names(owner, names) else set())
        if not stated or None in stated or stated & clashing:
            return []
        taken |= {name for name in stated if name is not None}
    return owners


def _methods(owner: ast.ClassDef) -> list[ast.FunctionDef]:
    return [node for node in owner.body if isinstance(node, ast.FunctionDef)]


def _builds_below(node: ast.AST, names: Names, opened: Set[int]) -> bool:
    """Returns whether code makes parts of a graph, or reads all of it. `opened`: the scopes of objects."""
    for call in (below for below in walk(node) if isinstance(below, ast.Call)):
        name = v1_name(names, call.func)
        if name is None or name in _SWITCHES or id(call) in opened:
            continue
        kind = kind_of_call(name)
        if kind not in (Kind.PYTHON, Kind.WRITER) or name in LAYERS or kind in OF_VARIABLES:
            return True
    return False


def _is_opaque(owner: ast.ClassDef, owners: Sequence[ast.ClassDef], tree: ast.Module, names: Names) -> bool:
    """Returns whether the objects of a class are apart, and other code reads none of their tensors."""
    calls = calls_apart(owner, tree, names)
    if calls is None or not has_plain_bases(owner, tree, names):
        return False
    called = {v1_name(names, node.func) or "" for node in walk(owner) if isinstance(node, ast.Call)}
    others = {name for name in called if name in LAYERS or kind_of_call(name) in OF_VARIABLES}
    if called & _OF_ALL or (len(calls) > 1 and others - {"get_variable", "Variable"}):
        return False  # Keras gives the layers of several objects the same names
    return is_closed(owner, tree, names, [other for other in owners if other is not owner])


def _counts_names(owner: ast.ClassDef, names: Names) -> bool:
    """Returns whether names of a class' variables get numbers where another part has such a name: `tf.Variable` do."""
    calls = (node for node in walk(owner) if isinstance(node, ast.Call))
    made = {v1_name(names, call.func) or "" for call in calls}
    return any(kind_of_call(name) in OF_VARIABLES for name in made - {"get_variable"})


def _beginnings(owner: ast.ClassDef, names: Names) -> Iterator[str | None]:
    """Yields the first part of the name of each variable of a class; None where the source does not say it."""
    for call in (node for node in walk(owner) if isinstance(node, ast.Call)):
        name = v1_name(names, call.func) or ""
        if name not in LAYERS and kind_of_call(name) not in OF_VARIABLES:
            continue
        outer = list(_blocks_round(call, owner, names))
        try:
            scope = scope_name(outer[-1], names) if outer else _own_name(call, name)
        except NotNativeError:
            scope = None
        yield scope.split("/")[0] if scope else None


def _own_name(call: ast.Call, function: str) -> str | None:
    given = next((keyword.value for keyword in call.keywords if keyword.arg == "name"), None)
    if given is None and function == "get_variable" and call.args:
        given = call.args[0]
    if given is None and function == "Variable":
        return "Variable"
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else None


def _blocks_round(node: ast.AST, owner: ast.ClassDef, names: Names) -> Iterator[ast.expr]:
    """Yields the variable scopes round a node of a method, the inner ones first."""
    while (parent := names.parents.get(node)) is not owner and parent is not None:
        if isinstance(parent, ast.With):
            yield from (
                part.context_expr
                for part in reversed(parent.items)
                if isinstance(part.context_expr, ast.Call)
                and v1_name(names, part.context_expr.func) == "variable_scope"
            )
        node = parent
