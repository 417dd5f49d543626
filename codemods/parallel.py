"""A run in several processes: each works on a batch of the files, and hears what the others' files are.

A process that dies takes its files' results with it, not the run.
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

# Between two messages of a process at least: a person sees no pause in it.
_SECONDS = 0.05
_NO_MEMORY = 71


def _work(pipe: Connection, settings: Settings, sources: list[SourceFile], chosen: frozenset[str]) -> None:
    """One process: facts out, project in, twice; then results out."""
    gc.freeze()  # looking at what was there before would copy it
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
        pass  # the first process has said what there is to say
    except MemoryError:
        sys.exit(_NO_MEMORY)


class _Outbox:
    """Things for the first process, sent together: hearing of each costs it as much as a small file takes."""

    def __init__(self, pipe: Connection, kind: str) -> None:
        self.pipe, self.kind = pipe, kind
        self.waiting: list[Any] = []
        self.sent = 0.0

    def put(self, item: Any) -> None:
        """Take one more thing; the first goes at once."""
        self.waiting.append(item)
        if time.monotonic() - self.sent > _SECONDS:
            self.send()

    def send(self) -> None:
        """Send what there is."""
        self.pipe.send((self.kind, self.waiting))
        self.waiting, self.sent = [], time.monotonic()


class _Process:
    """One process and the files it owes results for."""

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
        """The results of what it still owes when it has died."""
        self.process.join()
        ended = "ran out of memory" if self.process.exitcode == _NO_MEMORY else "ended"
        why = f"the process that worked on it {ended} (exit status {self.process.exitcode}); try --jobs 1"
        return [Failed(path, f"{path}: {why}") for path in self.owed]


def check(
    sources: list[SourceFile], around: list[SourceFile], settings: Settings, jobs: int, tell: Tell = quiet
) -> Iterator[FileResult]:
    """The results of `sources` in their order; `around` are read for what they tell of these."""
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
    """Load what every process will need: once, where they are forked."""
    importlib.import_module("libcst")
    registry.all_rules()
    for path in symbols.DATA.glob("*.json"):
        symbols.table(path.stem)


def shares(sources: list[SourceFile], jobs: int) -> list[list[SourceFile]]:
    """The files dealt out so that every share has about as much work, each in the files' order."""
    costs = [_cost(source) for source in sources]
    piles: list[list[int]] = [[] for _ in range(jobs)]
    sizes = [0] * jobs
    for place in sorted(range(len(sources)), key=costs.__getitem__, reverse=True):
        least = sizes.index(min(sizes))
        piles[least].append(place)
        sizes[least] += costs[place]
    return [[sources[place] for place in sorted(pile)] for pile in piles]


def _cost(source: SourceFile) -> int:
    """What a file costs in time, in characters of Python 3."""
    return (3 if python2.looks_old(source.text) else 1) * len(source.text) + 1000


def _exchange(processes: list[_Process], facts: dict[str, Facts], tell: Tell) -> dict[str, Facts]:
    """Let every process know every file's facts, and once more what star imports have changed in them."""
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
    """The same to every process, pickled once. One that has died is told of when its results are waited for."""
    data = ForkingPickler.dumps(facts)
    for process in processes:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            process.pipe.send_bytes(data)


def _messages(waiting: dict[Connection, _Process]) -> Iterator[tuple[_Process, tuple[str, Any]]]:
    """What the processes say, until none is waited for; one that has died says ("lost", None) once."""
    while waiting:
        for pipe in wait(list(waiting)):
            process = waiting[cast("Connection", pipe)]  # on Windows it is a PipeConnection
            try:
                yield process, process.pipe.recv()
            except (EOFError, ConnectionResetError):
                del waiting[process.pipe]
                yield process, ("lost", None)


def _in_order(processes: list[_Process], paths: list[str], tell: Tell) -> Iterator[FileResult]:
    """The results as they come, held back until those before them are there."""
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
