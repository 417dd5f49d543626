"""Gives each statement its own line: `sess = tf.Session(); sess.run(init);` becomes two lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.native.source_text import SourceText
from codemods.tree import walk


def with_single_statements(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Returns a text without semicolons between statements, and the old number of each line; None if it has none.

    Those behind a colon, as in `if done: a = 1; b = 2`, stay.
    """
    if ";" not in text:
        return None
    tree = ast.parse(text)
    source = SourceText(text, tree)
    added: list[int] = []
    for block in _blocks(tree):
        for place, statement in enumerate(block):
            end = source.span(statement)[1]
            line_end = source.positions.line_end(end)
            follower = block[place + 1] if place + 1 < len(block) else None
            until = source.span(follower)[0] if follower is not None else line_end
            between = source.data[end : min(until, line_end)]
            indent = _begins(place, block, source)
            if not between.lstrip().startswith(b";") or indent is None:
                continue
            if follower is not None and until <= line_end:
                source.replace((end, until), f"\n{indent}")
                added.append(follower.lineno)
            else:
                at = end + between.index(b";")
                source.delete((end, at + 1))
    result = source.result()
    if result == text:
        return None
    numbers = sorted([*range(1, len(text.splitlines()) + 1), *added])
    return result, tuple(numbers)


def _begins(place: int, block: list[ast.stmt], source: SourceText) -> str | None:
    """Returns the white space before the first statement of a line; None if something else begins the line."""
    while place and block[place - 1].end_lineno == block[place].lineno:
        place -= 1
    begins = source.positions.indent(source.span(block[place])[0]) is not None
    return source.indent_of(block[place]) if begins else None


def _blocks(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    for node in walk(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block
