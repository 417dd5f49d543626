"""Reads zip archives with checks: no member is lost, and no archive inflates without bound."""

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
"""The limit of the inflated bytes of all members: a number, or a multiple of the archive's size. A bomb has 1000."""


class Archive(zipfile.ZipFile):
    """An archive that is open for reading.

    Raises:
        NotRegularFileError: the path is not a regular file.
        OSError: the file cannot be read.
        zipfile.BadZipFile: the archive is damaged. This includes a directory with too few members: after a damaged
            length, zipfile takes members for a comment, and reports nothing. It also includes members that exceed the
            file or overlap, and members that inflate to more than 256 MiB and more than 100 times the archive.
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
        if self._own is not None:  # zipfile does not close a file that it was given
            self._own.close()

    def _check(self, file: io.BufferedReader, size: int) -> None:
        members = self.infolist()
        if len(members) != (count := _member_count(file, size)):
            raise zipfile.BadZipFile(f"its directory lists {len(members)} members, and its end says {count}")
        if sum(member.compress_size for member in members) > size or any(
            member.header_offset + member.compress_size > size for member in members
        ):
            raise zipfile.BadZipFile("its members are said to take more bytes than it has")
        if (inflated := sum(member.file_size for member in members)) > max(_INFLATED, _TIMES * size):
            raise zipfile.BadZipFile(
                f"its members would inflate to {inflated:,} bytes, and at most {max(_INFLATED, _TIMES * size):,} are "
                "read of an archive of its size: write it again without compression, if they are meant"
            )


def _member_count(file: io.BufferedReader, size: int) -> int:
    file.seek(max(0, size - _LONGEST_END))
    end = file.read(_LONGEST_END)
    at = end.rfind(_END)
    count = int.from_bytes(end[at + 10 : at + 12], "little") if at >= 0 else 0
    if count == _TOO_MANY and (wide := end.rfind(_END_64, 0, at)) >= 0:
        count = int.from_bytes(end[wide + 32 : wide + 40], "little")
    return count


class ArchivedFile(io.RawIOBase):
    """An uncompressed member, read from its place in the archive.

    zipfile's own reader is not used: its seek miscounts the remaining bytes in Python 3.13.0 (EOFError), and reads all
    skipped bytes in older releases.
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
    """Returns a member of an archive as a file that can seek."""
    member = archive.getinfo(name)
    if member.compress_type == zipfile.ZIP_STORED:
        return ArchivedFile(path, member)
    return archive.open(member)
