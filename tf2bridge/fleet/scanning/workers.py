"""Processes that tell of groups what items they are, with limits of memory and time for each group.

A process that crashes, hangs or is killed costs the group that it worked on. Another process takes its place.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from typing import Any

from tf2bridge import systems
from tf2bridge.errors import BridgeError
from tf2bridge.fleet.inventory import Item, Kind
from tf2bridge.fleet.scanning.groups import Group
from tf2bridge.fleet.scanning.telling import Beat, Told
from tf2bridge.systems import watching
from tf2bridge.systems.limits import limit_memory

Teller = Callable[[Group, Beat], Iterator[Told]]
"""Yields the items of a group: one, none, or many for an archive."""

_BATCH = 32
"""Groups that a process gets at a time."""
_PIECE = 256
"""Items that are sent at a time."""
_POLL = 0.5
"""Seconds between two looks at the processes."""


@dataclass(frozen=True)
class Limits:
    """What a group may take: bytes of memory beside what the process needs, and seconds without a sign of progress."""

    memory: int = 2 << 30
    seconds: float = 60.0


def told(groups: Iterable[Group], teller: Teller, jobs: int, limits: Limits) -> Generator[Told | int, None, None]:
    """Yields the items of groups as they come, and after a group's last item the number 1, for counting."""
    pool: list[_Process] = []
    pending = iter(groups)
    try:
        while True:
            for process in [process for process in pool if not process.owed]:
                process.give(list(islice(pending, _BATCH)))
            while len(pool) < jobs and (batch := list(islice(pending, _BATCH))):
                pool.append(_Process(teller, limits))
                pool[-1].give(batch)
            busy = {process.pipe: process for process in pool if process.owed}
            if not busy:
                return
            for pipe in wait(list(busy), _POLL):
                process = next(process for other, process in busy.items() if other is pipe)
                yield from process.received()
            for process in busy.values():
                yield from process.looked_after()
    finally:
        for process in pool:
            process.end()


def _work(pipe: Connection, parent: int, teller: Teller, limits: Limits) -> None:
    """Answers batches of groups until the pipe is closed, with a sign of progress in between.

    The parent handles Ctrl-C. A fork holds both ends of its pipe, so it does not learn from it that the parent is gone.
    """
    watching.end_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    limit_memory(limits.memory)

    last = time.monotonic()

    def beat() -> None:
        nonlocal last
        if time.monotonic() - last > _POLL:
            last = time.monotonic()
            pipe.send(([], False))

    try:
        while True:
            for group in pipe.recv():
                items: list[Told] = []
                for item in teller(group, beat):
                    items.append(item)
                    if len(items) == _PIECE:
                        pipe.send((items, False))
                        items = []
                pipe.send((items, True))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        os._exit(0)  # the parent has ended


class _Process:
    """One process, and the groups that it has not answered."""

    def __init__(self, teller: Teller, limits: Limits) -> None:
        self.owed: deque[Group] = deque()
        self._teller, self._limits = teller, limits
        self._start()

    def _start(self) -> None:
        context: Any = multiprocessing.get_context(systems.START)
        self.pipe, theirs = context.Pipe()
        self._since = time.monotonic()
        arguments = theirs, os.getpid(), self._teller, self._limits
        self._process = context.Process(target=_work, args=arguments, daemon=True)
        self._process.start()
        theirs.close()

    def give(self, batch: list[Group]) -> None:
        """Sends groups to the process."""
        if batch:
            self.owed.extend(batch)
            self._since = time.monotonic()
            self.pipe.send(batch)

    def received(self) -> Iterator[Told | int]:
        """Yields what the process has sent; if it ended, an item for the group that it worked on."""
        try:
            while self.pipe.poll():
                items, is_last = self.pipe.recv()
                self._since = time.monotonic()
                yield from items
                if is_last:
                    self.owed.popleft()
                    yield 1
        except (EOFError, ConnectionResetError):
            self._process.join()
            yield from self._lost(f"the process that read it ended ({_ending(self._process.exitcode)})")

    def looked_after(self) -> Iterator[Told | int]:
        """Ends a process that shows no progress, and yields an item for its group."""
        if self.owed and time.monotonic() - self._since > self._limits.seconds and not self.pipe.poll():
            self._process.kill()
            self._process.join()
            yield from self._lost(f"it took longer than {self._limits.seconds:g} seconds, the limit for a file")

    def _lost(self, why: str) -> Iterator[Told | int]:
        group = self.owed.popleft()
        rest = list(self.owed)
        self.owed.clear()
        self.pipe.close()
        self._start()
        self.give(rest)
        yield Told(Item(group.path, Kind.FILE, files=max(1, len(group.files)), error=str(BridgeError(why))))
        yield 1

    def end(self) -> None:
        """Ends the process."""
        self.pipe.close()
        self._process.kill()
        self._process.join()


def _ending(code: int | None) -> str:
    return systems.signal_name(-code) if code is not None and code < 0 else f"status {code}"
