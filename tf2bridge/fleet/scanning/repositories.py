"""Tells whether a folder is a repository of TensorFlow programs, and for which release its lists of packages ask."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from codemods.requirements import is_requirements
from tf2bridge.regular_files import opened

_IMPORT = re.compile(rb"^[ \t>.\"']*(?:import|from)[ \t]+tensorflow\b", re.MULTILINE)
_NEEDED = re.compile(
    rb"\btensorflow(?:[-_]gpu|[-_]cpu)?[ \t]*((?:[=<>~!]=?=?[ \t]*\d[\w.*]*[ \t]*,?[ \t]*)+)", re.IGNORECASE
)
_SOURCES = (".py", ".ipynb")
_PROJECT = ("setup.py", "setup.cfg", "pyproject.toml", "requirements.txt", "README.md", "README.rst", "README")
_CONTROL = (".git", ".hg", ".svn")
_NO_PART = (*_CONTROL, "__pycache__", ".ipynb_checkpoints", "node_modules", "site-packages", ".venv", "venv")
_MOST = 4 << 20
"""Bytes of a source file that are looked at."""


def may_begin(names: Collection[str]) -> bool:
    """Returns whether a repository may begin at a folder with these names."""
    return any(name in names for name in (*_CONTROL, *_PROJECT)) or any(name.endswith(_SOURCES) for name in names)


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


def uses_tensorflow(files: Collection[Path]) -> bool:
    """Returns whether one of the Python files or notebooks imports TensorFlow."""
    return any(path.suffix in _SOURCES and _IMPORT.search(_beginning(path)) for path in files)


def release_asked(files: Collection[Path]) -> str | None:
    """Returns what the lists of packages ask for, such as "==1.4.0" or ">=1.4,<2"; None if they say nothing."""
    asked = {
        re.sub(rb"\s", b"", match[1]).strip(b",").decode("ascii", "replace")
        for path in files
        if is_requirements(path) or path.name == "setup.py"
        for match in _NEEDED.finditer(_beginning(path))
    }
    return " and ".join(sorted(asked)) or None


def _beginning(path: Path) -> bytes:
    try:
        with opened(path) as file:
            return file.read(_MOST)
    except OSError:
        return b""
