"""The differences between Linux, macOS and Windows, for all of tf2bridge; codemods uses most of it, too.

No other module uses a name that only some systems have; tests/tf2bridge/systems checks this. If a system lacks
something, a function does it in another way, or its docstring says what is missing there.

    folders   directories that are held, and locked
    forks     forks that are ended with all that they start
    groups    a process with all processes that it starts
    limits    memory and time of a process
    lines     the connection between a process and its parent
    locks     locks of files, and copies that share their blocks
    starting  the command of a process of our own
    watching  work in a process of its own, whose end is always reported
"""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Callable, Sequence
from io import FileIO

from codemods.systems import BINARY, FORKS, IS_WINDOWS, NO_FOLLOW, NO_WAIT, START, cores, same_place

__all__ = [
    "BINARY", "ENDING", "FORKS", "HARD", "IS_WINDOWS", "LONGEST_WAIT", "NO_FOLLOW", "NO_WAIT", "SOFT", "START",
    "after_fork", "become", "cores", "is_own", "joined", "read_at", "read_into", "same_place", "signal_name", "split",
    "user",
]  # fmt: skip

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name))
"""Signals that ask a process to end. Windows has no SIGHUP; only Windows has SIGBREAK (Ctrl+Break)."""
SOFT: int = signal.SIGTERM
HARD: int = getattr(signal, "SIGKILL", 9)
"""The signal that no process can ignore. Windows has none; there `groups.send` ends the process."""

LONGEST_WAIT = 1.0 if IS_WINDOWS else None
"""Seconds that the first thread may wait for another thread: on Windows it handles no signal (Ctrl+C) meanwhile."""


def signal_name(number: int) -> str:
    """Returns the name of a signal, or "signal 9" for one that this system does not know."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def user() -> str:
    """Returns what identifies this user, for the name of a file: a number, or the name on Windows."""
    if hasattr(os, "getuid"):
        return str(os.getuid())
    import getpass

    try:
        return getpass.getuser()
    except (ImportError, OSError, KeyError):  # the environment names nobody
        return "somebody"


def is_own(facts: os.stat_result) -> bool:
    """Returns whether this user owns a file; on Windows always True, because a file does not show its owner there."""
    return not hasattr(os, "geteuid") or facts.st_uid == os.geteuid()


def after_fork(call: Callable[[], object]) -> None:
    """Calls a function in every process that this process forks from now on."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=call)


def become(command: Sequence[str]) -> None:
    """Replaces this process by a command. Does not return.

    On Windows `os.execv` starts another process and ends this one at once with status 0, so that the parent would not
    wait. There this process waits for the command, and ends with its status.
    """
    if not IS_WINDOWS:
        os.execv(command[0], list(command))
    import subprocess  # each start of an interpreter below `tf2bridge run` loads this module

    status = subprocess.call(list(command))
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(status)


def split(line: str, is_windows: bool = IS_WINDOWS) -> list[str]:
    r"""Returns the words of a command line, as a shell splits it; "\" is a letter of a path on Windows.

    Raises ValueError for quotes that do not end.
    """
    if not is_windows:
        return shlex.split(line)
    words = shlex.shlex(line, posix=True)
    words.whitespace_split, words.commenters, words.escape = True, "", ""
    return list(words)


def joined(words: Sequence[str], is_windows: bool = IS_WINDOWS) -> str:
    """Returns words as a command line that can be typed into the shell of this system."""
    if not is_windows:
        return shlex.join(words)
    from subprocess import list2cmdline

    return list2cmdline(words)


def read_at(file: FileIO, size: int, offset: int) -> bytes:
    """Returns at most `size` bytes of a file from `offset` on. The file's own position stays, except on Windows."""
    if hasattr(os, "pread"):
        return os.pread(file.fileno(), size, offset)
    file.seek(offset)
    return file.read(size)


def read_into(file: FileIO, memory: memoryview, offset: int) -> int:
    """Fills memory with the bytes of a file from `offset` on, as `read_at` does; returns the number of bytes."""
    if hasattr(os, "preadv"):
        return os.preadv(file.fileno(), [memory], offset)
    file.seek(offset)
    return file.readinto(memory) or 0
