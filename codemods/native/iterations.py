"""What the names of a loop stand for, one by one: `for w, b in zip(ws, bs)`."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator


def pairs_of(target: ast.expr, iterated: ast.expr, own: Container[str]) -> Iterator[tuple[ast.expr, ast.expr | None]]:
    """Yields the parts of a target with the sequence that each is an element of; None for a number.

    Args:
        target: What a loop binds.
        iterated: What it goes through.
        own: The names that the program gives a meaning of its own.
    """
    called = iterated.func.id if isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name) else ""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else []
    given = iterated.args if isinstance(iterated, ast.Call) and not iterated.keywords else []
    if called in own or any(isinstance(part, ast.Starred) for part in (*parts, *given)):
        yield target, iterated
    elif called == "zip" and len(parts) == len(given) > 0:
        for part, value in zip(parts, given, strict=True):
            yield from pairs_of(part, value, own)
    elif called == "enumerate" and len(parts) == 2 and len(given) == 1:
        yield parts[0], None
        yield from pairs_of(parts[1], given[0], own)
    else:
        yield target, iterated
