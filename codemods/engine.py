"""Paths -> a result for each file; a whole tree -> its rewritten copy. The functions that other packages call.

for result in rewrite_tree(Path("old"), Path("new"), Settings()):
    ...
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from codemods import era, systems
from codemods.batch import Tell, gather, quiet
from codemods.copying import copy_tree
from codemods.discover import find_files, leads_out
from codemods.errors import OutputExistsError, OutputInsideSourceError
from codemods.prepare import neighbours
from codemods.reading import read, unread
from codemods.requirements import is_requirements, reads_last
from codemods.results import Changed, Failed, FileResult, Skipped, Unchanged, is_bridged
from codemods.rule import Rule
from codemods.settings import Settings
from codemods.source import SourceFile

__all__ = [
    "Changed", "Failed", "FileResult", "Skipped", "SourceFile", "Unchanged", "check_paths", "check_text", "check_tree",
    "copy_tree", "rewrite_tree",
]  # fmt: skip


# Characters that one process reads and checks in about a second: starting another for fewer gains nothing.
_WORTH_A_PROCESS = 800_000


def check_paths(
    paths: Iterable[Path],
    settings: Settings,
    jobs: int | None = 1,
    only: Callable[[Path], bool] | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> Iterator[FileResult]:
    """Check the files at or below the paths; writes nothing. Files that fail or are skipped come first.

    `only` chooses among them; the others are read for what they tell of these. `tell` hears
    how many steps are done, of how many. `jobs` are the processes; None: as many as the text is worth.

    Raises NoSuchPathError before anything else is done, and UnknownVersionError.
    """
    paths = list(paths)
    era.fixed(settings.from_version)
    files = find_files(paths)
    chosen = [path for path in files if only is None or only(path)]
    sources: list[SourceFile] = []
    yield from _read(chosen, paths, settings, sources)
    around: list[SourceFile] = []
    if only is not None and sources:
        for _ in _read([path for path in files if not only(path)], paths, settings, around):
            pass  # whatever cannot be read of these is not asked about
    around += _neighbours([path for path in paths if path.is_file()], {source.path for source in (*sources, *around)})
    step = _counted(tell, 2 * len(sources) + len(around)) if tell else quiet
    yield from _check(sources, around, settings, jobs, step)


def _neighbours(files: list[Path], known: set[str]) -> Iterator[SourceFile]:
    """The files around those that were named alone, each once; `known` are read already."""
    for folder in dict.fromkeys(file.parent for file in files if not is_requirements(file)):
        yield from (source for source in neighbours(folder) if source.path not in known)


def _counted(tell: Callable[[int, int], None], total: int) -> Tell:
    steps = itertools.count(1)
    return lambda: tell(next(steps), total)


def _read(
    files: Iterable[Path], named: Iterable[Path], settings: Settings, sources: list[SourceFile]
) -> Iterator[FileResult]:
    """Put the files that have text on `sources`; the results of those that have none.

    A link that leads out of what was `named` is neither read nor, therefore, ever written through.
    """
    roots = [path.resolve() for path in named]
    for path in files:
        if (target := leads_out(path, roots)) is not None:
            yield Skipped(systems.reported(path), f"a link to {target}, outside what was named; name that file itself")
            continue
        source = read(path, settings)
        if isinstance(source, SourceFile):
            sources.append(source)
            yield from unread(source)
        else:
            yield source


def _check(
    sources: list[SourceFile], around: list[SourceFile], settings: Settings, jobs: int | None = 1, tell: Tell = quiet
) -> Iterator[FileResult]:
    jobs = jobs or _worthwhile([*sources, *around])
    if jobs > 1:
        from codemods import parallel

        yield from parallel.check(sources, around, settings, jobs, tell)
        return
    chosen = {source.path for source in sources}
    batch, project = gather(settings, [*sources, *around], tell)
    bridged = False
    for result in batch.check(project, lambda path: path in chosen and not reads_last(path), tell):
        bridged = bridged or is_bridged(result)
        yield result
    yield from batch.check(project, lambda path: path in chosen and reads_last(path), tell, bridged=bridged)


def _worthwhile(sources: list[SourceFile]) -> int:
    """How many processes these files keep busy, up to one a core."""
    return min(systems.cores(), 1 + sum(len(source.text) for source in sources) // _WORTH_A_PROCESS)


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
    others = list(others)
    batch, project = gather(settings, [source, *others])
    bridged = any("tf2bridge" in other.text for other in others)
    return next(batch.check(project, lambda path: path == source.path, rules=rules, bridged=bridged))


def check_tree(src: Path, settings: Settings, jobs: int | None = 1) -> list[FileResult]:
    """Check every file of a tree, those that .gitignore names too; paths in the results are below `src`."""
    era.fixed(settings.from_version)
    sources: list[SourceFile] = []
    others = list(_read(find_files([src], respect_gitignore=False), [src], settings, sources))
    return [*others, *_check(sources, [], settings, jobs)]


def rewrite_tree(src: Path, out: Path, settings: Settings, jobs: int | None = 1) -> list[FileResult]:
    """Copy a whole tree (without .git) to `out`, its Python files rewritten; `src` is untouched.

    A file that fails is copied as it was; what is no file, such as a pipe, is left out. Paths in the results are those
    of `src`.

    Raises NoSuchPathError, OutputExistsError if `out` is not empty, OutputInsideSourceError, OutputUnwritableError.
    """
    check_output(src, out)
    results = check_tree(src, settings, jobs)
    return [*results, *copy_tree(src, out, results)]


def check_output(src: Path, out: Path) -> None:
    """Raises unless `out` is a new or empty directory apart from `src`."""
    inner, outer = out.resolve(), src.resolve()
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise OutputExistsError(out)
    pairs = [*((place, outer) for place in (inner, *inner.parents)), *((place, inner) for place in outer.parents)]
    if any(first == second or systems.same_place(first, second) for first, second in pairs):
        raise OutputInsideSourceError(out, src)
