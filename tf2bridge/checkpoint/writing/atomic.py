"""Writes files completely or not at all: into a directory beside their place, and then moves them.

A checkpoint of several files is complete if its index exists. So the index is moved last. A killed process leaves
its directory `.NAME.tf2bridge`. The next process that writes there finds the directory without an owner and cleans up.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tf2bridge.checkpoint.writing.refusals import DamagedJournalError, ExistingDestinationError, FullDiskError
from tf2bridge.checkpoint.writing.work_folder import WorkFolder, held
from tf2bridge.errors import NotRegularFileError, TooLargeFileError
from tf2bridge.formats.checkpoints.bundle_index import index_path
from tf2bridge.formats.checkpoints.forms import unfinished
from tf2bridge.regular_files import text_of

_JOURNAL = "moving.json"
_LONGEST_JOURNAL = 16 << 20
"""Bytes. The journal has a name for each data file, and a checkpoint has at most some 100,000 data files."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True)
class _Move:
    """Names of the files of a move: `last` completes the destination, then the files `old` are removed."""

    others: list[str]
    last: str
    old: list[str]


class Replacement:
    """The files of a destination while they are written, in `folder`."""

    def __init__(self, work: WorkFolder, last: Path, durable: bool) -> None:
        self.folder = work.path
        self._work, self._last, self._durable = work, last.name, durable
        self._others: list[str] = []

    def part(self, final: Path) -> Path:
        """Returns the path to which the file `final` of the destination is written."""
        if final.name != self._last:
            self._others.append(final.name)
        return self.folder / final.name

    def move(self, old: Sequence[Path] = ()) -> None:
        """Moves the files to their place, the last one last, and then removes `old`.

        The last file replaces an existing one in one step; the other files must not exist yet. The destination is
        therefore always in its old state or in its new one.
        """
        work, parent = self._work.own, self._work.parent
        names = [*self._others, self._last]
        for name in names:
            self._sync(name)
        move = _Move(self._others, self._last, [path.name for path in old if path.name not in names])
        (self.folder / "journal").write_bytes(json.dumps(asdict(move)).encode())
        self._sync("journal")
        work.move("journal", _JOURNAL, work)
        for name in names:
            work.move(name, name, parent)
        if self._durable:
            parent.sync()

    def _sync(self, name: str) -> None:
        """Waits until a file is on the disk, if the replacement is durable."""
        if self._durable:
            self._work.own.sync(name)


@contextlib.contextmanager
def replacing(destination: Path, last: Path, durable: bool) -> Iterator[Replacement]:
    """Yields a folder for the files of a destination. After an error, no file is left there.

    Args:
        destination: The destination.
        last: The file that completes the destination.
        durable: `move` waits until everything is on the disk, in case of a power failure.

    Raises:
        BusyDestinationError, ForeignWorkFolderError, DamagedJournalError, FullDiskError, OSError: The files cannot be
            written there.
    """
    with _in_order(destination) as work:
        replacement = Replacement(work, last, durable)
        try:
            yield replacement
        except OSError as error:
            if error.errno in _FULL:
                raise FullDiskError(destination, error.strerror) from error
            if Path(str(error.filename)).parent == replacement.folder:
                error.filename = str(destination)
            raise


def recover(destination: Path) -> None:
    """Cleans up after a process that was killed while it wrote to a destination. Raises what `replacing` raises."""
    if os.path.lexists(unfinished(destination)):
        with _in_order(destination):
            pass


def require_absent(destination: Path, present: Sequence[Path], force: bool) -> None:
    """Raises ExistingDestinationError if files exist and may not be replaced, and always for a directory."""
    for path in present:
        if path.is_dir() or not force:
            raise ExistingDestinationError(destination, path)


@contextlib.contextmanager
def _in_order(destination: Path) -> Iterator[WorkFolder]:
    """Holds the work directory, empty. Before and after the block, an unfinished move is completed or undone."""
    with held(destination) as work:
        _put_in_order(work)
        try:
            yield work
        finally:
            _put_in_order(work)
            work.remove()


def _put_in_order(work: WorkFolder) -> None:
    """Undoes an unfinished move, or completes a nearly finished one, and empties the directory."""
    left = work.names()
    if _JOURNAL in left:
        move = _begun(work)
        gone = move.old if move.last not in left else [name for name in move.others if name not in left]
        for name in gone:
            with contextlib.suppress(FileNotFoundError):
                work.parent.remove(name)
        work.own.remove(_JOURNAL)  # before the parts, which show whether everything was moved
    for name in work.names():
        work.discard(name)


def _begun(work: WorkFolder) -> _Move:
    """Returns the unfinished move, which names files of this destination only. Raises DamagedJournalError."""
    try:
        table = json.loads(text_of(work.path / _JOURNAL, _LONGEST_JOURNAL))
        move = _Move(**table)
    except (ValueError, TypeError, RecursionError, OSError, NotRegularFileError, TooLargeFileError) as error:
        raise DamagedJournalError(work.destination, work.name, f"{_JOURNAL} in it cannot be read") from error
    names: list[Any] = [move.last]
    for listed in (move.others, move.old):
        names += listed if isinstance(listed, list) else [listed]
    if not all(_belongs(name, work.destination) for name in names):
        raise DamagedJournalError(work.destination, work.name, f"{_JOURNAL} in it names files of something else")
    return move


def _belongs(name: Any, destination: Path) -> bool:
    """Returns whether this is the name of a file of a checkpoint at the destination."""
    if not isinstance(name, str):
        return False
    file, prefix, index = map(os.path.normcase, (name, destination.name, index_path(destination).name))
    shard = re.escape(prefix) + r"\.data-\d{5}-of-\d{5}"
    return file in (prefix, index) or re.fullmatch(shard, file) is not None
