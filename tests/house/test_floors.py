"""Imports go to the same floor or down; the floors are the table of tf2bridge/README.md.

Imports inside functions count, and so do texts that name a module, such as "tf2bridge.contrib.seq2seq.helper:Helper".
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from tests.house.test_circles import ROOT, modules
from tests.house.test_formats import imports

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


def of_tf2bridge() -> dict[str, Path]:
    """Returns each module of tf2bridge -> its file."""
    return {name: path for name, path in modules().items() if name.partition(".")[0] == "tf2bridge"}


def part_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


def named(tree: ast.AST, known: set[str]) -> Iterator[str]:
    """Yields the modules of tf2bridge that a file imports, or names in a text."""
    texts = (node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str))
    matches = (match for text in texts if (match := _MODULE.fullmatch(text)))
    for name in [*imports(tree), *(match[1] for match in matches if match[1].count(".") > 1)]:
        parts = name.split(".")
        ends = (".".join(parts[:end]) for end in range(len(parts), 1, -1))
        yield from [module for module in ends if module in known][:1]


def upward() -> list[str]:
    """Returns each import or text that leads to a higher floor."""
    known, floor = of_tf2bridge(), floors()
    rows = []
    for module, path in known.items():
        if part_of(module) == "__init__":  # the public names of the package
            continue
        for target in named(ast.parse(path.read_text("utf-8")), set(known)):
            own, wanted = floor[part_of(module)], floor[part_of(target)]
            explained = any(module.startswith(start) and part_of(target) == part for start, part in UPWARD)
            if wanted > own and not explained:
                rows.append(f"{module} (floor {own}) -> {target} (floor {wanted})")
    return sorted(set(rows))


def test_every_part_has_a_floor() -> None:
    assert {part_of(module) for module in of_tf2bridge()} - {"__init__"} == set(floors())


def test_no_import_runs_up() -> None:
    assert upward() == []


def test_codemods_stands_beside() -> None:
    code = (path.read_text("utf-8") for path in (ROOT / "codemods").rglob("*.py"))
    imports = re.compile(r"^\s*(?:from|import) tf2bridge\b", re.M)
    assert not any(imports.search(text) for text in code)
