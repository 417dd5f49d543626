"""The parser that stands in for fissix's makes the same trees of the same texts, and refuses the same."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fissix import pygram, pytree
from fissix.pgen2 import driver, parse, tokenize

from codemods.fixers.parser import Driver
from codemods.registry import all_rules

LEGACY = sorted((Path(__file__).parents[2] / "fixtures/legacy").rglob("*.py"))
TEXTS = {path.name: path.read_text() for path in LEGACY}
TEXTS |= {rule.code: "\n".join(example.before for example in rule.examples) for rule in all_rules()}
TEXTS |= {
    "empty": "",
    "comment": "# a\n\n",
    "continued": "x = 1 + \\\n    2\nif x: \\\n  y\n",
    "python2": "print >>f, `x`, 0777, 1L\nexec 'x' in d\nraise E, 'm'\ndef f((a, b), *c): pass\nlambda (a, b): a\n",
    "dedents": "if a:\n    if b:\n        pass\n  # c\nelse:\n\tx\n",
    "unclosed": "f(1, [2\n",
    "wrong": "a = = b\n",
    "too much": "x y\n",
    "indent": "if x:\npass\n",
}


def nodes(node: Any) -> Iterator[tuple[Any, ...]]:
    """Every node of a tree, with all that is known of it."""
    own = (getattr(node, name, None) for name in ("type", "value", "_prefix", "lineno", "column"))
    yield (*own, len(node.children))
    for child in node.children:
        assert child.parent is node
        yield from nodes(child)


def outcome(parser: Any, text: str) -> Any:
    """What a parser makes of a text: all nodes and the names in it, or the error."""
    try:
        tree = parser.parse_string(text)
    except (parse.ParseError, tokenize.TokenError, IndentationError) as error:
        return type(error)
    return list(nodes(tree)), tree.used_names, str(tree)


@pytest.mark.parametrize("grammar", [pygram.python_grammar, pygram.python_grammar_no_print_statement])
@pytest.mark.parametrize("name", TEXTS)
def test_trees_are_those_of_fissix(name: str, grammar: Any) -> None:
    own = driver.Driver(grammar, pytree.convert)
    assert outcome(Driver(own), TEXTS[name]) == outcome(own, TEXTS[name])
