"""The directory beside a destination in which its files are written, `.NAME.tf2bridge`.

Its name is predictable, so somebody may have put something there: a symbolic link, a directory from an archive, or a
directory of another user. The directory is held (`systems.folders`), and no link is followed. Its content counts only
if this user made it, there. Then the directory holds a file named by the number (inode) of the directory; a copy
unpacked elsewhere has another number.
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
    """A directory that only this process holds: `own` is the directory, `parent` the destination's directory."""

    destination: Path
    name: str
    own: Folder
    parent: Folder

    @property
    def path(self) -> Path:
        """Returns the path for writing files into it."""
        return self.own.path

    def names(self) -> list[str]:
        """Returns the names in it, without the file that marks its maker."""
        return [name for name in self.own.names() if name != self._mark]

    def is_own(self) -> bool:
        """Returns whether tf2bridge made it at this place."""
        return self._mark in self.own.names()

    def mark(self) -> None:
        """Marks it as made by tf2bridge."""
        self.own.make_file(self._mark)

    def discard(self, name: str) -> None:
        """Removes the file or directory with this name from it."""
        folders.discard(self.own, name)

    def remove(self) -> None:
        """Removes the directory itself, which must be empty."""
        self.own.remove(self._mark)
        self.own.unlock()
        self.parent.remove_folder(self.name)

    @property
    def _mark(self) -> str:
        return f"made-as-{self.own.facts().st_ino}"


@contextmanager
def held(destination: Path) -> Iterator[WorkFolder]:
    """Holds the work directory of a destination, and creates it if necessary.

    Nobody else holds it until the block ends. The directory may have files that a killed process left.

    Raises:
        BusyDestinationError: Another process holds it.
        ForeignWorkFolderError: tf2bridge did not make the directory there.
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
            continue  # its owner has just removed it
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
            own.close()  # its owner has removed it a moment later
        except BaseException as error:
            own.close()
            if isinstance(error, BlockingIOError):
                raise BusyDestinationError(destination) from error
            raise


def _kind(name: str, parent: Folder) -> str:
    is_link = stat.S_ISLNK(parent.facts_of(name).st_mode)
    return "is a symbolic link" if is_link else "is no directory that can be opened"
