"""The line between a task and the launcher that started it: the task tells where it stands, stays as long as others
need its server, and notices when the launcher is gone.

A session waits for the servers of all tasks of its cluster. A worker that begins when another has ended would wait for
ever, in TensorFlow 1.x too: so does, in a short training, the worker that looks for the variables a moment before the
chief has made them, as it looks again after 30 seconds.

The launcher names the line in the environment. A process that is no task of a launcher tells nobody.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import socket
import threading
from typing import Any

from tf2bridge.systems import groups, lines

VARIABLE = "TF2BRIDGE_LAUNCHER"
SERVING, JOINED, MISSING, DONE = "serving", "joined", "missing", "done"
"""What a task tells: its server has started; it only serves from now on; tasks of its cluster are not there; its
program has ended with 0."""

_line: socket.socket | None = None
_timeout: float | None = None
_serves = False
_has_ended_well = False
_may_go = threading.Event()


def connect() -> None:
    """Takes up the line, once, at the start of a task's process. The processes that it starts do not inherit it."""
    global _line, _timeout
    named = os.environ.pop(VARIABLE, None)
    if named is None:
        return
    told = json.loads(named)
    _timeout = told["timeout"]
    _line = lines.taken_up(told["line"])
    atexit.register(_stay, os.getpid())  # before any of the program's, and so called after all of them
    threading.Thread(target=_end_with_launcher, args=(_line, told["grace"]), daemon=True).start()


def tell(event: str, **facts: Any) -> None:
    """Tells the launcher, if there is one."""
    global _serves
    _serves |= event == SERVING
    if _line is not None:
        _line.sendall(json.dumps({"event": event, **facts}).encode() + b"\n")


def ended_well() -> None:
    """Says that the program has ended with status 0: at its exit the process keeps its server for the others."""
    global _has_ended_well
    _has_ended_well = True


def timeout() -> float | None:
    """How many seconds the cluster may take to form; None without a launcher."""
    return _timeout


def _stay(process: int) -> None:
    """Waits until the launcher lets this process go."""
    if _serves and _has_ended_well and os.getpid() == process:  # not a fork of it
        with contextlib.suppress(OSError):
            tell(DONE)
            _may_go.wait()


def _end_with_launcher(line: socket.socket, grace: float) -> None:
    """A launcher that is killed cannot end its tasks: they end themselves, with all they started."""
    own = os.getpid()
    with contextlib.suppress(OSError):  # of a launcher that was killed, Windows says that it reset the line
        while line.recv(1):
            _may_go.set()
    if os.getpid() == own:  # not a fork of it
        groups.end_own(grace)
