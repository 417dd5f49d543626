"""Converts reference variables into resource variables: handles replace references, and values are read.

TF 1.x's `w/read`, an `Identity` of a reference, shares the variable's memory: a user of it sees all changes made until
then. So if the graph part changes a variable, each user reads it anew, after the changes that the user waits for.
A user that waits for nothing reads before the changes: 1.x left that open, so one value is as right as the other, but
it must be the same one each time. A variable that is not changed is read once.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tf2bridge.formats.graphs.nodes import VARIABLES, Nodes, copied, data_inputs, endpoint, is_control, node_of, ordered
from tf2bridge.graph.passes.frames import MERGE, NEXT
from tf2bridge.graph.passes.passing_ops import PASSING, reached
from tf2bridge.graph.refusals import UnsupportedOpsError
from tf2bridge.internals.framework import op_def_registry
from tf2bridge.internals.protos import node_def_pb2, types_pb2

_NAMES = {
    "Assign": "AssignVariableOp",
    "AssignAdd": "AssignAddVariableOp",
    "AssignSub": "AssignSubVariableOp",
    "IsVariableInitialized": "VarIsInitializedOp",
}
"""Operations whose resource form is not named "Resource..."."""
_ELEMENTWISE = frozenset(("Add", "AddV2", "Sub", "Mul"))
"""Operations that compute the new value of a variable from its old one, as a moving average does."""


def with_resource_variables(nodes: Nodes, fetches: Iterable[str]) -> tuple[Nodes, list[str]]:
    """Returns the nodes with resource variables, and the fetches, with reads in place of references.

    A node that reads the result of an assignment reads the variable after the assignment. A fetch of a variable reads
    it after all changes.

    Raises:
        UnsupportedOpsError: lists all operations on references that have no resource form.
    """
    if not any(op in VARIABLES or any(_references(op)) for op in {node.op for node in nodes.values()}):
        return nodes, list(fetches)
    rewrite = _Rewrite(nodes)
    return rewrite.nodes(), [rewrite.value_of(source) if ":" in source else source for source in fetches]


@dataclass(frozen=True)
class _Reference:
    """A reference to `variable`: the endpoint of its handle, and the assignment to wait for, or ""."""

    variable: Any
    handle: str
    after: str = ""


class _Rewrite:
    """One graph. `references`: endpoint -> the variable reference that it holds."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._result: Nodes = {}
        self.references: dict[str, _Reference] = {}
        self._changes: dict[str, list[str]] = {}
        self._reads: dict[str, list[str]] = {}
        self._follow()
        self._add_aliases()

    def nodes(self) -> Nodes:
        """Returns the nodes with resource variables."""
        wrong = [f"{node.name} ({node.op}) {why}" for node in self._nodes.values() if (why := self._wrong(node))]
        if wrong:
            raise UnsupportedOpsError(wrong)
        if not self.references:
            return self._nodes
        for name, node in self._nodes.items():
            if node.op in VARIABLES:
                self._result[name] = _handle(node)
            elif self._bears(node):
                self._result[name] = self._passing(node)
            elif resource := self._resource_form(node):
                self._result[name] = self._on_handle(node, resource)
            else:
                self._result[name] = self._reading(node)
        self._read_first()
        return self._result

    def _read_first(self) -> None:
        """Lets the changes of a variable wait for the reads that wait for nothing, so that these are in no race.

        Others stay: a read in a branch that is not taken would end the change, and one in a loop is of another frame.
        """
        for variable, names in self._changes.items():
            changes = [self._result[name] for name in names if self._result[name].input[0] == f"{variable}:0"]
            free = self._free_reads(variable)
            if len(free) > 1 and len(changes) > 1:  # one node between them, so that edges are not reads times changes
                joint = node_def_pb2.NodeDef(name=_new_name(f"{variable}/read", self._result), op="NoOp")
                joint.input.extend(f"^{read}" for read in free)
                self._result[joint.name] = joint
                free = [joint.name]
            for change in changes:
                change.input.extend(f"^{read}" for read in free if f"^{read}" not in change.input)

    def _free_reads(self, variable: str) -> list[str]:
        """Returns the reads of the variable itself that wait for nothing, or for other such reads of it alone."""
        waiting: dict[str, set[str]] = {}
        users: dict[str, list[str]] = {}
        for read in self._reads.get(variable, ()):
            handle, *controls = self._result[read].input
            if handle == f"{variable}:0":
                waiting[read] = {control[1:] for control in controls}
                for name in waiting[read]:
                    users.setdefault(name, []).append(read)
        free, pending = [], [read for read, names in waiting.items() if not names]
        while pending:
            free.append(name := pending.pop())
            for user in users.get(name, ()):
                waiting[user].discard(name)
                if not waiting[user]:
                    pending.append(user)
        return free

    def value_of(self, source: str) -> str:
        """Returns the endpoint of the value for a fetched reference."""
        asking = node_def_pb2.NodeDef(name=f"{node_of(source)}/fetched")
        if source in self.references:
            asking.input.extend(f"^{name}" for name in self._changes.get(self.references[source].variable.name, ()))
        return self._value(asking, 0, endpoint(source))

    def _follow(self) -> None:
        """Finds all references: variables, operations that pass them on, and results of assignments."""
        carriers = {name: node for name, node in self._nodes.items() if _is_carrier(node)}
        changing: dict[str, list[str]] = {}
        for node in self._nodes.values():
            if node.op not in PASSING and _takes_reference(node):
                changing.setdefault(data_inputs(node)[0], []).append(node.name)
        variables = [node for node in self._nodes.values() if node.op in VARIABLES]
        pending = [(f"{node.name}:0", _Reference(node, f"{node.name}:0")) for node in variables]
        while pending:
            source, reference = pending.pop()
            for source_endpoint in reached(carriers, [source]):
                held_reference = (
                    reference if source_endpoint == source else dataclasses.replace(reference, handle=source_endpoint)
                )
                self.references[source_endpoint] = held_reference
                for name in changing.get(source_endpoint, ()):
                    pending.append((f"{name}:0", dataclasses.replace(held_reference, after=name)))
                    if self._nodes[name].op != "IsVariableInitialized":
                        self._changes.setdefault(reference.variable.name, []).append(name)

    def _add_aliases(self) -> None:
        """Adds the `Identity`s of variables that are changed: they are references too."""
        identities: dict[str, list[str]] = {}
        for node in self._nodes.values():
            if node.op == "Identity":
                identities.setdefault(data_inputs(node)[0], []).append(node.name)
        pending = [source for source, reference in self.references.items() if reference.variable.name in self._changes]
        while pending:
            source = pending.pop()
            for name in identities.get(source, ()):
                self.references[f"{name}:0"] = self.references[source]
                pending.append(f"{name}:0")

    @functools.cached_property
    def _bits(self) -> dict[str, int]:
        """Name of a changed variable -> its bit in a bit set."""
        return {name: 1 << place for place, name in enumerate(self._changes)}

    @functools.cached_property
    def _changed(self) -> dict[str, int]:
        """Node name -> bit set of the variables that the node, or a node before it, changes."""
        changed = dict.fromkeys(self._nodes, 0)
        for variable, names in self._changes.items():
            for name in names:
                changed[name] |= self._bits[variable]
        order = ordered(self._nodes, lambda source, to: self._nodes[source].op in NEXT and self._nodes[to].op in MERGE)
        grows = True
        while grows:  # another round for each loop that passes a change on
            grows = False
            for name in order:
                before = changed[name]
                for source in self._nodes[name].input:
                    changed[name] |= changed.get(node_of(source), 0)
                grows = grows or changed[name] != before
            grows = grows and any(node.op in NEXT for node in self._nodes.values())
        return changed

    @functools.cached_property
    def _updating(self) -> frozenset[tuple[str, str]]:
        """Node and variable, for each elementwise node that leads to one of several changes of the variable."""
        pairs: set[tuple[str, str]] = set()
        for variable, names in self._changes.items():
            pending = [node_of(source) for name in names for source in self._nodes[name].input] if names[1:] else []
            while pending:
                name = pending.pop()
                if self._nodes[name].op in _ELEMENTWISE and (name, variable) not in pairs:
                    pairs.add((name, variable))
                    pending += [node_of(source) for source in self._nodes[name].input]
        return frozenset(pairs)

    def _bears(self, node: Any) -> bool:
        return _is_carrier(node) and f"{node.name}:0" in self.references

    def _wrong(self, node: Any) -> str:
        """Returns why an operation on references has no resource form, or "" if it has one or takes no references."""
        if node.op in PASSING or not any(_references(node.op)):
            return ""
        known = op_def_registry.get(_resource_name(node.op)) is not None
        inputs = zip(data_inputs(node), _references(node.op), strict=False)
        are_references = [source in self.references for source, is_reference in inputs if is_reference]
        if known and not all(are_references):
            return "would change a constant: the graph was frozen with its updates"
        return "" if known or not any(are_references) else "has no form for resource variables"

    def _resource_form(self, node: Any) -> str | None:
        if not _takes_reference(node) or data_inputs(node)[0] not in self.references:
            return None
        name = _resource_name(node.op)
        return name if op_def_registry.get(name) is not None else None

    def _on_handle(self, node: Any, op: str) -> Any:
        """Returns the resource form of a node: references become handles, other inputs are values."""
        definition, old_definition = op_def_registry.get(op), op_def_registry.get(node.op)
        node_on_handle = node_def_pb2.NodeDef(name=node.name, op=op)
        controls = [source for source in node.input if is_control(source)]
        for place, source in enumerate(data_inputs(node)):
            if old_definition.input_arg[place].is_ref:
                reference = self.references[source]
                node_on_handle.input.append(reference.handle)
                controls += [f"^{reference.after}"] if reference.after else []
            else:
                node_on_handle.input.append(self._value(node, place, source))
        node_on_handle.input.extend(dict.fromkeys(controls))
        for attribute in definition.attr:
            if attribute.name in node.attr:
                node_on_handle.attr[attribute.name].CopyFrom(node.attr[attribute.name])
            elif attribute.name == "dtype":
                node_on_handle.attr["dtype"].type = node.attr["T"].type
        return node_on_handle

    def _passing(self, node: Any) -> Any:
        """Returns a node that passes a handle on. The result of an assignment is the handle, after the assignment."""
        copy = copied(node)
        copy.op = node.op.removeprefix("Ref")
        copy.attr["T"].type = types_pb2.DT_RESOURCE
        for place, source in enumerate(data_inputs(node)):
            reference = self.references.get(source)
            if reference is not None and reference.after == node_of(source):
                copy.input[place] = reference.handle
                copy.input.append(f"^{reference.after}")
        return copy

    def _reading(self, node: Any) -> Any:
        sources = data_inputs(node)
        if node.op == "Identity" and sources[0] in self.references:
            return self._read(node.name, sources[0], node)
        if not any(source in self.references for source in sources):
            return node
        copy = copied(node)
        controls = [source for source in node.input if is_control(source)]
        copy.input[:] = [self._value(node, place, source) for place, source in enumerate(sources)] + controls
        return copy

    def _value(self, node: Any, place: int, source: str) -> str:
        """Returns the endpoint of the value that `node` takes at `place`, read at the time when the node would run."""
        if source not in self.references:
            return source
        read = self._read(f"{node.name}/read_{place}", source, node)
        variable = self.references[source].variable.name
        bit = self._bits.get(variable, 0)
        for other_source in data_inputs(node) if bit else ():
            # Wait only for inputs that follow a change: other control inputs order nothing, and the oneDNN fusions of
            # TensorFlow 2.21 make a cycle of them by merging `Pad` into the `Conv2D` that reads (mkl_layout_pass.cc).
            # Two moving averages of one variable, as of a net that is called twice, are in no order. In genuine 1.12.3
            # the later one reads what the earlier one has written, as it reads when its other input is there.
            follows = self._changed[node_of(other_source)] & bit or (node.name, variable) in self._updating
            if other_source not in self.references and follows:
                waits = f"^{node_of(other_source)}"
                read.input.extend([] if waits in read.input else [waits])
        self._result[read.name] = read
        return f"{read.name}:0"

    def _read(self, name: str, source: str, asking: Any) -> Any:
        reference = self.references[source]
        controls = [control for control in asking.input if is_control(control)]
        controls += [f"^{reference.after}"] if reference.after else []
        controls += [f"^{node_of(source)}"] if self._nodes[node_of(source)].op == "Identity" else []
        read = node_def_pb2.NodeDef(name=name, op="ReadVariableOp", input=[reference.handle, *dict.fromkeys(controls)])
        read.attr["dtype"].type = reference.variable.attr["dtype"].type
        self._reads.setdefault(reference.variable.name, []).append(name)
        return read


def _new_name(beginning: str, nodes: Nodes) -> str:
    return next(name for number in itertools.count() if (name := f"{beginning}_{number}") not in nodes)


def _resource_name(op: str) -> str:
    return _NAMES.get(op, f"Resource{op}")


def _is_carrier(node: Any) -> bool:
    return node.op in PASSING and node.op.startswith("Ref")


def _takes_reference(node: Any) -> bool:
    return _references(node.op)[:1] == (True,)


@functools.cache
def _references(op: str) -> tuple[bool, ...]:
    """Returns for each input of an operation whether it is a reference; () for a function of a graph."""
    definition = op_def_registry.get(op)
    return () if definition is None else tuple(argument.is_ref for argument in definition.input_arg)


def _handle(node: Any) -> Any:
    made = node_def_pb2.NodeDef(name=node.name, op="VarHandleOp")
    made.input.extend(source for source in node.input if is_control(source))
    made.attr["dtype"].CopyFrom(node.attr["dtype"])
    made.attr["shape"].CopyFrom(node.attr["shape"])
    made.attr["shared_name"].s = node.attr["shared_name"].s or node.name.encode()
    return made
