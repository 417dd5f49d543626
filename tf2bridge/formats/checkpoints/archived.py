"""Zip archives that lose no member and do not inflate without bound, and a member that is read at any place."""

from __future__ import annotations

import io
import os
import zipfile
from pathlib import Path
from typing import Any

from tf2bridge.regular_files import opened

_LOCAL_HEADER = 30
"""Bytes before the name in a member's local header; the lengths of name and extra field are its last four."""

_END, _END_64 = b"PK\x05\x06", b"PK\x06\x06"
"""The records at an archive's end, which say how many members it has (APPNOTE.TXT of PKWARE, 4.3.14 and 4.3.16)."""
_LONGEST_END = (1 << 16) + 22 + 20 + 56
_TOO_MANY = 0xFFFF
_INFLATED, _TIMES = 256 << 20, 100
"""Bytes that all members together may have, or this many times the archive's own: a bomb has a thousand times."""


class Archive(zipfile.ZipFile):
    """An archive, opened for reading. Raises NotRegularFileError, OSError, and zipfile.BadZipFile.

    BadZipFile also where its directory has less members than it should: zipfile takes what a damaged length makes the
    comment of a member, and says nothing of the members within it. And where members lie outside the file or over each
    other, or are said to inflate to more than 256 MiB and more than a hundred times the archive.
    """

    _own: io.BufferedReader | None = None

    def __init__(self, path: Path) -> None:
        self._own = io.BufferedReader(opened(path))
        try:
            super().__init__(self._own)
            self._check(self._own, os.fstat(self._own.fileno()).st_size)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        super().close()
        if self._own is not None:  # zipfile leaves a file open that it was given
            self._own.close()

    def _check(self, file: io.BufferedReader, size: int) -> None:
        members = self.infolist()
        if len(members) != (said := _members_said(file, size)):
            raise zipfile.BadZipFile(f"its directory lists {len(members)} members, and its end says {said}")
        if sum(member.compress_size for member in members) > size or any(
            member.header_offset + member.compress_size > size for member in members
        ):
            raise zipfile.BadZipFile("its members are said to take more bytes than it has")
        if (inflated := sum(member.file_size for member in members)) > max(_INFLATED, _TIMES * size):
            raise zipfile.BadZipFile(
                f"its members would inflate to {inflated:,} bytes, and at most {max(_INFLATED, _TIMES * size):,} are "
                "read of an archive of its size: write it again without compression, if they are meant"
            )


def _members_said(file: io.BufferedReader, size: int) -> int:
    file.seek(max(0, size - _LONGEST_END))
    end = file.read(_LONGEST_END)
    at = end.rfind(_END)
    count = int.from_bytes(end[at + 10 : at + 12], "little") if at >= 0 else 0
    if count == _TOO_MANY and (wide := end.rfind(_END_64, 0, at)) >= 0:
        count = int.from_bytes(end[wide + 32 : wide + 40], "little")
    return count


class ArchivedFile(io.RawIOBase):
    """A member that is stored as it is, read from its place in the archive.

    zipfile's own reader of such a member loses count of what is left when it seeks, in Python 3.13.0 (EOFError), and
    reads all that it seeks across in older ones.
    """

    def __init__(self, path: Path, member: zipfile.ZipInfo) -> None:
        super().__init__()
        self._file = opened(path)
        self._file.seek(member.header_offset)
        lengths = self._file.read(_LOCAL_HEADER)[-4:]
        name, extra = int.from_bytes(lengths[:2], "little"), int.from_bytes(lengths[2:], "little")
        self.start = member.header_offset + _LOCAL_HEADER + name + extra
        """Where in the archive its first byte lies."""
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
        self._file.seek(self.start + self._at)
        count = self._file.readinto(view) or 0
        self._at += count
        return count

    def close(self) -> None:
        self._file.close()
        super().close()


def member_of(archive: zipfile.ZipFile, path: Path, name: str) -> Any:
    """Returns a member of an archive, to be read at any place."""
    member = archive.getinfo(name)
    if member.compress_type == zipfile.ZIP_STORED:
        return ArchivedFile(path, member)
    return archive.open(member)
