"""Reads the bytes of an untrusted file: opens only regular files, and reads at most a limit.

Opening a pipe waits for its writer, opening a device may act on it, and reading either may never end. The size of a
file is not a limit: the file may grow, and files below /proc have the size 0.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from codemods import systems
from codemods.errors import NotRegularError, TooLargeError

LIMIT = 64_000_000
"""Bytes of a file that no option sets a limit for."""

_KINDS = {
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFDIR: "a directory",
    stat.S_IFLNK: "a symbolic link",
}
_FLAGS = os.O_RDONLY | systems.NO_WAIT | systems.BINARY
_CHUNK = 1 << 16


def read_regular(path: Path, limit: int = LIMIT, follow: bool = True) -> bytes:
    """Returns all bytes of a regular file. `follow`: a symbolic link to one is also accepted.

    Raises NotRegularError, TooLargeError where there are more bytes than `limit`, and OSError.
    """
    require_regular(path, path.stat() if follow else path.lstat())
    handle = os.open(path, _FLAGS if follow else _FLAGS | systems.NO_FOLLOW)
    try:
        status = os.fstat(handle)
        require_regular(path, status)  # another file may have this name by now
        if status.st_size > limit:
            raise TooLargeError(path, status.st_size, limit)
        parts: list[bytes] = []
        left = limit + 1
        while left > 0 and (part := os.read(handle, min(left, max(status.st_size + 1, _CHUNK)))):
            parts.append(part)
            left -= len(part)
    finally:
        os.close(handle)
    if left <= 0:
        raise TooLargeError(path, limit + 1, limit)
    return b"".join(parts)


def require_regular(path: Path, status: os.stat_result) -> None:
    """Raises NotRegularError unless this is the status of a regular file."""
    if not stat.S_ISREG(status.st_mode):
        raise NotRegularError(path, _KINDS.get(stat.S_IFMT(status.st_mode), "no file"))
