"""The errors that all parts of tf2bridge raise for wrong input: one class each, derived from `BridgeError`.

A message says what was wrong, where, why, and what to do next, in one line.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from codemods.printable import visible


def some(names: Sequence[str], most: int) -> str:
    """Returns the first `most` names as text, such as "a, b and 7 more"."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


class BridgeError(Exception):
    """Base class of the errors that tf2bridge raises for wrong input; the command line prints them without a traceback.

    A message may quote names and texts from files. Control characters and new lines become escapes in it.
    """

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


class OutOfMemoryError(BridgeError, MemoryError):
    """There is not enough memory for what was asked for."""

    def __init__(self, where: Path | str, remedy: str) -> None:
        super().__init__(f"{where}: there is not enough memory: give this process more, or {remedy}")


class OwnBugError(BridgeError):
    """tf2bridge failed at input that seems to be correct."""

    def __init__(self, where: Path | str, error: BaseException, place: str) -> None:
        message = next(iter(str(error).splitlines()), "")[:300]
        super().__init__(
            f"{where}: {type(error).__name__}: {message} ({place}). This is a bug of tf2bridge, and not of the file: "
            "report it with this line, what `tf2bridge doctor` prints, and the file, if others may see it"
        )


class MissingExtraError(BridgeError):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the package {package!r}, which is not installed: pip install 'tf2bridge[{extra}]'"
        )


class UnsupportedTensorFlowError(BridgeError):
    """The installed TensorFlow is older than the releases that tf2bridge supports."""

    def __init__(self, installed: str) -> None:
        super().__init__(
            f"TensorFlow {installed} is installed, but tf2bridge supports 2.20 and later: pip install 'tf2bridge[tf]'"
        )


class UnknownReleaseError(BridgeError):
    """tf2bridge does not know the named release of TensorFlow."""

    def __init__(self, release: str, known: tuple[str, ...]) -> None:
        super().__init__(f"unknown TensorFlow release {release!r}: use one of {', '.join(known)}")


class NoSuchFileError(BridgeError):
    """A named path does not exist."""

    def __init__(self, path: Path | str, what: str = "file") -> None:
        super().__init__(f"{path}: no such {what}")


class NotRegularFileError(BridgeError):
    """A path names a FIFO, a socket or a device, whose content may never end."""

    def __init__(self, path: Path | str | os.PathLike[str], kind: str) -> None:
        super().__init__(f"{os.fspath(path)}: is {kind}, but only regular files are read; copy its content to a file")


class TooLargeFileError(BridgeError):
    """A file is larger than the limit for its kind."""

    def __init__(self, path: Path | str | os.PathLike[str], limit: int) -> None:
        super().__init__(
            f"{os.fspath(path)}: has more than {limit:,} bytes, the limit for such a file; name another file, or "
            "split it"
        )


class NoSuchCodeError(BridgeError):
    """package.module:function names no function that returns the requested kind of object."""

    def __init__(self, source: str, why: str, wanted: str) -> None:
        super().__init__(
            f"{source}: {why}; name a function without arguments that returns {wanted}, as package.module:function "
            "below the current directory"
        )
