"""The line between a task and the launcher that started it: the task tells where it stands, and notices when the
launcher is gone.

The launcher names an inherited socket in the environment. A process that is no task of a launcher tells nobody.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from typing import Any

VARIABLE = "TF2BRIDGE_LAUNCHER"
SERVING, JOINED, MISSING = "serving", "joined", "missing"
"""What a task tells: its server has started; it only serves from now on; tasks of its cluster are not there."""

_line: socket.socket | None = None
_timeout: float | None = None


def connect() -> None:
    """Takes up the line, once, at the start of a task's process. The processes that it starts do not inherit it."""
    global _line, _timeout
    named = os.environ.pop(VARIABLE, None)
    if named is None:
        return
    told = json.loads(named)
    _timeout = told["timeout"]
    _line = socket.socket(fileno=told["descriptor"])
    _line.set_inheritable(False)
    threading.Thread(target=_end_with_launcher, args=(_line, told["grace"]), daemon=True).start()


def tell(event: str, **facts: Any) -> None:
    """Tells the launcher, if there is one."""
    if _line is not None:
        _line.sendall(json.dumps({"event": event, **facts}).encode() + b"\n")


def timeout() -> float | None:
    """How many seconds the cluster may take to form; None without a launcher."""
    return _timeout


def _end_with_launcher(line: socket.socket, grace: float) -> None:
    """A launcher that is killed cannot end its tasks: they end themselves, with all they started."""
    own = os.getpid()
    line.recv(1)
    if os.getpid() == own == os.getpgid(0):
        os.killpg(own, signal.SIGTERM)
        time.sleep(grace)
        os.killpg(own, signal.SIGKILL)
