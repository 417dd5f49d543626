"""Zip archives, none of whose members is lost, and a member that is read at any place."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

_LOCAL_HEADER = 30
"""Bytes before the name in a member's local header; the lengths of name and extra field are its last four."""

_END, _END_64 = b"PK\x05\x06", b"PK\x06\x06"
"""The records at an archive's end, which say how many members it has (APPNOTE.TXT of PKWARE, 4.3.14 and 4.3.16)."""
_LONGEST_END = (1 << 16) + 22 + 20 + 56
_TOO_MANY = 0xFFFF


def archive_at(path: Path) -> zipfile.ZipFile:
    """Returns an archive, opened. Raises zipfile.BadZipFile, also where its directory has less members than it should.

    zipfile takes what a damaged length makes the comment of a member, and says nothing of the members within it.
    """
    archive = zipfile.ZipFile(path)
    found, said = len(archive.infolist()), _members_said(path)
    if found != said:
        archive.close()
        raise zipfile.BadZipFile(f"its directory lists {found} members, and its end says {said}")
    return archive


def _members_said(path: Path) -> int:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _LONGEST_END))
        end = file.read()
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
