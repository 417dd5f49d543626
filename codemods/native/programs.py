"""Makes the programs of a tree native, from what the compat target makes of their files.

A program is native or it is not: a file that cannot become native stays as the compat target makes it, with a finding
that says why at the line.
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from codemods import scopes
from codemods.limits import limited
from codemods.native import checks
from codemods.native.native_map import NAME, NativeMap, digest, written
from codemods.native.refusals import REASONS, NotNativeError
from codemods.native.rewriting import Native, rewrite
from codemods.reading import open_source
from codemods.results import Changed, FileResult, Unchanged
from codemods.rule import Finding, Safety

_FILES = Path(__file__).parent / "files"
_OF_COMPAT = ("TFN", "TFG", "TFC")
"""Findings about names that a native file has not."""


@dataclass(frozen=True)
class Result:
    """The results of a tree, and the files that stand beside its native programs: path -> content."""

    results: list[FileResult]
    beside: dict[Path, bytes]


def make_native(results: Iterable[FileResult]) -> Result:
    """Returns the results of the compat target with every program that can be native.

    Args:
        results: The results of the compat target.
    """
    results = list(results)
    made: list[FileResult] = []
    natives: dict[str, tuple[Changed, Native]] = {}
    imported = _imported(results)
    for result in results:
        text = _text(result)
        if not isinstance(result, Changed | Unchanged) or text is None or not _has_sessions(text):
            made.append(result)
            continue
        before = _before(result, text)
        line = lines_before(_decoded(before, result.path), text)
        try:
            with limited(result.path, len(text)):
                _require_one_file(text, result.path, imported)
                native = rewrite(text, PurePosixPath(result.path).stem, line)
        except NotNativeError as error:
            made.append(_refused(result, error, line))
            continue
        changed = Changed(result.path, _findings(result, native), before, _encoded(native.text, result.path, before))
        natives[result.path] = changed, native
        made.append(changed)
    return Result(made, _beside(natives))


def _text(result: FileResult) -> str | None:
    """Returns the text of a Python file as the compat target leaves it; None for other files."""
    if isinstance(result, Changed) and result.path.endswith(".py"):
        return _decoded(result.after, result.path)
    if isinstance(result, Unchanged) and result.path.endswith(".py") and result.speaks_of_tensorflow:
        return _decoded(Path(result.path).read_bytes(), result.path)
    return None


def _decoded(data: bytes, path: str) -> str:
    return open_source(data, path).text


def _encoded(text: str, path: str, before: bytes) -> bytes:
    return open_source(before, path).encode(text)


def _before(result: Changed | Unchanged, text: str) -> bytes:
    return result.before if isinstance(result, Changed) else text.encode()


def _has_sessions(text: str) -> bool:
    """Returns whether a file is part of a program of sessions."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    names = scopes.resolve(tree)
    calls = (node for node in names.nodes.get(ast.Call, []) if isinstance(node, ast.Call))
    return any(checks.is_machinery(call, names) for call in calls)


def _imported(results: Sequence[FileResult]) -> dict[str, frozenset[str]]:
    """Returns each file that speaks of TensorFlow -> the last names of the modules that it imports."""
    found: dict[str, frozenset[str]] = {}
    for result in results:
        text = _text(result)
        if text is None:
            continue
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            continue
        found[result.path] = frozenset(_modules(tree))
    return found


def _modules(tree: ast.Module) -> Iterable[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.rpartition(".")[2] for alias in node.names)
        if isinstance(node, ast.ImportFrom):
            yield (node.module or "").rpartition(".")[2]
            yield from (alias.name for alias in node.names)


def _require_one_file(text: str, path: str, imported: dict[str, frozenset[str]]) -> None:
    """Refuses a program of several files that use TensorFlow.

    Raises:
        NotNativeError: The file imports another one, or is imported.
    """
    stem = PurePosixPath(path).stem
    tree = ast.parse(text)
    for other, modules in imported.items():
        name = PurePosixPath(other).stem
        if other != path and name in imported[path] and PurePosixPath(other).parent == PurePosixPath(path).parent:
            raise NotNativeError(
                _import_of(tree, name), "NAT008", f"{name} builds parts of the graph; put them in this file"
            )
        if other != path and stem in modules:
            raise NotNativeError(tree, "NAT008", f"{other} imports this file; put both in one file")


def _import_of(tree: ast.Module, name: str) -> ast.AST:
    """Returns the import of a module."""
    for node in tree.body:
        if isinstance(node, (ast.Import, ast.ImportFrom)) and name in _modules(ast.Module([node], [])):
            return node
    return tree


def lines_before(old: str, new: str) -> Callable[[int], int]:
    """Returns the function that gives the line of an old text for a line of the new one."""
    first, second = old.splitlines(), new.splitlines()
    line_of: dict[int, int] = {}
    for _, start, end, new_start, new_end in difflib.SequenceMatcher(None, first, second, False).get_opcodes():
        for number in range(new_start, new_end):
            line_of[number + 1] = min(start + number - new_start, max(end - 1, start)) + 1
    return lambda line: line_of.get(line, line)


def _refused(result: Changed | Unchanged, error: NotNativeError, line: Callable[[int], int]) -> FileResult:
    number = line(getattr(error.node, "lineno", 1))
    column = getattr(error.node, "col_offset", 0) + 1
    finding = Finding(
        code=error.code,
        name="not-native",
        message=f"{REASONS[error.code]}: {error.message}",
        path=result.path,
        line=number,
        column=column,
        end_line=number,
        end_column=column,
        safety=Safety.MANUAL,
    )
    return replace(result, findings=(*result.findings, finding))


def _findings(result: Changed | Unchanged, native: Native) -> tuple[Finding, ...]:
    kept = tuple(finding for finding in result.findings if not finding.code.startswith(_OF_COMPAT))
    message = f"sessions become functions: {', '.join(dict.fromkeys(call.function for call in native.calls)) or 'none'}"
    made = Finding("NAT000", "native", message, result.path, 1, 1, 1, 1, Safety.SAFE, fixed=True, fixable=True)
    open_orders = tuple(
        Finding("NAT010", "open-order", why, result.path, number, 1, number, 1, Safety.MANUAL)
        for number, why in native.notes
    )
    return (made, *kept, *open_orders)


def _beside(natives: dict[str, tuple[Changed, Native]]) -> dict[Path, bytes]:
    """Returns the maps of the programs of each directory, and the files that programs need."""
    beside: dict[Path, bytes] = {}
    folders: dict[Path, list[tuple[Changed, Native]]] = {}
    for path, pair in natives.items():
        folders.setdefault(Path(path).parent, []).append(pair)
    for folder, pairs in folders.items():
        files = {PurePosixPath(changed.path).name: digest(changed.before) for changed, _ in pairs}
        calls = tuple(call for _, native in pairs for call in native.calls)
        dropped = tuple(row for _, native in pairs for row in native.dropped)
        beside[folder / NAME] = written(NativeMap(files, calls, (), dropped)).encode()
        for _, native in pairs:
            beside |= {folder / name: (_FILES / name).with_suffix(".txt").read_bytes() for name in native.files}
    return beside
