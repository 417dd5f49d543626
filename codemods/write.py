"""The only module that writes files of a user. A source file is replaced completely or left unchanged."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from codemods import systems
from codemods.errors import OutputUnwritableError
from codemods.regular import require_regular

MODE = 0o777
"""What is kept of a file's mode: a program that runs as its owner is none any more when we are its owner."""


def write_atomically(path: Path, data: bytes) -> None:
    """Replaces a file's bytes in one step, and keeps its mode. A symbolic link keeps its target.

    Raises OutputUnwritableError, and then the old bytes are still there.
    """
    target = path.resolve()
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
        if not mode & stat.S_IWUSR:
            raise OutputUnwritableError(path, "it is read-only")
        handle, temporary = tempfile.mkstemp(prefix=".codemods.", suffix=".tmp", dir=target.parent)
    except OSError as error:
        raise OutputUnwritableError(path, error.strerror or str(error)) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(mode & MODE)
        Path(temporary).replace(target)
    except BaseException as error:  # Ctrl-C must not leave a temporary file either
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OutputUnwritableError(path, error.strerror or str(error)) from error
        raise


def write_named(path: Path, data: bytes) -> None:
    """Writes a file that the user named. An existing link is not followed.

    Raises OutputUnwritableError, and NotRegularError if the path is a pipe or a device.
    """
    flags = os.O_WRONLY | os.O_CREAT | systems.NO_FOLLOW | systems.NO_WAIT | systems.BINARY
    try:
        if path.is_symlink():
            raise OutputUnwritableError(path, "it is a symbolic link")
        if path.exists():
            require_regular(path, path.lstat())
        handle = os.open(path, flags, 0o666)
        with os.fdopen(handle, "wb") as file:
            require_regular(path, os.fstat(handle))
            file.truncate()
            file.write(data)
    except OSError as error:
        raise OutputUnwritableError(path, error.strerror or str(error)) from error
