"""Locks that only one process has at a time; the system takes them back from a process that is killed.

Linux and macOS lock an open directory (`flock`). Windows locks a byte of a file in it (`msvcrt`). Where neither is
there, the file itself is the lock, and holds the number of its process.
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
"""FICLONE of linux/fs.h: the copy shares the blocks of the original until either is changed."""


def clone(source: int, target: int) -> None:
    """Makes a file share the blocks of another, both given by descriptors. Raises OSError where that cannot be done."""
    if fcntl is None:
        raise OSError("this system has no reflinks")
    fcntl.ioctl(target, _CLONE, source)


def lock_descriptor(descriptor: int) -> None:
    """Locks what a descriptor has open, until it is closed. Raises BlockingIOError where it is locked."""
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """The lock of a directory, by a file in it. Raises BlockingIOError where it is locked, and FileNotFoundError."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NAME
        self._descriptor = self._locked() if msvcrt is not None else self._made()

    def release(self) -> None:
        """Unlocks the directory, and removes the file unless another process has opened it by now."""
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
        """Whether the process has ended that made the file."""
        if IS_WINDOWS:
            return False  # there `os.kill` would end the process; and there is msvcrt
        try:
            os.kill(int(self._path.read_bytes()), 0)
        except (ValueError, ProcessLookupError):
            return True
        except OSError:
            return False
        return False
