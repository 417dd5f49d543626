"""The directory beside a destination in which its files are written, `.NAME.tf2bridge`.

Its name can be foretold, so somebody may put something there: a symbolic link, a directory out of an archive, one of
another user. It is held (`systems.folders`), no link is followed, and nothing in it counts unless it was made by this
user, here: then it holds a file that is named by the number (inode) of the directory, which is another one wherever a
copy of it is unpacked.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tf2bridge import systems
from tf2bridge.checkpoint.writing.refusals import BusyDestinationError, ForeignWorkFolderError
from tf2bridge.formats.checkpoints.forms import unfinished
from tf2bridge.systems import folders
from tf2bridge.systems.folders import Folder


@dataclass(frozen=True)
class WorkFolder:
    """A directory that this process alone holds: `own` is the directory itself, `parent` that of the destination."""

    destination: Path
    name: str
    own: Folder
    parent: Folder

    @property
    def path(self) -> Path:
        """Where files are written into it."""
        return self.own.path

    def names(self) -> list[str]:
        """What lies in it, but for the file that says who made it."""
        return [name for name in self.own.names() if name != self._mark]

    def is_own(self) -> bool:
        """Whether tf2bridge made it where it lies."""
        return self._mark in self.own.names()

    def mark(self) -> None:
        """Says in it that tf2bridge made it."""
        self.own.make_file(self._mark)

    def discard(self, name: str) -> None:
        """Removes what has this name in it."""
        folders.discard(self.own, name)

    def remove(self) -> None:
        """Removes the directory itself, which is empty."""
        self.own.remove(self._mark)
        self.own.unlock()
        self.parent.remove_folder(self.name)

    @property
    def _mark(self) -> str:
        return f"made-as-{self.own.facts().st_ino}"


@contextmanager
def held(destination: Path) -> Iterator[WorkFolder]:
    """Holds the work directory of a destination, made where there is none; nobody else does until the block is left.

    It may hold what a killed process left. Raises BusyDestinationError, ForeignWorkFolderError for a directory that
    tf2bridge did not make there.
    """
    parent = folders.opened(destination.parent)
    try:
        folder = _locked(destination, parent)
        try:
            if not folder.is_own():
                if folder.names():
                    raise ForeignWorkFolderError(destination, folder.name, "holds what tf2bridge did not write there")
                folder.mark()
            yield folder
        finally:
            folder.own.close()
    finally:
        parent.close()


def _locked(destination: Path, parent: Folder) -> WorkFolder:
    name = unfinished(destination).name
    while True:
        with suppress(FileExistsError):
            parent.make_folder(name)
        try:
            own = parent.opened(name)
        except FileNotFoundError:
            continue  # its owner has just finished
        except OSError as error:
            raise ForeignWorkFolderError(destination, name, _kind(name, parent)) from error
        try:
            if not systems.is_own(own.facts()):
                raise ForeignWorkFolderError(destination, name, "belongs to another user")
            own.lock()
            if os.path.samestat(own.facts(), parent.facts_of(name)):
                return WorkFolder(destination, name, own, parent)
            own.close()
        except FileNotFoundError:
            own.close()  # as above, a moment later
        except BaseException as error:
            own.close()
            if isinstance(error, BlockingIOError):
                raise BusyDestinationError(destination) from error
            raise


def _kind(name: str, parent: Folder) -> str:
    is_link = stat.S_ISLNK(parent.facts_of(name).st_mode)
    return "is a symbolic link" if is_link else "is no directory that can be opened"
