"""Every error a user of tf2bridge can cause: one class each, all derived from `BridgeError`.

A message says what was wrong, where, why, and what to do next, in one line.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from codemods.printable import visible


def some(names: Sequence[str], most: int) -> str:
    """ "a, b and 7 more": the first `most` names, as messages list them."""
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")


class BridgeError(Exception):
    """Root of the errors that tf2bridge raises for wrong input; the command line prints them without a traceback.

    A message may quote names and texts of files: what a terminal would obey, or a new line, is an escape in it.
    """

    def __init__(self, message: str) -> None:
        super().__init__(visible(message))


class MissingExtraError(BridgeError):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str, purpose: str) -> None:
        super().__init__(
            f"{purpose} needs the package {package!r}, which is not installed: pip install 'tf2bridge[{extra}]'"
        )


class UnsupportedTensorFlowError(BridgeError):
    """The TensorFlow found is older than those that tf2bridge supports."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"TensorFlow {found} is installed, but tf2bridge supports 2.20 and later: pip install 'tf2bridge[tf]'"
        )


class UnknownKerasError(BridgeError):
    """tf_keras lacks a part that tf2bridge changes: it is of a release that was not tried."""

    def __init__(self, found: str, missing: str) -> None:
        super().__init__(
            f"tf_keras {found} cannot be made to work as in TensorFlow 1.x ({missing}): install the one for "
            "your TensorFlow, pip install 'tf2bridge[tf]'"
        )


class UnknownReleaseError(BridgeError):
    """A release of TensorFlow was named that tf2bridge does not know."""

    def __init__(self, release: str, known: tuple[str, ...]) -> None:
        super().__init__(f"unknown TensorFlow release {release!r}: use one of {', '.join(known)}")


class DamagedTraceError(BridgeError):
    """A trace cannot be read as one."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: not a readable trace ({why}); record it again with `tf2bridge recorder`")


class NoSuchFileError(BridgeError):
    """A path that was named does not exist."""

    def __init__(self, path: Path | str, what: str = "file") -> None:
        super().__init__(f"{path}: no such {what}")


class NotRegularFileError(BridgeError):
    """What a path names is a FIFO, a socket or a device, which may never end."""

    def __init__(self, path: Path | str | os.PathLike[str], kind: str) -> None:
        super().__init__(f"{os.fspath(path)}: is {kind}, and only regular files are read; copy what it gives to a file")


class TooLargeFileError(BridgeError):
    """A file is larger than its kind is read."""

    def __init__(self, path: Path | str | os.PathLike[str], limit: int) -> None:
        super().__init__(
            f"{os.fspath(path)}: has more than {limit:,} bytes, which is the most that is read of such a file; name "
            "another one, or split it"
        )


class ConfigurationError(BridgeError):
    """A tf2bridge.toml is wrong."""

    def __init__(self, path: Path | str, why: str) -> None:
        super().__init__(f"{path}: {why}")


class NoTensorFlowCodeError(BridgeError):
    """A tree to migrate holds no TensorFlow program."""

    def __init__(self, path: Path | str) -> None:
        super().__init__(f"{path}: no Python file here uses TensorFlow; name the directory of the legacy program")


class ReplayFailedError(BridgeError):
    """A program ended before anything of it could be recorded."""

    def __init__(self, command: str, status: int, printed: str) -> None:
        last = next((line for line in reversed(printed.splitlines()) if line.strip()), "it printed nothing")
        super().__init__(
            f"`{command}` ended with status {status} before it could be compared ({last.strip()}); "
            "run it by hand to see all it prints"
        )


class NoSuchCodeError(BridgeError):
    """package.module:function names nothing that makes what is asked for."""

    def __init__(self, source: str, why: str, wanted: str) -> None:
        super().__init__(
            f"{source}: {why}; name a function without arguments that returns {wanted}, as package.module:function "
            "below the current directory"
        )
