"""A file within a zip archive, to be read at any place."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

_LOCAL_HEADER = 30
"""Bytes before the name in a member's local header; the lengths of name and extra field are its last four."""


class ArchivedFile(io.RawIOBase):
    """A member that is stored as it is, read from its place in the archive.

    zipfile's own reader of such a member loses count of what is left when it seeks, in Python 3.13.0 (EOFError), and
    reads all that it seeks across in older ones.
    """

    def __init__(self, path: Path, member: zipfile.ZipInfo) -> None:
        super().__init__()
        self._file = io.FileIO(path)
        self._file.seek(member.header_offset)
        lengths = self._file.read(_LOCAL_HEADER)[-4:]
        name, extra = int.from_bytes(lengths[:2], "little"), int.from_bytes(lengths[2:], "little")
        self._start = member.header_offset + _LOCAL_HEADER + name + extra
        self._size, self._at = member.file_size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        self._at = offset + (0, self._at, self._size)[whence]
        return self._at

    def readinto(self, memory: Any) -> int:
        view = memoryview(memory).cast("B")
        view = view[: max(0, min(len(view), self._size - self._at))]
        self._file.seek(self._start + self._at)
        count = self._file.readinto(view) or 0
        self._at += count
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


def opened(archive: zipfile.ZipFile, path: Path, name: str) -> Any:
    """Returns a member of an archive, to be read at any place."""
    member = archive.getinfo(name)
    if member.compress_type == zipfile.ZIP_STORED:
        return ArchivedFile(path, member)
    return archive.open(member)
