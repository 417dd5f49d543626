"""One process of a cluster, with all that it starts: one process group, which is ended as a whole."""

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
"""Seconds that output may take to arrive after a process ended, where a process that it left behind holds the pipe."""

_DEFAULTS = {"PYTHONUNBUFFERED": "1", "TF_FORCE_GPU_ALLOW_GROWTH": "true"}
"""Lines come when they are printed; and no task takes the whole memory of a GPU, which the others use as well."""

ENDED, UNREAD = "ended", "unread"
Post = Callable[["TaskProcess", str, dict[str, Any]], None]
"""Told what a process does: ENDED, UNREAD when what it prints cannot be written, or what it says over its line."""


class TaskProcess:
    """A running task; it leads its own process group.

    Attributes:
        status: its exit status, negative for the signal that killed it; None until its output has been printed, too.
        failed: when it ended with another status than 0 (`time.monotonic`), and with which; None if it did not.
        serving, joined, done: whether it said that its server has started, that it does nothing else any longer, and
            that its program has ended with 0.
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
        told = {link.VARIABLE: json.dumps({"line": self._line.told, **limits})}
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={**_DEFAULTS, **os.environ, **environment, **told},
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
        """The number of the process group, which is that of the process."""
        return self._process.pid

    def signal(self, number: int) -> None:
        """Sends a signal to the process and all it started; nothing if none is left."""
        if self.is_alive():
            groups.send(self._process, number)

    def release(self) -> None:
        """Lets a process end whose program is done."""
        self._line.send(b"1")

    def is_alive(self) -> bool:
        """Whether a process of the group still runs."""
        return self.status is None or (not self._is_closed and groups.has_members(self.group))

    def close(self) -> None:
        """Waits for the last output of a process whose group has ended, and gives back what it held."""
        self._is_closed = True  # the system may give the number of the group to another
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
        for thread in self._copiers:  # what it said last comes before what is said of it
            thread.join(max(0.0, until - time.monotonic()))
        self.status = status
        self._post(self, ENDED, {})
