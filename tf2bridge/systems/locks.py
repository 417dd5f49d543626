"""Locks that only one process has at a time. The system releases the locks of a killed process.

Linux and macOS lock an open directory (`flock`). Windows locks a byte of a file in it (`msvcrt`). Without both, the
file itself is the lock, and holds the number of its process.
"""

from __future__ import annotations

import contextlib
import importlib
import os
from pathlib import Path
from typing import Any

from tf2bridge.systems import BINARY, IS_WINDOWS, NO_FOLLOW

NAME = "held-by-tf2bridge"
"""The file of the lock in a directory."""


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


fcntl: Any = _module("fcntl")
msvcrt: Any = _module("msvcrt")

_CLONE = 0x40049409
"""FICLONE of linux/fs.h: the copy shares the blocks of the original until one of them is changed."""


def clone(source: int, target: int) -> None:
    """Makes a file share the blocks of another one, both given by descriptors.

    Raises OSError if that is not possible.
    """
    if fcntl is None:
        raise OSError("this system has no reflinks")
    fcntl.ioctl(target, _CLONE, source)


def lock_descriptor(descriptor: int) -> None:
    """Locks the open file or directory of a descriptor until it is closed. Raises BlockingIOError if it is locked."""
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """The lock of a directory, by a file in it. Raises BlockingIOError if it is locked, and FileNotFoundError."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._descriptor = self._locked() if msvcrt is not None else self._made()

    def release(self) -> None:
        """Unlocks the directory, and removes the file unless another process has opened it in the meantime."""
        os.close(self._descriptor)
        with contextlib.suppress(OSError):
            self._path.unlink()

    def _locked(self) -> int:
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | NO_FOLLOW | BINARY, 0o600)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            os.close(descriptor)
            raise BlockingIOError(error.errno, error.strerror) from error
        return descriptor

    def _made(self) -> int:
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | NO_FOLLOW | BINARY
        try:
            descriptor = os.open(self._path, flags, 0o600)
        except FileExistsError:
            if not self._is_left():
                raise BlockingIOError(f"{self._path} names the process that holds it") from None
            self._path.unlink(missing_ok=True)
            descriptor = os.open(self._path, flags, 0o600)
        os.write(descriptor, str(os.getpid()).encode())
        return descriptor

    def _is_left(self) -> bool:
        """Returns whether the process that made the file has ended."""
        if IS_WINDOWS:
            return False  # Windows: there `os.kill` would end the process; and Windows has msvcrt
        try:
            os.kill(int(self._path.read_bytes()), 0)
        except (ValueError, ProcessLookupError):
            return True
        except OSError:
            return False
        return False
