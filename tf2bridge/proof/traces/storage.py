"""The storage of a trace's members: its zip, or the folder of a recording that did not end."""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
import zlib
from pathlib import Path
from typing import Any, Protocol

from tf2bridge.formats.checkpoints.archived import Archive
from tf2bridge.formats.checkpoints.npy_header import UnknownVersionError
from tf2bridge.proof.recording.folding import JOURNAL, MEMBERS, JournalError, events_of, fold
from tf2bridge.proof.traces.known import UnknownContentError
from tf2bridge.regular_files import content_of
from tf2bridge.regular_files import opened as opened_file
from tf2bridge.systems import read_at

_DIGEST_KEY = b',\n "sha256": "'
_DIGEST_END = b'"\n}\n'
_LARGEST_MANIFEST, _TIMES = 32 << 20, 10
"""Bytes of a manifest, or this many times those of the archive: values of Python take far more memory than JSON."""
_LARGEST_JOURNAL = 512 << 20


class Storage(Protocol):
    """An opened trace."""

    manifest: dict[str, Any]

    def size(self, name: str) -> int:
        """Returns the stored size of a member in bytes, without reading it."""

    def read(self, name: str) -> bytes:
        """Returns the stored bytes of a member."""

    def close(self) -> None:
        """Closes its file."""


class Zip:
    """A trace that was finished."""

    def __init__(self, path: Path) -> None:
        self._archive = Archive(path)
        try:
            self.manifest = _manifest(self._archive)
            self._check()
        except BaseException:
            self._archive.close()
            raise

    def _check(self) -> None:
        absent = [row["name"] for row in self.manifest["members"] if row["name"] not in self._archive.NameToInfo]
        if absent:
            raise UnknownContentError(f"it lacks {len(absent)} of its members, {absent[0]} first")

    def size(self, name: str) -> int:
        return self._archive.getinfo(name).file_size

    def read(self, name: str) -> bytes:
        return self._archive.read(name)

    def close(self) -> None:
        self._archive.close()


class Folder:
    """The folder of a recording that did not end."""

    def __init__(self, path: Path) -> None:
        for name in (JOURNAL, MEMBERS):
            if (path / name).is_symlink():
                raise UnknownContentError(f"its {name} is a symbolic link, and may lead to anything")
        journal = content_of(path / JOURNAL, _LARGEST_JOURNAL)
        self.manifest, self._offsets = fold(events_of(io.BytesIO(journal)))
        self._sizes = {row["name"]: row["bytes"] for row in self.manifest["members"]}
        self._file = opened_file(path / MEMBERS)

    def size(self, name: str) -> int:
        left = os.fstat(self._file.fileno()).st_size - self._offsets[name]
        return int(max(0, min(self._sizes[name], left)))

    def read(self, name: str) -> bytes:
        return read_at(self._file, self._sizes[name], self._offsets[name])

    def close(self) -> None:
        self._file.close()


def opened(path: Path) -> Storage:
    """Opens a zip or a folder; raises one of the exceptions of DAMAGE if it is no trace."""
    return Folder(path) if path.is_dir() else Zip(path)


# Our errors, and those of the standard library for a damaged zip or JSON.
DAMAGE: tuple[type[Exception], ...] = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError),
    *(KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError, MemoryError),
    *(JournalError, UnknownContentError, UnknownVersionError),
)


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        size = archive.getinfo("manifest.json").file_size
    except KeyError:
        raise UnknownContentError("it holds no manifest.json") from None
    if size > max(_LARGEST_MANIFEST, _TIMES * sum(member.compress_size for member in archive.infolist())):
        raise UnknownContentError(f"its manifest of {size:,} bytes is too large for an archive of its size")
    raw = archive.read("manifest.json")
    body, key, tail = raw.rpartition(_DIGEST_KEY)
    if not key or tail != hashlib.sha256(body).hexdigest().encode() + _DIGEST_END:
        raise UnknownContentError("its manifest does not match its own sha256")
    return dict(json.loads(raw))
