"""LIB010: imports from scipy.sparse.linalg.eigen, which is private since SciPy 1.8."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety

_OLD = ("scipy.sparse.linalg.eigen", "scipy.sparse.linalg.eigen.arpack", "scipy.sparse.linalg.eigen.arpack.arpack")
_PUBLIC = frozenset(["eigs", "eigsh", "svds", "lobpcg", "ArpackError", "ArpackNoConvergence"])


def find(node: ast.ImportFrom, context: Context) -> Iterator[Hit]:  # noqa: ARG001
    """Yields a hit on an import of the solvers from their old path."""
    if node.level or node.module not in _OLD:
        return
    message = f"{node.module} became private in SciPy 1.8; the solvers are public in scipy.sparse.linalg"
    if all(alias.name in _PUBLIC for alias in node.names):
        yield Hit(node, message, rewrite=ast.unparse(ast.ImportFrom("scipy.sparse.linalg", node.names, 0)))
    else:
        yield Hit(node, message, Safety.MANUAL, todo=True)


rule = Rule(
    code="LIB010",
    name="arpack",
    summary="from scipy.sparse.linalg.eigen.arpack import eigsh -> from scipy.sparse.linalg import eigsh",
    why="SciPy 1.8 made the subpackage private. The functions are the same.",
    safety=Safety.SAFE,
    on=(ast.ImportFrom,),
    find=find,
    examples=(
        Example("from scipy.sparse.linalg.eigen.arpack import eigsh\n", "from scipy.sparse.linalg import eigsh\n"),
        Example(
            "from scipy.sparse.linalg.eigen import arpack\n",
            reported=True,
            after="# TODO(codemods LIB010): scipy.sparse.linalg.eigen became private in SciPy 1.8; the solvers are "
            "public in scipy.sparse.linalg\nfrom scipy.sparse.linalg.eigen import arpack\n",
        ),
        Example("from scipy.sparse.linalg import eigsh\n"),
    ),
)
