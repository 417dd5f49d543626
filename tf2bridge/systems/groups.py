"""A process with all processes that it starts, which is ended as a whole.

Linux and macOS have process groups. On Windows `taskkill` ends the tree of processes below a process. A process whose
parent has ended before is in no such tree, and goes on.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from tf2bridge.systems import HARD, IS_WINDOWS, SOFT

_CREATE_NEW_PROCESS_GROUP = 0x200
"""Of winbase.h. Ctrl+C then reaches this process alone, and Ctrl+Break can be sent to the new process's group."""
_HAS_GROUPS = hasattr(os, "killpg")


def options() -> dict[str, Any]:
    """Returns the arguments of `subprocess.Popen` with which a process leads a group of its own."""
    if _HAS_GROUPS:
        return {"start_new_session": True}
    return {"creationflags": _CREATE_NEW_PROCESS_GROUP} if IS_WINDOWS else {}


def send(process: subprocess.Popen[bytes], number: int) -> None:
    """Sends a signal to a process and to all that it started; does nothing if none runs.

    Without process groups, HARD ends them, and any other signal asks the process to end.
    """
    if _HAS_GROUPS:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
    elif number == HARD:
        _end_tree(process.pid)
        process.kill()
    else:
        with contextlib.suppress(OSError):
            process.send_signal(getattr(signal, "CTRL_BREAK_EVENT", SOFT))


def has_members(group: int) -> bool:
    """Returns whether a process group has a process that is no zombie: zombies of a container may wait for ever.

    Without process groups the answer is False; it is only asked for a group whose first process has ended.
    """
    if not _HAS_GROUPS:
        return False
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    stats = list(Path("/proc").glob("[0-9]*/stat"))
    return not stats or any(_is_member(stat, group) for stat in stats)


def _is_member(stat: Path, group: int) -> bool:
    try:
        state, _, its_group = stat.read_bytes().rpartition(b")")[2].split()[:3]
    except (OSError, ValueError):
        return False
    return int(its_group) == group and state not in (b"Z", b"X")


def end_own(grace: float) -> None:
    """Ends this process and all that it started, if it leads its group: SIGTERM, and SIGKILL after the grace time."""
    own = os.getpid()
    if _HAS_GROUPS:
        if own == os.getpgid(0):
            os.killpg(own, SOFT)
            time.sleep(grace)
            os.killpg(own, HARD)
    else:
        _end_tree(own)
        os._exit(1)


def _end_tree(process: int) -> None:
    """Ends a process and all that it started, on Windows."""
    if IS_WINDOWS:
        with contextlib.suppress(OSError):
            command = ["taskkill", "/T", "/F", "/PID", str(process)]
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
