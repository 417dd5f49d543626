"""Where the members of a trace lie: in its zip, or in the folder that a recording left which did not end."""

from __future__ import annotations

import hashlib
import json
import os
import zipfile
import zlib
from pathlib import Path
from typing import Any, Protocol

from tf2bridge.proof.recording.folding import JOURNAL, MEMBERS, JournalError, events_of, fold
from tf2bridge.proof.traces.known import UnknownContentError

_DIGEST_KEY = b',\n "sha256": "'
_DIGEST_END = b'"\n}\n'


class Storage(Protocol):
    """An opened trace."""

    manifest: dict[str, Any]

    def read(self, name: str) -> bytes:
        """The bytes of a member, as they lie there."""

    def close(self) -> None:
        """Closes its file."""


class Zip:
    """A trace that was finished."""

    def __init__(self, path: Path) -> None:
        self._archive = zipfile.ZipFile(path)
        self.manifest = _manifest(self._archive)
        absent = [row["name"] for row in self.manifest["members"] if row["name"] not in self._archive.NameToInfo]
        if absent:
            raise UnknownContentError(f"it lacks {len(absent)} of its members, {absent[0]} first")

    def read(self, name: str) -> bytes:
        return self._archive.read(name)

    def close(self) -> None:
        self._archive.close()


class Folder:
    """What a recording left that did not end."""

    def __init__(self, path: Path) -> None:
        with (path / JOURNAL).open("rb") as journal:
            self.manifest, self._offsets = fold(events_of(journal))
        self._sizes = {row["name"]: row["bytes"] for row in self.manifest["members"]}
        self._file = os.open(path / MEMBERS, os.O_RDONLY)

    def read(self, name: str) -> bytes:
        return os.pread(self._file, self._sizes[name], self._offsets[name])

    def close(self) -> None:
        os.close(self._file)


def opened(path: Path) -> Storage:
    """Opens a zip or a folder; raises one of the exceptions of DAMAGE if it is no trace."""
    return Folder(path) if path.is_dir() else Zip(path)


# What the standard library raises for a zip or JSON with any byte altered, and our own.
DAMAGE: tuple[type[Exception], ...] = (
    *(zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError),
    *(KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError, MemoryError),
    *(JournalError, UnknownContentError),
)


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        raw = archive.read("manifest.json")
    except KeyError:
        raise UnknownContentError("it holds no manifest.json") from None
    body, found, tail = raw.rpartition(_DIGEST_KEY)
    if not found or tail != hashlib.sha256(body).hexdigest().encode() + _DIGEST_END:
        raise UnknownContentError("its manifest does not match its own sha256")
    return dict(json.loads(raw))
