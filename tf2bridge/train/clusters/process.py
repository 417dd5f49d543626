"""One process of a cluster with all processes that it starts: one process group, which is ended as a whole."""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from tf2bridge.systems import groups
from tf2bridge.systems.lines import Line
from tf2bridge.train.clusters import link
from tf2bridge.train.clusters.output import Lines, Listener
from tf2bridge.train.clusters.tasks import Task

_LAST_WORDS = 1.0
"""Seconds that output may arrive after a process ended, if a process that it left behind keeps the pipe open."""

_DEFAULTS = {"PYTHONUNBUFFERED": "1", "TF_FORCE_GPU_ALLOW_GROWTH": "true"}
"""Lines arrive when they are printed. No task takes all memory of a GPU, because other tasks use the same GPU."""

ENDED, UNREAD = "ended", "unread"
Post = Callable[["TaskProcess", str, dict[str, Any]], None]
"""A function that gets events of a process: ENDED, UNREAD if its output cannot be written, and what it reports."""


class TaskProcess:
    """A running task, which leads its own process group.

    Attributes:
        status: The exit status, negative for the signal that killed it. None until its output has been printed, too.
        failed: When the process ended (`time.monotonic`) and with which status, if that was not 0; None otherwise.
        serving: Whether the task reported that its server has started.
        joined: Whether the task reported that it only serves from now on.
        done: Whether the task reported that its program has ended with status 0.
    """

    def __init__(
        self,
        task: Task,
        command: Sequence[str],
        environment: dict[str, str],
        limits: dict[str, float],
        lines: Lines,
        post: Post,
        listener: Listener | None,
    ) -> None:
        self.task = task
        self.status: int | None = None
        self.failed: tuple[float, int] | None = None
        self.serving = self.joined = self.done = False
        self._is_closed = False
        self._post = post
        self._line = Line()
        launcher = {link.VARIABLE: json.dumps({"line": self._line.told, **limits})}
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**_DEFAULTS, **os.environ, **environment, **launcher},
                **self._line.options,
                **groups.options(),
            )
        finally:
            self._line.started()
        self._copiers = [
            self._start(self._copy, lines, stream, stream is self._process.stderr, listener)
            for stream in (self._process.stdout, self._process.stderr)
        ]
        self._listener = self._start(self._listen)
        self._waiter = self._start(self._await)

    @property
    def group(self) -> int:
        """Returns the number of the process group, which is the number of the process."""
        return self._process.pid

    def signal(self, number: int) -> None:
        """Sends a signal to the process and to all processes that it started. Does nothing if none runs."""
        if self.is_alive():
            groups.send(self._process, number)

    def release(self) -> None:
        """Lets the process end after its program is done."""
        self._line.send(b"1")

    def is_alive(self) -> bool:
        """Returns whether a process of the group still runs."""
        return self.status is None or (not self._is_closed and groups.has_members(self.group))

    def close(self) -> None:
        """Waits for the last output of a process whose group has ended, and releases its threads and its connection."""
        self._is_closed = True  # from now on the system may give the group's number to other processes
        self._line.shutdown()
        for thread in (self._waiter, *self._copiers, self._listener):
            thread.join(_LAST_WORDS)
        self._line.close()

    def _start(self, function: Callable[..., None], *arguments: Any) -> threading.Thread:
        thread = threading.Thread(target=function, args=arguments, daemon=True)
        thread.start()
        return thread

    def _copy(self, lines: Lines, stream: Any, is_error: bool, listener: Listener | None) -> None:
        with stream:
            try:
                lines.copy(str(self.task), stream.fileno(), is_error, listener)
            except OSError as error:
                self._post(self, UNREAD, {"error": error})

    def _listen(self) -> None:
        rest = b""
        for part in self._line.received(lambda: self._process.poll() is None):
            *texts, rest = (rest + part).split(b"\n")
            for text in texts:
                facts = json.loads(text)
                self._post(self, facts.pop("event"), facts)

    def _await(self) -> None:
        status = self._process.wait()
        self.failed = (time.monotonic(), status) if status else None
        until = time.monotonic() + _LAST_WORDS
        for thread in self._copiers:  # print its last output before anything is reported about its end
            thread.join(max(0.0, until - time.monotonic()))
        self.status = status
        self._post(self, ENDED, {})
