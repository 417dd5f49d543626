"""The virtual op counter: how many operations a graph would hold had an older release built it.

A graph's virtual count is its real count plus a correction. Corrections come from `Row`s: a measured function, while it
runs, counts `row.before_seed[k]` more operations at its k-th default seed, and `row.total` more once it has returned.
Differences of the measured functions called inside it are not part of its row, so calls nest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary


@dataclass(frozen=True)
class Row:
    """The operations that an older release counts more than this TensorFlow in one function, called in one way.

    `before_seed` has one number for each default seed taken inside; its last number stands for all later seeds.
    """

    total: int = 0
    before_seed: tuple[int, ...] = (0,)

    def scaled(self, times: int) -> Row:
        """Returns the row of a call that does the same as the measured one several times."""
        return self if times == 1 else Row(self.total * times, tuple(number * times for number in self.before_seed))


NO_DIFFERENCE = Row()
MARKABLE = ("Cast", "AddN", "SelectV2", "Gather", "GatherV2")
_MARK = "_uncounted_gradient"


@dataclass
class Frame:
    """A measured function that is running: its name, its row and the number of default seeds taken in it so far."""

    function: str
    row: Row
    seeds: int = 0

    def pending(self) -> int:
        stages = self.row.before_seed
        return stages[min(self.seeds, len(stages) - 1)]


@dataclass
class GraphCount:
    """One graph: its correction, its default seeds, what runs in it, and the calls that were never measured.

    `gradients` is what its gradients met before, `doubted` whether a warning was given.
    """

    correction: int = 0
    seeds: int = 0
    frames: list[Frame] = field(default_factory=list)
    unmeasured: set[str] = field(default_factory=set)
    gradients: set[str] = field(default_factory=set)
    doubted: bool = False


_graphs: WeakKeyDictionary[Any, GraphCount] = WeakKeyDictionary()


def of(graph: Any) -> GraphCount:
    """Returns the counter of `graph`, a new one on the first call."""
    count = _graphs.get(graph)
    if count is None:
        count = _graphs[graph] = GraphCount()
    return count


def virtual_count(graph: Any) -> int:
    """Returns how many operations the older release would have created in `graph` by now.

    `Graph.version` counts a graph's operations, as `Graph._last_id` did in TensorFlow 1.x.
    """
    count = of(graph)
    return int(graph.version) + count.correction + sum(frame.pending() for frame in count.frames)


def take_seed(graph: Any) -> int:
    """Returns the op seed the older release would use at this point, and notes that a default seed was taken."""
    seed = virtual_count(graph)
    count = of(graph)
    count.seeds += 1
    for frame in count.frames:
        frame.seeds += 1
    return seed


def call(graph: Any, function: str, row: Row, made: Callable[[], Any]) -> Any:
    """Returns the result of `made`, and counts `row` for `function`. Counts nothing if `made` raises."""
    count = of(graph)
    count.frames.append(Frame(function, row))
    try:
        result = made()
    finally:
        count.frames.pop()
    count.correction += row.total
    return result


@contextmanager
def uncounted(graph: Any) -> Iterator[None]:
    """Counts no operation of the block, because the older release does not make it."""
    before, unmeasured = virtual_count(graph), set(of(graph).unmeasured)
    yield
    count = of(graph)
    count.correction -= virtual_count(graph) - before
    count.unmeasured = unmeasured


def once(graph: Any, computed: str, operations: int) -> None:
    """Adds operations to the count when the older release computes this for the first time in a graph."""
    count = of(graph)
    if computed not in count.gradients:
        count.gradients.add(computed)
        count.correction += operations


def mark(tensor: Any) -> Any:
    """Marks the operation of a tensor (of `MARKABLE`): its gradient adds nothing to the count. Returns the tensor."""
    from tf2bridge.internals.protos import attr_value_pb2

    tensor.op._set_attr(_MARK, attr_value_pb2.AttrValue(b=True))
    return tensor


def is_marked(op: Any) -> bool:
    """Returns whether `mark` was called for the operation."""
    return op.type in MARKABLE and _MARK in op.node_def.attr


def forget() -> None:
    """Drops the counters of all graphs."""
    _graphs.clear()
