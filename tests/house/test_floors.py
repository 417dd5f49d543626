"""Imports go to the same floor or down; the floors are the table of tf2bridge/README.md.

Imports inside functions count, and so do texts that name a module, such as "tf2bridge.contrib.seq2seq.helper:Helper".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "tf2bridge"
_ROW = re.compile(r"\| (\d+) \| (.+?) \|$", re.M)
_MODULE = re.compile(r"(tf2bridge(?:\.\w+)+)(?::[\w.]+)?")

UPWARD = {
    ("tf2bridge.behaviour.seeds", "contrib"): "functions that are counted when a program imports them; never imported",
    ("tf2bridge.behaviour.seeds", "estimator"): "the same",
    ("tf2bridge.contrib.learn.learn_io.graph_io", "v1"): "what a program has put into the namespace",
    ("tf2bridge.proof", "program"): "the public name `proof.replay`",
}
"""The beginning of a module, and the part that a text of it names -> why this is no import."""


def floors() -> dict[str, int]:
    """Returns the name of each part, such as "graph" or "errors" -> its floor, 1 for the lowest."""
    page = (PACKAGE / "README.md").read_text("utf-8")
    table = page.partition("## Floors")[2].partition("\n## ")[0]
    return {
        part.removesuffix("/").removesuffix(".py"): int(number)
        for number, parts in _ROW.findall(table)
        for part in re.findall(r"`(\w+(?:/|\.py))`", parts)
    }


def modules() -> dict[str, Path]:
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        found[name] = path
    return found


def part_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


def named(tree: ast.AST, known: set[str]) -> Iterator[str]:
    """Yields the modules of tf2bridge that a file imports, or names in a text that is not a docstring."""
    for node in list(ast.walk(tree)):
        is_for_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
        if is_for_types or _has_docstring(node):
            node.body = [] if is_for_types else node.body[1:]  # type: ignore[attr-defined]  # both have a body
    for node in ast.walk(tree):
        for name in _names(node):
            parts = name.split(".")
            ends = (".".join(parts[:end]) for end in range(len(parts), 1, -1))
            yield from [module for module in ends if module in known][:1]


def _has_docstring(node: ast.AST) -> bool:
    kinds = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
    return isinstance(node, kinds) and ast.get_docstring(node) is not None


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [f"{node.module}.{alias.name}" for alias in node.names]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        match = _MODULE.fullmatch(node.value)
        return [match[1]] if match and match[1].count(".") > 1 else []
    return []


def upward() -> list[str]:
    """Returns each import or text that leads to a higher floor."""
    known, floor = modules(), floors()
    rows = []
    for module, path in known.items():
        if part_of(module) == "__init__":  # the public names of the package
            continue
        for target in named(ast.parse(path.read_text("utf-8")), set(known)):
            one, other = part_of(module), part_of(target)
            explained = any(module.startswith(start) and other == part for start, part in UPWARD)
            if floor[other] > floor[one] and not explained:
                rows.append(f"{module} (floor {floor[one]}) -> {target} (floor {floor[other]})")
    return sorted(set(rows))


def test_every_part_has_a_floor() -> None:
    assert {part_of(module) for module in modules()} - {"__init__"} == set(floors())


def test_no_import_runs_up() -> None:
    assert upward() == []


def test_codemods_stands_beside() -> None:
    code = (path.read_text("utf-8") for path in (ROOT / "codemods").rglob("*.py"))
    imports = re.compile(r"^\s*(?:from|import) tf2bridge\b", re.M)
    assert not any(imports.search(text) for text in code)
