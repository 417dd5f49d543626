"""Unpacks archives (.zip, .tar, .tar.gz and such) into a folder, within limits, and nothing outside of it.

Only regular files are unpacked. A member that has an unsafe name, is a link or a device, is encrypted, or has the name
of another one is refused, and the others go on.
"""

from __future__ import annotations

import bz2
import functools
import gzip
import lzma
import os
import re
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple, cast

from tf2bridge.fleet.refusals import ArchiveError
from tf2bridge.formats.checkpoints.archived import Archive
from tf2bridge.regular_files import opened

_NAMES = re.compile(r".+\.(?:zip|tar|tgz|tbz2|txz|tar\.(?:gz|bz2|xz))", re.DOTALL | re.IGNORECASE)
_ZIP = b"PK"
_OPENERS: dict[bytes, Callable[[BinaryIO], Any]] = {
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file, mode="rb"),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ": lzma.LZMAFile,
}
_PIECE = 1 << 20
_DAMAGE = (
    *(zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, NotImplementedError),
    *(ValueError, RuntimeError, gzip.BadGzipFile, OverflowError),
)
_ENCRYPTED = 1
_DRIVE = re.compile(r"[A-Za-z]:")


@dataclass(frozen=True)
class Room:
    """What an archive may take: bytes that it unpacks to, and members."""

    bytes: int = 4 << 30
    members: int = 200_000


class Refusal(NamedTuple):
    """A member that was not unpacked, and why."""

    member: str
    why: str


class _Member(NamedTuple):
    name: str
    refusal: str
    open: Callable[[], IO[bytes] | None]


def is_archive_name(name: str) -> bool:
    """Returns whether a file of this name is looked into as an archive."""
    return _NAMES.fullmatch(name) is not None


def unpack(
    path: Path, folder: Path, room: Room, beat: Callable[[], None], wanted: Callable[[str], bool] = lambda _: True
) -> Iterator[Refusal]:
    """Unpacks the wanted members of an archive into an existing folder, and yields those that are refused.

    Raises ArchiveError if the archive is damaged or needs more room; what was unpacked until then stays in the folder.
    """
    left, count = room.bytes, 0
    try:
        with _members(path, room) as members:
            for member in members:
                count += 1
                if count > room.members:
                    raise ArchiveError(path.name, f"has more than {room.members:,} members, the limit for an archive")
                if not wanted(member.name):
                    continue
                if refusal := member.refusal or _unsafe(member.name):
                    yield Refusal(member.name, refusal)
                    continue
                try:
                    left -= _copy(member, folder, left, beat)
                except (_FullError, zipfile.BadZipFile):
                    raise
                except OSError as error:
                    yield Refusal(member.name, f"cannot be unpacked: {error.strerror or error}")
    except _FullError:
        raise ArchiveError(path.name, f"unpacks to more than {room.bytes:,} bytes, the limit for an archive") from None
    except _DAMAGE as error:
        raise ArchiveError(path.name, f"the archive is damaged ({error}); copy it again") from error


class _FullError(Exception):
    """An archive needs more room than it may take."""


@contextmanager
def _members(path: Path, room: Room) -> Iterator[Iterator[_Member]]:
    with opened(path) as raw:
        head = raw.read(8)
        raw.seek(0)
        if head.startswith(_ZIP):
            with Archive(path) as archive:
                yield _of_zip(archive)
            return
        decompress = next((how for magic, how in _OPENERS.items() if head.startswith(magic)), None)
        stream: Any = decompress(raw) if decompress else raw
        with tarfile.open(fileobj=cast("IO[bytes]", _Counted(stream, 2 * room.bytes)), mode="r|") as tar:
            yield _of_tar(tar)


class _Counted:
    """A stream that gives no more than a number of bytes, for the headers of a tar are not counted elsewhere."""

    def __init__(self, stream: Any, most: int) -> None:
        self._stream, self._left = stream, most

    def read(self, size: int) -> bytes:
        data: bytes = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise _FullError
        return data


def _of_zip(archive: zipfile.ZipFile) -> Iterator[_Member]:
    for info in archive.infolist():
        if info.is_dir():
            continue
        kind = (info.external_attr >> 28) & 0xF
        refusal = ""
        if info.flag_bits & _ENCRYPTED:
            refusal = "is encrypted"
        elif kind not in (0, 8):  # of Unix's file modes: none, or a regular file
            refusal = "is a link" if kind == 10 else "is no regular file"
        yield _Member(info.filename, refusal, functools.partial(archive.open, info))


def _of_tar(tar: tarfile.TarFile) -> Iterator[_Member]:
    for info in tar:
        if info.isdir():
            continue
        refusal = ""
        if info.issym() or info.islnk():
            refusal = "is a link"
        elif not info.isreg() or info.issparse():
            refusal = "is a sparse file" if info.issparse() else "is no regular file"
        yield _Member(info.name, refusal, functools.partial(tar.extractfile, info))


def _unsafe(name: str) -> str:
    """Returns why a name is not taken for a path below a folder, or ""."""
    parts = name.split("/")
    if not name or name.startswith("/") or ".." in parts or _DRIVE.match(name) or "\0" in name:
        return "has a name that leads out of the archive"
    if os.sep != "/" and os.sep in name:
        return "has a name that this system does not allow"
    return ""


def _copy(member: _Member, folder: Path, left: int, beat: Callable[[], None]) -> int:
    """Writes a member to its file, and returns its bytes. Raises _FullError if these are more than are left."""
    target = folder.joinpath(*(part for part in member.name.split("/") if part not in ("", ".")))
    target.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    source = member.open()
    if source is None:
        return 0
    with source, target.open("xb") as file:
        while piece := source.read(_PIECE):
            size += len(piece)
            if size > left:
                raise _FullError
            file.write(piece)
            beat()
    return size
