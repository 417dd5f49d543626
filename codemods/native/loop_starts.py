"""Variables that a loop goes on from: `y = tf.Variable(0.0)`, then `y = y + w * x` in each turn.

The name is a variable before the loop, and a tensor in it. The variable gets a name of its own.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from codemods.names import Names
from codemods.native.builder_names import fresh
from codemods.native.places import names_in_texts, stores
from codemods.native.source_text import SourceText
from codemods.tree import walk


def starts(
    places: Iterable[str], loop: ast.For, names: Names, makes: Callable[[ast.Call], bool]
) -> dict[str, list[ast.Name]]:
    """Returns those places that are variables before a loop, with the names of these variables in the text.

    Args:
        places: The names that the loop reads before it binds them.
        loop: The loop.
        names: The meanings of names.
        makes: Says whether a call makes a variable.
    """
    block = names.parents.get(loop)
    body = next((part for _, part in ast.iter_fields(block) if isinstance(part, list) and loop in part), [])  # type: ignore[arg-type]
    above = body[: body.index(loop)] if loop in body else []
    made: dict[str, list[ast.Name]] = {}
    functions = [node for node in walk(names.tree) if isinstance(node, (ast.FunctionDef, ast.Lambda))]
    others = [node for node in functions if not any(below is loop for below in walk(node))]
    elsewhere = {node.id for function in others for node in walk(function) if isinstance(node, ast.Name)}
    for place in places:
        at = next((n for n in reversed(range(len(above))) if place in stores(above[n])), None)
        statement = above[at] if at is not None else None
        value = statement.value if isinstance(statement, ast.Assign) and len(statement.targets) == 1 else None
        is_plain = isinstance(value, ast.Call) and makes(value) and isinstance(statement.targets[0], ast.Name)  # type: ignore[union-attr]
        if is_plain and at is not None and place not in elsewhere | names_in_texts(names.tree):
            inside = [node for other in above[at:] for node in walk(other)]
            made[place] = [node for node in inside if isinstance(node, ast.Name) and node.id == place]
    return made


def write_starts(made: dict[str, list[ast.Name]], taken: set[str], names: Names, source: SourceText) -> list[str]:
    """Gives these variables names of their own; returns the statements that begin the loop with them."""
    lines: list[str] = []
    for place, nodes in made.items():
        name = fresh(f"first_{place}", taken)
        taken.add(name)
        for node in nodes:
            source.replace(source.span(node), name)
        tf = names.alias_of("tensorflow") or names.alias_of("tensorflow.compat.v1") or "tf"
        lines.append(f"{place} = {tf}.identity({name})")
    return lines
