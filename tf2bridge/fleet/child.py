"""The process that works on items, one after the other. A keeper forks it, ends it at a limit, and replaces it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from tf2bridge.errors import BridgeError
from tf2bridge.fleet import inputs, judging, keys, shaping, store
from tf2bridge.fleet.inventory import Item, Kind
from tf2bridge.fleet.judging import Performed
from tf2bridge.fleet.outcome import Cause, Outcome, Verdict
from tf2bridge.fleet.refusals import FleetError, UnreadableError
from tf2bridge.fleet.tasks import Answer, Setup, Task
from tf2bridge.formats.graphs.refusals import NoGraphError
from tf2bridge.systems import limits

Perform = Callable[[Sequence[str]], Performed]
"""Runs a command line of tf2bridge in this process."""
_LIFE = 2000
"""The most items of one process, so that no library's leak grows without end."""
_GROWTH = 512 << 20
"""The most bytes by which a process may grow over its items."""
_SPOILED = (Cause.MEMORY, Cause.BUG)
"""Causes after which the process may be damaged: half-imported modules, or libraries in the middle of something."""

_PERHAPS_GRAPHS = (Kind.CHECKPOINT, Kind.EVENTS)
"""Kinds of which some items have a graph: a checkpoint with its .meta."""


class Worker:
    """Works on items in this process, and says when the process should be replaced."""

    def __init__(self, setup: Setup, shop: store.Workshop, perform: Perform) -> None:
        self._setup, self._shop, self._perform = setup, shop, perform
        self._used_first = self._used = limits.used_memory()  # asked once an item, because it takes time
        self._life = 1 if setup.do.keeps_apart else _LIFE

    def answer(self, task: Task) -> Answer:
        """Does a task, and returns the answer. Its result has its place then."""
        start = time.monotonic()
        try:
            outcome = store.outcome_of(self._setup.out, task.key) or self._done(task)
        except FleetError as error:
            return Answer(task.key, task.item.path, stop=str(error))
        self._life -= 1
        seconds = round(time.monotonic() - start, 6)
        return Answer(
            task.key,
            task.item.path,
            outcome.verdict.value,
            outcome.cause and outcome.cause.value,
            outcome.error,
            seconds,
            leaves=self._life <= 0 or outcome.cause in _SPOILED or self._has_grown(),
        )

    def _done(self, task: Task) -> Outcome:
        try:
            folder = self._shop.begin(task.key)
            outcome = replace(self._outcome(task.item, folder), path=task.item.path)
            if outcome.verdict is Verdict.FAILED and os.listdir(folder):  # noqa: PTH208  # runs for each item
                self._shop.discard(task.key)
                self._shop.begin(task.key)
            return self._shop.commit(task.key, outcome)
        except OSError as error:
            judging.stop_if_full(error)
            raise FleetError(f"{error.filename or self._setup.out}: {error.strerror or error}") from error

    def _outcome(self, item: Item, folder: str) -> Outcome:
        setup = self._setup
        may_use = int(setup.megabytes * 1e6)
        limits.limit_memory(may_use, self._used)
        os.chdir(folder)
        try:
            source = inputs.input_of(item, setup.folder, folder)
            performed = self._perform(keys.arguments(setup.do, item, setup.folder, source.path))
            source.remove()
        except UnreadableError as error:
            return Outcome(Verdict.FAILED, cause=Cause.UNREADABLE, error=str(error))
        except (BridgeError, OSError, MemoryError) as error:  # reading an archive, or the other side of compare, failed
            source, performed = inputs.Input(item.path), Performed(None, "", "", error)
        finally:
            os.chdir(self._shop.path)
            limits.limit_memory(may_use + _GROWTH, self._used)  # room for the answer, also if the item took all it may
        if isinstance(performed.error, NoGraphError) and item.kind in _PERHAPS_GRAPHS:
            return Outcome(Verdict.NOT_FOR_THIS_KIND, error="it has no graph")
        outcome = judging.judged(performed, folder, setup.megabytes, source)
        return shaping.shaped(setup.do, outcome, item, folder)

    def _has_grown(self) -> bool:
        self._used = limits.used_memory()
        return (self._used or 0) > (self._used_first or 0) + _GROWTH
