"""Files that appear whole or not at all: written into a directory beside their place, then moved.

A checkpoint of several files is there when its index is, so that is moved last. A process that was killed leaves its
directory `.NAME.tf2bridge`, which the next one to write there finds without an owner, and puts in order.
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
"""Bytes; a name of each data file, and a checkpoint has some 100,000 of these at most."""
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@dataclass(frozen=True)
class _Move:
    """Names of what is moved: `last` makes the destination complete, then `old` are removed."""

    others: list[str]
    last: str
    old: list[str]


class Replacement:
    """The files of a destination while they are written; `folder` is where."""

    def __init__(self, work: WorkFolder, last: Path, durable: bool) -> None:
        self.folder = work.path
        self._work, self._last, self._durable = work, last.name, durable
        self._others: list[str] = []

    def part(self, final: Path) -> Path:
        """Where to write the file that will be called `final`, which is in the destination's directory."""
        if final.name != self._last:
            self._others.append(final.name)
        return self.folder / final.name

    def move(self, old: Sequence[Path] = ()) -> None:
        """Puts the files in place, the last one last, and then removes `old`.

        Of the others none may be there yet; the last one replaces what is there in one step. So a destination is at
        every moment what it was or what it will be.
        """
        here, there = self._work.own, self._work.parent
        names = [*self._others, self._last]
        for name in names:
            self._sync(name)
        move = _Move(self._others, self._last, [path.name for path in old if path.name not in names])
        (self.folder / "journal").write_bytes(json.dumps(asdict(move)).encode())
        self._sync("journal")
        here.move("journal", _JOURNAL, here)
        for name in names:
            here.move(name, name, there)
        if self._durable:
            there.sync()

    def _sync(self, name: str) -> None:
        """Waits until a file is on the disk, where that is asked for."""
        if self._durable:
            self._work.own.sync(name)


@contextlib.contextmanager
def replacing(destination: Path, last: Path, durable: bool) -> Iterator[Replacement]:
    """Gives a place for the files of `destination`, of which `last` makes it complete; after an error nothing is left.

    durable: `move` waits until all is on the disk, and not only with the system, which matters when power fails.
    Raises BusyDestinationError, ForeignWorkFolderError, DamagedJournalError, FullDiskError, OSError.
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
    """Puts in order what a killed process left at a destination, if one did. Raises what `replacing` raises."""
    if os.path.lexists(unfinished(destination)):
        with _in_order(destination):
            pass


def require_absent(destination: Path, present: Sequence[Path], force: bool) -> None:
    """Raises ExistingDestinationError where files are there and not to be replaced, and for a directory in any case."""
    for path in present:
        if path.is_dir() or not force:
            raise ExistingDestinationError(destination, path)


@contextlib.contextmanager
def _in_order(destination: Path) -> Iterator[WorkFolder]:
    """Holds the work directory, empty; before and after the block a move that was begun is ended or undone."""
    with held(destination) as work:
        _put_in_order(work)
        try:
            yield work
        finally:
            _put_in_order(work)
            work.remove()


def _put_in_order(work: WorkFolder) -> None:
    """Undoes a move that did not come to its end, or ends one that did, and empties the directory."""
    left = work.names()
    if _JOURNAL in left:
        move = _begun(work)
        gone = move.old if move.last not in left else [name for name in move.others if name not in left]
        for name in gone:
            with contextlib.suppress(FileNotFoundError):
                work.parent.remove(name)
        work.own.remove(_JOURNAL)  # before the parts, which say whether all was moved
    for name in work.names():
        work.discard(name)


def _begun(work: WorkFolder) -> _Move:
    """The move that was begun, of files of this destination alone. Raises DamagedJournalError."""
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
    """Whether this is the name of a file of a checkpoint at the destination."""
    if not isinstance(name, str):
        return False
    there, prefix, index = map(os.path.normcase, (name, destination.name, index_path(destination).name))
    shard = re.escape(prefix) + r"\.data-\d{5}-of-\d{5}"
    return there in (prefix, index) or re.fullmatch(shard, there) is not None
