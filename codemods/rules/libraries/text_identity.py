"""LIB032: `is` between strings, which gives another result for a single letter in Python 3.11 and 3.12."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from codemods.context import Context
from codemods.rule import Example, Hit, Rule, Safety


def find(node: ast.Compare, _: Context) -> Iterator[Hit]:
    """Yields a hit on `s is "_"` and `s is not "text"`. There is only one empty string, so `s is ""` stays."""
    if len(node.ops) != 1 or not isinstance(node.ops[0], ast.Is | ast.IsNot):
        return
    values = [part.value for part in (node.left, *node.comparators) if isinstance(part, ast.Constant)]
    texts = [value for value in values if isinstance(value, str) and value]
    if any(len(text) == 1 and ord(text) < 256 for text in texts):
        message = "up to Python 3.10, equal single letters were one object; compare with =="
        yield Hit(node, message, rewrite=_compared)
    elif texts:
        message = "is compares objects, and a string that is read or built is another object than this literal"
        yield Hit(node, message, Safety.UNSAFE, rewrite=_compared)


def _compared(node: Any) -> Any:
    import libcst as cst

    target = node.comparisons[0]
    operator = cst.Equal() if isinstance(target.operator, cst.Is) else cst.NotEqual()
    return node.with_changes(comparisons=[target.with_changes(operator=operator)])


rule = Rule(
    code="LIB032",
    name="text-identity",
    summary='s is "_", s is not "text" -> s == "_", s != "text"',
    why="Up to Python 3.10 there was one object for each letter of Latin-1, so `s[0] is '#'` was true if the letters "
    "are equal. In 3.11 and 3.12 it is false, without an error. Longer strings may or may not be the same object. So "
    "== may find more of them equal, which is what the program meant.",
    safety=Safety.SAFE,
    on=(ast.Compare,),
    find=find,
    examples=(
        Example("if line[0] is not '#':\n    print(line)\n", "if line[0] != '#':\n    print(line)\n"),
        Example("kept = [s for s in text if '_' is s]\n", "kept = [s for s in text if '_' == s]\n"),
        Example("if kind is 'knn':\n    fit()\n", "if kind == 'knn':\n    fit()\n", unsafe_fixes=True),
        Example("if kind is 'svm':\n    fit()\n", reported=True),
        Example("if name is '' or name is None or name is 3:\n    name = other\n"),
    ),
)
