"""LIB008: sklearn.cross_validation became sklearn.model_selection."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.removed.of_modules import CROSS_VALIDATION
from codemods.rule import Example, Hit, Rule, Safety

_SAME = frozenset(name.removeprefix("sklearn.cross_validation.") for name in CROSS_VALIDATION)
_OLD = ("cross_validation", "grid_search", "learning_curve")


def find(node: ast.ImportFrom, context: Context) -> Iterator[Hit]:  # noqa: ARG001
    """Yields a hit on an import of functions that moved, and a finding on classes that also changed."""
    if node.level or (node.module or "") not in [f"sklearn.{old}" for old in _OLD]:
        return
    moved = all(alias.name in _SAME for alias in node.names) and node.module == "sklearn.cross_validation"
    message = f"{node.module} became sklearn.model_selection in scikit-learn 0.18"
    if moved:
        yield Hit(node, message, rewrite=ast.unparse(ast.ImportFrom("sklearn.model_selection", node.names, 0)))
    else:
        why = f"{message}, and its iterators take other arguments (KFold(n_splits), then .split(x))"
        yield Hit(node, why, Safety.MANUAL, todo=True)


rule = Rule(
    code="LIB008",
    name="cross-validation",
    summary="from sklearn.cross_validation import train_test_split -> from sklearn.model_selection import ...",
    why="scikit-learn 0.20 removed the old modules. The functions moved without a change. The iterators take other "
    "arguments.",
    safety=Safety.SAFE,
    on=(ast.ImportFrom,),
    find=find,
    examples=(
        Example(
            "from sklearn.cross_validation import train_test_split\n",
            "from sklearn.model_selection import train_test_split\n",
        ),
        Example(
            "from sklearn.grid_search import GridSearchCV\n",
            "# TODO(codemods LIB008): sklearn.grid_search became sklearn.model_selection in scikit-learn 0.18, and its "
            "iterators take other arguments (KFold(n_splits), then .split(x))\n"
            "from sklearn.grid_search import GridSearchCV\n",
        ),
        Example("from sklearn.model_selection import train_test_split\n"),
    ),
)
