"""LIB005: abstract base classes moved from `collections` to `collections.abc`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.removed.of_python import COLLECTIONS
from codemods.rule import Example, Hit, Rule, Safety, Use

CLASSES = frozenset(name.removeprefix("collections.") for name in COLLECTIONS)


def find(node: ast.expr | ast.ImportFrom, context: Context) -> Iterator[Hit]:
    """Yields a hit on `collections.Mapping` and other such names, and on their imports."""
    if isinstance(node, ast.ImportFrom):
        moved = [alias for alias in node.names if alias.name in CLASSES]
        if node.module == "collections" and not node.level and moved:
            stay = [alias for alias in node.names if alias not in moved]
            lines = [ast.unparse(ast.ImportFrom("collections", stay, 0))] if stay else []
            lines.append(ast.unparse(ast.ImportFrom("collections.abc", moved, 0)))
            names = ", ".join(alias.name for alias in moved)
            yield Hit(
                node,
                f"{names} moved from collections to collections.abc, and Python 3.10 removed the old names",
                rewrite="\n".join(lines),
            )
        return
    for part, name in context.prefixes(node):
        head, _, last = name.rpartition(".")
        if head == "collections" and last in CLASSES and isinstance(part, ast.Attribute):
            text = f"{context.source(part.value)}.abc.{last}"
            yield Hit(
                part,
                f"{name} moved to collections.abc, and Python 3.10 removed the old name",
                rewrite=text,
                imports=("import collections.abc",),
            )


rule = Rule(
    code="LIB005",
    name="collections-abc",
    summary="collections.Mapping -> collections.abc.Mapping",
    why="Python 3.10 removed the aliases in collections.",
    safety=Safety.SAFE,
    on=(Use, ast.ImportFrom),
    packages=("collections",),
    find=find,
    examples=(
        Example(
            "from collections import Iterable, deque\n",
            "from collections import deque\nfrom collections.abc import Iterable\n",
        ),
        Example(
            "import collections\nimport collections.abc\nok = isinstance(x, collections.Sequence)\n",
            "import collections\nimport collections.abc\nok = isinstance(x, collections.abc.Sequence)\n",
        ),
        Example("import collections\nd = collections.OrderedDict()\n"),
        Example("from collections import namedtuple\n"),
    ),
)
