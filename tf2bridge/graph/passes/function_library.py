"""Nodes of a graph made into a function of its library, as functional control flow wants them."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.nodes import Nodes, endpoint, is_control, node_of
from tf2bridge.internals.framework import op_def_registry
from tf2bridge.internals.protos import function_pb2, op_def_pb2, types_pb2

_ARGUMENT = op_def_pb2.OpDef.ArgDef
_GONE = {
    "CompareAndBitpack": op_def_pb2.OpDef(
        name="CompareAndBitpack",
        input_arg=[_ARGUMENT(name="input", type_attr="T"), _ARGUMENT(name="threshold", type_attr="T")],
        output_arg=[_ARGUMENT(name="output", type=types_pb2.DT_UINT8)],
        attr=[op_def_pb2.OpDef.AttrDef(name="T", type="type")],
    )
}
"""The definitions of operations that TensorFlow 2.21 does not know, as 1.15 had them; see `removed_ops`."""


@dataclass
class Library:
    """The functions of a graph: those it came with, and those that passes add.

    What is added bears the number of its library: TensorFlow's gradient of a loop adds functions under names that it
    makes of these, and another function with an equal condition needs others.
    """

    functions: dict[str, Any] = field(default_factory=dict)
    number: int = field(default_factory=itertools.count().__next__)

    @classmethod
    def of(cls, graph_def: Any) -> Library:
        """The library that `graph_def` holds."""
        return cls(functions_of(graph_def.library))

    def definition(self, op: str) -> Any:
        """The OpDef of an operation or of a function. Raises KeyError for an unknown one."""
        found = op_def_registry.get(op) or _GONE.get(op)
        return self.functions[op].signature if found is None else found

    def outputs(self, node: Any) -> list[tuple[str, int, int]]:
        """(argument, index in it, dtype) for each output of `node`: how function bodies name endpoints."""
        found: list[tuple[str, int, int]] = []
        definition = self.definition(node.op)
        for argument in definition.output_arg:
            types = _types(argument, node, definition)
            found += [(argument.name, index, dtype) for index, dtype in enumerate(types)]
        return found

    def inputs(self, node: Any) -> list[int]:
        """The dtype of each data input of `node`."""
        definition = self.definition(node.op)
        return [dtype for argument in definition.input_arg for dtype in _types(argument, node, definition)]

    def stateful(self, nodes: Iterable[Any]) -> bool:
        """Whether any of the nodes keeps state, or calls a function that does."""
        return any(self.definition(node.op).is_stateful or self.stateful(self._called(node)) for node in nodes)

    def _called(self, node: Any) -> list[Any]:
        names = {value.func.name for value in node.attr.values() if value.HasField("func")}
        return [each for name in names & self.functions.keys() for each in self.functions[name].node_def]

    def add(
        self,
        hint: str,
        nodes: Nodes,
        arguments: Mapping[str, str],
        types: Mapping[str, int],
        results: Sequence[str],
    ) -> str:
        """Adds the function that computes the endpoints `results` from `nodes`; returns its name.

        `arguments`: endpoint -> name of the argument that stands for it, in order; `types`: argument -> dtype. Its
        name ends with a hash of its content and the number of the library.
        """
        made = function_pb2.FunctionDef()
        for name, dtype in types.items():
            made.signature.input_arg.add(name=name, type=dtype)
        names = _Endpoints(self, nodes, arguments)
        for node in nodes.values():
            kept = made.node_def.add()
            kept.CopyFrom(node)
            controls = [source for source in node.input if is_control(source) and node_of(source) in nodes]
            kept.input[:] = [names[source] for source in node.input if not is_control(source)] + controls
        for index, source in enumerate(results):
            made.signature.output_arg.add(name=f"result_{index}", type=names.dtype(source, types))
            made.ret[f"result_{index}"] = names[source]
        made.signature.is_stateful = self.stateful(nodes.values())
        digest = hashlib.sha256(made.SerializeToString(deterministic=True)).hexdigest()[:12]
        made.signature.name = f"{re.sub('[^A-Za-z0-9_]', '_', hint)}_{digest}_{self.number}"
        self.functions[made.signature.name] = made
        return str(made.signature.name)


class _Endpoints:
    """How endpoints of a graph are written in a function's body: "node:argument:index", or an argument's name."""

    def __init__(self, library: Library, nodes: Nodes, arguments: Mapping[str, str]) -> None:
        self._library = library
        self._nodes = nodes
        self._arguments = arguments
        self._outputs: dict[str, list[tuple[str, int, int]]] = {}

    def __getitem__(self, source: str) -> str:
        source = endpoint(source)
        if source in self._arguments:
            return self._arguments[source]
        argument, index, _ = self._output(source)
        return f"{node_of(source)}:{argument}:{index}"

    def dtype(self, source: str, types: Mapping[str, int]) -> int:
        source = endpoint(source)
        return types[self._arguments[source]] if source in self._arguments else self._output(source)[2]

    def _output(self, source: str) -> tuple[str, int, int]:
        name, _, port = source.rpartition(":")
        if name not in self._outputs:
            self._outputs[name] = self._library.outputs(self._nodes[name])
        return self._outputs[name][int(port)]


def _types(argument: Any, node: Any, definition: Any) -> list[int]:
    if argument.type_list_attr:
        return list(_attribute(argument.type_list_attr, node, definition).list.type)
    dtype = _attribute(argument.type_attr, node, definition).type if argument.type_attr else argument.type
    return [dtype] * (int(_attribute(argument.number_attr, node, definition).i) if argument.number_attr else 1)


def _attribute(name: str, node: Any, definition: Any) -> Any:
    """An attribute of a node; what an older release did not know of has its default."""
    if name in node.attr:  # to ask for an absent one would put it there, empty
        return node.attr[name]
    return next(each.default_value for each in definition.attr if each.name == name)
