"""Paths -> a result for each file; a whole tree -> its rewritten copy. The functions that other packages call.

for result in rewrite_tree(Path("old"), Path("new"), Settings()):
    ...
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from codemods import era
from codemods.check import check_source
from codemods.discover import find_python
from codemods.errors import CodemodsError, OutputExistsError, OutputInsideSourceError, OutputUnwritableError
from codemods.prepare import Unready, neighbours, prepare_all
from codemods.results import Changed, Failed, FileResult, Skipped, Unchanged
from codemods.rule import Rule
from codemods.settings import Settings
from codemods.source import SourceFile, decode

__all__ = [
    "Changed", "Failed", "FileResult", "Skipped", "SourceFile", "Unchanged", "check_paths", "check_text", "check_tree",
    "copy_tree", "rewrite_tree",
]  # fmt: skip


@dataclass(frozen=True)
class _Read:
    """The files of a run: those that have text, and the results of those that have none."""

    sources: list[SourceFile]
    others: list[FileResult]


def _read(files: Iterable[Path], settings: Settings) -> _Read:
    sources: list[SourceFile] = []
    others: list[FileResult] = []
    for path in files:
        try:
            size = path.stat().st_size
            if size > settings.max_bytes:
                limit = settings.max_bytes / 1e6
                others.append(
                    Skipped(str(path), f"{size / 1e6:.1f} MB is above the limit of {limit:g} MB (--max-size)")
                )
                continue
            sources.append(decode(path.read_bytes(), path))
        except OSError as error:
            others.append(Failed(str(path), f"{path}: cannot be read ({error.strerror})"))
        except CodemodsError as error:
            others.append(Failed(str(path), str(error)))
    return _Read(sources, others)


def check_paths(paths: Iterable[Path], settings: Settings) -> Iterator[FileResult]:
    """Check the Python files at or below the paths; writes nothing. Files that fail or are skipped come first.

    Raises NoSuchPathError before anything else is done, and UnknownVersionError.
    """
    paths = list(paths)
    era.fixed(settings.from_version)
    found = find_python(paths)
    yield from (Skipped(str(path), reason) for path, reason in found.skipped)
    read = _read(found.files, settings)
    yield from read.others
    named = {source.path for source in read.sources}
    around = [
        source
        for path in paths
        if path.is_file() and path.suffix != ".ipynb"
        for source in neighbours(path)
        if source.path not in named
    ]
    yield from _check(read.sources, around, settings)


def _check(sources: list[SourceFile], around: list[SourceFile], settings: Settings) -> Iterator[FileResult]:
    chosen = {source.path for source in sources}
    convert = settings.wants("PY2001")
    ready, unready, project = prepare_all([*sources, *around], convert)
    yield from (_failed(item) for item in unready if item.path in chosen)
    for item in ready:
        if item.source.path in chosen:
            yield check_source(item, settings, project)


def _failed(item: Unready) -> Failed:
    return Failed(item.path, item.error)


def check_text(
    text: str,
    path: str,
    settings: Settings,
    others: Iterable[SourceFile] = (),
    rules: tuple[Rule, ...] | None = None,
) -> FileResult:
    """Check one text that need not be on disk; `others` are further files of its project, `rules` the only rules."""
    return check_file(SourceFile(path, text), settings, others, rules)


def check_file(
    source: SourceFile,
    settings: Settings,
    others: Iterable[SourceFile] = (),
    rules: tuple[Rule, ...] | None = None,
) -> FileResult:
    """Check one file that has been read already."""
    era.fixed(settings.from_version)
    convert = settings.wants("PY2001")
    ready, unready, project = prepare_all([source, *others], convert)
    if unready and unready[0].path == source.path:
        return _failed(unready[0])
    return check_source(ready[0], settings, project, rules)


def check_tree(src: Path, settings: Settings) -> list[FileResult]:
    """Check every Python file of a tree, those that .gitignore names too; paths in the results are below `src`."""
    era.fixed(settings.from_version)
    found = find_python([src], respect_gitignore=False)
    skipped: list[FileResult] = [Skipped(str(path), reason) for path, reason in found.skipped]
    read = _read(found.files, settings)
    return [*skipped, *read.others, *_check(read.sources, [], settings)]


def rewrite_tree(src: Path, out: Path, settings: Settings) -> list[FileResult]:
    """Copy a whole tree (without .git) to `out`, its Python files rewritten; `src` is untouched.

    A file that fails is copied as it was. Paths in the results are those of `src`.

    Raises NoSuchPathError, OutputExistsError if `out` is not empty, OutputInsideSourceError, OutputUnwritableError.
    """
    check_output(src, out)
    results = check_tree(src, settings)
    copy_tree(src, out, results)
    return results


def check_output(src: Path, out: Path) -> None:
    """Raises unless `out` is a new or empty directory apart from `src`."""
    inner, outer = out.resolve(), src.resolve()
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise OutputExistsError(out)
    if inner.is_relative_to(outer) or outer.is_relative_to(inner):
        raise OutputInsideSourceError(out, src)


def copy_tree(src: Path, out: Path, results: Iterable[FileResult]) -> None:
    """Build the copy beside its place and move it there when it is whole."""
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    except OSError as error:
        raise OutputUnwritableError(out, error.strerror or str(error)) from error
    try:
        tree = building / "tree"
        shutil.copytree(src, tree, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        for result in results:
            if isinstance(result, Changed):
                _put(tree / Path(result.path).relative_to(src), result.after)
        if out.exists():
            out.rmdir()
        tree.replace(out)
    except (OSError, shutil.Error) as error:
        raise OutputUnwritableError(out, _reason(error)) from error
    finally:
        shutil.rmtree(building, ignore_errors=True)


def _reason(error: OSError) -> str:
    """Why a copy failed; of the many that `shutil.Error` holds, the first."""
    if isinstance(error, shutil.Error) and error.args and isinstance(error.args[0], list):
        return str(error.args[0][0][2])
    return error.strerror or str(error)


def _put(path: Path, data: bytes) -> None:
    if path.is_symlink():
        return  # the file it points at is rewritten where it is
    path.write_bytes(data)
