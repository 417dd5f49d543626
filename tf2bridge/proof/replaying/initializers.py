"""Compares the initializers of variables whose first values were taken over.

A first value from the trace proves nothing about the new program. Therefore both initializers are run, and each random
op of the new one gets the draws of the recorded one. If the results differ, the initializers differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import tensorflow as tf

from tf2bridge.errors import BridgeError
from tf2bridge.formats.checkpoints.names import modern, same_variable
from tf2bridge.formats.graphs.nodes import HANDLES, Nodes, data_inputs, endpoint, needed, node_of, ordered
from tf2bridge.graph.new_nodes import value_of
from tf2bridge.proof.diverging.divergence import shown
from tf2bridge.proof.numbers.distance import distance
from tf2bridge.proof.numbers.tolerance import Tolerance
from tf2bridge.proof.replaying.playing import Playing, Recorded
from tf2bridge.proof.traces.reader import Trace

_GIVING = ("Assign", "AssignVariableOp")


@dataclass(frozen=True)
class _Initializer:
    """The initial value of a variable: the endpoint, its nodes, and its random ops, producers first."""

    variable: str
    value: str
    nodes: Nodes
    random: tuple[str, ...]


def unlike(actual: Trace, recorded: Trace, taken: Sequence[str], tolerance: Tolerance) -> list[str]:
    """Returns a line for each initializer that differs, or cannot be compared with the recorded one.

    taken: names of the new program's variables whose first values were taken over.
    """
    lines = []
    for old_graph, new_graph, names in _graphs(actual, recorded, taken):
        with Playing(Recorded(recorded, old_graph), 0) as old, Playing(Recorded(actual, new_graph), 0) as new:
            for name, mine in names:
                difference = _difference_of((old, name), (new, mine), tolerance)
                lines += [f"initializer of {name}: {difference}"] if difference else []
    return lines


def _graphs(actual: Trace, recorded: Trace, taken: Sequence[str]) -> Iterator[tuple[int, int, list[tuple[str, str]]]]:
    """Yields (recorded graph, new graph, [(recorded name, new name)]) for graphs that share variables."""
    left = set(taken)
    for old_graph, graph in enumerate(recorded.graphs):
        for new_graph, mine in enumerate(actual.graphs):
            names = [
                (a.name, b.name)
                for b in mine.variables
                for a in graph.variables
                if b.name in left and same_variable(a.name, b.name)
            ]
            if names:
                left -= {name for _, name in names}
                yield old_graph, new_graph, names


def _difference_of(old: tuple[Playing, str], new: tuple[Playing, str], tolerance: Tolerance) -> str:
    """Returns the difference between two initializers; "" if there is none."""
    initializers = [_initializer(*side) for side in (old, new)]
    old_side, new_side = initializers
    if old_side is None or new_side is None:
        return f"it cannot be seen in the graph {'there' if old_side is None else 'here'}, so nothing is proven of it"
    kinds = [[str(side.nodes[name].op) for name in side.random] for side in (old_side, new_side)]
    if kinds[0] != kinds[1]:
        return f"it draws by {', '.join(kinds[0]) or 'nothing'} there and by {', '.join(kinds[1]) or 'nothing'} here"
    try:
        differs = _differs((old[0], old_side), (new[0], new_side), tolerance)
    except (tf.errors.OpError, BridgeError, ValueError, TypeError) as error:
        return f"it cannot be run again, so nothing is proven of it ({type(error).__name__})"
    if not differs:
        return ""
    return _constants(old_side, new_side) or differs


def _differs(old: tuple[Playing, _Initializer], new: tuple[Playing, _Initializer], tolerance: Tolerance) -> str:
    """Returns the difference of the results if both draw the same numbers; "" if there is none."""
    (player, theirs), (new_player, ours) = old, new
    for side, initializer in (old, new):
        _give_others(side, initializer)
    draws = player.run([f"{name}:0" for name in theirs.random], {})
    given = [{f"{name}:0": value for name, value in zip(side.random, draws, strict=True)} for side in (theirs, ours)]
    for name, mine in zip(theirs.random, ours.random, strict=True):
        sources = [data_inputs(side.nodes[op]) for side, op in ((theirs, name), (ours, mine))]
        values = [side.run(asked, {}) for side, asked in zip((player, new_player), sources, strict=True)]
        if not all(_is_one(b, a, tolerance) for a, b in zip(*values, strict=True)):
            return f"{name} ({theirs.nodes[name].op}) draws from something else here"
    (first,), (second,) = player.run([theirs.value], given[0]), new_player.run([ours.value], given[1])
    return "" if _is_one(second, first, tolerance) else "it makes other values of the same draws here"


def _is_one(mine: Any, theirs: Any, tolerance: Tolerance) -> bool:
    if np.asarray(theirs).dtype.kind in "iu":  # shapes; later releases use another integer type
        return np.array_equal(mine, theirs)
    return distance(np.asarray(mine), np.asarray(theirs), tolerance).verdict.passed


def _give_others(player: Playing, initializer: _Initializer) -> None:
    """Assigns the values for the comparison to the variables that an initializer reads."""
    read = [name for name, node in initializer.nodes.items() if node.op in HANDLES]
    trace, number = player.recorded.trace, player.recorded.number
    known = {variable.name: variable.initial for variable in trace.graphs[number].variables if variable.name in read}
    player.give({name: trace.value(ref) for name, ref in known.items() if ref is not None})


def _initializer(player: Playing, variable: str) -> _Initializer | None:
    nodes = player.recorded.nodes
    giving = [node for node in nodes.values() if node.op in _GIVING and node_of(node.input[0]) == variable]
    giving.sort(key=lambda node: not node.name.startswith(f"{variable}/Assign"))
    if not giving:
        return None
    value = endpoint(giving[0].input[1])
    behind = {name: nodes[name] for name in needed(nodes, [node_of(value)])}
    random = [name for name in ordered(behind) if "seed2" in behind[name].attr]
    return _Initializer(variable, value, behind, tuple(random))


def _constants(theirs: _Initializer, ours: _Initializer) -> str:
    """Returns the constants of equal names with different values, such as the parameters of an initializer."""
    named: Mapping[str, Any] = {modern(name): node for name, node in ours.nodes.items() if node.op == "Const"}
    lines = []
    for name, node in theirs.nodes.items():
        mine = named.get(modern(name))
        if node.op == "Const" and mine is not None and not np.array_equal(value_of(node), value_of(mine)):
            lines.append(f"{name} is {shown(value_of(node))} there and {shown(value_of(mine))} here")
    return "; ".join(lines)
