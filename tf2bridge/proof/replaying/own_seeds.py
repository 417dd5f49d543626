"""Checks whether a program sets the recorded seeds itself, where they were taken over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tf2bridge.formats.messages import own
from tf2bridge.proof.traces.reader import Trace

_NAMED = 3
_OF_NO_GRAPH = 87654321
"""What TensorFlow takes for the graph's seed where an op alone has one (python/framework/random_seed.py)."""


@dataclass(frozen=True)
class OtherSeed:
    """A random op whose seeds are others here: its name there, and (graph's seed, op's seed) there and here."""

    name: str
    there: tuple[int, int]
    here: tuple[int, int]


def told(recorded: Trace, others: Sequence[OtherSeed]) -> tuple[list[str], list[str]]:
    """Returns what the program says otherwise about its seeds, and what follows from its ops' places alone, for people.

    A random op without a seed of its own takes the number of the ops before it, where its graph has a seed. The program
    does not give that number: where it is another, the number is taken over, and the program is as it was.
    """
    places = _places(recorded)
    alike = [other for other in others if other.there[0] == other.here[0]]
    counted = [other for other in alike if other.there[1] in places.get(other.name, ())]
    given = [other for other in others if other not in counted and (any(other.there) and any(other.here))]
    lines = [*_of_graphs(given), *_of_ops(given)]
    for difference, side in (("a seed there and none here", "there"), ("no seed there and one here", "here")):
        alone = [other for other in others if not any(other.here if side == "there" else other.there)]
        lines += [f"{_named(alone)}: {difference}"] if alone else []
    notes = []
    if counted:
        notes.append(
            f"{_named(counted)}: no seed of {'their' if len(counted) > 1 else 'its'} own, and another number of ops "
            "before in the graph than there; the graph's seed is the same, the recorded number is taken over"
        )
    return lines, notes


def _places(recorded: Trace) -> dict[str, set[int]]:
    """How many ops were made before each random op of the trace, in any graph: TensorFlow lists ops in that order."""
    places: dict[str, set[int]] = {}
    for number, graph in enumerate(recorded.graphs):
        names = {op.name for op in graph.random_ops}
        nodes = own("GraphDef").FromString(recorded.graph_def(number)).node if names else ()
        for place, node in enumerate(nodes):
            if node.name in names:
                places.setdefault(node.name, set()).add(place)
    return places


def _of_graphs(given: Sequence[OtherSeed]) -> Iterator[str]:
    """One line for each pair of graph seeds that differ."""
    for pair in dict.fromkeys((other.there[0], other.here[0]) for other in given):
        if pair[0] != pair[1]:
            seeds = [other for other in given if (other.there[0], other.here[0]) == pair]
            yield f"{_named(seeds)}: the graph's seed is {_said(pair[0])} there and {_said(pair[1])} here"


def _of_ops(given: Sequence[OtherSeed]) -> Iterator[str]:
    """One line for each op of a graph of the same seed that has another seed."""
    for other in given:
        if other.there[0] == other.here[0]:
            yield f"{other.name}: its seed is {other.there[1]} there and {other.here[1]} here"


def _said(seed: int) -> str:
    return "none" if seed == _OF_NO_GRAPH else str(seed)


def _named(others: Sequence[OtherSeed]) -> str:
    more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
    return ", ".join(other.name for other in others[:_NAMED]) + more
