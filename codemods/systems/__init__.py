"""The differences between Linux, macOS and Windows. Each difference is a fact or a function here, for tf2bridge too.

No other module asks `sys.platform`, or uses a name that only some systems have. Each function either has another way
where a system lacks something, or says so in what it returns or raises.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
from pathlib import Path, PurePath

IS_WINDOWS = sys.platform == "win32"
IS_LINUX = sys.platform == "linux"

FORKS = IS_LINUX and hasattr(os, "fork")
"""Whether a process may be forked: macOS has the call, but its libraries do not survive it."""
START = "fork" if FORKS else "spawn"
"""How `multiprocessing` starts a process: forking saves every process its imports."""

NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
"""Flag of `os.open` that refuses a symbolic link; 0 where there is none, so look with `Path.is_symlink` first."""
NO_WAIT: int = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
"""Flags of `os.open` that neither wait for the other end of a pipe nor take a terminal."""
BINARY: int = getattr(os, "O_BINARY", 0)
"""Flag of `os.open` that leaves bytes as they are: without it, Windows changes the ends of lines."""


def cores() -> int:
    """Returns how many processors this process may use: those of the machine where the system does not say more."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def make_link(place: Path, target: Path, is_folder: bool = False) -> bool:
    """Makes a symbolic link at `place`, and returns whether it could: on Windows only some users may.

    Raises OSError for any other reason, as a full disk or a file that is there already.
    """
    try:
        place.symlink_to(target, target_is_directory=is_folder)
    except NotImplementedError:
        return False
    except OSError as error:
        if getattr(error, "winerror", None) not in _NO_LINKS:
            raise
        return False
    return True


_MOUNT_POINT = 0xA0000003
"""IO_REPARSE_TAG_MOUNT_POINT of winnt.h."""
_NO_LINKS = (1, 1314)
"""ERROR_INVALID_FUNCTION and ERROR_PRIVILEGE_NOT_HELD of winerror.h: the disk, or the user, may have no links."""


def is_link(entry: os.DirEntry[str]) -> bool:
    """Returns whether an entry of a directory is a symbolic link, or a junction, which Windows has besides."""
    return entry.is_symlink() or (IS_WINDOWS and is_junction(entry.stat(follow_symlinks=False)))


def is_junction(facts: os.stat_result) -> bool:
    """Returns whether this is a directory of Windows that leads to another one; `facts` are those of `lstat`."""
    return getattr(facts, "st_reparse_tag", 0) == _MOUNT_POINT


def remove_tree(path: Path) -> None:
    """Removes a directory with all in it, as far as it can: on Windows, files that are read-only, too."""
    for folder, _, names in os.walk(path) if IS_WINDOWS else ():
        for name in names:
            with contextlib.suppress(OSError):
                Path(folder, name).chmod(stat.S_IWRITE)
    shutil.rmtree(path, ignore_errors=True)


def reported(path: Path | str, separator: str = os.sep) -> str:
    """Returns a path as results and reports name it: as it was given, but with "/" between its parts on Windows, too.

    separator: that of the system, for tests.
    """
    return str(path) if separator == "/" else str(path).replace(separator, "/")


def same_place(path: Path, other: Path) -> bool:
    """Returns whether two paths lead to one file or directory, as "Old" and "old" do on macOS and Windows."""
    try:
        return path.samefile(other)
    except OSError:
        return False


def below(path: str, kind: type[PurePath] = PurePath) -> str:
    """Returns a path with "/" between its parts, without the root or the drive before them: a name for a diff.

    kind: whose paths these are, for tests.
    """
    place = kind(path)
    return place.as_posix().removeprefix(kind(place.anchor).as_posix()) if place.anchor else place.as_posix()


def program(name: str, places: list[str]) -> str | None:
    """Returns the path of a program in one of these absolute directories; None where none of them has it.

    On Windows `shutil.which` looks into the current directory first, where anybody may have put a program.
    """
    if not IS_WINDOWS:
        return shutil.which(name, path=os.pathsep.join(places))
    files = (Path(place, f"{name}.exe") for place in places)
    return next((str(path) for path in files if path.is_file()), None)
