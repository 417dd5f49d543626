"""The processes of a cluster on this machine: starts them, watches them, and leaves none behind."""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from tf2bridge import systems
from tf2bridge.systems import LONGEST_WAIT
from tf2bridge.train.clusters import link, outcomes
from tf2bridge.train.clusters.outcomes import Outcome
from tf2bridge.train.clusters.output import Lines, Listener
from tf2bridge.train.clusters.process import ENDED, UNREAD, TaskProcess
from tf2bridge.train.clusters.tasks import KEEPS_PORTS, PS, Addresses, Task, is_listening, reserved

GRACE = 5.0
"""Seconds between SIGTERM and SIGKILL."""
TIMEOUT = 300.0
_POLL = 0.02
_INTERRUPTED, _RESTARTED = "interrupted", "restarted"


@dataclass(frozen=True)
class Launch:
    """The command and the environment of a task, for its first start and for every restart."""

    task: Task
    command: Sequence[str]
    environment: dict[str, str]


class Cluster:
    """The tasks of a cluster as processes of this machine.

        with Cluster(launches, addresses) as cluster:
            outcome = cluster.wait()

    `kill` and `restart` try out faults and may be called from any thread; a killed task does not count as a failure.
    The cluster keeps the ports of all tasks, also while a task does not listen yet or is killed. No process is left
    when the block ends.

    Args:
        launches: How each task is started.
        addresses: Where each task listens.
        lines: The printer of the tasks' output.
        timeout: Seconds that the servers may take to start.
        grace: Seconds that a process has to end itself after SIGTERM.
        listener: A function that gets each printed line.
    """

    def __init__(
        self,
        launches: Sequence[Launch],
        addresses: Addresses,
        lines: Lines | None = None,
        timeout: float = TIMEOUT,
        grace: float = GRACE,
        listener: Listener | None = None,
    ) -> None:
        self._launches = {launch.task: launch for launch in launches}
        self._addresses = addresses
        self._lines = lines or Lines(max(len(str(task)) for task in self._launches))
        self._timeout, self._grace = timeout, grace
        self._listener = listener
        self._events: queue.SimpleQueue[tuple[TaskProcess | None, str, dict[str, Any]]] = queue.SimpleQueue()
        self._ports = contextlib.ExitStack()
        self._running: dict[Task, TaskProcess] = {}
        self._put_down: list[TaskProcess] = []
        self._awaited: set[Task] = set()
        self._formed_by = 0.0
        self._workers_end_by: float | None = None
        self._is_idle = False
        self._interruptions = 0

    def __enter__(self) -> Cluster:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Starts every task. Raises PortInUseError, before any task is started."""
        try:
            for task in self._launches:
                if address := self._address(task):
                    kept = reserved(str(task), address)
                    if KEEPS_PORTS:
                        self._ports.enter_context(kept)
                    else:
                        kept.close()
            self._formed_by = time.monotonic() + self._timeout
            for task in self._launches:
                self._start(task)
        except BaseException:
            self.close()
            raise

    def _address(self, task: Task) -> str:
        """Returns where the task listens; "" if it does not listen, or if only the program knows the address."""
        return self._addresses[task.job][task.index] if task.job in self._addresses else ""

    def _start(self, task: Task) -> None:
        launch = self._launches[task]
        limits = {"timeout": self._timeout, "grace": self._grace}
        self._running[task] = TaskProcess(
            task, launch.command, launch.environment, limits, self._lines, self._post, self._listener
        )

    def _post(self, process: TaskProcess | None, event: str, facts: dict[str, Any]) -> None:
        self._events.put((process, event, facts))

    def interrupt(self, number: int) -> None:
        """Ends the cluster as the signal `number` would. Signal handlers may call it, and more than once."""
        self._interruptions += 1
        self._events.put((None, _INTERRUPTED, {"number": number}))

    def processes(self) -> dict[Task, TaskProcess]:
        """Returns the process of each task; of a restarted task, the newest."""
        return dict(self._running)

    def kill(self, task: Task, number: int = systems.HARD, comes_back: bool = False) -> None:
        """Ends a task and all processes that it started by a signal, and waits until they have ended.

        Args:
            task: The task.
            number: The signal.
            comes_back: Whether the task will be restarted. The cluster is not done until then.

        Raises:
            TimeoutError: A process still runs after the grace time.
        """
        process = self._running[task]
        if comes_back:
            self._awaited.add(task)
        self._put_down.append(process)
        process.signal(number)
        if not self._all_gone([process]):
            raise TimeoutError(f"{task} was sent {systems.signal_name(number)} and runs on after {self._grace:g} s")

    def restart(self, task: Task) -> None:
        """Starts a task again that was killed or has ended, with its first command and environment."""
        before = self._running[task]
        self._awaited.add(task)
        if before.is_alive():
            self.kill(task)
        self._put_down.append(before)
        self._formed_by = time.monotonic() + self._timeout
        self._start(task)
        self._awaited.discard(task)
        self._post(None, _RESTARTED, {})

    def wait(self) -> Outcome:
        """Waits until every worker has ended with status 0, or until anything fails. Then no process runs any more.

        Parameter servers, and tasks that reported that they only serve, are ended at that moment.

        Raises:
            OSError: The output of the tasks cannot be written; BrokenPipeError, for example.
        """
        try:
            return self._watch()
        finally:
            self.close()

    def _watch(self) -> Outcome:
        while not self._is_done():
            try:
                process, event, facts = self._events.get(timeout=self._patience())
            except queue.Empty:
                outcome = self._out_of_patience()
            else:
                outcome = self._after(process, event, facts)
                self._release()
            if outcome is not None:
                return outcome
        return Outcome(0)

    def _is_done(self) -> bool:
        """Returns whether every task that ends by itself has ended with status 0."""
        working = self._working()
        if self._awaited:
            return False
        if not working and not self._is_idle:
            self._is_idle = True
            self._lines.note("every process serves and none trains; they serve until they are interrupted")
        return bool(working) and all(process.status == 0 for process in working)

    def _current(self) -> list[TaskProcess]:
        return [process for process in self._running.values() if process not in self._put_down]

    def _working(self) -> list[TaskProcess]:
        return [process for process in self._current() if process.task.job != PS and not process.joined]

    def _after(self, process: TaskProcess | None, event: str, facts: dict[str, Any]) -> Outcome | None:
        """Returns how the cluster ended by this event; None if it goes on."""
        if event == _INTERRUPTED:
            return outcomes.interrupted(facts["number"])
        if event == UNREAD:
            raise OSError(facts["error"].errno, facts["error"].strerror)
        if process is None or process in self._put_down:
            return None
        process.serving |= event == link.SERVING
        process.joined |= event == link.JOINED
        process.done |= event == link.DONE
        if event == link.MISSING:
            absent = {task: address for task, address in facts["tasks"] if not self._was_there(task)}
            return self._not_formed(absent, str(process.task))
        if event == ENDED and process.status:
            return outcomes.failed(self._current())
        if event == ENDED and process.task.job == PS and process.serving and self._workers_end_by is None:
            self._workers_end_by = time.monotonic() + self._timeout
        return None

    def _release(self) -> None:
        """Lets the servers of workers end when no worker trains any longer, and the servers of other tasks at once."""
        working = self._working()
        is_over = not self._awaited and all(process.done or process.status == 0 for process in working)
        for process in self._current():
            if process.done and (is_over or process not in working):
                process.release()

    def _was_there(self, name: str) -> bool:
        """Returns whether a task that another task does not reach has had its server, or has ended with status 0."""
        processes = [process for process in self._running.values() if str(process.task) == name]
        return any(process.serving or process.status == 0 for process in processes)

    def _patience(self) -> float | None:
        """Returns the seconds until the next deadline, or until signals must be handled.

        None if there is no deadline.
        """
        times = [] if self._workers_end_by is None else [self._workers_end_by]
        if any(not process.serving and process.status is None for process in self._servers()):
            times.append(self._formed_by)
        patience = max(0.0, min(times) - time.monotonic()) if times else None
        known = [wait for wait in (patience, LONGEST_WAIT) if wait is not None]
        return min(known, default=None)

    def _servers(self) -> list[TaskProcess]:
        return [process for process in self._current() if process.task.job == PS]

    def _out_of_patience(self) -> Outcome | None:
        now = time.monotonic()
        if self._workers_end_by is not None and now >= self._workers_end_by:
            left = [str(process.task) for process in self._working() if process.status is None and not process.done]
            gone = [str(process.task) for process in self._servers() if process.status is not None]
            return outcomes.left_behind(gone, left, self._timeout)
        absent = {}
        for process in self._servers() if now >= self._formed_by else ():
            address = self._address(process.task)
            process.serving = process.serving or bool(address and is_listening(address))
            if not process.serving and process.status is None:
                absent[str(process.task)] = address
        return self._not_formed(absent)

    def _not_formed(self, absent: dict[str, str], waiting: str = "") -> Outcome | None:
        started = [str(task) for task in self._running]
        return outcomes.not_formed(absent, started, self._timeout, waiting) if absent else None

    def close(self) -> None:
        """Ends every process and all that they started: SIGTERM, and SIGKILL after the grace time.

        May be called again.
        """
        processes = [*self._put_down, *self._running.values()]
        for number in (systems.SOFT, systems.HARD):
            for process in processes:
                process.signal(number)
            if self._all_gone(processes):
                break
        for process in processes:
            process.close()
        self._ports.close()

    def _all_gone(self, processes: Sequence[TaskProcess]) -> bool:
        """Waits until all processes have ended.

        Gives up after the grace time, or when the user interrupts a second time.
        """
        until = time.monotonic() + self._grace
        while any(process.is_alive() for process in processes):
            if time.monotonic() > until or self._interruptions > 1:
                return False
            time.sleep(_POLL)
        return True
