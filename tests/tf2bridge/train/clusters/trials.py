"""Clusters that tests run, hear and disturb."""

from __future__ import annotations

import collections
import contextlib
import io
import threading
from collections.abc import Iterator, Sequence

from tf2bridge.systems.groups import has_members
from tf2bridge.train.clusters.cluster import Cluster, Launch
from tf2bridge.train.clusters.output import Lines
from tf2bridge.train.clusters.tasks import Addresses, Task, on_loopback

SAY = 60.0
"""Seconds in which a task says what a test waits for, on a machine that is busy."""


class Trial:
    """A cluster that runs, what it printed, and a way to wait for a line of it."""

    cluster: Cluster

    def __init__(self) -> None:
        self.out, self.err = io.BytesIO(), io.BytesIO()
        self._said: dict[tuple[str, bytes], threading.Event] = {}
        self._lock = threading.Lock()

    def hear(self, name: str, line: bytes) -> None:
        self.line(name, line).set()

    def line(self, task: Task | str, line: bytes) -> threading.Event:
        with self._lock:
            return self._said.setdefault((str(task), line), threading.Event())

    def wait_for(self, task: Task, line: bytes) -> None:
        assert self.line(task, line).wait(SAY), f"{task} has not said {line!r} in {SAY} s"


@contextlib.contextmanager
def running(
    launches: Sequence[Launch], addresses: Addresses | None = None, timeout: float = 120.0, grace: float = 5.0
) -> Iterator[Trial]:
    """Starts the launches; afterwards no process of theirs is left. Without addresses, some that nobody has."""
    trial = Trial()
    counts = collections.Counter(launch.task.job for launch in launches)
    lines = Lines(max(len(str(launch.task)) for launch in launches), trial.out, trial.err)
    places = on_loopback(counts) if addresses is None else addresses
    with Cluster(launches, places, lines, timeout, grace, trial.hear) as trial.cluster:
        groups = [process.group for process in trial.cluster.processes().values()]
        yield trial
    assert not any(has_members(group) for group in groups)
