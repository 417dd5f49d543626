"""Makes the programs of a tree native, from what the compat target makes of their files.

A program is native or it is not: a file that cannot become native stays as the compat target makes it, with a finding
that says why at the line.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from codemods.engine import check_tree
from codemods.errors import CodemodsError, OutOfMemoryError, TooCostlyError, TooNestedError
from codemods.limits import limited
from codemods.native import machinery
from codemods.native.agreement import covered, require_agreement
from codemods.native.checks import unbound_names
from codemods.native.choices import told
from codemods.native.estimators.native import native_of_estimator
from codemods.native.estimators.rewriting import with_sessions
from codemods.native.facts import Facts
from codemods.native.from_graph.programs import native_of_graph
from codemods.native.importers import Importers, without_switch
from codemods.native.joined_modules import relative_name
from codemods.native.joining import Joined, alone, joined
from codemods.native.line_origins import lines_before
from codemods.native.module_files import Tree
from codemods.native.native_map import NAME, Call, Dropped, NativeMap, Variable, digest, written
from codemods.native.own_files import content_of, with_free_places
from codemods.native.reasons import REASONS
from codemods.native.recorded_models import ModelWriter
from codemods.native.refusals import NotNativeError
from codemods.native.rewriting import rewrite
from codemods.native.rewritten import Native
from codemods.native.whole_programs import at_home, decoded, places
from codemods.reading import open_source
from codemods.results import Changed, FileResult, Unchanged
from codemods.rule import Finding, Safety
from codemods.settings import Settings
from codemods.write import write_named

_EITHER = "its model cannot come from the recorded graph either: "
_OF_COMPAT = ("TFN", "TFG", "TFC")
"""Findings about names that a native file has not."""


@dataclass(frozen=True)
class Result:
    """The results of a tree, and the files that stand beside its native programs: path -> content."""

    results: list[FileResult]
    beside: dict[Path, bytes]


def check_native(
    src: Path,
    settings: Settings,
    jobs: int | None = 1,
    facts: Facts | None = None,
    write_model: ModelWriter | None = None,
) -> Result:
    """Checks every file of a tree for the target native. Paths in the results are below `src`.

    Args:
        src: The tree.
        settings: The settings.
        jobs: See `check_tree`.
        facts: What a trace of one of the programs knows.
        write_model: Writes the recorded graph as a model, where the source cannot give it; None leaves that out.
    """
    results = check_tree(src, replace(settings, target="compat"), jobs)
    return make_native(results, facts, settings.idiomatic, write_model)


def write_beside(made: Result, src: Path, out: Path) -> None:
    """Writes what stands beside the native programs of a tree into its copy."""
    for path, data in made.beside.items():
        place = out / path.relative_to(src)
        place.parent.mkdir(exist_ok=True)  # the package of a model is new
        write_named(place, data)


def make_native(
    results: Iterable[FileResult],
    facts: Facts | None = None,
    is_idiomatic: bool = False,
    write_model: ModelWriter | None = None,
) -> Result:
    """Returns the results of the compat target with every program that can be native.

    Args:
        results: The results of the compat target.
        facts: What a trace of one of the programs knows.
        is_idiomatic: Whether optimizers become those of Keras where it has them.
        write_model: See `check_native`.

    Raises:
        ForeignTraceError, StaleTraceError: The trace is of another program, or of another version.
    """
    results = list(results)
    if facts is not None:
        require_agreement(facts, (result.path for result in results))
    tree = _tree(results)
    natives: dict[str, tuple[Changed, Native]] = {}
    made: dict[str, FileResult] = {}
    for result in results:
        text = _text(result) or ""
        if isinstance(result, Changed | Unchanged) and text and machinery.builds_graphs(text):
            _make(result, text, tree, made, natives, facts, is_idiomatic, write_model)
        elif (
            isinstance(result, Changed | Unchanged) and text and (error := machinery.error_of_driving(text)) is not None
        ):
            made[result.path] = _refused(result, error, lines_before(decoded(_before(result), result.path), text))
    _settle(tree, results, made, natives)
    return Result([made.get(result.path, result) for result in results], _beside(natives))


def _make(
    result: Changed | Unchanged,
    text: str,
    tree: Tree,
    made: dict[str, FileResult],
    natives: dict[str, tuple[Changed, Native]],
    facts: Facts | None,
    is_idiomatic: bool,
    write_model: ModelWriter | None,
) -> None:
    """Makes one program native, with the files that import it, or says why it cannot be."""
    before = _before(result)
    line = lines_before(decoded(before, result.path), text)
    whole = alone(text, result.path)
    known = covered(facts, (result.path,))
    try:
        with _costs_refused(text), limited(result.path, len(text)):
            whole = _joined(text, result.path, tree)
            known = known if whole.is_told_apart else None
            native = _rewritten(whole, result.path, tree, known, is_idiomatic)
            native = with_free_places(native, result.path, whole.text)
    except NotNativeError as error:
        refused = _refused(result, at_home(error, whole, result.path, tree.text), line)
        if known is None or write_model is None:
            made[result.path] = refused
            return
        try:
            native = _of_graph(whole, result.path, tree, known, write_model, error)
            native = with_free_places(native, result.path, whole.text)
        except NotNativeError as later:
            made[result.path] = _refused(refused, at_home(later, whole, result.path, tree.text), line, _EITHER)
            return
    changed = Changed(result.path, _findings(result, native), before, _encoded(native.text, result.path, before))
    natives[result.path] = changed, native
    made[result.path] = changed


def _joined(text: str, path: str, tree: Tree) -> Joined:
    with _defects_refused(text):
        return joined(path, text, tree)


def _rewritten(whole: Joined, path: str, tree: Tree, facts: Facts | None, is_idiomatic: bool) -> Native:
    with _defects_refused(whole.text):
        stem, unbound = PurePosixPath(path).stem, unbound_names(tree.text(path) or "")
        line, file = places(whole, path, tree.text)
        plain = with_sessions(whole.text)
        if plain is None:
            return rewrite(whole.text, stem, line, file, facts, is_idiomatic, unbound)
        return native_of_estimator(plain, stem, line, file, facts, is_idiomatic, unbound)


def _of_graph(whole: Joined, path: str, tree: Tree, facts: Facts, write: ModelWriter, error: NotNativeError) -> Native:
    with _defects_refused(whole.text):
        return native_of_graph(whole.text, path, *places(whole, path, tree.text), facts, write, error)


@contextlib.contextmanager
def _defects_refused(text: str) -> Iterator[None]:
    """Refuses a program that a defect stops: it must not be lost, and stays as the compat target makes it."""
    try:
        yield
    except CodemodsError:
        raise
    except Exception as error:
        message = f"the rewriting failed ({type(error).__name__}: {error}); please report it"
        raise NotNativeError(ast.parse(text), "NAT008", message) from error


@contextlib.contextmanager
def _costs_refused(text: str) -> Iterator[None]:
    """Refuses a program that takes too much time or memory: the others must go on, and it stays as it is."""
    try:
        yield
    except (TooCostlyError, TooNestedError, OutOfMemoryError) as error:
        raise NotNativeError(ast.parse(text), "NAT008", str(error)) from error


def _settle(
    tree: Tree, results: Iterable[FileResult], made: dict[str, FileResult], natives: dict[str, tuple[Changed, Native]]
) -> None:
    """Refuses native files that others need as they were, and makes the files that import native ones."""
    known = {result.path: result for result in results}
    importers = Importers(tree)
    for path in list(natives):
        try:
            made |= _importers(path, tree, importers, natives.keys())
        except NotNativeError as error:
            del natives[path]
            result = known[path]
            assert isinstance(result, Changed | Unchanged)
            made[path] = _refused(result, error, int)


def _importers(path: str, tree: Tree, importers: Importers, natives: Set[str]) -> dict[str, FileResult]:
    """Returns the results of the files that import a native one. A native one has what it needs of other files.

    Raises:
        NotNativeError: One of them has parts of TensorFlow 1 itself.
    """
    made: dict[str, FileResult] = {}
    for other in importers.of(path):
        text = tree.text(other)
        if other in natives or text is None:
            continue
        legacy = Path(other).read_bytes()
        if tree.contents(other).uses:
            text = without_switch(text, decoded(legacy, other))
        if text is None:
            message = f"{relative_name(other, path)} imports this file and uses TensorFlow itself; put both in one file"
            raise NotNativeError(ast.parse(tree.text(path) or ""), "NAT008", message)
        data = _encoded(text, other, legacy)
        made[other] = Changed(other, (), legacy, data) if data != legacy else Unchanged(other)
    return made


def _text(result: FileResult) -> str | None:
    """Returns the text of a Python file as the compat target leaves it; None for other files."""
    if isinstance(result, Changed) and result.path.endswith(".py"):
        return decoded(result.after, result.path)
    if isinstance(result, Unchanged) and result.path.endswith(".py") and result.speaks_of_tensorflow:
        return decoded(_before(result), result.path)
    return None


def _encoded(text: str, path: str, before: bytes) -> bytes:
    return open_source(before, path).encode(text)


def _before(result: Changed | Unchanged) -> bytes:
    return result.before if isinstance(result, Changed) else Path(result.path).read_bytes()


def _tree(results: Iterable[FileResult]) -> Tree:
    """Returns the files of a tree. The text of one is what the compat target makes of it."""
    known = {result.path: result for result in results}

    def read(path: str) -> str | None:
        try:
            result = known[path]
            return (
                (_text(result) or decoded(_before(result), path)) if isinstance(result, Changed | Unchanged) else None
            )
        except (CodemodsError, OSError):
            return None

    return Tree(known, read)


def _refused(
    result: Changed | Unchanged, error: NotNativeError, line: Callable[[int], int], before: str = ""
) -> Changed | Unchanged:
    """Returns a result with the finding of an error; `before` is what stands before its message."""
    number = line(getattr(error.node, "lineno", 1))
    column = getattr(error.node, "col_offset", 0) + 1
    finding = Finding(
        code=error.code,
        name="not-native",
        message=f"{before}{REASONS[error.code].summary}: {error.message}",
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
    notes = [("NAT010", "open-order", *note) for note in native.notes]
    notes += [("NAT011", "decided-by-trace", *note) for note in native.decided]
    notes += [("NAT012", "not-proven", *note) for note in native.unproven]
    notes += [("NAT013", "print-of-tensors", *note) for note in native.shown]
    notes += [("NAT015", "model-of-graph", *note) for note in native.of_graph]
    notes += [
        ("NAT014", "choice-of-keras", int(choice.legacy.rpartition(":")[2]), told(choice)) for choice in native.choices
    ]
    found = (
        Finding(code, name, why, result.path, number, 1, number, 1, Safety.MANUAL) for code, name, number, why in notes
    )
    return (made, *kept, *found)


def _beside(natives: dict[str, tuple[Changed, Native]]) -> dict[Path, bytes]:
    """Returns the maps of the programs of each directory, and the files that programs need."""
    files: dict[Path, bytes] = {}
    folders: dict[Path, list[tuple[Changed, Native]]] = {}
    for path, pair in natives.items():
        folders.setdefault(Path(path).parent, []).append(pair)
    for folder, pairs in folders.items():
        digests = {PurePosixPath(changed.path).name: digest(changed.before) for changed, _ in pairs}
        taken = sorted({name for _, native in pairs for name in native.taken} - digests.keys())
        digests |= {name: digest((folder / name).read_bytes()) for name in taken}
        alone = len(pairs) == 1
        made = [_rows_of(native, "" if alone else PurePosixPath(changed.path).stem) for changed, native in pairs]
        rows = (tuple(row for part in kind for row in part) for kind in zip(*made, strict=True))
        choices = tuple(row for _, native in pairs for row in native.choices)
        native_map = replace(NativeMap(digests, *rows), choices=choices)
        files[folder / NAME] = written(native_map).encode()
        for _, native in pairs:
            files |= {folder / name: content_of(name) for name in native.files}
            files |= {folder / name: data for name, data in native.package.items()}
    return files


def _rows_of(native: Native, program: str) -> tuple[tuple[Call, ...], tuple[Variable, ...], tuple[Dropped, ...]]:
    """Returns the rows of a program's map, with its name."""
    return (
        tuple(replace(row, program=program) for row in native.calls),
        tuple(replace(row, program=program) for row in native.variables),
        tuple(replace(row, program=program) for row in native.dropped),
    )
