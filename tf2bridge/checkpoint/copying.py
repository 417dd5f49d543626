"""A file copied as fast as its file system can."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

_CLONE = 0x40049409
"""FICLONE of linux/fs.h: the copy shares the blocks of the original until either is changed."""


def copy(source: Path, target: Path) -> None:
    """Copies a file to a place where none is, by reflink where the file system can. Raises OSError."""
    with suppress(OSError, ImportError):
        _clone(source, target)
        return
    shutil.copyfile(source, target)


def _clone(source: Path, target: Path) -> None:
    import fcntl

    with source.open("rb") as old, target.open("wb") as new:
        fcntl.ioctl(new.fileno(), _CLONE, old.fileno())
