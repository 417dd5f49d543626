"""The only place that writes source files: each is replaced whole, or left as it was."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from codemods.errors import OutputUnwritableError


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file's bytes in one step, keeping its mode; a symbolic link keeps pointing at the file it did.

    Raises OutputUnwritableError, and then the old bytes are still there.
    """
    target = path.resolve()
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
        if not mode & stat.S_IWUSR:
            raise OutputUnwritableError(path, "it is read-only")
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    except OSError as error:
        raise OutputUnwritableError(path, error.strerror or str(error)) from error
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(mode)
        Path(temporary).replace(target)
    except BaseException as error:  # Ctrl-C too must leave no temporary file
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OutputUnwritableError(path, error.strerror or str(error)) from error
        raise
