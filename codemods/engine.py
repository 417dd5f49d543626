"""The functions that other packages call: they check files, and rewrite trees into copies.

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


# Characters that one process checks in about a second. For fewer, another process gains nothing.
_WORTH_A_PROCESS = 800_000


def check_paths(
    paths: Iterable[Path],
    settings: Settings,
    jobs: int | None = 1,
    only: Callable[[Path], bool] | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> Iterator[FileResult]:
    """Checks the files at or below the paths, and writes nothing. Yields files that fail or are skipped first.

    Args:
        paths: Files and directories.
        settings: The settings of the check.
        jobs: The number of processes; None for a number that suits the amount of text.
        only: Chooses the files to check. The other files are read only for facts about these.
        tell: A function that gets the number of steps done, and of all steps.

    Raises:
        NoSuchPathError: A path does not exist. It is raised before any other work.
        UnknownVersionError: The settings name an unknown release.
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
            pass  # these files are not checked, so unreadable ones are not reported
    around += _neighbours([path for path in paths if path.is_file()], {source.path for source in (*sources, *around)})
    step = _counted(tell, 2 * len(sources) + len(around)) if tell else quiet
    yield from _check(sources, around, settings, jobs, step)


def _neighbours(files: list[Path], known: set[str]) -> Iterator[SourceFile]:
    """Yields the neighbours of files that were named alone, each once, except the `known` ones."""
    for folder in dict.fromkeys(file.parent for file in files if not is_requirements(file)):
        yield from (source for source in neighbours(folder) if source.path not in known)


def _counted(tell: Callable[[int, int], None], total: int) -> Tell:
    steps = itertools.count(1)
    return lambda: tell(next(steps), total)


def _read(
    files: Iterable[Path], named: Iterable[Path], settings: Settings, sources: list[SourceFile]
) -> Iterator[FileResult]:
    """Appends readable files to `sources`, and yields the results of the other files.

    A link that leads out of the named paths is not read, and so never written through.
    """
    roots = [path.resolve() for path in named]
    for path in files:
        if (target := leads_out(path, roots)) is not None:
            yield Skipped(systems.reported(path), f"a link to {target}, outside the named paths; name that file itself")
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
    """Returns how many processes these files keep busy, at most one for each core."""
    return min(systems.cores(), 1 + sum(len(source.text) for source in sources) // _WORTH_A_PROCESS)


def check_text(
    text: str,
    path: str,
    settings: Settings,
    others: Iterable[SourceFile] = (),
    rules: tuple[Rule, ...] | None = None,
) -> FileResult:
    """Checks a text that need not be on disk. `others` are further files of its project; `rules` replace all rules."""
    return check_file(SourceFile(path, text), settings, others, rules)


def check_file(
    source: SourceFile,
    settings: Settings,
    others: Iterable[SourceFile] = (),
    rules: tuple[Rule, ...] | None = None,
) -> FileResult:
    """Checks one file that has been read already."""
    era.fixed(settings.from_version)
    others = list(others)
    batch, project = gather(settings, [source, *others])
    bridged = any("tf2bridge" in file.text for file in others)
    return next(batch.check(project, lambda path: path == source.path, rules=rules, bridged=bridged))


def check_tree(src: Path, settings: Settings, jobs: int | None = 1) -> list[FileResult]:
    """Checks every file of a tree, ignored files included. Paths in the results are below `src`."""
    era.fixed(settings.from_version)
    sources: list[SourceFile] = []
    unchecked = list(_read(find_files([src], respect_gitignore=False), [src], settings, sources))
    return [*unchecked, *_check(sources, [], settings, jobs)]


def rewrite_tree(src: Path, out: Path, settings: Settings, jobs: int | None = 1) -> list[FileResult]:
    """Copies a tree (without .git) to `out`, with its Python files rewritten. `src` does not change.

    A file that fails is copied unchanged. Pipes and devices are left out. Paths in the results are those of `src`.

    Raises:
        NoSuchPathError: `src` does not exist.
        OutputExistsError: `out` is not empty.
        OutputInsideSourceError: One of the two directories is inside the other.
        OutputUnwritableError: `out` cannot be written.
    """
    check_output(src, out)
    results = check_tree(src, settings, jobs)
    return [*results, *copy_tree(src, out, results)]


def check_output(src: Path, out: Path) -> None:
    """Raises an error unless `out` is a new or empty directory, neither inside nor around `src`."""
    inner, outer = out.resolve(), src.resolve()
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise OutputExistsError(out)
    pairs = [*((place, outer) for place in (inner, *inner.parents)), *((place, inner) for place in outer.parents)]
    if any(first == second or systems.same_place(first, second) for first, second in pairs):
        raise OutputInsideSourceError(out, src)
