"""Folders for what is made once and read by many tests of a process."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from pathlib import Path


def folder() -> Path:
    """A new folder, which is removed when this process ends."""
    made = Path(tempfile.mkdtemp(prefix="tf2bridge-test-"))
    owner = os.getpid()
    atexit.register(lambda: os.getpid() == owner and shutil.rmtree(made, ignore_errors=True))  # not a fork of it
    return made
