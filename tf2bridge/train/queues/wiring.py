"""Finds how queues, readers and counters of epochs connect the steps of an input pipeline in its graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tf2bridge.formats.graphs.audit import fits
from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import by_name, endpoint, is_control, node_of
from tf2bridge.train.queues.enqueuing import put_by

DEQUEUES = ("QueueDequeue", "QueueDequeueV2", "QueueDequeueMany*", "QueueDequeueUpTo*")
READS = ("ReaderRead", "ReaderReadV2", "ReaderReadUpTo*")
COUNTS = ("CountUpTo", "ResourceCountUpTo")
SOURCES = (*DEQUEUES, *READS, *COUNTS)
"""Operations that give the next element of a sequence each time a step runs."""

QUEUES = ("FIFOQueue*", "PaddingFIFOQueue*", "RandomShuffleQueue*")
READERS = ("TextLineReader*", "TFRecordReader*", "FixedLengthRecordReader*", "WholeFileReader*", "IdentityReader*")


@dataclass(frozen=True)
class Step:
    """What one `session.run` takes and computes.

    Attributes:
        fetches: The endpoints and operations that are run.
        sources: Name of a node that gives an element -> its outputs that are used; output 0 if none is used.
        nodes: The nodes that are computed between sources and fetches.
    """

    fetches: tuple[str, ...]
    sources: Mapping[str, Sequence[int]]
    nodes: frozenset[str]


@dataclass(frozen=True)
class Filler:
    """What a thread of a queue runner does repeatedly.

    Attributes:
        step: The step. Its first `components` fetches go into the queue.
        components: How many fetches go into the queue.
        many: Whether the rows of the components are elements.
        keep: The value that the next fetch must have; None if there is no condition.
        threads: The number of threads.
    """

    step: Step
    components: int
    many: bool
    keep: bool | None
    threads: int


class Wiring:
    """The queues, readers and counters of a graph's input. `problems`: the parts that are not understood, as text."""

    def __init__(self, graph: LegacyGraph, fetches: Sequence[str]) -> None:
        self.nodes = by_name(graph.graph_def.node)
        self._functions = functions_of(graph.graph_def.library)
        self.problems: list[str] = []
        self.wanted = self._step(fetches)
        self.fillers = {queue: list(self._fillers(ops)) for queue, ops in _runners(graph)}
        self._takers: dict[str, list[tuple[str, ...]]] = {}
        for step in self.steps():
            for name in step.sources:
                self._note(step, name)

    def steps(self) -> list[Step]:
        """Returns the step that the user asked for, and the steps of all queue runners of the graph."""
        return [self.wanted, *(filler.step for fillers in self.fillers.values() for filler in fillers)]

    def held(self, name: str) -> str:
        """Returns the queue, reader or variable from which a node takes."""
        return self._origin(self.nodes[name].input[0])

    def queue_read(self, name: str) -> str:
        """Returns the queue of file names that a reader's node reads."""
        return self._origin(self.nodes[name].input[1])

    def share(self, holder: str, taker: tuple[str, ...]) -> tuple[int, int]:
        """Returns how many takers a queue, reader or variable has, and the number of this taker, from 0."""
        takers = self._takers[holder]
        return len(takers), takers.index(taker)

    def takers(self, holder: str) -> list[str]:
        """Returns the operations that take from a queue, reader or variable."""
        return [taker[-1] for taker in self._takers.get(holder, ())]

    def is_shared(self) -> bool:
        """Returns whether a queue, reader or counter has several takers."""
        return any(len(takers) > 1 for takers in self._takers.values())

    def _note(self, step: Step, name: str) -> None:
        holder = self.held(name)
        self._takers.setdefault(holder, []).append(taker_of(step, name))
        if fits(self.nodes[name].op, READS):
            takers = self._takers.setdefault(self.queue_read(name), [])
            if (holder,) not in takers:  # a reader takes one file for all that read from it
                takers.append((holder,))

    def _origin(self, source: str) -> str:
        name = node_of(source)
        while self.nodes[name].op in ("Identity", "RefIdentity"):
            name = node_of(self.nodes[name].input[0])
        return name

    def _step(self, fetches: Sequence[str]) -> Step:
        sources: dict[str, set[int]] = {}
        seen: set[str] = set()
        pending = list(fetches)
        while pending:
            source = pending.pop()
            name = node_of(source)
            if fits(self.nodes[name].op, SOURCES):
                used = sources.setdefault(name, set())
                used |= set() if is_control(source) else {int(endpoint(source).rpartition(":")[2])}
            elif name not in seen:
                seen.add(name)
                pending += self.nodes[name].input
        taken = {name: sorted(sources[name]) or [0] for name in self.nodes if name in sources}
        return Step(tuple(fetch for fetch in fetches if not is_control(fetch)), taken, frozenset(seen))

    def _fillers(self, operations: Sequence[str]) -> Iterator[Filler]:
        for name in dict.fromkeys(operations):
            put = put_by(self.nodes, self._functions, name)
            if put is None:
                op = self.nodes[node_of(name)].op
                self.problems.append(f"{name} ({op}), which a queue runner runs, is no enqueue operation")
            else:
                step = self._step([*put.components, *put.condition, *put.waits])
                yield Filler(step, len(put.components), put.many, put.keep, operations.count(name))


def taker_of(step: Step, name: str) -> tuple[str, ...]:
    """Returns the key of a taker. A node that two steps run is one taker for each step."""
    return (*step.fetches, name)


def _runners(graph: LegacyGraph) -> Iterator[tuple[str, list[str]]]:
    """Yields each queue with the names of the operations that fill it, one name for each thread."""
    from tf2bridge.internals.protos import QueueRunnerDef

    if "queue_runners" not in graph.collections:
        return
    operations: dict[str, list[str]] = {}
    for text in graph.collections["queue_runners"].bytes_list.value:
        runner = QueueRunnerDef.FromString(text)
        operations.setdefault(runner.queue_name, []).extend(runner.enqueue_op_name)
    yield from operations.items()


def stateful_twice(wiring: Wiring, patterns: Iterable[str]) -> list[str]:
    """Returns the operations of these types that more than one step runs."""
    steps = wiring.steps()
    counted = [name for step in steps for name in step.nodes if fits(wiring.nodes[name].op, patterns)]
    return sorted({name for name in counted if counted.count(name) > 1})
