"""Errors of writing checkpoints."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tf2bridge.errors import BridgeError


class UnplannedTensorError(BridgeError):
    """A plan was made for another checkpoint, and says nothing of what this one holds."""

    def __init__(self, path: Path | str, names: Sequence[str]) -> None:
        shown = ", ".join(map(repr, names[:5])) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        super().__init__(f"{path}: the plan says nothing of {shown}; move each in the plan, or name it under [drop]")


class FormatError(BridgeError):
    """A checkpoint cannot be written in the way that was asked for."""

    def __init__(self, destination: Path | str | os.PathLike[str], why: str) -> None:
        super().__init__(f"{os.fspath(destination)}: {why}")


class ExistingDestinationError(BridgeError):
    """Something is where a checkpoint should be written."""

    def __init__(self, destination: Path | str, present: Path) -> None:
        state, remedy = ("is a directory", "") if present.is_dir() else ("exists", ", or pass --force (force=True)")
        super().__init__(f"{destination}: {present.name} {state}: name another destination{remedy}")


class BusyDestinationError(BridgeError):
    """Two processes write to one destination."""

    def __init__(self, destination: Path | str) -> None:
        super().__init__(f"{destination}: another process is writing it: wait for that, or name another destination")


class ForeignWorkFolderError(BridgeError):
    """What lies where files of a destination are to be written was not put there by tf2bridge."""

    def __init__(self, destination: Path, name: str, why: str) -> None:
        super().__init__(
            f"{destination.with_name(name)}: {why}, and {destination} would be written in a directory of that name: "
            "nothing was changed; see what it is, and move it away or delete it"
        )


class DamagedJournalError(BridgeError):
    """What a process that was killed says of the files that it was moving makes no sense."""

    def __init__(self, destination: Path, name: str, why: str) -> None:
        super().__init__(
            f"{destination.with_name(name)}: {why}, so what is left of {destination} cannot be put in order: nothing "
            "was changed; delete this directory, and the files of the destination, and write it again"
        )


class DamagedRecordError(BridgeError):
    """A directory says of the checkpoints that were converted into it what makes no sense."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path}: {why}, and it should say which checkpoints were converted into this directory: delete it, and "
            "pass --force (force=True) to convert all of them again"
        )


class FullDiskError(BridgeError):
    """There is no room for what is to be written."""

    def __init__(self, destination: Path | str, why: str | None) -> None:
        super().__init__(
            f"{destination}: not written, nothing is left of it, the source is whole ({why or 'no space left'}); "
            "make room, raise the limit, or name a destination on another disk"
        )


class SameFileError(BridgeError):
    """A checkpoint is to be written over itself."""

    def __init__(self, source: Path | str, destination: Path | str) -> None:
        super().__init__(f"{destination}: this is the source, {source}, which is never written to: name another")


class NotLinkedError(BridgeError):
    """Data is to be shared between two checkpoints where it cannot be."""

    def __init__(self, source: Path | str, destination: Path | str, why: str) -> None:
        super().__init__(
            f"{destination}: {source} cannot be linked to there ({why}); leave out --link (link=False), so that it is "
            "copied, or name a destination on the same disk"
        )


class NameClashError(BridgeError):
    """Two tensors would have one name in what is written."""

    def __init__(self, destination: Path | str, name: str, source: str, second: str) -> None:
        super().__init__(
            f"{destination}: {source!r} and {second!r} would both be called {name!r}; give one of them another name "
            "in a plan"
        )


class UnwritableTypeError(BridgeError):
    """A format has no such type of values."""

    def __init__(self, destination: Path | str, tensor: str, dtype: str, format_: str, remedy: str) -> None:
        super().__init__(f"{destination}: {format_} has no type for {dtype}, of which {tensor!r} is; {remedy}")


class NotWrittenError(BridgeError):
    """What was written reads back otherwise."""

    def __init__(self, destination: Path | str, tensor: str, why: str) -> None:
        super().__init__(
            f"{destination}: tensor {tensor!r} was written and reads back otherwise ({why}): nothing of it is left; "
            "the disk or the memory of this machine may be failing, try another"
        )
