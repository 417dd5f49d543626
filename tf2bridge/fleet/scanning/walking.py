"""Walks through local folders, and yields groups of files that belong together.

Links to folders are not followed, and no link leads out of the named paths. What is passed over for such a reason, and
could have been an item, is an item with an error.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tf2bridge import regular_files
from tf2bridge.errors import BridgeError, NoSuchFileError
from tf2bridge.fleet.inventory import Kind
from tf2bridge.fleet.refusals import LinkError
from tf2bridge.fleet.scanning import repository_files
from tf2bridge.fleet.scanning.groups import Form, Group, groups, is_skipped, whole
from tf2bridge.fleet.scanning.telling import Told, failed


@dataclass
class _Entries:
    """The names in a folder, by what they are."""

    files: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)
    troubles: list[Told] = field(default_factory=list)


def walked(paths: Sequence[str]) -> Iterator[Group | Told]:
    """Yields the groups at and below local paths, and items for what cannot be looked at.

    A path may be a folder, a file, or the prefix of a checkpoint. Raises NoSuchFileError.
    """
    roots = [os.path.realpath(path if Path(path).is_dir() else Path(path).parent) for path in paths]
    for path in paths:
        if Path(path).is_dir():
            yield from _below(path, roots)
        else:
            yield from _named(Path(path), roots)


def _named(path: Path, roots: Sequence[str]) -> Iterator[Group | Told]:
    """Yields the groups that a file or prefix belongs to."""
    folder = os.fspath(path.parent) if path.parent != Path() else ""
    entries = _entries(folder, roots)
    troubles = [told for told in entries.troubles if told.item.path == os.fspath(path)]
    fitting = [group for group in groups(folder, entries.files) if path.name in (group.name, *group.files)]
    model = whole(folder or ".", [*entries.files, *entries.folders])
    if model is not None and path.name in model.files:
        fitting = [model]
    if not fitting and not troubles and not os.path.lexists(path):
        raise NoSuchFileError(path, "file, folder or checkpoint")
    yield from troubles
    yield from fitting


def _below(root: str, roots: Sequence[str]) -> Iterator[Group | Told]:
    waiting = [(root, False)]
    while waiting:
        folder, in_repository = waiting.pop()
        entries = _entries(folder, roots)
        yield from entries.troubles
        names = {*entries.files, *entries.folders}
        if repository_files.is_controlled(names) or (not in_repository and repository_files.may_begin(names)):
            in_repository = True
            yield Group(Form.REPOSITORY, folder, "")
        model = whole(folder, names)
        if model is not None:
            yield model
        taken = model.files if model is not None else ()
        yield from groups(folder, (name for name in entries.files if name not in taken))
        below = (name for name in entries.folders if name not in taken and not repository_files.has_no_part(name))
        waiting += [(os.path.join(folder, name), in_repository) for name in sorted(below, reverse=True)]  # noqa: PTH118


def _entries(folder: str, roots: Sequence[str]) -> _Entries:
    """Returns what is in a folder. What cannot be looked at is a trouble."""
    entries = _Entries()
    try:
        with os.scandir(folder or ".") as scanned:
            for entry in scanned:
                path = os.path.join(folder, entry.name)  # noqa: PTH118 (the path as the user named it)
                try:
                    _sort(entry, path, entries, roots)
                except (OSError, BridgeError) as error:
                    if not is_skipped(entry.name):
                        entries.troubles.append(failed(path, Kind.FILE, error, folder))
    except OSError as error:
        entries.troubles.append(failed(folder or ".", Kind.FOLDER, error, folder))
    return entries


def _sort(entry: os.DirEntry[str], path: str, entries: _Entries, roots: Sequence[str]) -> None:
    if entry.is_symlink():
        target = os.path.realpath(path)
        if not os.path.exists(target):  # noqa: PTH110
            raise LinkError(path, "to nothing")
        if not any(target == root or target.startswith(os.path.join(root, "")) for root in roots):  # noqa: PTH118
            raise LinkError(path, "that leads out of the paths to scan; name its target, if it is meant")
        if entry.is_dir():
            return  # the folder is found at its own place
    if entry.is_dir():
        entries.folders.append(entry.name)
    elif entry.is_file():
        entries.files.append(entry.name)
    else:
        regular_files.require(Path(path))
