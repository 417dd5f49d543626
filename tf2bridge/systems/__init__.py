"""What differs between Linux, macOS and Windows, for all of tf2bridge; most of it is also what codemods asks.

No other module uses a name that only some systems have: tests/tf2bridge/systems holds all others to it. Each function
has another way where a system lacks something, or says in its docstring what is missing there.

    folders   directories that are held, and locked
    groups    a process with all that it starts
    limits    memory and time of a process
    lines     what a process tells the one that started it
    locks     locks of files, and copies that share their blocks
    starting  the command of a process of our own
    watching  work done in a process of its own, so that its end can be told
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
"""Signals that ask a process to end: SIGHUP is not on Windows, and SIGBREAK (Ctrl+Break) only there."""
SOFT: int = signal.SIGTERM
HARD: int = getattr(signal, "SIGKILL", 9)
"""The signal that no process can refuse; on Windows, where there is none, `groups.send` ends the process."""

LONGEST_WAIT = 1.0 if IS_WINDOWS else None
"""Seconds for which the first thread may wait for another: on Windows it hears no signal, as Ctrl+C, before."""


def signal_name(number: int) -> str:
    """Returns the name of a signal, or "signal 9" for one that this system does not know."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def user() -> str:
    """Returns what tells this user from others, for the name of a file: a number, or the name on Windows."""
    if hasattr(os, "getuid"):
        return str(os.getuid())
    import getpass

    try:
        return getpass.getuser()
    except (ImportError, OSError, KeyError):  # the environment names nobody
        return "somebody"


def is_own(facts: os.stat_result) -> bool:
    """Returns whether this user owns a file; on Windows, where a file does not say it so, always."""
    return not hasattr(os, "geteuid") or facts.st_uid == os.geteuid()


def after_fork(call: Callable[[], object]) -> None:
    """Calls a function in every process that this one forks from now on; none is where the system has no fork."""
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=call)


def become(command: Sequence[str]) -> None:
    """Runs a command in the place of this process, which does not come back.

    On Windows `os.execv` starts another process and ends this one at once, with status 0: its parent would not wait.
    There this process waits, and ends with the same status.
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
    """Returns at most so many bytes of a file from a place on. Its own place stays, save on Windows."""
    if hasattr(os, "pread"):
        return os.pread(file.fileno(), size, offset)
    file.seek(offset)
    return file.read(size)


def read_into(file: FileIO, memory: memoryview, offset: int) -> int:
    """Fills memory with the bytes of a file from a place on, as `read_at` does; returns how many there were."""
    if hasattr(os, "preadv"):
        return os.preadv(file.fileno(), [memory], offset)
    file.seek(offset)
    return file.readinto(memory) or 0
