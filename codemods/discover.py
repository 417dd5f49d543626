"""Finds the files to check below the named paths: Python, notebooks, lists of requirements.

`.gitignore` files and hidden directories are respected.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from codemods import patterns
from codemods.errors import CodemodsError, NoSuchPathError
from codemods.regular import read_regular
from codemods.requirements import is_requirements
from codemods.systems import is_link

if TYPE_CHECKING:
    import pathspec

_NEVER = frozenset({"__pycache__", "node_modules", "site-packages", ".venv", "venv"})
_GITIGNORE_BYTES = 1_000_000


def find_files(paths: Iterable[Path], respect_gitignore: bool = True) -> list[Path]:
    """Returns the .py and .ipynb files and lists of requirements at or below the paths, in order.

    A path of a file is taken with any name. Raises NoSuchPathError.
    """
    files: dict[Path, Path] = {}
    for path in paths:
        if not path.exists():
            raise NoSuchPathError(path)
        for file in _walk(path, respect_gitignore) if path.is_dir() else [path]:
            files.setdefault(file.absolute(), file)
    return list(files.values())


def first_python(root: Path, limit: int) -> list[Path]:
    """Returns the first .py files of a directory, in order, at most `limit`."""
    return list(islice((path for path in _walk(root, True) if path.suffix == ".py"), limit))


def leads_out(path: Path, roots: Iterable[Path]) -> Path | None:
    """Returns the target of a symbolic link if it is outside these resolved paths."""
    if not path.is_symlink():
        return None
    target = Path(os.path.realpath(path))
    return None if any(target.is_relative_to(root) for root in roots) else target


def _walk(root: Path, respect_gitignore: bool) -> Iterator[Path]:
    """Yields the files to check, those of a directory before its subdirectories. Follows no links to directories."""
    rules: dict[Path, pathspec.GitIgnoreSpec] = {}
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        folders, files = _entries(folder)
        if respect_gitignore and ".gitignore" in files:
            rules[folder] = patterns.spec(_ignore_lines(folder / ".gitignore"))
        for name in sorted(files):
            if (name.endswith((".py", ".ipynb")) or is_requirements(folder / name)) and not _ignored(
                folder / name, False, rules
            ):
                yield folder / name
        waiting += [
            folder / name
            for name in sorted(folders, reverse=True)
            if name not in _NEVER and not name.startswith(".") and not _ignored(folder / name, True, rules)
        ]


def _entries(folder: Path) -> tuple[list[str], list[str]]:
    """Returns the names of subdirectories and of other entries of a directory; none if it cannot be read."""
    folders: list[str] = []
    files: list[str] = []
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if not _is_folder(entry):
                files.append(entry.name)
            elif not is_link(entry):
                folders.append(entry.name)
    return folders, files


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _ignore_lines(path: Path) -> list[str]:
    """Returns the lines of a .gitignore.

    As for git, a link counts as empty; so does a file that is not regular or too large.
    """
    try:
        return read_regular(path, _GITIGNORE_BYTES, follow=False).decode(errors="replace").splitlines()
    except (OSError, CodemodsError):
        return []


def _ignored(path: Path, is_folder: bool, rules: dict[Path, pathspec.GitIgnoreSpec]) -> bool:
    """Returns whether the path is ignored. The nearest .gitignore with a pattern for the path decides."""
    for folder in path.parents if rules else ():
        spec = rules.get(folder)
        if spec is None:
            continue
        relative = path.relative_to(folder).as_posix() + ("/" if is_folder else "")
        verdict = spec.check_file(relative).include
        if verdict is not None:
            return verdict
    return False
