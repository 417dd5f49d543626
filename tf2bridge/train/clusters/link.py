"""The connection between a task and the launcher that started it.

Over this connection the task reports its state, stays alive while others need its server, and notices when the
launcher is gone.

A session waits for the servers of all tasks of its cluster. A worker that begins after another one has ended would
wait for ever, in TensorFlow 1.x too. In a short training this also happens to a worker that looks for the variables
just before the chief has made them, because the worker looks again only after 30 seconds.

The launcher passes the connection in an environment variable. A process without a launcher reports to nobody.
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
"""What a task reports: its server has started; it only serves from now on; other tasks of its cluster cannot be
reached; its program has ended with status 0."""

_line: socket.socket | None = None
_timeout: float | None = None
_serves = False
_has_ended_well = False
_may_go = threading.Event()


def connect() -> None:
    """Opens the connection, once, when a task's process starts. Processes that the task starts do not inherit it."""
    global _line, _timeout
    named = os.environ.pop(VARIABLE, None)
    if named is None:
        return
    settings = json.loads(named)
    _timeout = settings["timeout"]
    _line = lines.taken_up(settings["line"])
    atexit.register(_stay, os.getpid())  # registered before the program's own, therefore called after all of them
    threading.Thread(target=_end_with_launcher, args=(_line, settings["grace"]), daemon=True).start()


def tell(event: str, **facts: Any) -> None:
    """Reports an event to the launcher, if there is one."""
    global _serves
    _serves |= event == SERVING
    if _line is not None:
        _line.sendall(json.dumps({"event": event, **facts}).encode() + b"\n")


def ended_well() -> None:
    """Notes that the program has ended with status 0.

    At its exit the process then keeps its server for the other tasks.
    """
    global _has_ended_well
    _has_ended_well = True


def timeout() -> float | None:
    """Returns how many seconds the cluster may take to form; None without a launcher."""
    return _timeout


def _stay(process: int) -> None:
    """Waits until the launcher lets this process go."""
    if _serves and _has_ended_well and os.getpid() == process:  # not a fork of it
        with contextlib.suppress(OSError):
            tell(DONE)
            _may_go.wait()


def _end_with_launcher(line: socket.socket, grace: float) -> None:
    """Ends this process, and all that it started, when the launcher is gone: a killed launcher cannot end its tasks."""
    own = os.getpid()
    with contextlib.suppress(OSError):  # Windows reports a reset connection if the launcher was killed
        while line.recv(1):
            _may_go.set()
    if os.getpid() == own:  # not a fork of it
        groups.end_own(grace)
