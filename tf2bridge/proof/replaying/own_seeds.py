"""Checks whether a program sets the recorded seeds itself, if recorded seeds were used instead of its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tf2bridge.formats.messages import own
from tf2bridge.proof.traces.reader import Trace

_NAMED = 3
_OF_NO_GRAPH = 87654321
"""The graph seed that TensorFlow uses if only an op has a seed (python/framework/random_seed.py)."""


@dataclass(frozen=True)
class OtherSeed:
    """A random op with other seeds than recorded.

    Attributes:
        name: The recorded name.
        recorded: The recorded seeds of the graph and of the op.
        new: The seeds of the graph and of the op that the program now sets.
    """

    name: str
    recorded: tuple[int, int]
    new: tuple[int, int]


def told(recorded: Trace, ops: Sequence[OtherSeed]) -> tuple[list[str], list[str]]:
    """Returns lines about seeds that the program sets otherwise, and notes about seeds that follow from op counts.

    If a graph has a seed, an op without a seed uses the number of ops before it. This number is not part of the
    program. If it differs, the recorded number is used, and that is no difference of the program. Neither are seeds
    that the recorder gave, if the program still sets none.
    """
    by_recorder = {op.name for graph in recorded.graphs for op in graph.random_ops if op.given}
    ops = [op for op in ops if op.name not in by_recorder or any(op.new)]
    places = _places(recorded)
    alike = [op for op in ops if op.recorded[0] == op.new[0]]
    counted = [op for op in alike if op.recorded[1] in places.get(op.name, ())]
    given = [op for op in ops if op not in counted and (any(op.recorded) and any(op.new))]
    lines = [*_of_graphs(given), *_of_ops(given)]
    for difference, side in (("a recorded seed, and none now", "recorded"), ("no recorded seed, and one now", "new")):
        alone = [op for op in ops if not any(op.new if side == "recorded" else op.recorded)]
        lines += [f"{_named(alone)}: {difference}"] if alone else []
    notes = []
    if counted:
        notes.append(
            f"{_named(counted)}: no seed of {'their' if len(counted) > 1 else 'its'} own, and another number of "
            "earlier ops in the graph than recorded; the graph's seed is the same, so the recorded number is used"
        )
    return lines, notes


def _places(recorded: Trace) -> dict[str, set[int]]:
    """Returns random op -> numbers of earlier ops, over all graphs. TensorFlow lists ops in order of creation."""
    places: dict[str, set[int]] = {}
    for number, graph in enumerate(recorded.graphs):
        names = {op.name for op in graph.random_ops}
        nodes = own("GraphDef").FromString(recorded.graph_def(number)).node if names else ()
        for place, node in enumerate(nodes):
            if node.name in names:
                places.setdefault(node.name, set()).add(place)
    return places


def _of_graphs(given: Sequence[OtherSeed]) -> Iterator[str]:
    """Yields one line for each pair of different graph seeds."""
    for pair in dict.fromkeys((op.recorded[0], op.new[0]) for op in given):
        if pair[0] != pair[1]:
            seeds = [op for op in given if (op.recorded[0], op.new[0]) == pair]
            yield f"{_named(seeds)}: the graph's seed was {_shown(pair[0])} when recorded, and is {_shown(pair[1])} now"


def _of_ops(given: Sequence[OtherSeed]) -> Iterator[str]:
    """Yields one line for each op with another seed in a graph with the same seed."""
    for op in given:
        if op.recorded[0] == op.new[0]:
            yield f"{op.name}: its seed was {op.recorded[1]} when recorded, and is {op.new[1]} now"


def _shown(seed: int) -> str:
    return "none" if seed == _OF_NO_GRAPH else str(seed)


def _named(ops: Sequence[OtherSeed]) -> str:
    more = f" and {len(ops) - _NAMED} more" if len(ops) > _NAMED else ""
    return ", ".join(op.name for op in ops[:_NAMED]) + more
