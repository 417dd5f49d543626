"""Files given to a process of their own, which may take 1 GB and 20 seconds of the processor for each."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECONDS = 20.0
_WAIT = 240.0
"""Seconds after which a child hangs that does not use the processor: the machine may be busy."""
_FILES_EACH = 500
"""After so many files a new process is started: what each leaves behind adds up."""


def _processor_seconds(pid: int) -> float:
    """What a process, and those of its children that have ended, used of the processor so far."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


class Server:
    """A child that reads files; it is started when it is needed, and again after it was stopped."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self._seconds = seconds
        self._child: subprocess.Popen[str] | None = None
        self._served = 0
        self.took = 0.0
        """Seconds of the processor that the last file took."""

    def outcome(self, kind: str, path: Path) -> str:
        """What `readers.outcome` says of a file, "hangs", or "ends with status N" for a process that died."""
        child = self._running()
        assert child.stdin is not None and child.stdout is not None
        start = time.monotonic()
        try:
            child.stdin.write(f"{kind}\t{path}\n")
            child.stdin.flush()
        except BrokenPipeError:
            return self._ended(child)
        begun = _processor_seconds(child.pid)
        while not select.select([child.stdout], [], [], 0.2)[0]:
            self.took = _processor_seconds(child.pid) - begun
            if self.took > self._seconds or time.monotonic() - start > _WAIT:
                self.close()
                return "hangs"
        self.took = _processor_seconds(child.pid) - begun
        line = child.stdout.readline()
        if not line.endswith("\n"):
            return self._ended(child)
        return str(json.loads(line))

    def close(self) -> None:
        """Ends the child."""
        if self._child is not None:
            self._child.kill()
            self._child.communicate()
            self._child = None

    def _running(self) -> subprocess.Popen[str]:
        self._served += 1
        if self._served % _FILES_EACH == 0:
            self.close()
        if self._child is None:
            command = [sys.executable, "-m", "tests.hostile.child"]
            pipe = subprocess.PIPE
            self._child = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, cwd=ROOT
            )
            assert self._child.stdout is not None
            assert self._child.stdout.readline() == "ready\n"
        return self._child

    def _ended(self, child: subprocess.Popen[str]) -> str:
        status = child.wait()
        self._child = None
        return f"ends with status {status}"
