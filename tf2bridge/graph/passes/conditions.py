"""Converts the `Switch` and `Merge` operations of TF 1.x conditions into `If` operations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tf2bridge.formats.graphs.nodes import (
    Nodes,
    copied,
    data_inputs,
    endpoint,
    is_control,
    needed,
    node_of,
    op_of,
    ordered,
)
from tf2bridge.graph.new_nodes import identity
from tf2bridge.graph.passes.frames import MERGE, SWITCH
from tf2bridge.graph.passes.function_library import Library
from tf2bridge.graph.passes.stand_ins import stand_in
from tf2bridge.graph.passes.value_index import taken
from tf2bridge.graph.refusals import UnsupportedOpsError
from tf2bridge.internals.protos import node_def_pb2

_JOINTS = frozenset((*SWITCH, *MERGE))

Branches = frozenset[tuple[str, int]]
"""The branches that a node lies in, each as (predicate, 1 for the true branch or 0 for the false one)."""


def functional_conditions(nodes: Nodes, results: Iterable[str], library: Library, types: Mapping[str, int]) -> Nodes:
    """Returns the nodes with an `If` or `StatelessIf` for each condition; its merges become `Identity`s.

    Args:
        nodes: the nodes of one graph or function, without frames.
        results: the endpoints that are needed.
        library: gets the functions of the branches.
        types: dtypes of endpoints that `nodes` does not compute.

    Raises:
        UnsupportedOpsError: a value of a branch is used outside of it without a merge, or a stateful op would run
        twice.
    """
    if not any(node.op in _JOINTS for node in nodes.values()):
        return nodes
    results = list(results)
    level = _Level(_behind_switches(nodes), library, types, results)
    for group in level.groups():
        level.replace(group)
    kept = needed(level.nodes, map(node_of, results))
    _refuse_switches(level.nodes[name] for name in kept)
    return {name: node for name, node in level.nodes.items() if name in kept}


@dataclass
class _Group:
    """The merges of one condition.

    Attributes:
        outside: the branches around it.
        last: the place of its last merge.
        effects: for each side, the nodes that only a `ControlTrigger` waits for, such as pushes on stacks.
    """

    predicate: str
    outside: Branches
    merges: list[Any] = field(default_factory=list)
    last: int = 0
    effects: tuple[list[Any], list[Any]] = field(default_factory=lambda: ([], []))


class _Level:
    """One graph or function while its conditions are replaced, inner conditions first."""

    def __init__(self, nodes: Nodes, library: Library, types: Mapping[str, int], results: Iterable[str]) -> None:
        self.nodes = dict(nodes)
        self._given = nodes
        read = {source for node in nodes.values() for source in node.input} | set(results)
        self._indexed = {node_of(source) for source in read if source.endswith(":1")}
        self.branches: dict[str, Branches] = {}
        self._library = library
        self._types = types
        self._rounds: dict[str, Mapping[str, int]] = {}
        self._groups: dict[tuple[str, int, Branches], _Group] = {}
        self._ran: set[str] = set()
        self.carried: dict[str, str] = {}
        self._seconds = {source for node in nodes.values() for source in node.input if source.endswith(":1")}
        for place, name in enumerate(ordered(nodes)):
            self._visit(place, nodes[name])
        for trigger in self._triggers():
            for source in filter(is_control, trigger.input):
                self._add_effect(nodes[node_of(source)])

    def groups(self) -> list[_Group]:
        """Returns the conditions in the order to replace them: a nested condition ends earlier."""
        return sorted(self._groups.values(), key=lambda group: group.last)

    def predicate(self, switch: Any) -> str:
        """Returns the endpoint of a switch's predicate, behind the `Identity`s that pass it on.

        A merge that another condition has ended in is an `Identity`, too, but the predicate stays that merge.
        """
        source = data_inputs(switch)[1]
        while (node := self._given.get(node_of(source))) is not None and node.op == "Identity":
            source = data_inputs(node)[0]
        return source

    def lies_in(self, source: str) -> Branches:
        """Returns the branches that the value of an input lies in."""
        node = self.nodes.get(node_of(source))
        if node is None:
            return frozenset()
        branches = self.branches[node.name]
        if node.op in SWITCH and not is_control(source):
            branches |= {(self.predicate(node), int(endpoint(source).rpartition(":")[2]))}
        return branches

    def replace(self, group: _Group) -> None:
        """Adds the `If` of a group, and an `Identity` for each merge, to the nodes."""
        first = group.merges[0]
        branches = [_Branch(self, group, side) for side in (0, 1)]
        carried = self._carried_from(group, branches)
        inputs = list(dict.fromkeys(source for branch in branches for source in branch.arguments.values()))
        types = {f"input_{place}": self._dtype(source) for place, source in enumerate(inputs)}
        names = [self._function(f"{first.name}_{branch.side}", branch, inputs, types) for branch in branches]
        stateful = any(self._library.functions[name].signature.is_stateful for name in names)
        choice = node_def_pb2.NodeDef(name=f"{first.name}/functional", op="If" if stateful else "StatelessIf")
        choice.input.extend([group.predicate, *inputs])
        choice.input.extend(sorted({source for branch in branches for source in branch.controls}))
        choice.attr["Tcond"].type = self._dtype(group.predicate)
        choice.attr["Tin"].list.type.extend(types.values())
        choice.attr["Tout"].list.type.extend(merge.attr["T"].type for merge in group.merges)
        choice.attr["Tout"].list.type.extend(carried.values())
        choice.attr["else_branch"].func.name, choice.attr["then_branch"].func.name = names
        choice.attr["output_shapes"].list.SetInParent()
        choice.attr["_lower_using_switch_merge"].b = True
        self._put(choice, group.outside)
        for place, source in enumerate(carried, len(group.merges)):
            self.carried[source] = f"{choice.name}:{place}"
        effects = {f"^{node.name}" for side in group.effects for node in side}
        for trigger in self._triggers() if effects else ():
            waits = copied(trigger)
            # Who waits for an `If` does not wait for what its branches do beside their results, so wait for a result.
            waits.input[:] = dict.fromkeys(f"^{first.name}" if name in effects else name for name in trigger.input)
            self.nodes[trigger.name] = waits
        for place, merge in enumerate(group.merges):
            self._pass_on(merge, f"{choice.name}:{place}", group, branches[1].results[place])

    def _carried_from(self, group: _Group, branches: list[_Branch]) -> dict[str, int]:
        """Returns each output of a stateful node of a branch that nodes outside need -> its dtype.

        These outputs become results of the branch, and the other branch gives a zero, or an empty array, in their
        place. So the gradient of a condition takes the random numbers that the condition drew, and the node runs once.
        """
        carried: dict[str, int] = {}
        for branch, other in (branches, branches[::-1]):
            for source in self._needed_outside(group, branch):
                dtype = self._dtype(source)
                empty = stand_in(branch.nodes[node_of(source)], dtype, f"of_the_other_branch_{len(carried) + 1}")
                if empty:
                    carried[source] = dtype
                    other.nodes |= {node.name: node for node in empty}
                    branch.results.append(source)
                    other.results.append(f"{empty[-1].name}:0")
        return carried

    def _needed_outside(self, group: _Group, branch: _Branch) -> list[str]:
        """Returns the endpoints of stateful nodes of a branch that nodes outside need to compute their inputs."""
        once = {name for name, node in branch.nodes.items() if self._library.stateful([node])} - self._ran
        outside = [node for node in self.nodes.values() if node.name not in branch.nodes and node not in group.merges]
        pending = [
            source for node in outside if once for source in data_inputs(node) if node_of(source) in branch.nodes
        ]
        seen, needed_outside = set(pending), dict[str, None]()
        while pending:
            source = endpoint(pending.pop())
            if node_of(source) in once:
                needed_outside[source] = None
                continue
            further = [inner for inner in data_inputs(branch.nodes[node_of(source)]) if node_of(inner) in branch.nodes]
            pending += [inner for inner in further if inner not in seen]
            seen.update(further)
        return list(needed_outside)

    def _function(self, hint: str, branch: _Branch, inputs: list[str], types: dict[str, int]) -> str:
        _refuse_switches(branch.nodes.values())
        self._refuse_twice(branch)
        names = {source: f"input_{inputs.index(given)}" for source, given in branch.arguments.items()}
        results = [self._awaited(result, branch) for result in branch.results] if branch.effects else branch.results
        return self._library.add(hint, branch.nodes, names, types, results)

    def _awaited(self, result: str, branch: _Branch) -> str:
        """Returns the endpoint of a result that waits for the effects of its branch."""
        name = f"{node_of(result)}/after_effects_{len(branch.nodes)}"
        waits = [f"^{effect.name}" for effect in branch.effects]
        branch.nodes[name] = identity(name, [result, *waits], self._dtype(result))
        return f"{name}:0"

    def _triggers(self) -> list[Any]:
        """Returns the nodes that wait for others whether these run or not."""
        return [node for node in self.nodes.values() if node.op == "ControlTrigger"]

    def _add_effect(self, node: Any) -> None:
        """Adds a node of a branch to the effects of its condition, if that has a merge."""
        for predicate, side in sorted(self.branches[node.name]):
            number = self._rounds[node.name].get(predicate, 0) + 1
            group = self._groups.get((predicate, number, self.branches[node.name] - {(predicate, side)}))
            if group is not None and node not in group.effects[side]:
                group.effects[side].append(node)
                return

    def _refuse_twice(self, branch: _Branch) -> None:
        """Refuses stateful nodes of a branch that the condition's gradient reads: they would run again."""
        again = [node for name, node in branch.nodes.items() if name in self._ran and self._library.stateful([node])]
        if again:
            raise UnsupportedOpsError(
                f"{node.name} ({node.op}) in a condition whose gradient reads it" for node in again
            )
        self._ran |= branch.nodes.keys()

    def _pass_on(self, merge: Any, source: str, group: _Group, if_true: str) -> None:
        if merge.name not in self._indexed:
            self._put(identity(merge.name, [source], merge.attr["T"].type), group.outside)
            return
        numbers = [0, 1] if data_inputs(merge)[1] == if_true else [1, 0]
        nodes = taken(merge, source, group.predicate, numbers)
        for node in nodes:
            self._put(node, group.outside)

    def _put(self, node: Any, branches: Branches) -> None:
        self.nodes[node.name] = node
        self.branches[node.name] = branches

    def _dtype(self, source: str) -> int:
        if source in self._types:
            return self._types[source]
        return self._library.outputs(self.nodes[node_of(source)])[int(source.rpartition(":")[2])][2]

    def _visit(self, place: int, node: Any) -> None:
        sides = [self.lies_in(source) for source in node.input]
        self._rounds[node.name] = _latest([self._rounds.get(node_of(source), {}) for source in node.input])
        if node.op in MERGE:
            self.branches[node.name] = self._merged(place, node, sides)
        elif node.op == "ControlTrigger":
            self.branches[node.name] = frozenset()
        else:
            self.branches[node.name] = frozenset().union(*sides)

    def _merged(self, place: int, node: Any, sides: list[Branches]) -> Branches:
        predicate = _decided(node, sides)
        outside = frozenset(branch for side in sides[:2] for branch in side if branch[0] != predicate)
        rounds = dict(self._rounds[node.name])
        rounds[predicate] = rounds.get(predicate, 0) + 1
        self._rounds[node.name] = rounds
        group = self._groups.setdefault((predicate, rounds[predicate], outside), _Group(predicate, outside))
        group.merges.append(node)
        group.last = place
        return outside


class _Branch:
    """One branch of a condition.

    Attributes:
        side: 1 for the true branch, 0 for the false one.
        nodes: the nodes of the branch.
        arguments: endpoint in the branch -> the outer endpoint of its value.
        results: an endpoint for each merge, then one for each value that nodes outside of the branch read.
        effects: nodes that run beside the results.
        controls: control inputs from outside of the branch.
    """

    def __init__(self, level: _Level, group: _Group, side: int) -> None:
        self.side = side
        self.nodes: Nodes = {}
        self.arguments: dict[str, str] = {}
        self.controls: set[str] = set()
        self._level = level
        self._mark = (group.predicate, side)
        self.results = [self._side_of(merge) for merge in group.merges]
        self.effects = group.effects[side]
        self._collect([*self.results, *(f"^{node.name}" for node in self.effects)])

    def _side_of(self, merge: Any) -> str:
        """Returns the input of a merge on this side.

        A constant of a gradient may lie on neither side; then the other input decides.
        """
        opposite = (self._mark[0], 1 - self.side)
        first, second = data_inputs(merge)[:2]
        if self._mark in self._level.lies_in(first) or opposite in self._level.lies_in(second):
            return first
        return second

    def _collect(self, sources: Iterable[str]) -> None:
        pending = list(sources)
        while pending:
            source = pending.pop()
            node = self._level.nodes.get(node_of(source))
            switch = node is not None and node.op in SWITCH and self._level.predicate(node) == self._mark[0]
            if is_control(source):
                if node is None or switch:
                    continue
                if self._mark not in self._level.branches[node.name]:
                    self.controls.add(source)
                    continue
            elif switch:
                self.arguments[endpoint(source)] = self._before(node)
                continue
            elif endpoint(source) in self._level.carried:
                self.arguments[endpoint(source)] = self._level.carried[endpoint(source)]
                continue
            elif node is None or self._mark not in self._level.branches[node.name]:
                self.arguments[endpoint(source)] = endpoint(source)
                continue
            if node.name not in self.nodes:
                self.nodes[node.name] = node
                pending += node.input

    def _before(self, switch: Any) -> str:
        """Returns the outer endpoint of a `Switch`'s value, behind further switches of the same condition."""
        source = data_inputs(switch)[0]
        while op_of(self._level.nodes, source) in SWITCH and self._mark in self._level.lies_in(source):
            source = data_inputs(self._level.nodes[node_of(source)])[0]
        return source


def _decided(merge: Any, sides: list[Branches]) -> str:
    """Returns the predicate whose two branches a merge joins."""
    first, second = sides[:2]
    for predicate, side in sorted(first):
        if (predicate, 1 - side) in second:
            return predicate
    alone = sorted(branch[0] for branch in first ^ second)
    if len(merge.input) < 2 or len(alone) != 1:
        raise UnsupportedOpsError([f"{merge.name} ({merge.op}) joins no two branches of one condition"])
    return alone[0]


def _latest(rounds: list[Mapping[str, int]]) -> Mapping[str, int]:
    """Returns predicate -> the number of its merges on the longest chain so far."""
    largest = max(rounds, key=len, default={})
    if all(counts is largest or counts.items() <= largest.items() for counts in rounds):
        return largest
    latest: dict[str, int] = {}
    for counts in rounds:
        for predicate, count in counts.items():
            latest[predicate] = max(count, latest.get(predicate, 0))
    return latest


def _behind_switches(nodes: Nodes) -> Nodes:
    """Returns the nodes; a node that waits for a `Switch` becomes a copy that waits for the inputs of the `Switch`."""
    result = {}
    for name, node in nodes.items():
        waits = any(is_control(source) and op_of(nodes, source) in SWITCH for source in node.input)
        result[name] = _waiting(nodes, node) if waits else node
    return result


def _waiting(nodes: Nodes, node: Any) -> Any:
    copy = copied(node)
    sources: dict[str, None] = {}
    pending = list(reversed(node.input))
    while pending:
        source = pending.pop()
        if is_control(source) and op_of(nodes, source) in SWITCH:
            pending += [f"^{node_of(inner)}" for inner in nodes[node_of(source)].input]
        else:
            sources[source] = None
    copy.input[:] = sorted(sources, key=is_control)
    return copy


def _refuse_switches(nodes: Iterable[Any]) -> None:
    left = [node for node in nodes if node.op in _JOINTS]
    if left:
        raise UnsupportedOpsError(f"{node.name} ({node.op}) of a branch that no merge ends" for node in left)
