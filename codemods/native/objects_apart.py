"""Whether each class of a program builds a part of the graph that no other part reads, as an actor and a critic do.

Then each class can be rewritten as if it were alone: other code calls the methods of its objects, as before. The names
of its variables must not depend on the other parts either, and nothing may read all variables of the graph.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from codemods.names import Names
from codemods.native.graphs_apart import runs_again
from codemods.native.kinds import OF_VARIABLES, Kind, kind_of_call, v1_name
from codemods.native.layers import NAMES as LAYERS
from codemods.native.layers import scope_name
from codemods.native.mains import builds
from codemods.native.refusals import NotNativeError
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
    if not owners or any(_builds_below(node, names) for node in others):
        return []
    made = [use for owner in owners for use in _uses(owner, tree)]
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


def _builds_below(node: ast.AST, names: Names) -> bool:
    """Returns whether code makes parts of a graph, or reads all of it."""
    for call in (below for below in walk(node) if isinstance(below, ast.Call)):
        name = v1_name(names, call.func)
        if name is None or name in _SWITCHES:
            continue
        kind = kind_of_call(name)
        if kind not in (Kind.PYTHON, Kind.WRITER) or name in LAYERS or kind in OF_VARIABLES:
            return True
    return False


def _uses(owner: ast.ClassDef, tree: ast.Module) -> list[ast.Name]:
    return [node for node in walk(tree) if isinstance(node, ast.Name) and node.id == owner.name]


def _is_opaque(owner: ast.ClassDef, owners: Iterable[ast.ClassDef], tree: ast.Module, names: Names) -> bool:
    """Returns whether one object of a class is made, and other code reads none of its tensors."""
    uses = _uses(owner, tree)
    call = names.parents.get(uses[0]) if len(uses) == 1 else None
    if not isinstance(call, ast.Call) or call.func is not uses[0] or runs_again(call, tree, names):
        return False
    if owner.decorator_list or owner.keywords or any(ast.unparse(base) != "object" for base in owner.bases):
        return False
    inside = {id(below) for below in walk(owner)}
    if any(v1_name(names, node.func) in _OF_ALL for node in walk(owner) if isinstance(node, ast.Call)):
        return False
    methods = {method.name for method in _methods(owner)}
    attributes = {
        node.attr
        for node in walk(owner)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and node.attr not in methods
    }
    for node in walk(tree):
        if id(node) in inside:
            continue
        if isinstance(node, ast.Attribute) and node.attr in attributes:
            holder = next((other for other in owners if other is not owner and _is_below(node, other, names)), None)
            if holder is None or not (isinstance(node.value, ast.Name) and node.value.id == "self"):
                return False
        if isinstance(node, ast.Name) and node.id in ("getattr", "setattr", "vars", "hasattr"):
            return False
    return True


def _is_below(node: ast.AST, owner: ast.ClassDef, names: Names) -> bool:
    while (parent := names.parents.get(node)) is not None:
        if parent is owner:
            return True
        node = parent
    return False


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
