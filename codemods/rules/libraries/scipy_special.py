"""LIB024: mathematical functions that scipy.misc re-exported from scipy.special."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from codemods.context import Context
from codemods.removed.of_scipy import SPECIAL
from codemods.rule import Example, Hit, Rule, Safety, Use

NAMES = frozenset(name.removeprefix("scipy.misc.") for name in SPECIAL)


def find(node: ast.expr | ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """Yields a hit on each use through the module, and on each import of the names themselves."""
    yield from moved(node, context, NAMES, "scipy.special")


def moved(
    node: ast.expr | ast.ImportFrom, context: Context, names: Collection[str], home: str, source: str = "scipy.misc"
) -> Iterator[Hit]:
    """Yields hits that replace functions of the module `source` by those of `home` with the same names."""
    if isinstance(node, ast.ImportFrom):
        yield from _import(node, names, home, source)
        return
    head, _, last = (context.qualified(node) or "").rpartition(".")
    if isinstance(node, ast.Attribute) and head == source and last in names:
        message = _message(last, home, source)
        yield Hit(node, message, rewrite=f"{home}.{last}", imports=(f"import {home}",), alone=True)


def _import(node: ast.ImportFrom, names: Collection[str], home: str, source: str) -> Iterator[Hit]:
    """Yields a hit on `from scipy.misc import imread, comb`; names that scipy.special does not have stay."""
    taken = [alias for alias in node.names if alias.name in names]
    if node.module != source or node.level or not taken:
        return
    kept = [alias for alias in node.names if alias.name not in names]
    lines = [ast.unparse(ast.ImportFrom(source, kept, 0))] if kept else []
    lines.append(ast.unparse(ast.ImportFrom(home, taken, 0)))
    yield Hit(node, _message(taken[0].name, home, source), rewrite="\n".join(lines))


def _message(name: str, home: str, source: str) -> str:
    return f"SciPy 1.3 removed {source}.{name}, which is {home}.{name} today"


rule = Rule(
    code="LIB024",
    name="scipy-special",
    summary="scipy.misc.comb, factorial, logsumexp -> scipy.special",
    why="scipy.misc only re-exported these functions. scipy.special has them with the same arguments.",
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
