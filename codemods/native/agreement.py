"""Checks that a trace is of the program that stands in a tree: its calls are at lines that call sessions."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from codemods.errors import CodemodsError, ForeignTraceError, StaleTraceError
from codemods.native.facts import Facts
from codemods.parsing import parse
from codemods.reading import open_source
from codemods.regular import read_regular
from codemods.source import to_python3
from codemods.tree import walk

_RUNNING = ("run", "eval")
_DRIVING = frozenset(("train", "evaluate", "predict", "train_and_evaluate"))
"""Methods that run the sessions of an Estimator. What predicts runs them where its rows are taken."""
_IDLE = (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Pass)


def require_agreement(facts: Facts, paths: Iterable[str]) -> None:
    """Refuses a trace of another program, or of another version of it.

    Args:
        facts: The facts of the trace.
        paths: The files of the tree.

    Raises:
        ForeignTraceError: None of its calls is in a file of the tree.
        StaleTraceError: A recorded line does not hold what it held when it was recorded.
    """
    by_name: dict[str, list[str]] = {}
    for path in paths:
        by_name.setdefault(PurePosixPath(path).name, []).append(path)
    made = {op.file for graph in facts.graphs for op in graph if op.file}
    called = {run.file for run in facts.runs if run.file}
    if not any(PurePosixPath(file).name in by_name for file in called | made):
        raise ForeignTraceError(facts.path, min(called | made, default=facts.script))
    for file in sorted(called | made):
        candidates = by_name.get(PurePosixPath(file).name, [])
        trees = {path: tree for path in candidates if (tree := _tree(path)) is not None}
        wrong = {path: _wrong_line(facts, file, tree) for path, tree in trees.items()}
        if wrong and all(wrong.values()):
            path, (line, why) = next((path, first) for path, first in wrong.items() if first is not None)
            raise StaleTraceError(path, line, facts.path, why)


def _tree(path: str) -> ast.Module | None:
    try:
        return parse(to_python3(open_source(read_regular(Path(path)), path).text, path))
    except (CodemodsError, OSError, SyntaxError, ValueError):
        return None


def _wrong_line(facts: Facts, file: str, tree: ast.Module) -> tuple[int, str] | None:
    """Returns the first recorded line of a file that holds something else now, and what was recorded there."""
    calls = [node for node in walk(tree) if isinstance(node, ast.Call)]
    running = _lines(call for call in calls if _may_run(call))
    anything = _lines(calls)
    wrong: dict[int, str] = {}
    busy = _lines(node for node in walk(tree) if isinstance(node, ast.expr)) - _lines(
        node for node in walk(tree) if isinstance(node, _IDLE)
    )
    is_driven = any(isinstance(call.func, ast.Attribute) and call.func.attr in _DRIVING for call in calls)
    for run in facts.runs:
        lines = busy if is_driven else running if not run.via and run.kind == "run" else anything
        if run.file == file and run.line not in lines:
            wrong[run.line] = "a session was called"
    for op in (op for graph in facts.graphs for op in graph if op.file == file and op.line not in busy):
        wrong.setdefault(op.line, f"the op {op.name} was made")
    return min(wrong.items(), default=None)


def _may_run(call: ast.Call) -> bool:
    return not isinstance(call.func, ast.Attribute) or call.func.attr in _RUNNING


def _lines(nodes: Iterable[ast.AST]) -> set[int]:
    spans = ((node.lineno, node.end_lineno or node.lineno) for node in nodes if hasattr(node, "lineno"))  # type: ignore[attr-defined]
    return {line for first, last in spans for line in range(first, last + 1)}


def covered(facts: Facts | None, files: Mapping[str, object] | Iterable[str]) -> Facts | None:
    """Returns the facts if they are of a program of these files; else None."""
    names = frozenset(PurePosixPath(file).name for file in files)
    return facts if facts is not None and facts.covers(names) else None
