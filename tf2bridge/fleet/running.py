"""A run on this machine: some warm processes, each with a thread that gives it tasks and records its answers."""

from __future__ import annotations

import contextlib
import itertools
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tf2bridge.fleet import inventory, results, store
from tf2bridge.fleet.order import Order
from tf2bridge.fleet.refusals import FleetError
from tf2bridge.fleet.tasks import Answer, Setup, Task
from tf2bridge.fleet.warm import Warm
from tf2bridge.systems import folders

_BATCH, _BATCH_BYTES = 32, 4 << 20
"""The most items that a worker is given at once, and their bytes: small items are over before an answer arrives."""
_SHORT = 1 << 15
"""The most bytes of their lines, so that all of them fit into a pipe."""
_SYNC_S = 2.0
"""Seconds between two waits for the disk."""
_POLL_S = 0.1


@dataclass
class Counts:
    """How far a run is.

    Attributes:
        total: the keys of all items that the command takes.
        before: how many of them were done when the run began.
        done: how many this run has done.
        failed: how many items of this run failed or differ.
        retried: how many attempts were made again.
    """

    total: int
    before: int = 0
    done: int = 0
    failed: int = 0
    retried: int = 0


Tell = Callable[[Counts], None]


@dataclass
class _Shared:
    """What the threads of a run share, under one lock."""

    tasks: Iterator[Task]
    journal: store.Journal
    counts: Counts
    jobs: int
    lock: threading.Lock = field(default_factory=threading.Lock)
    stop: BaseException | None = None
    synced: float = field(default_factory=time.monotonic)

    def batch(self) -> list[Task]:
        """Returns the next tasks for one worker; none at the end of the run."""
        with self.lock:
            if self.stop is not None:
                return []
            left = self.counts.total - self.counts.before - self.counts.done
            most = max(1, min(_BATCH, left // (4 * self.jobs)))
            tasks: list[Task] = []
            size = length = 0
            for task in itertools.islice(self.tasks, most):
                tasks.append(task)
                size, length = size + task.size, length + len(task.line)
                if size > _BATCH_BYTES or length > _SHORT:
                    break
            return tasks

    def record(self, answers: Sequence[Answer]) -> None:
        """Writes answers into the journal and counts them."""
        with self.lock:
            self.journal.write(b"".join(answer.dumps() for answer in answers if answer.stop is None))
            for answer in answers:
                if answer.stop is not None:
                    raise FleetError(answer.stop)
                self.counts.retried += not answer.is_last
                self.counts.done += answer.is_last
                self.counts.failed += answer.is_last and answer.verdict not in ("right", "not for this kind")
            if time.monotonic() - self.synced > _SYNC_S:
                self.journal.sync()
                self.synced = time.monotonic()


@contextlib.contextmanager
def opened(setup: Setup, items: Path) -> Iterator[tuple[Counts, Iterator[Task]]]:
    """Yields the counts of a run and the tasks that are missing, while the run's folder is held.

    Raises OutputError if the folder belongs to another run, or is inside an item.
    """
    order = Order(items, setup.do, setup.out)
    store.prepare(setup.out, setup.do, items)
    folder = folders.opened(setup.out)
    try:
        counts = Counts(order.total)
        yield counts, _missing(order.tasks(_is_held(folder)), setup, counts)
    finally:
        folder.close()


def run(setup: Setup, items: Path, jobs: int, tell: Tell = lambda _: None) -> results.Summary:
    """Does what is missing, and writes the results of all items. Returns their summary.

    Args:
        setup: the command, the folder of the run, and the limits of an item.
        items: the inventory, a file.
        jobs: how many workers work at once.
        tell: a function that is called with the counts about ten times a second.

    Raises:
        OutputError: The folder belongs to another run, or is inside an item.
        FleetError: The disk is full, or this system cannot fork.
        KeyboardInterrupt: The results of the items that were done stay, and a later run goes on after them.
    """
    with _started(setup, items, jobs) as warm, opened(setup, items) as (counts, tasks):
        _work(setup, tasks, counts, warm, tell)
    return results.write(setup.out, setup.do, items)


@contextlib.contextmanager
def _started(setup: Setup, items: Path, jobs: int) -> Iterator[list[Warm]]:
    """Yields warm processes, which import while the inventory is read: one for each job, but not more than items."""
    count = sum(1 for _ in itertools.islice(inventory.read(items), jobs))
    warm: list[Warm] = []
    try:
        for _ in range(count):
            warm.append(Warm(setup))
        yield warm
    finally:
        for process in warm:
            process.close()


def _is_held(folder: folders.Folder) -> bool:
    """Takes the lock of the run's folder. If another run has it, returns True: this one begins at the other end."""
    try:
        folder.lock()
    except BlockingIOError:
        return True
    except OSError:  # the file system has no locks
        return False
    return False


def _missing(tasks: Iterator[Task], setup: Setup, counts: Counts) -> Iterator[Task]:
    """Yields the tasks that have no outcome yet, or one that another limit may change."""
    for task in tasks:
        outcome = store.outcome_of(setup.out, task.key)
        if outcome is not None and results.may_change(outcome, setup):
            store.replace(setup.out, task.key)
        elif outcome is not None:
            counts.before += 1
            continue
        yield task


def _work(setup: Setup, tasks: Iterator[Task], counts: Counts, warm: Sequence[Warm], tell: Tell) -> None:
    first = list(itertools.islice(tasks, 1))
    if not first:
        return
    journal = store.Journal(setup.out)
    shared = _Shared(itertools.chain(first, tasks), journal, counts, len(warm))
    threads = [threading.Thread(target=_serve, args=(process, shared)) for process in warm]
    try:
        for thread in threads:
            thread.start()
        while alive := [thread for thread in threads if thread.is_alive()]:
            alive[0].join(_POLL_S)
            tell(counts)
    except BaseException as error:
        shared.stop = shared.stop or error
        for process in warm:
            process.stop()
        raise
    finally:
        for thread in threads:
            thread.join()
        journal.close()
    if shared.stop is not None:
        raise shared.stop


def _serve(warm: Warm, shared: _Shared) -> None:
    try:
        while tasks := shared.batch():
            for answers in warm.work(tasks):
                shared.record(answers)
                if shared.stop is not None:
                    return
    except BaseException as error:
        shared.stop = shared.stop or error
