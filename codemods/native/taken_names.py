"""Names that a program has, which what the rewriting adds cannot have."""

from __future__ import annotations

import ast

from codemods.native.items import Body
from codemods.native.kinds import GONE
from codemods.tree import walk


def free_name(name: str, tree: ast.Module) -> str:
    """Returns a name that the file has not, from a wished one."""
    has = {node.id for node in walk(tree) if isinstance(node, ast.Name)}
    return next(wished for wished in (name, f"graph_{name}", f"all_{name}_of_graph") if wished not in has)


def taken_names(tree: ast.Module, body: Body) -> set[str]:
    """Returns the names that functions cannot have: all but those of places that vanish."""
    kept = {node.name for node in walk(tree) if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    kept |= {node.arg for node in walk(tree) if isinstance(node, ast.arg)}
    kept |= {
        (alias.asname or alias.name).split(".")[0]
        for node in walk(tree)
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    for item in body.items:
        if item.effects.runs:
            kept |= {n.id for n in walk(item.node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        elif not item.moves and item.kind not in GONE:
            kept |= item.writes
    return kept | {name.removeprefix("self.") for name in kept} | {"tf", "keras", "np"}
