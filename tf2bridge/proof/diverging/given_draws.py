"""Checks the inputs of random ops that were given the recorded draws.

The recorded draws hide the inputs of the op, such as the logits of a sample: the op gets its draws whatever the inputs
are. Therefore both graphs are run from the same state up to the last call with the op, and its inputs are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tf2bridge.errors import BridgeError
from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.formats.graphs.nodes import Nodes, by_name, data_inputs, node_of
from tf2bridge.formats.messages import own
from tf2bridge.proof.diverging.lockstep import Lockstep, agree, sides
from tf2bridge.proof.diverging.view import attributes
from tf2bridge.proof.numbers.tolerance import Tolerance
from tf2bridge.proof.traces.reader import Trace

_OF_SHAPES_ALONE = ("RandomUniform", "RandomStandardNormal", "TruncatedNormal")
"""They draw from what their type says: what is made of it is computed, and compared, after them."""
_OF_SEEDS = ("seed", "seed2")


def unlike(actual: Trace, recorded: Trace, given: Sequence[str], tolerance: Tolerance) -> list[str]:
    """Returns a line for each op whose inputs differ, or could not be compared.

    given: names of the new program's ops that were given what they drew.
    """
    lines = []
    for name in given:
        old, new = _node(recorded, name), _node(actual, name)
        if old is None or new is None or old[1].op in _OF_SHAPES_ALONE:
            continue
        try:
            difference = _difference_of(actual, recorded, (old, new), tolerance)
        except BridgeError as error:
            difference = f"what it draws from is not compared ({error})"
        lines += [f"draws of {name}: {difference}"] if difference else []
    return lines


def _difference_of(
    actual: Trace, recorded: Trace, nodes: tuple[tuple[int, Any], tuple[int, Any]], tolerance: Tolerance
) -> str:
    """Returns the difference between the inputs of a random op; "" for none."""
    (number, old_node), (_, new_node) = nodes
    old, new = attributes(old_node), attributes(new_node)
    for name in (name for name in old if name in new and name not in _OF_SEEDS and not name.startswith("_")):
        if old[name] != new[name]:
            return f"its {name} is {old[name]} there and {new[name]} here"
    sources = data_inputs(old_node), data_inputs(new_node)
    place = _last_call(recorded, number, old_node.name)
    if place is None or not sources[0]:
        return ""
    steps = Lockstep(*sides(recorded, actual, place), tolerance)
    with steps.playing() as (player, other):
        steps.before(player, other, place)
        parting = steps.parting(player, other, place, (sources[0], sources[1]))
    for source, mine in zip(*sources, strict=False):
        if not agree(parting.ours.more.get(mine), parting.theirs.more.get(source), tolerance):
            return f"it draws from {mine} here, which is not what {source} is there in {recorded.call(place).step}"
    return ""


def _last_call(recorded: Trace, number: int, name: str) -> int | None:
    """Returns the index of the last call of the program in which the op's draws were recorded."""
    with_it = [
        call.index
        for call in recorded.program_calls
        if call.graph == number and any(node_of(leaf.name) == name for leaf in (*call.intermediate, *call.fetches))
    ]
    return with_it[-1] if with_it else None


def _node(trace: Trace, name: str) -> tuple[int, Any] | None:
    """Returns the graph and the node of an op of this name, or of its modern form."""
    for number in range(len(trace.graphs)):
        nodes: Nodes = by_name(own("GraphDef").FromString(trace.graph_def(number)).node)
        node = nodes.get(name) or next(
            (nodes[spelling] for spelling in nodes if modern(spelling) == modern(name)), None
        )
        if node is not None:
            return number, node
    return None
