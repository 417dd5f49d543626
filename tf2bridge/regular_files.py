"""Opens files from outside: only regular ones, which their descriptors show, and reads them up to a limit.

A FIFO waits for a writer that may never come, and a device may never end. A check of the path by `stat` is not enough,
because the path may name another file when it is opened. A symbolic link to a regular file is followed.
"""

from __future__ import annotations

import errno
import os
import stat
from io import FileIO
from pathlib import Path

from tf2bridge.errors import NotRegularFileError, TooLargeFileError
from tf2bridge.systems import IS_WINDOWS, NO_WAIT

SMALL = 32 << 20
"""Bytes that a file which people write may have: a plan, a list of shapes, a state file."""
_PIECE = 1 << 20
_KINDS = (
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def opened(path: str | os.PathLike[str]) -> FileIO:
    """Returns a regular file, open for reading, not buffered.

    Raises NotRegularFileError, and OSError as `open` does.
    """
    return FileIO(os.fspath(path), "rb", opener=_regular)


def require(path: Path) -> None:
    """Raises NotRegularFileError for an existing path that is neither a regular file nor a directory."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise NotRegularFileError(path, _kind(mode))


def content_of(path: str | os.PathLike[str], limit: int) -> bytes:
    """Returns all bytes of a regular file. Raises TooLargeFileError for more than `limit`, and what `opened` does."""
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > limit:
            raise TooLargeFileError(path, limit)
        pieces = [file.read(size + 1)]
        left = limit + 1 - len(pieces[0])
        while pieces[-1] and left > 0:  # a file that grows, or has the size 0 as those of /proc
            pieces.append(file.read(min(_PIECE, left)) or b"")
            left -= len(pieces[-1])
    if left <= 0:
        raise TooLargeFileError(path, limit)
    return pieces[0] if not any(pieces[1:]) else b"".join(pieces)


def text_of(path: str | os.PathLike[str], limit: int = SMALL) -> str:
    """Returns the text of a regular file in UTF-8, lines ending in "\\n".

    Raises what `content_of` does, and UnicodeDecodeError.
    """
    return content_of(path, limit).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def _regular(path: str, flags: int) -> int:
    try:
        descriptor = os.open(path, flags | NO_WAIT)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise NotRegularFileError(path, "a socket") from error
        if IS_WINDOWS and isinstance(error, PermissionError) and Path(path).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path) from error
        raise
    mode = os.fstat(descriptor).st_mode
    if stat.S_ISREG(mode):
        return descriptor
    os.close(descriptor)
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    raise NotRegularFileError(path, _kind(mode))


def _kind(mode: int) -> str:
    return next((name for holds, name in _KINDS if holds(mode)), "no regular file")
