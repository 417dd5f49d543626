"""The functions of a graph, and the conversion of nodes into a function, as functional control flow needs it."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.nodes import Nodes, data_inputs, endpoint, is_control, node_of
from tf2bridge.internals.framework import op_def_registry
from tf2bridge.internals.protos import function_pb2, op_def_pb2, types_pb2

_ARGUMENT = op_def_pb2.OpDef.ArgDef
_GONE = {
    "CompareAndBitpack": op_def_pb2.OpDef(
        name="CompareAndBitpack",
        input_arg=[_ARGUMENT(name="input", type_attr="T"), _ARGUMENT(name="threshold", type_attr="T")],
        output_arg=[_ARGUMENT(name="output", type=types_pb2.DT_UINT8)],
        attr=[op_def_pb2.OpDef.AttrDef(name="T", type="type")],
    ),
    "GatherTree": op_def_pb2.OpDef(
        name="GatherTree",
        input_arg=[
            _ARGUMENT(name=name, type_attr="T")
            for name in ("step_ids", "parent_ids", "max_sequence_lengths", "end_token")
        ],
        output_arg=[_ARGUMENT(name="beams", type_attr="T")],
        attr=[op_def_pb2.OpDef.AttrDef(name="T", type="type")],
    ),
}
"""The definitions of operations that TensorFlow 2.21 does not know, as 1.15 had them; see `removed_ops`."""


@dataclass
class Library:
    """The functions of a graph, and those that passes add.

    The name of an added function ends with the number of its library. TensorFlow's gradient of a loop adds functions
    whose names it derives from these, so two libraries must not share a name even for equal functions.
    """

    functions: dict[str, Any] = field(default_factory=dict)
    number: int = field(default_factory=itertools.count().__next__)

    @classmethod
    def of(cls, graph_def: Any) -> Library:
        """Returns the library of a GraphDef."""
        return cls(functions_of(graph_def.library))

    def definition(self, op: str) -> Any:
        """Returns the OpDef of an operation or a function. Raises KeyError for an unknown one."""
        definition = op_def_registry.get(op) or _GONE.get(op)
        return self.functions[op].signature if definition is None else definition

    def outputs(self, node: Any) -> list[tuple[str, int, int]]:
        """Returns (argument, index in the argument, dtype) for each output: function bodies name endpoints so."""
        arguments: list[tuple[str, int, int]] = []
        definition = self.definition(node.op)
        for argument in definition.output_arg:
            types = _types(argument, node, definition)
            arguments += [(argument.name, index, dtype) for index, dtype in enumerate(types)]
        return arguments

    def inputs(self, node: Any) -> list[int]:
        """Returns the dtype of each data input of `node`: `GatherTree` has one less up to 1.4."""
        definition = self.definition(node.op)
        types = [dtype for argument in definition.input_arg for dtype in _types(argument, node, definition)]
        return types[: len(data_inputs(node))] if node.op == "GatherTree" else types

    def stateful(self, nodes: Iterable[Any]) -> bool:
        """Returns whether any of the nodes keeps state, or calls a function that does."""
        return any(self.definition(node.op).is_stateful or self.stateful(self._called(node)) for node in nodes)

    def _called(self, node: Any) -> list[Any]:
        names = {value.func.name for value in node.attr.values() if value.HasField("func")}
        return [node for name in names & self.functions.keys() for node in self.functions[name].node_def]

    def add(
        self,
        hint: str,
        nodes: Nodes,
        arguments: Mapping[str, str],
        types: Mapping[str, int],
        results: Sequence[str],
    ) -> str:
        """Adds a function to the library, and returns its name.

        The name ends with a hash of the function's content and the number of the library.

        Args:
            hint: the beginning of the name.
            nodes: the nodes of the function.
            arguments: endpoint -> name of the argument that replaces it, in order.
            types: argument -> dtype.
            results: the endpoints that the function returns.
        """
        function = function_pb2.FunctionDef()
        for name, dtype in types.items():
            function.signature.input_arg.add(name=name, type=dtype)
        names = _Endpoints(self, nodes, arguments)
        for node in nodes.values():
            copy = function.node_def.add()
            copy.CopyFrom(node)
            controls = [source for source in node.input if is_control(source) and node_of(source) in nodes]
            copy.input[:] = [names[source] for source in node.input if not is_control(source)] + controls
        for index, source in enumerate(results):
            function.signature.output_arg.add(name=f"result_{index}", type=names.dtype(source, types))
            function.ret[f"result_{index}"] = names[source]
        function.signature.is_stateful = self.stateful(nodes.values())
        digest = hashlib.sha256(function.SerializeToString(deterministic=True)).hexdigest()[:12]
        function.signature.name = f"{re.sub('[^A-Za-z0-9_]', '_', hint)}_{digest}_{self.number}"
        self.functions[function.signature.name] = function
        return str(function.signature.name)


class _Endpoints:
    """Endpoint of a graph -> its name in a function's body: "node:argument:index", or an argument's name."""

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
    """Returns an attribute of a node, or its default if an older release wrote the node without it."""
    if name in node.attr:  # reading an absent attribute would add it, empty
        return node.attr[name]
    return next(attribute.default_value for attribute in definition.attr if attribute.name == name)
