"""LIB021: old spellings of unittest's assertions."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.context import Context
from codemods.removed.of_methods import ASSERTIONS
from codemods.rule import Example, Hit, Rule, Safety

RENAMED = {name.removeprefix("unittest.TestCase."): row.new for name, row in ASSERTIONS.items()}


def find(call: ast.Call, context: Context) -> Iterator[Hit]:
    """Yields a hit on self.assertEquals(...) and others, unless the file defines a method of that name."""
    name = call.func
    if not isinstance(name, ast.Attribute) or name.attr not in RENAMED:
        return
    if not isinstance(name.value, ast.Name) or name.value.id != "self" or name.attr in _own(context):
        return
    new = RENAMED[name.attr]
    message = f"{name.attr} is {new} today; Python 3.12 removed the old spelling"
    yield Hit(name, message, rewrite=f"self.{new}")


def _own(context: Context) -> set[str]:
    return {node.name for node in context.names.nodes.get(ast.FunctionDef, []) if isinstance(node, ast.FunctionDef)}


_TEST = "import unittest\nclass T(unittest.TestCase):\n    def test(self):\n"

rule = Rule(
    code="LIB021",
    name="unittest-names",
    summary="self.assertEquals -> self.assertEqual, self.assertRaisesRegexp -> self.assertRaisesRegex",
    why="These were other names of the same methods. Python 3.12 removed them (3.0 removed assertItemsEqual).",
    safety=Safety.SAFE,
    on=(ast.Call,),
    find=find,
    examples=(
        Example(f"{_TEST}        self.assertEquals(1, 1)\n", f"{_TEST}        self.assertEqual(1, 1)\n"),
        Example(
            f"{_TEST}        self.assertRaisesRegexp(ValueError, 'x', f)\n",
            f"{_TEST}        self.assertRaisesRegex(ValueError, 'x', f)\n",
        ),
        Example(f"{_TEST}        self.assertEqual(1, 1)\n"),
        Example("class T:\n    def assert_(self):\n        pass\n    def test(self):\n        self.assert_()\n"),
    ),
)
