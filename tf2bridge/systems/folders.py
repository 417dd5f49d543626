"""A directory that is held while files are written into it, and locked against other processes.

On Linux and macOS it is held by its descriptor: it stays the same directory whatever its name is, and no link is
followed. On Windows it is held by its name; the open file of its lock keeps others from moving it.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path
from typing import Protocol

from codemods.systems import is_junction
from tf2bridge.systems import BINARY, locks

_BY_DESCRIPTOR = (
    locks.fcntl is not None
    and hasattr(os, "O_DIRECTORY")
    and hasattr(os, "O_NOFOLLOW")
    and {os.open, os.mkdir, os.unlink, os.rmdir, os.stat, os.rename} <= os.supports_dir_fd
    and os.listdir in os.supports_fd
)
"""Whether this system can hold a directory by its descriptor."""


class Folder(Protocol):
    """A directory that is held. All names are those of its entries; links are never followed."""

    @property
    def path(self) -> Path:
        """Returns the path of the directory; if the system can, a path that leads to this directory and no other."""

    def facts(self) -> os.stat_result:
        """Returns the status of the opened directory."""

    def facts_of(self, name: str) -> os.stat_result:
        """Returns the status of an entry; of a link itself. Raises FileNotFoundError."""

    def names(self) -> list[str]:
        """Returns the names of all entries except the lock."""

    def make_folder(self, name: str) -> None:
        """Makes a directory for this user alone. Raises FileExistsError."""

    def make_file(self, name: str) -> None:
        """Makes a new empty file for this user alone."""

    def opened(self, name: str) -> Folder:
        """Returns a directory in this one. Raises FileNotFoundError, and OSError for anything but a directory."""

    def remove(self, name: str) -> None:
        """Removes a file. Raises FileNotFoundError."""

    def remove_folder(self, name: str) -> None:
        """Removes an empty directory in this one that is no longer locked."""

    def move(self, name: str, new: str, to: Folder) -> None:
        """Moves a file into another directory, or this one, and replaces an existing file there."""

    def sync(self, name: str | None = None) -> None:
        """Waits until a file is on the disk; for None, until the directory's names are, if the system can."""

    def lock(self) -> None:
        """Locks the directory until it is closed. Raises BlockingIOError if it is locked, also by this process."""

    def unlock(self) -> None:
        """Unlocks the directory, so that it can be removed."""

    def close(self) -> None:
        """Releases the directory and its lock."""


def opened(path: Path) -> Folder:
    """Returns the directory at a path; a link to it is followed. Raises OSError."""
    if _BY_DESCRIPTOR:
        return _Held(path, os.open(path, _flags()))
    return _Named(path)


def discard(folder: Folder, name: str) -> None:
    """Removes a file, or a directory with its content. Of a link, only the link is removed."""
    if not stat.S_ISDIR(folder.facts_of(name).st_mode):
        folder.remove(name)
        return
    inner = folder.opened(name)
    try:
        for name_in_it in inner.names():
            discard(inner, name_in_it)
    finally:
        inner.close()
    folder.remove_folder(name)


def take_place(folder: str, place: str) -> None:
    """Renames a directory. Raises OSError if a directory with any content has that name, and FileNotFoundError.

    Windows refuses also an empty directory.
    """
    os.rename(folder, place)  # noqa: PTH104  # runs for each item of a fleet


def _flags() -> int:
    return os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class _Held:
    """A directory that is held by its descriptor."""

    def __init__(self, named: Path, descriptor: int) -> None:
        self._named, self._descriptor = named, descriptor

    @property
    def path(self) -> Path:
        opened = Path(f"/proc/{os.getpid()}/fd/{self._descriptor}")  # it stays this one whatever its name is
        try:
            is_same = os.path.samestat(os.stat(opened), self.facts())  # noqa: PTH116  # as all else here
        except OSError:
            is_same = False
        return opened if is_same else self._named

    def facts(self) -> os.stat_result:
        return os.fstat(self._descriptor)

    def facts_of(self, name: str) -> os.stat_result:
        return os.stat(name, dir_fd=self._descriptor, follow_symlinks=False)

    def names(self) -> list[str]:
        return os.listdir(self._descriptor)  # noqa: PTH208  # of a descriptor

    def make_folder(self, name: str) -> None:
        os.mkdir(name, 0o700, dir_fd=self._descriptor)

    def make_file(self, name: str) -> None:
        os.close(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=self._descriptor))

    def opened(self, name: str) -> Folder:
        return _Held(self._named / name, os.open(name, _flags() | os.O_NOFOLLOW, dir_fd=self._descriptor))

    def remove(self, name: str) -> None:
        os.unlink(name, dir_fd=self._descriptor)

    def remove_folder(self, name: str) -> None:
        os.rmdir(name, dir_fd=self._descriptor)

    def move(self, name: str, new: str, to: Folder) -> None:
        assert isinstance(to, _Held)
        os.replace(name, new, src_dir_fd=self._descriptor, dst_dir_fd=to._descriptor)

    def sync(self, name: str | None = None) -> None:
        if name is None:
            os.fsync(self._descriptor)
            return
        descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._descriptor)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def lock(self) -> None:
        locks.lock_descriptor(self._descriptor)

    def unlock(self) -> None:
        """Does nothing: the lock ends with the descriptor, and does not prevent the removal of the directory."""

    def close(self) -> None:
        os.close(self._descriptor)


class _Named:
    """A directory that is held by its name: each step looks up names again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._facts = path.stat()
        self._lock: locks.Lock | None = None

    @property
    def path(self) -> Path:
        return self._path

    def facts(self) -> os.stat_result:
        return self._facts

    def facts_of(self, name: str) -> os.stat_result:
        return (self._path / name).lstat()

    def names(self) -> list[str]:
        return [entry.name for entry in self._path.iterdir() if entry.name != locks.NAME]

    def make_folder(self, name: str) -> None:
        (self._path / name).mkdir(0o700)

    def make_file(self, name: str) -> None:
        (self._path / name).touch(0o600)

    def opened(self, name: str) -> Folder:
        facts = self.facts_of(name)
        if not stat.S_ISDIR(facts.st_mode) or is_junction(facts):
            raise NotADirectoryError(f"{self._path / name} is no directory, or a link to one")
        return _Named(self._path / name)

    def remove(self, name: str) -> None:
        (self._path / name).unlink()

    def remove_folder(self, name: str) -> None:
        with contextlib.suppress(OSError):  # another process may hold it by now
            (self._path / name).rmdir()

    def move(self, name: str, new: str, to: Folder) -> None:
        (self._path / name).replace(to.path / new)

    def sync(self, name: str | None = None) -> None:
        if name is None:
            return  # a directory cannot be written to the disk by itself
        descriptor = os.open(self._path / name, os.O_RDWR | BINARY)  # Windows writes only what is open for it
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def lock(self) -> None:
        self._lock = locks.Lock(self._path)

    def unlock(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def close(self) -> None:
        self.unlock()
