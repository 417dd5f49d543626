"""Code that a comparison is given, as `package.module:function`, and that ends in every way but by being equal."""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
import time
from typing import Any

import numpy as np


def ones() -> dict[str, Any]:
    return {"w": np.ones(3)}


def nan() -> dict[str, Any]:
    return {"w": np.full(3, np.nan)}


def nothing() -> dict[str, Any]:
    return {}


def leaves() -> None:
    sys.exit(0)


def leaves_at_once() -> None:
    os._exit(0)


def leaves_later() -> dict[str, Any]:
    """Ends the process in the midst of the comparison, or after it."""
    threading.Timer(0.01, os._exit, [0]).start()
    time.sleep(5)
    return ones()


def differs_and_leaves_at_exit() -> dict[str, Any]:
    atexit.register(os._exit, 0)
    return {"w": np.zeros(3)}


def crashes() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def forks_and_leaves() -> dict[str, Any]:
    """The process that the command waits for ends; another one goes on and finds both equal."""
    if os.fork():
        os._exit(0)
    return ones()
