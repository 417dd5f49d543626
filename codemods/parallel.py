"""Runs in several processes. Each works on a batch of the files, and gets the facts of all files.

If a process dies, only the results of its files are lost; the run goes on.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import multiprocessing
import sys
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.reduction import ForkingPickler
from typing import Any, cast

from codemods import python2, registry, symbols, systems
from codemods.batch import Batch, Tell, quiet
from codemods.errors import ProcessError
from codemods.facts import Facts
from codemods.project import Project
from codemods.requirements import reads_last
from codemods.results import Failed, FileResult, is_bridged
from codemods.settings import Settings
from codemods.source import SourceFile

# The shortest time between two messages of a process. A person does not notice such a pause.
_SECONDS = 0.05
_NO_MEMORY = 71


def _work(pipe: Connection, settings: Settings, sources: list[SourceFile], chosen: frozenset[str]) -> None:
    """Does the work of one process: sends facts and receives the project, twice; then sends results."""
    gc.freeze()  # a garbage collection would copy the memory that the processes share
    try:
        batch = Batch(settings)
        steps = _Outbox(pipe, "steps")
        facts = batch.prepare(sources, lambda: steps.put(None))
        steps.send()
        pipe.send(("facts", facts))
        files = pipe.recv()
        pipe.send(("facts", batch.inherit(Project(files))))
        results = _Outbox(pipe, "results")
        for result in batch.check(Project(files | pipe.recv()), chosen.__contains__):
            results.put(result)
        results.send()
        pipe.send(("end", None))
    except (KeyboardInterrupt, EOFError, BrokenPipeError):
        pass  # the first process reports it
    except MemoryError:
        sys.exit(_NO_MEMORY)


class _Outbox:
    """Collects items for the first process. One message per item would cost as much time as a small file."""

    def __init__(self, pipe: Connection, kind: str) -> None:
        self.pipe, self.kind = pipe, kind
        self.waiting: list[Any] = []
        self.sent = 0.0

    def put(self, item: Any) -> None:
        """Adds an item. The first item is sent at once."""
        self.waiting.append(item)
        if time.monotonic() - self.sent > _SECONDS:
            self.send()

    def send(self) -> None:
        """Sends all collected items."""
        self.pipe.send((self.kind, self.waiting))
        self.waiting, self.sent = [], time.monotonic()


class _Process:
    """One process, and the files whose results are still missing."""

    def __init__(self, settings: Settings, sources: list[SourceFile], chosen: frozenset[str]) -> None:
        context: Any = multiprocessing.get_context(systems.START)
        self.pipe, theirs = context.Pipe()
        self.owed = {source.path: None for source in sources if source.path in chosen}
        self.process = context.Process(target=_work, args=(theirs, settings, sources, chosen), daemon=True)
        try:
            self.process.start()
        except OSError as error:
            raise ProcessError(error.strerror or str(error)) from error
        theirs.close()

    def lost(self) -> list[FileResult]:
        """Returns the results for the missing files of a process that has died."""
        self.process.join()
        ended = "ran out of memory" if self.process.exitcode == _NO_MEMORY else "ended"
        why = f"the process that worked on it {ended} (exit status {self.process.exitcode}); try --jobs 1"
        return [Failed(path, f"{path}: {why}") for path in self.owed]


def check(
    sources: list[SourceFile], around: list[SourceFile], settings: Settings, jobs: int, tell: Tell = quiet
) -> Iterator[FileResult]:
    """Yields the results of `sources` in their order. `around` are read only for facts about these."""
    early = [source for source in sources if not reads_last(source.path)]
    last = Batch(settings)
    facts = {item.path: item for item in last.prepare([s for s in sources if reads_last(s.path)], tell)}
    chosen = frozenset(source.path for source in early)
    _load()
    processes = [_Process(settings, share, chosen) for share in shares([*early, *around], jobs) if share]
    try:
        project = Project(_exchange(processes, facts, tell))
        bridged = False
        for result in _in_order(processes, [source.path for source in early], tell):
            bridged = bridged or is_bridged(result)
            yield result
        yield from last.check(project, lambda _: True, tell, bridged=bridged)
    finally:
        for process in processes:
            process.process.terminate()
            process.process.join()


def _load() -> None:
    """Loads what every process needs: once, if processes are forked."""
    importlib.import_module("libcst")
    registry.all_rules()
    for path in symbols.DATA.glob("*.json"):
        symbols.table(path.stem)


def shares(sources: list[SourceFile], jobs: int) -> list[list[SourceFile]]:
    """Returns the files in shares of about equal work. Each share keeps the order of the files."""
    costs = [_cost(source) for source in sources]
    piles: list[list[int]] = [[] for _ in range(jobs)]
    sizes = [0] * jobs
    for place in sorted(range(len(sources)), key=costs.__getitem__, reverse=True):
        least = sizes.index(min(sizes))
        piles[least].append(place)
        sizes[least] += costs[place]
    return [[sources[place] for place in sorted(pile)] for pile in piles]


def _cost(source: SourceFile) -> int:
    """Returns the estimated work on a file, in characters of Python 3."""
    return (3 if python2.looks_old(source.text) else 1) * len(source.text) + 1000


def _exchange(processes: list[_Process], facts: dict[str, Facts], tell: Tell) -> dict[str, Facts]:
    """Sends the facts of all files to every process, and then the changes of these facts by star imports."""
    news = facts
    for _ in range(2):
        new: dict[str, Facts] = {}
        waiting = {process.pipe: process for process in processes}
        for process, (kind, value) in _messages(waiting):
            if kind == "steps":
                for _ in value:
                    tell()
            elif kind == "facts":
                new.update((item.path, item) for item in value)
                del waiting[process.pipe]
        news.update(new)
        _send(processes, news)
        facts, news = facts | news, {}
    return facts


def _send(processes: list[_Process], facts: dict[str, Facts]) -> None:
    """Sends the same to every process, pickled once. A dead process is reported when its results are missing."""
    data = ForkingPickler.dumps(facts)
    for process in processes:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            process.pipe.send_bytes(data)


def _messages(waiting: dict[Connection, _Process]) -> Iterator[tuple[_Process, tuple[str, Any]]]:
    """Yields the messages of the processes until none is awaited. A dead process gives ("lost", None) once."""
    while waiting:
        for pipe in wait(list(waiting)):
            process = waiting[cast("Connection", pipe)]  # on Windows it is a PipeConnection
            try:
                yield process, process.pipe.recv()
            except (EOFError, ConnectionResetError):
                del waiting[process.pipe]
                yield process, ("lost", None)


def _in_order(processes: list[_Process], paths: list[str], tell: Tell) -> Iterator[FileResult]:
    """Yields the results in the order of `paths`, each as soon as all results before it have come."""
    came: dict[str, FileResult] = {}
    at = 0
    waiting = {process.pipe: process for process in processes}
    for process, (kind, value) in _messages(waiting):
        if kind == "end":
            del waiting[process.pipe]
        for result in value if kind == "results" else process.lost() if kind == "lost" else ():
            came[result.path] = result
            process.owed.pop(result.path, None)
            tell()
        while at < len(paths) and paths[at] in came:
            yield came.pop(paths[at])
            at += 1
