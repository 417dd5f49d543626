"""No module of ours imports one that imports it, not even inside a function; types under TYPE_CHECKING may."""

from __future__ import annotations

import ast
import graphlib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]


def modules() -> dict[str, Path]:
    """Module -> its file."""
    files = {}
    for path in sorted((*ROOT.glob("codemods/**/*.py"), *ROOT.glob("tf2bridge/**/*.py"))):
        parts = path.relative_to(ROOT).with_suffix("").parts
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return files


def imported(tree: ast.AST, known: dict[str, Path]) -> Iterator[str]:
    """The modules of ours that a file imports, wherever in it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING"):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                text = f"{node.module}.{alias.name}"
                yield from (name for name in (text if text in known else str(node.module),) if name in known)
        else:
            yield from imported(node, known)


def test_there_are_no_circles() -> None:
    known = modules()
    assert len(known) > 1000
    graph = {
        name: set(imported(ast.parse(path.read_text(encoding="utf-8")), known)) - {name} for name, path in known.items()
    }
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError, which names one


def test_a_circle_is_seen() -> None:
    known = {"tf2bridge.a": ROOT, "tf2bridge.b": ROOT}
    text = "if TYPE_CHECKING:\n    import tf2bridge.a\ndef f():\n    from tf2bridge import b"
    assert list(imported(ast.parse(text), known)) == ["tf2bridge.b"]
