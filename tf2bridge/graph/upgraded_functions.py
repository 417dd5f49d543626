"""Functions as TensorFlow 0.12 wrote them, made functions of today's form, which TensorFlow 2 runs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tf2bridge.formats import messages
from tf2bridge.graph.passes.function_library import Library
from tf2bridge.graph.refusals import UnsupportedOpsError

_FROM_LISTS, _TO_LISTS = "_ListToArray", "_ArrayToList"


def modernised(graph_def: Any, old: dict[str, Any]) -> None:
    """Makes the functions `old` of a graph, by name, functions of today's form, in place.

    Raises UnsupportedOpsError that lists every operation in them that TensorFlow does not know.
    """
    library = Library.of(graph_def)
    bodies = {name: _Body(function, library) for name, function in old.items()}
    if wrong := [each for body in bodies.values() for each in body.unknown()]:
        raise UnsupportedOpsError(wrong)
    for name in bodies:  # the names of results first: the bodies say those of each other
        _number(library.functions[name].signature)
    for name, body in bodies.items():
        body.write(library.functions[name])


def _number(signature: Any) -> None:
    """Gives arguments and results plain names: those of 0.12 were names of tensors, with their scopes."""
    for what, arguments in (("argument", signature.input_arg), ("result", signature.output_arg)):
        for place, argument in enumerate(arguments):
            argument.name = f"{what}_{place}"


class _Body:
    """One function; `ends` is name of a result or argument -> the endpoints that it stands for."""

    def __init__(self, old: Any, library: Any) -> None:
        self._old = old
        self._library = library
        self._ends = {each.name: [f"argument_{place}"] for place, each in enumerate(old.signature.input_arg)}
        self._names: dict[str, str] = {}
        self._nodes = [node for node in old.node if node.op not in (_FROM_LISTS, _TO_LISTS)]

    def unknown(self) -> list[str]:
        """What cannot be converted, and why."""
        function = self._old.signature.name
        return [
            f"{node.ret[0] if node.ret else '?'} in the function {function} ({node.op}) is no operation of TensorFlow"
            for node in self._nodes
            if not node.ret or not self._known(node.op)
        ]

    def write(self, function: Any) -> None:
        """Fills `function`, whose signature is there, with nodes and results, in place of the old nodes."""
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
        """The node in today's form, without inputs; notes which endpoints its results are."""
        name = node.ret[0]
        made = messages.own("NodeDef")(name=name, op=node.op)
        for key, value in node.attr.items():
            made.attr[key].CopyFrom(value)
        ends: dict[str, list[str]] = {each.name: [] for each in self._library.definition(node.op).output_arg}
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
        whole, _, item = name.partition(":")
        return [self._ends[whole][int(item)]] if item else self._ends[whole]
