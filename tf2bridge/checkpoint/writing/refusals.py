"""Errors of writing checkpoints."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from tf2bridge.errors import BridgeError


class UnplannedTensorError(BridgeError):
    """A checkpoint has tensors that the plan, made for another checkpoint, does not mention."""

    def __init__(self, path: Path | str, names: Sequence[str]) -> None:
        shown = ", ".join(map(repr, names[:5])) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
        super().__init__(f"{path}: the plan does not mention {shown}; move each in the plan, or name it under [drop]")


class FormatError(BridgeError):
    """A checkpoint cannot be written in a format, or to a destination."""

    def __init__(self, destination: Path | str | os.PathLike[str], why: str) -> None:
        super().__init__(f"{os.fspath(destination)}: {why}")


class ExistingDestinationError(BridgeError):
    """The destination of a checkpoint exists."""

    def __init__(self, destination: Path | str, present: Path) -> None:
        state, remedy = ("is a directory", "") if present.is_dir() else ("exists", ", or pass --force (force=True)")
        super().__init__(f"{destination}: {present.name} {state}: name another destination{remedy}")


class BusyDestinationError(BridgeError):
    """Two processes write to one destination."""

    def __init__(self, destination: Path | str) -> None:
        super().__init__(f"{destination}: another process is writing it: wait for that, or name another destination")


class ForeignWorkFolderError(BridgeError):
    """tf2bridge did not make the directory in which the files of a destination are to be written."""

    def __init__(self, destination: Path, name: str, why: str) -> None:
        super().__init__(
            f"{destination.with_name(name)}: {why}, and {destination} would be written in a directory of that name: "
            "nothing was changed; see what it is, and move it away or delete it"
        )


class DamagedJournalError(BridgeError):
    """The journal of a process that was killed during a move cannot be used."""

    def __init__(self, destination: Path, name: str, why: str) -> None:
        super().__init__(
            f"{destination.with_name(name)}: {why}, so what is left of {destination} cannot be put in order: nothing "
            "was changed; delete this directory, and the files of the destination, and write it again"
        )


class DamagedRecordError(BridgeError):
    """The record of the checkpoints that were converted into a directory cannot be used."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(
            f"{path}: {why}, and it should say which checkpoints were converted into this directory: delete it, and "
            "pass --force (force=True) to convert all of them again"
        )


class FullDiskError(BridgeError):
    """The disk is full."""

    def __init__(self, destination: Path | str, why: str | None) -> None:
        super().__init__(
            f"{destination}: not written, nothing is left of it, the source is unchanged ({why or 'no space left'}); "
            "make room, raise the limit, or name a destination on another disk"
        )


class SameFileError(BridgeError):
    """A checkpoint would be written over itself."""

    def __init__(self, source: Path | str, destination: Path | str) -> None:
        super().__init__(f"{destination}: this is the source, {source}, which is never written to: name another")


class NotLinkedError(BridgeError):
    """The data of two checkpoints cannot be shared."""

    def __init__(self, source: Path | str, destination: Path | str, why: str) -> None:
        super().__init__(
            f"{destination}: {source} cannot be linked to there ({why}); leave out --link (link=False), so that it is "
            "copied, or name a destination on the same disk"
        )


class NameClashError(BridgeError):
    """Two tensors would get the same name."""

    def __init__(self, destination: Path | str, name: str, source: str, second: str) -> None:
        super().__init__(
            f"{destination}: {source!r} and {second!r} would both be called {name!r}; give one of them another name "
            "in a plan"
        )


class UnwritableTypeError(BridgeError):
    """A format lacks a type of values."""

    def __init__(self, destination: Path | str, tensor: str, dtype: str, format_: str, remedy: str) -> None:
        super().__init__(f"{destination}: {format_} has no type for {dtype}, the type of {tensor!r}; {remedy}")


class NotWrittenError(BridgeError):
    """Written data reads back with other values."""

    def __init__(self, destination: Path | str, tensor: str, why: str) -> None:
        super().__init__(
            f"{destination}: tensor {tensor!r} was written and reads back otherwise ({why}): nothing of it is left; "
            "the disk or the memory of this machine may be failing, try another"
        )
