"""Upgrade functions that TensorFlow 0.12 wrote to the form that TensorFlow 2 runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tf2bridge.formats import messages
from tf2bridge.graph.passes.function_library import Library
from tf2bridge.graph.refusals import UnsupportedOpsError

_FROM_LISTS, _TO_LISTS = "_ListToArray", "_ArrayToList"


def modernised(graph_def: Any, old: dict[str, Any]) -> None:
    """Upgrades the functions of a graph in place.

    Args:
        graph_def: the graph, whose library has the signatures of the functions.
        old: name -> function as 0.12 wrote it.

    Raises:
        UnsupportedOpsError: lists every operation of the functions that TensorFlow does not know.
    """
    library = Library.of(graph_def)
    bodies = {name: _Body(function, library) for name, function in old.items()}
    if lines := [line for body in bodies.values() for line in body.unknown()]:
        raise UnsupportedOpsError(lines)
    for name in bodies:  # before any body is written, since a body names the results of the functions that it calls
        _number(library.functions[name].signature)
    for name, body in bodies.items():
        body.write(library.functions[name])


def _number(signature: Any) -> None:
    """Gives arguments and results plain names. In 0.12 they had the names of tensors, with scopes."""
    for role, arguments in (("argument", signature.input_arg), ("result", signature.output_arg)):
        for place, argument in enumerate(arguments):
            argument.name = f"{role}_{place}"


class _Body:
    """One function. `_ends`: name of an argument or of a node's result -> the endpoints of its values."""

    def __init__(self, old: Any, library: Any) -> None:
        self._old = old
        self._library = library
        self._ends = {argument.name: [f"argument_{place}"] for place, argument in enumerate(old.signature.input_arg)}
        self._names: dict[str, str] = {}
        self._nodes = [node for node in old.node if node.op not in (_FROM_LISTS, _TO_LISTS)]

    def unknown(self) -> list[str]:
        """Returns a line for each node whose operation TensorFlow does not know."""
        function = self._old.signature.name
        return [
            f"{node.ret[0] if node.ret else '?'} in the function {function} ({node.op}) is no operation of TensorFlow"
            for node in self._nodes
            if not node.ret or not self._known(node.op)
        ]

    def write(self, function: Any) -> None:
        """Replaces the old nodes of `function` by upgraded nodes and results; its signature is complete already."""
        function.DiscardUnknownFields()
        for node in self._nodes:
            function.node_def.add().MergeFromString(self._named(node).SerializeToString())
        self._follow_lists()
        for node, made in zip(self._nodes, function.node_def, strict=True):
            made.input.extend(end for name in node.arg for end in self._meant(name))
            made.input.extend(sorted({f"^{self._names[name]}" for name in node.dep if name in self._names}))
        for argument, old in zip(function.signature.output_arg, self._old.signature.output_arg, strict=True):
            (function.ret[argument.name],) = self._meant(old.name)
        function.signature.is_stateful = self._library.stateful(function.node_def)

    def _known(self, op: str) -> bool:
        try:
            return self._library.definition(op) is not None
        except KeyError:
            return False

    def _named(self, node: Any) -> Any:
        """Returns the upgraded node without inputs, and records the endpoints of its results."""
        name = node.ret[0]
        made = messages.own("NodeDef")(name=name, op=node.op)
        for key, value in node.attr.items():
            made.attr[key].CopyFrom(value)
        ends: dict[str, list[str]] = {argument.name: [] for argument in self._library.definition(node.op).output_arg}
        for argument, index, _ in self._library.outputs(made):
            ends[argument].append(f"{name}:{argument}:{index}")
        self._ends.update(zip(node.ret, ends.values(), strict=False))
        self._names |= dict.fromkeys(node.ret, name)
        return made

    def _follow_lists(self) -> None:
        for node in self._old.node:
            if node.op == _TO_LISTS:
                self._ends[node.ret[0]] = self._ends[node.arg[0]]
        for node in self._old.node:
            if node.op == _FROM_LISTS:
                self._ends[node.ret[0]] = list(self._all(node.arg))

    def _all(self, names: Any) -> Iterator[str]:
        for name in names:
            yield from self._meant(name)

    def _meant(self, name: str) -> list[str]:
        result, _, item = name.partition(":")
        return [self._ends[result][int(item)]] if item else self._ends[result]
