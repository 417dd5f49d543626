"""Files that appear whole or not at all: written into a directory beside their place, then moved.

A checkpoint of several files is there when its index is, so that is moved last. A process that was killed leaves its
directory `.NAME.tf2bridge`, which the next one to write there finds without an owner, and puts in order.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tf2bridge.checkpoint.files.forms import unfinished
from tf2bridge.checkpoint.writing.refusals import BusyDestinationError, ExistingDestinationError, FullDiskError

_JOURNAL = "moving.json"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class Replacement:
    """The files of a destination while they are written."""

    def __init__(self, folder: Path, last: Path, durable: bool) -> None:
        self.folder, self._last, self._durable = folder, last, durable
        self._others: list[Path] = []

    def part(self, final: Path) -> Path:
        """Where to write the file that will be called `final`, which is in the destination's directory."""
        if final != self._last:
            self._others.append(final)
        return self.folder / final.name

    def move(self, old: Sequence[Path] = ()) -> None:
        """Puts the files in place, the last one last, and then removes `old`.

        Of the others none may be there yet; the last one replaces what is there in one step. So a destination is at
        every moment what it was or what it will be.
        """
        files = [*self._others, self._last]
        for path in files:
            self._sync(self.folder / path.name)
        said = {"others": [path.name for path in self._others], "last": self._last.name}
        said["old"] = [path.name for path in old if path not in files]
        journal = self.folder / "journal"
        journal.write_text(json.dumps(said), "utf-8")
        self._sync(journal)
        journal.replace(self.folder / _JOURNAL)
        for path in files:
            (self.folder / path.name).replace(path)
        self._sync(self._last.parent)

    def _sync(self, path: Path) -> None:
        """Waits until a file, or the names in a directory, are on the disk, where that is asked for."""
        if not self._durable:
            return
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def replacing(destination: Path, last: Path, durable: bool) -> Iterator[Replacement]:
    """Gives a place for the files of `destination`, of which `last` makes it complete; after an error nothing is left.

    durable: `move` waits until all is on the disk, and not only with the system, which matters when power fails.
    Raises BusyDestinationError, FullDiskError, OSError.
    """
    with _owned(destination) as folder:
        try:
            yield Replacement(folder, last, durable)
        except OSError as error:
            if error.errno in _FULL:
                raise FullDiskError(destination, error.strerror) from error
            raise


def recover(destination: Path) -> None:
    """Puts in order what a killed process left at a destination, if one did. Raises BusyDestinationError."""
    if unfinished(destination).exists():
        with _owned(destination):
            pass


def require_absent(destination: Path, present: Sequence[Path], force: bool) -> None:
    """Raises ExistingDestinationError where files are there and not to be replaced, and for a directory in any case."""
    for path in present:
        if path.is_dir() or not force:
            raise ExistingDestinationError(destination, path)


@contextmanager
def _owned(destination: Path) -> Iterator[Path]:
    """Holds an empty directory beside the destination; nobody else does before it is gone again."""
    folder = unfinished(destination)
    descriptor = _locked(folder, destination)
    try:
        _put_in_order(folder)
        try:
            yield folder
        finally:
            _put_in_order(folder)
            folder.rmdir()
    finally:
        os.close(descriptor)


def _locked(folder: Path, destination: Path) -> int:
    while True:
        folder.mkdir(exist_ok=True)
        try:
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except FileNotFoundError:
            continue  # its owner has just finished
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), folder.stat()):
                return descriptor
        except BlockingIOError as error:
            os.close(descriptor)
            raise BusyDestinationError(destination) from error
        except FileNotFoundError:
            pass  # as above, a moment later
        os.close(descriptor)


def _put_in_order(folder: Path) -> None:
    """Undoes a move that did not come to its end, or ends one that did, and empties the directory."""
    journal = folder / _JOURNAL
    if journal.exists():
        said = json.loads(journal.read_text("utf-8"))
        complete = not (folder / said["last"]).exists()
        gone = said["old"] if complete else [name for name in said["others"] if not (folder / name).exists()]
        for name in gone:
            (folder.parent / name).unlink(missing_ok=True)
        journal.unlink()  # before the parts, which say whether all was moved
    for path in folder.iterdir():
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
