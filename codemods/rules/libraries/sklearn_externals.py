"""LIB014: libraries that scikit-learn carried in sklearn.externals."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.removed.of_modules import OTHERS
from codemods.rule import Example, Hit, Rule, Safety

_CARRIED = frozenset(row.new for row in OTHERS.values() if row.new)


def find(node: ast.ImportFrom, context: Context) -> Iterator[Hit]:  # noqa: ARG001
    """Yields a hit on `from sklearn.externals import joblib`, and on imports from inside these libraries."""
    module = node.module or ""
    if node.level or not f"{module}.".startswith("sklearn.externals."):
        return
    inner = module.removeprefix("sklearn.externals").lstrip(".")
    message = "scikit-learn 0.23 removed sklearn.externals; the library is a separate package"
    if inner.split(".")[0] in _CARRIED:
        yield Hit(node, message, rewrite=ast.unparse(ast.ImportFrom(inner, node.names, 0)))
    elif not inner and all(alias.name in _CARRIED for alias in node.names):
        yield Hit(node, message, rewrite=ast.unparse(ast.Import(node.names)))
    else:
        yield Hit(node, f"{message}, or private", Safety.MANUAL, todo=True)


rule = Rule(
    code="LIB014",
    name="sklearn-externals",
    summary="from sklearn.externals import joblib -> import joblib",
    why="Up to 0.23 scikit-learn carried copies of joblib and six (release notes). They are the same libraries.",
    safety=Safety.SAFE,
    on=(ast.ImportFrom,),
    find=find,
    examples=(
        Example("from sklearn.externals import joblib\njoblib.load(f)\n", "import joblib\njoblib.load(f)\n"),
        Example("from sklearn.externals.six import StringIO\n", "from six import StringIO\n"),
        Example("from sklearn.ensemble import RandomForestClassifier\n"),
    ),
)
