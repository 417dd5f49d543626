"""Paths a user names -> the files to look at: Python, notebooks, lists of requirements.

`.gitignore` files and hidden directories are respected.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from codemods.errors import NoSuchPathError
from codemods.requirements import is_requirements

if TYPE_CHECKING:
    import pathspec

_NEVER = frozenset({"__pycache__", "node_modules", "site-packages", ".venv", "venv"})


def find_files(paths: Iterable[Path], respect_gitignore: bool = True) -> list[Path]:
    """The .py and .ipynb files and lists of requirements at or below the paths, in order.

    A file named outright is taken whatever it is called. Raises NoSuchPathError.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if not path.exists():
            raise NoSuchPathError(path)
        for file in _walk(path, respect_gitignore) if path.is_dir() else [path]:
            found.setdefault(file.absolute(), file)
    return list(found.values())


def first_python(root: Path, limit: int) -> list[Path]:
    """The first .py files of a directory, in order, at most `limit` of them."""
    return list(islice((path for path in _walk(root, True) if path.suffix == ".py"), limit))


def _walk(root: Path, respect_gitignore: bool) -> Iterator[Path]:
    rules: dict[Path, pathspec.GitIgnoreSpec] = {}
    for folder, folders, files in os.walk(root):
        here = Path(folder)
        if respect_gitignore and ".gitignore" in files:
            lines = (here / ".gitignore").read_text(errors="replace").splitlines()
            rules[here] = _spec(lines)
        folders[:] = sorted(
            name
            for name in folders
            if name not in _NEVER and not name.startswith(".") and not _ignored(here / name, True, rules)
        )
        for name in sorted(files):
            if (name.endswith((".py", ".ipynb")) or is_requirements(here / name)) and not _ignored(
                here / name, False, rules
            ):
                yield here / name


def _spec(lines: list[str]) -> pathspec.GitIgnoreSpec:
    """Lines that are no pattern are passed over, as git does."""
    import pathspec  # a start without it is quicker

    good = []
    for line in lines:
        try:
            pathspec.GitIgnoreSpec.from_lines([line])
            good.append(line)
        except ValueError:
            continue
    return pathspec.GitIgnoreSpec.from_lines(good)


def _ignored(path: Path, is_folder: bool, rules: dict[Path, pathspec.GitIgnoreSpec]) -> bool:
    """The nearest .gitignore that says anything about the path decides."""
    for folder in path.parents if rules else ():
        spec = rules.get(folder)
        if spec is None:
            continue
        relative = path.relative_to(folder).as_posix() + ("/" if is_folder else "")
        verdict = spec.check_file(relative).include
        if verdict is not None:
            return verdict
    return False
