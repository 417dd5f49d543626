"""LIB024: mathematical functions that scipy.misc handed on from scipy.special."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety, Use

# Source: the release notes of SciPy 1.0 (deprecated there) and 1.3 (removed).
NAMES = frozenset(("comb", "factorial", "factorial2", "factorialk", "logsumexp"))


def find(node: ast.expr | ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """A hit on each use through the module, and on each import of the names themselves."""
    if isinstance(node, ast.ImportFrom):
        yield from _import(node)
        return
    name = context.qualified(node) or ""
    head, _, last = name.rpartition(".")
    if isinstance(node, ast.Attribute) and head == "scipy.misc" and last in NAMES:
        yield Hit(node, _message(last), rewrite=f"scipy.special.{last}", imports=("import scipy.special",), alone=True)


def _import(node: ast.ImportFrom) -> Iterator[Hit]:
    """`from scipy.misc import imread, comb`: what is no function of scipy.special stays."""
    moved = [alias for alias in node.names if alias.name in NAMES]
    if node.module != "scipy.misc" or node.level or not moved:
        return
    kept = [alias for alias in node.names if alias.name not in NAMES]
    lines = [ast.unparse(ast.ImportFrom("scipy.misc", kept, 0))] if kept else []
    lines.append(ast.unparse(ast.ImportFrom("scipy.special", moved, 0)))
    yield Hit(node, _message(moved[0].name), rewrite="\n".join(lines))


def _message(name: str) -> str:
    return f"SciPy 1.3 removed scipy.misc.{name}, which was scipy.special.{name}"


rule = Rule(
    code="LIB024",
    name="scipy-special",
    summary="scipy.misc.comb, factorial, logsumexp -> scipy.special",
    why="scipy.misc only handed these functions on; scipy.special has them with the same arguments.",
    safety=Safety.SAFE,
    on=(Use, ast.ImportFrom),
    packages=("scipy",),
    find=find,
    examples=(
        Example(
            "from scipy.misc import imread, logsumexp as lse\ny = lse(x)\n",
            "from scipy.misc import imread\nfrom scipy.special import logsumexp as lse\ny = lse(x)\n",
        ),
        Example(
            "import scipy.misc\ny = scipy.misc.comb(4, 2)\n",
            "import scipy.special\nimport scipy.misc\ny = scipy.special.comb(4, 2)\n",
        ),
        Example(
            "from scipy import misc\ny = misc.factorial(4)\n",
            "import scipy.special\nfrom scipy import misc\ny = scipy.special.factorial(4)\n",
        ),
        Example("from scipy.special import comb\ny = comb(4, 2)\n"),
        Example("from mine import misc\ny = misc.comb(4, 2)\n"),
    ),
)
