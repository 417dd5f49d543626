"""The local files of a group: their paths, sizes and times, and the digest of them.

This needs no reader of formats, so that `fleet run`, which compares items with their inventory, starts fast.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import BinaryIO

from tf2bridge.fleet.scanning import repository_files
from tf2bridge.fleet.scanning.digests import Digest, Part, Reading, digest_of
from tf2bridge.fleet.scanning.groups import Form, Group
from tf2bridge.formats import sidecars
from tf2bridge.regular_files import opened

DATA = ".data-"
"""What the names of a V2 checkpoint's data files have between its prefix and their numbers."""

Opener = Callable[[Path], BinaryIO]


def paths_of(group: Group) -> list[Path]:
    """Returns all files of a group of local files. Raises UnsealableError, OSError."""
    folder = Path(group.folder)
    if group.form is Form.REPOSITORY:
        return list(repository_files.files_below(folder))
    if group.form is not Form.FOLDER:
        return [folder / name for name in group.files]
    entries = [folder / name for name in group.files]
    return [part for entry in entries for part in (sidecars.parts_of(entry) if entry.is_dir() else [entry])]


def stamp_of(path: Path) -> tuple[int, int]:
    """Returns the bytes of a file, and when it was changed, in nanoseconds since 1970."""
    facts = path.stat()
    return facts.st_size, facts.st_mtime_ns


def modified(stamps: Iterable[tuple[int, int]]) -> int:
    """Returns when the newest of some files was changed, in microseconds, which JSON can hold."""
    return max(nanoseconds for _, nanoseconds in stamps) // 1000


def parts_of(group: Group, paths: Iterable[Path], reading: Reading, opener: Opener) -> list[Part]:
    """Returns the files for a digest. Their names do not say what the item is called, so copies have equal digests."""
    root = os.path.join(group.folder, group.prefix)  # noqa: PTH118 (Path would drop the separator at the end)
    parts = []
    for path in paths:
        name = os.fspath(path).removeprefix(root)
        is_indexed = DATA in path.name and path.with_name(f"{path.name.rpartition(DATA)[0]}.index").is_file()
        read = reading.digest is Digest.FULL or not is_indexed
        parts.append(Part(name, path.stat().st_size, functools.partial(opener, path) if read else None))
    return parts


def digest_now(group: Group, reading: Reading) -> str | None:
    """Returns the digest that `tell` gives an item of these local files. Raises TooLargeItemError, OSError."""
    return digest_of(parts_of(group, paths_of(group), reading, opened), reading, lambda: None)
