"""Copies a tree that a stranger may have written: only its directories, regular files and links."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from codemods import systems
from codemods.errors import CodemodsError, OutputUnwritableError, TooDeepError
from codemods.regular import require_regular
from codemods.results import Changed, FileResult, Skipped
from codemods.write import MODE

_DEEPEST = 200
"""Directories in each other; removing a tree takes a step of Python's stack for each."""


def copy_tree(src: Path, out: Path, results: Iterable[FileResult]) -> list[Skipped]:
    """Builds the copy, without .git, beside its place, and moves it there when complete. Returns what was left out.

    Raises OutputUnwritableError and TooDeepError, and then there is no copy.
    """
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        building = Path(tempfile.mkdtemp(prefix=f".{out.name[:100]}.", dir=out.parent))
    except OSError as error:
        raise OutputUnwritableError(out, error.strerror or str(error)) from error
    try:
        tree = building / "tree"
        _require_room(src, out)
        new = {Path(result.path): result.after for result in results if isinstance(result, Changed)}
        left_out = list(_copied(src, tree, new))
        if out.exists():
            out.rmdir()
        tree.replace(out)
    except OSError as error:
        raise OutputUnwritableError(out, error.strerror or str(error)) from error
    finally:
        systems.remove_tree(building)
    return left_out


def _entries(src: Path) -> Iterator[os.DirEntry[str]]:
    """Yields everything below a directory, each directory before its content."""
    waiting = [(src, 0)]
    while waiting:
        folder, depth = waiting.pop()
        if depth > _DEEPEST:
            raise TooDeepError(src, _DEEPEST)
        with os.scandir(folder) as listing:
            entries = sorted((entry for entry in listing if entry.name != ".git"), key=lambda entry: entry.name)
        yield from entries
        waiting += [(Path(entry.path), depth + 1) for entry in entries if _is_folder(entry)]


def _require_room(src: Path, out: Path) -> None:
    """Raises an error if the disk is too small. A sparse file can have a size larger than any disk."""
    needed = sum(entry.stat(follow_symlinks=False).st_size for entry in _entries(src) if _is_file(entry))
    free = shutil.disk_usage(out.parent).free
    if needed > free:
        raise OutputUnwritableError(out, f"the copy takes {needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free")


def _is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) and not systems.is_link(entry)


def _is_file(entry: os.DirEntry[str]) -> bool:
    return entry.is_file(follow_symlinks=False)


def _copied(src: Path, tree: Path, new: Mapping[Path, bytes]) -> Iterator[Skipped]:
    """Copies everything, or its `new` bytes. Yields entries that are neither directories, regular files nor links."""
    tree.mkdir()
    modes = [(tree, src.stat().st_mode)]
    for entry in _entries(src):
        place = tree / Path(entry.path).relative_to(src)
        if systems.is_link(entry):
            target = Path(entry.path).readlink()  # the file to which it points is rewritten in its own place
            is_folder = os.path.isdir(entry.path)  # noqa: PTH112  # for links in a circle, pathlib raises
            if not systems.make_link(place, target, is_folder):
                yield Skipped(systems.reported(entry.path), "not copied: a symbolic link, which you may not make here")
        elif _is_folder(entry):
            place.mkdir()
            modes.append((place, entry.stat(follow_symlinks=False).st_mode))
        else:
            try:
                require_regular(Path(entry.path), entry.stat(follow_symlinks=False))
            except CodemodsError as error:
                yield Skipped(systems.reported(entry.path), f"not copied: {getattr(error, 'what', error)}")
                continue
            _copy(Path(entry.path), place, new)
    for place, mode in reversed(modes):  # when nothing is left to be put in
        place.chmod(stat.S_IMODE(mode) & MODE)


def _copy(path: Path, place: Path, new: Mapping[Path, bytes]) -> None:
    status = path.lstat()
    if path in new:
        place.write_bytes(new[path])
    else:
        shutil.copyfile(path, place, follow_symlinks=False)
        os.utime(place, ns=(status.st_atime_ns, status.st_mtime_ns))
    place.chmod(stat.S_IMODE(status.st_mode) & MODE)
