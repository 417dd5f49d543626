"""Where a repository begins, by the names in a folder, and which files belong to it."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path

SOURCES = (".py", ".ipynb")
_PROJECT = ("setup.py", "setup.cfg", "pyproject.toml", "requirements.txt", "README.md", "README.rst", "README")
_CONTROL = (".git", ".hg", ".svn")
_NO_PART = (*_CONTROL, "__pycache__", ".ipynb_checkpoints", "node_modules", "site-packages", ".venv", "venv")


def may_begin(names: Collection[str]) -> bool:
    """Returns whether a repository may begin at a folder with these names."""
    return any(name in names for name in (*_CONTROL, *_PROJECT)) or any(name.endswith(SOURCES) for name in names)


def is_controlled(names: Collection[str]) -> bool:
    """Returns whether a folder with these names is the top of a repository of git, Mercurial or Subversion."""
    return any(name in names for name in _CONTROL)


def has_no_part(name: str) -> bool:
    """Returns whether a folder of this name is never looked into: a version control's own, or installed packages."""
    return name in _NO_PART


def files_below(root: Path) -> Iterator[Path]:
    """Yields the files of a repository, sorted. Links are not followed; unreadable folders are passed over.

    Repositories inside this one, with a version control of their own, are left out.
    """
    for here, folders, names in os.walk(root):
        if here != os.fspath(root) and is_controlled([*folders, *names]):
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not has_no_part(name))
        yield from (path for name in sorted(names) if not (path := Path(here, name)).is_symlink() and path.is_file())
