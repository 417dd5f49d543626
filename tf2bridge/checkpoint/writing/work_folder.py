"""The directory beside a destination in which its files are written, `.NAME.tf2bridge`.

Its name can be foretold, so somebody may put something there: a symbolic link, a directory out of an archive, one of
another user. It is held by its descriptor, no link is followed, and nothing in it counts unless it was made by this
user, here: then it holds a file that is named by the number (inode) of the directory, which is another one wherever a
copy of it is unpacked.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tf2bridge.checkpoint.files.forms import unfinished
from tf2bridge.checkpoint.writing.refusals import BusyDestinationError, ForeignWorkFolderError

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


@dataclass(frozen=True)
class WorkFolder:
    """A directory that this process alone holds: `descriptor` is its own, `parent` that of the destination's."""

    destination: Path
    name: str
    descriptor: int
    parent: int

    @property
    def path(self) -> Path:
        """The directory by its descriptor where the system can name it so: it stays this one whatever its name is."""
        held = Path(f"/proc/{os.getpid()}/fd/{self.descriptor}")
        try:
            is_same = os.path.samestat(held.stat(), os.fstat(self.descriptor))
        except OSError:
            is_same = False
        return held if is_same else self.destination.with_name(self.name)

    def names(self) -> list[str]:
        """What lies in it, but for the file that says who made it."""
        return [name for name in os.listdir(self.descriptor) if name != self._mark]  # noqa: PTH208  # of a descriptor

    def is_own(self) -> bool:
        """Whether tf2bridge made it where it lies."""
        return self._mark in os.listdir(self.descriptor)  # noqa: PTH208  # of a descriptor

    def mark(self) -> None:
        """Says in it that tf2bridge made it."""
        os.close(os.open(self._mark, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600, dir_fd=self.descriptor))

    def discard(self, name: str) -> None:
        """Removes what has this name in it."""
        _remove(name, self.descriptor)

    def remove(self) -> None:
        """Removes the directory itself, which is empty."""
        os.unlink(self._mark, dir_fd=self.descriptor)
        os.rmdir(self.name, dir_fd=self.parent)

    @property
    def _mark(self) -> str:
        return f"made-as-{os.fstat(self.descriptor).st_ino}"


@contextmanager
def held(destination: Path) -> Iterator[WorkFolder]:
    """Holds the work directory of a destination, made where there is none; nobody else does until the block is left.

    It may hold what a killed process left. Raises BusyDestinationError, ForeignWorkFolderError for a directory that
    tf2bridge did not make there.
    """
    parent = os.open(destination.parent, _DIRECTORY)
    try:
        folder = _locked(destination, parent)
        try:
            if not folder.is_own():
                if folder.names():
                    raise ForeignWorkFolderError(destination, folder.name, "holds what tf2bridge did not write there")
                folder.mark()
            yield folder
        finally:
            os.close(folder.descriptor)
    finally:
        os.close(parent)


def _locked(destination: Path, parent: int) -> WorkFolder:
    name = unfinished(destination).name
    while True:
        with suppress(FileExistsError):
            os.mkdir(name, 0o700, dir_fd=parent)
        try:
            descriptor = os.open(name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=parent)
        except FileNotFoundError:
            continue  # its owner has just finished
        except OSError as error:
            raise ForeignWorkFolderError(destination, name, _kind(name, parent)) from error
        try:
            if os.fstat(descriptor).st_uid != os.geteuid():
                raise ForeignWorkFolderError(destination, name, "belongs to another user")
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), os.stat(name, dir_fd=parent, follow_symlinks=False)):
                return WorkFolder(destination, name, descriptor, parent)
            os.close(descriptor)
        except FileNotFoundError:
            os.close(descriptor)  # as above, a moment later
        except BaseException as error:
            os.close(descriptor)
            if isinstance(error, BlockingIOError):
                raise BusyDestinationError(destination) from error
            raise


def _kind(name: str, parent: int) -> str:
    is_link = stat.S_ISLNK(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)
    return "is a symbolic link" if is_link else "is no directory that can be opened"


def _remove(name: str, folder: int) -> None:
    """Removes a file, or a directory with all that is in it; of a link the link, never what it leads to."""
    if not stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        os.unlink(name, dir_fd=folder)
        return
    descriptor = os.open(name, _DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
    try:
        for inner in os.listdir(descriptor):  # noqa: PTH208  # of a descriptor
            _remove(inner, descriptor)
    finally:
        os.close(descriptor)
    os.rmdir(name, dir_fd=folder)
