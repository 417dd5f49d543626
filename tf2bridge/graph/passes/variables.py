"""Reference variables as resource variables: their handles go where the references went, values are read.

TF 1.x's `w/read`, an `Identity` of a reference, shared the variable's memory: who used it saw what an optimizer had
changed by then. So a variable that the graph part changes is read anew by each user, after those changes that the user
waits for; one that it only reads is read once.
"""

from __future__ import annotations

import dataclasses
import functools
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


def with_resource_variables(nodes: Nodes, fetches: Iterable[str]) -> tuple[Nodes, list[str]]:
    """Returns the nodes with resource variables, and `fetches`, an endpoint that was a reference being that of a read.

    A reader of what an assignment gives reads the variable after it; who fetches a variable, after all changes. Raises
    UnsupportedOpsError for operations on references that no resource has, all at once.
    """
    if not any(op in VARIABLES or any(_references(op)) for op in {node.op for node in nodes.values()}):
        return nodes, list(fetches)
    rewrite = _Rewrite(nodes)
    return rewrite.nodes(), [rewrite.value_of(source) if ":" in source else source for source in fetches]


@dataclass(frozen=True)
class _Reference:
    """A reference to `variable`: the endpoint that bears its handle, and the assignment to wait for, or ""."""

    variable: Any
    handle: str
    after: str = ""


class _Rewrite:
    """One graph; `references` are its endpoints that are references to variables."""

    def __init__(self, nodes: Nodes) -> None:
        self._nodes = nodes
        self._found: Nodes = {}
        self.references: dict[str, _Reference] = {}
        self._changes: dict[str, list[str]] = {}
        self._follow()
        self._add_aliases()

    def nodes(self) -> Nodes:
        """The nodes, rewritten."""
        wrong = [f"{node.name} ({node.op}) {why}" for node in self._nodes.values() if (why := self._wrong(node))]
        if wrong:
            raise UnsupportedOpsError(wrong)
        if not self.references:
            return self._nodes
        for name, node in self._nodes.items():
            if node.op in VARIABLES:
                self._found[name] = _handle(node)
            elif self._bears(node):
                self._found[name] = _passing(node)
            elif resource := self._resource_form(node):
                self._found[name] = self._on_handle(node, resource)
            else:
                self._found[name] = self._reading(node)
        return self._found

    def value_of(self, source: str) -> str:
        """The endpoint of the value where a reference was fetched."""
        asking = node_def_pb2.NodeDef(name=f"{node_of(source)}/fetched")
        if source in self.references:
            asking.input.extend(f"^{name}" for name in self._changes.get(self.references[source].variable.name, ()))
        return self._value(asking, 0, endpoint(source))

    def _follow(self) -> None:
        """Finds all references: variables, what carries them on, and what assignments give."""
        carriers = {name: node for name, node in self._nodes.items() if _is_carrier(node)}
        changing: dict[str, list[str]] = {}
        for node in self._nodes.values():
            if node.op not in PASSING and _takes_reference(node):
                changing.setdefault(data_inputs(node)[0], []).append(node.name)
        variables = [node for node in self._nodes.values() if node.op in VARIABLES]
        pending = [(f"{node.name}:0", _Reference(node, f"{node.name}:0")) for node in variables]
        while pending:
            source, reference = pending.pop()
            for each in reached(carriers, [source]):
                found = reference if each == source else dataclasses.replace(reference, handle=each)
                self.references[each] = found
                for name in changing.get(each, ()):
                    pending.append((f"{name}:0", dataclasses.replace(found, after=name)))
                    if self._nodes[name].op != "IsVariableInitialized":
                        self._changes.setdefault(reference.variable.name, []).append(name)

    def _add_aliases(self) -> None:
        """An `Identity` of a variable that is changed is a reference too."""
        identities: dict[str, list[str]] = {}
        for node in self._nodes.values():
            if node.op == "Identity":
                identities.setdefault(data_inputs(node)[0], []).append(node.name)
        pending = [source for source, each in self.references.items() if each.variable.name in self._changes]
        while pending:
            source = pending.pop()
            for name in identities.get(source, ()):
                self.references[f"{name}:0"] = self.references[source]
                pending.append(f"{name}:0")

    @functools.cached_property
    def _bits(self) -> dict[str, int]:
        """Name of a variable that is changed -> the bit that stands for it."""
        return {name: 1 << place for place, name in enumerate(self._changes)}

    @functools.cached_property
    def _changed(self) -> dict[str, int]:
        """Node name -> the bits of the variables that it changes, or that are changed before it runs."""
        changed = dict.fromkeys(self._nodes, 0)
        for variable, names in self._changes.items():
            for name in names:
                changed[name] |= self._bits[variable]
        order = ordered(self._nodes, lambda source, to: self._nodes[source].op in NEXT and self._nodes[to].op in MERGE)
        grows = True
        while grows:  # once more for each loop that a change is carried around
            grows = False
            for name in order:
                before = changed[name]
                for source in self._nodes[name].input:
                    changed[name] |= changed.get(node_of(source), 0)
                grows = grows or changed[name] != before
            grows = grows and any(node.op in NEXT for node in self._nodes.values())
        return changed

    def _bears(self, node: Any) -> bool:
        return _is_carrier(node) and f"{node.name}:0" in self.references

    def _wrong(self, node: Any) -> str:
        """Why an operation on references cannot be made one on resources, "" where it can, or is none."""
        if node.op in PASSING or not any(_references(node.op)):
            return ""
        known = op_def_registry.get(_resource_name(node.op)) is not None
        taken = zip(data_inputs(node), _references(node.op), strict=False)
        held = [source in self.references for source, is_reference in taken if is_reference]
        if known and not all(held):
            return "would change a constant: the graph was frozen with its updates"
        return "" if known or not any(held) else "has no form for resource variables"

    def _resource_form(self, node: Any) -> str | None:
        if not _takes_reference(node) or data_inputs(node)[0] not in self.references:
            return None
        name = _resource_name(node.op)
        return name if op_def_registry.get(name) is not None else None

    def _on_handle(self, node: Any, op: str) -> Any:
        """The resource form: references become handles, other inputs are read."""
        definition, old = op_def_registry.get(op), op_def_registry.get(node.op)
        made = node_def_pb2.NodeDef(name=node.name, op=op)
        controls = [source for source in node.input if is_control(source)]
        for place, source in enumerate(data_inputs(node)):
            if old.input_arg[place].is_ref:
                reference = self.references[source]
                made.input.append(reference.handle)
                controls += [f"^{reference.after}"] if reference.after else []
            else:
                made.input.append(self._value(node, place, source))
        made.input.extend(dict.fromkeys(controls))
        for attribute in definition.attr:
            if attribute.name in node.attr:
                made.attr[attribute.name].CopyFrom(node.attr[attribute.name])
            elif attribute.name == "dtype":
                made.attr["dtype"].type = node.attr["T"].type
        return made

    def _reading(self, node: Any) -> Any:
        sources = data_inputs(node)
        if node.op == "Identity" and sources[0] in self.references:
            return self._read(node.name, sources[0], node)
        if not any(source in self.references for source in sources):
            return node
        kept = copied(node)
        controls = [source for source in node.input if is_control(source)]
        kept.input[:] = [self._value(node, place, source) for place, source in enumerate(sources)] + controls
        return kept

    def _value(self, node: Any, place: int, source: str) -> str:
        """The endpoint of the value that `node` takes at `place`: read when the node would have looked."""
        if source not in self.references:
            return source
        read = self._read(f"{node.name}/read_{place}", source, node)
        bit = self._bits.get(self.references[source].variable.name, 0)
        for other in data_inputs(node) if bit else ():
            # Waiting for an input that no change lies behind would order nothing, and TensorFlow 2.21's fusions for
            # oneDNN make a circle of it: `Pad` goes into the `Conv2D` that the read is for (mkl_layout_pass.cc).
            if other not in self.references and self._changed[node_of(other)] & bit:
                waits = f"^{node_of(other)}"
                read.input.extend([] if waits in read.input else [waits])
        self._found[read.name] = read
        return f"{read.name}:0"

    def _read(self, name: str, source: str, asking: Any) -> Any:
        reference = self.references[source]
        controls = [each for each in asking.input if is_control(each)]
        controls += [f"^{reference.after}"] if reference.after else []
        controls += [f"^{node_of(source)}"] if self._nodes[node_of(source)].op == "Identity" else []
        read = node_def_pb2.NodeDef(name=name, op="ReadVariableOp", input=[reference.handle, *dict.fromkeys(controls)])
        read.attr["dtype"].type = reference.variable.attr["dtype"].type
        return read


def _passing(node: Any) -> Any:
    kept = copied(node)
    kept.op = node.op.removeprefix("Ref")
    kept.attr["T"].type = types_pb2.DT_RESOURCE
    return kept


def _resource_name(op: str) -> str:
    return _NAMES.get(op, f"Resource{op}")


def _is_carrier(node: Any) -> bool:
    return node.op in PASSING and node.op.startswith("Ref")


def _takes_reference(node: Any) -> bool:
    return _references(node.op)[:1] == (True,)


@functools.cache
def _references(op: str) -> tuple[bool, ...]:
    """Which inputs of an operation are references; those of a function of a graph are none."""
    definition = op_def_registry.get(op)
    return () if definition is None else tuple(each.is_ref for each in definition.input_arg)


def _handle(node: Any) -> Any:
    made = node_def_pb2.NodeDef(name=node.name, op="VarHandleOp")
    made.input.extend(source for source in node.input if is_control(source))
    made.attr["dtype"].CopyFrom(node.attr["dtype"])
    made.attr["shape"].CopyFrom(node.attr["shape"])
    made.attr["shared_name"].s = node.attr["shared_name"].s or node.name.encode()
    return made
