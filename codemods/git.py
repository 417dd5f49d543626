"""Finds the files of a git work tree that git has no copy of, or that differ from a revision.

This module compares files with the names of blobs itself, because git would run programs that the repository names.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from codemods import repository
from codemods.errors import CodemodsError, GitFailedError, NoRevisionError
from codemods.regular import read_regular
from codemods.repository import Repository


def uncommitted(paths: Iterable[Path]) -> list[Path]:
    """Returns the files in a git work tree that differ from the last commit.

    Without git the result is empty. Raises GitFailedError.
    """
    if repository.program() is None:
        return []
    around = cache(repository.around)
    blobs = cache(lambda tree: _blobs(tree, "HEAD") or {})
    changed: list[Path] = []
    for path in paths:
        real = Path(os.path.realpath(path))
        tree = around(real.parent)
        if tree is not None and _differs(real, tree, blobs(tree)):
            changed.append(path)
    return changed


def changed_since(ref: str, folder: Path) -> Callable[[Path], bool]:
    """Returns a test whether a file of the work tree around a folder differs from a revision or is not tracked.

    Raises NoRevisionError and GitFailedError.
    """
    tree = repository.around(folder)
    if tree is None:
        raise NoRevisionError(folder, ref, "not in a git work tree")
    blobs = _blobs(tree, ref)
    if blobs is None:
        if ref != "HEAD":
            raise NoRevisionError(folder, ref, "no such revision")
        blobs = {}  # nothing committed yet
    answer = repository.ask(tree, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    if answer is None:
        raise GitFailedError(tree.top, "git cannot read its index")
    listed = frozenset(os.fsdecode(name) for name in answer.split(b"\0") if name)

    @cache
    def differs(path: Path) -> bool:
        places = {Path(os.path.realpath(path)), path.absolute()}
        return any(_name(place, tree) in listed and _differs(place, tree, blobs) for place in places)

    return differs


def _blobs(tree: Repository, ref: str) -> dict[str, str] | None:
    """Returns file -> blob in a revision; None if there is no such revision."""
    commit = repository.ask(tree, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
    if commit is None:
        return None
    answer = repository.ask(tree, "ls-tree", "-r", "-z", "--full-tree", commit.decode().strip())
    if answer is None:
        raise GitFailedError(tree.top, f"git cannot read what {ref} holds")
    rows = (row.partition(b"\t") for row in answer.split(b"\0") if row)
    return {os.fsdecode(name): about.split()[2].decode() for about, _, name in rows}


def _name(path: Path, tree: Repository) -> str | None:
    return path.relative_to(tree.top).as_posix() if path.is_relative_to(tree.top) else None


def _differs(path: Path, tree: Repository, blobs: dict[str, str]) -> bool:
    """Returns whether a file differs from its blob, except for line ends of Windows."""
    blob = blobs.get(_name(path, tree) or "")
    if blob is None:
        return True
    try:
        linked = stat.S_ISLNK(path.lstat().st_mode)
        data = os.fsencode(path.readlink().as_posix()) if linked else read_regular(path, follow=False)
    except (OSError, CodemodsError):
        return True
    return blob not in (_blob(data, len(blob)), _blob(data.replace(b"\r\n", b"\n"), len(blob)))


def _blob(data: bytes, digits: int) -> str:
    """Returns git's name for these bytes, with as many digits as the names of the repository."""
    made = hashlib.new("sha256" if digits == 64 else "sha1", usedforsecurity=False)
    made.update(b"blob %d\0" % len(data) + data)
    return made.hexdigest()
