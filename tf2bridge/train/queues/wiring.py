"""How queues, readers and counters of epochs join the steps of an input pipeline, read off its graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tf2bridge.audit import fits
from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.legacy import LegacyGraph
from tf2bridge.formats.graphs.nodes import by_name, endpoint, is_control, node_of
from tf2bridge.train.queues.enqueuing import put_by

DEQUEUES = ("QueueDequeue", "QueueDequeueV2", "QueueDequeueMany*", "QueueDequeueUpTo*")
READS = ("ReaderRead", "ReaderReadV2", "ReaderReadUpTo*")
COUNTS = ("CountUpTo", "ResourceCountUpTo")
SOURCES = (*DEQUEUES, *READS, *COUNTS)
"""Operations that give the next of a row of elements each time a step runs."""

QUEUES = ("FIFOQueue*", "PaddingFIFOQueue*", "RandomShuffleQueue*")
READERS = ("TextLineReader*", "TFRecordReader*", "FixedLengthRecordReader*", "WholeFileReader*", "IdentityReader*")


@dataclass(frozen=True)
class Step:
    """What one `session.run` of these endpoints and operations takes and computes.

    sources: node that gives an element -> the outputs of it that are used, or one where it only counts. nodes: what is
    computed between.
    """

    fetches: tuple[str, ...]
    sources: Mapping[str, Sequence[int]]
    nodes: frozenset[str]


@dataclass(frozen=True)
class Filler:
    """What a thread of a queue runner does again and again: the step's first `components` fetches go into the queue.

    many: as rows, each an element. keep: the value that the fetch after them must have, None where there is none.
    """

    step: Step
    components: int
    many: bool
    keep: bool | None
    threads: int


class Wiring:
    """The joints of a graph's input. `problems`: what of it is not understood, said for people."""

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
        """The step that is wanted, and those of all queue runners of the graph."""
        return [self.wanted, *(filler.step for fillers in self.fillers.values() for filler in fillers)]

    def held(self, name: str) -> str:
        """The queue, reader or variable that a node takes from."""
        return self._origin(self.nodes[name].input[0])

    def queue_read(self, name: str) -> str:
        """The queue of file names of a reader's node."""
        return self._origin(self.nodes[name].input[1])

    def share(self, holder: str, taker: tuple[str, ...]) -> tuple[int, int]:
        """How many take from a queue, reader or variable, and which of them, from 0, this is."""
        takers = self._takers[holder]
        return len(takers), takers.index(taker)

    def takers(self, holder: str) -> list[str]:
        """The operations that take from a queue, reader or variable."""
        return [each[-1] for each in self._takers.get(holder, ())]

    def is_shared(self) -> bool:
        """Whether several take from one queue, reader or counter."""
        return any(len(takers) > 1 for takers in self._takers.values())

    def _note(self, step: Step, name: str) -> None:
        held = self.held(name)
        self._takers.setdefault(held, []).append(taker_of(step, name))
        if fits(self.nodes[name].op, READS):
            found = self._takers.setdefault(self.queue_read(name), [])
            if (held,) not in found:  # a reader takes one file for all that read from it
                found.append((held,))

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
        return Step(tuple(each for each in fetches if not is_control(each)), taken, frozenset(seen))

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
    """Who takes with this node: one that two steps run takes for each."""
    return (*step.fetches, name)


def _runners(graph: LegacyGraph) -> Iterator[tuple[str, list[str]]]:
    """Queue and the names of the operations that fill it, one for each thread."""
    from tf2bridge.internals.protos import QueueRunnerDef

    if "queue_runners" not in graph.collections:
        return
    found: dict[str, list[str]] = {}
    for text in graph.collections["queue_runners"].bytes_list.value:
        runner = QueueRunnerDef.FromString(text)
        found.setdefault(runner.queue_name, []).extend(runner.enqueue_op_name)
    yield from found.items()


def stateful_twice(wiring: Wiring, patterns: Iterable[str]) -> list[str]:
    """The operations of these types that more than one step runs."""
    steps = wiring.steps()
    counted = [name for step in steps for name in step.nodes if fits(wiring.nodes[name].op, patterns)]
    return sorted({name for name in counted if counted.count(name) > 1})
