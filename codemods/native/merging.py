"""Joins the results of rewriting the functions of one file one at a time, each with the others hidden."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from codemods.native.refusals import NotNativeError


@dataclass(frozen=True)
class Part:
    """A statement of a module: its name if it is a function or class, and its text with the comments above it."""

    name: str
    is_import: bool
    text: str


def parts_of(text: str) -> list[Part]:
    """Returns the statements of a module, with what stands above each."""
    lines = text.splitlines(keepends=True)
    parts: list[Part] = []
    at = 0
    for node in ast.parse(text).body:
        last = node.end_lineno or node.lineno
        name = node.name if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else ""
        parts.append(Part(name, isinstance(node, (ast.Import, ast.ImportFrom)), "".join(lines[at:last])))
        at = last
    return parts


def merged(old: str, results: Sequence[str], gone: Sequence[Set[str]]) -> str:
    """Returns the text with what each result made of the functions that were not hidden in it.

    Args:
        old: The text before.
        results: What each rewriting made of it.
        gone: The names of the functions that were hidden in each.

    Raises:
        NotNativeError: Two results differ in what they have in common.
    """
    had = {part.name for part in parts_of(old)} - {""}
    made = [parts_of(result) for result in results]
    known = _functions(made, gone)
    statements = [[part.text.strip() for part in parts if not part.name and not part.is_import] for parts in made]
    if any(other != statements[0] for other in statements[1:]):
        raise NotNativeError(ast.parse(old), "NAT008", "the functions of this file share what each would change")
    first, seen = [known.get(part.name, part) if part.name in gone[0] else part for part in made[0]], set[str]()
    imports = {part.text.strip() for part in made[0] if part.is_import}
    more = [p for parts in made[1:] for p in parts if p.is_import and p.text.strip() not in imports]
    new = [p for parts in made[1:] for p in parts if p.name and p.name not in had]
    has = {part.name for part in made[0]}
    added: list[Part] = []
    for part in [*more, *(p for p in new if p.name not in has)]:
        if part.text.strip() not in seen:
            added.append(part)
            seen.add(part.text.strip())
    order = [part.name for part in parts_of(old)]
    lost = [name for name in order if name in known and name in gone[0] and name not in has]
    if lost:
        raise NotNativeError(ast.parse(old), "NAT008", f"{lost[0]} is needed by several functions")
    head = next((number for number, part in enumerate(first) if part.is_import), 0)
    early = [part for part in added if part.is_import]
    late = [part for part in added if not part.is_import]
    end = max((number for number, part in enumerate(first) if part.is_import), default=-1) + 1
    whole = [*first[:head], *early, *first[head:end], *late, *first[end:]]
    return "".join(part.text if part.text.endswith("\n") else part.text + "\n" for part in whole)


def _functions(made: Sequence[Sequence[Part]], gone: Sequence[Set[str]]) -> Mapping[str, Part]:
    """Returns name -> the function or class that the results agree on.

    Raises:
        NotNativeError: They do not agree.
    """
    known: dict[str, Part] = {}
    for parts, hidden in zip(made, gone, strict=True):
        for part in parts:
            if not part.name or part.name in hidden:
                continue
            before = known.setdefault(part.name, part)
            if before.text.strip() != part.text.strip():
                message = f"{part.name} would be written in two ways; give each function its own"
                raise NotNativeError(ast.parse(part.text.strip()), "NAT008", message)
    return known
