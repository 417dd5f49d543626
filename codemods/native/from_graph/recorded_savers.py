"""Savers of a program whose model comes from its recorded graph: that graph says which variables each one saves."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.native import savers
from codemods.native.facts import LocatedFacts, Operation
from codemods.native.from_graph.definitions import Definitions
from codemods.native.kinds import calls_of
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText
from codemods.tree import walk

_SAVING = {"SaveV2": 3, "SaveSlices": 3, "Save": 2}
"""Type of an op that saves -> the place of the first tensor among its inputs."""
_VARIABLES = ("Variable", "VariableV2", "VarHandleOp")
_OPTIONS = ("var_list", "max_to_keep")
_IMPORTING = ("train.import_meta_graph",)


class RecordedSavers:
    """The savers of one text.

    Args:
        definitions: What the program defines.
        located: What was recorded, and where.

    Attributes:
        made: The calls that make savers.
        methods: The calls of their methods.
    """

    def __init__(self, definitions: Definitions, located: LocatedFacts) -> None:
        self._located = located
        self._names = definitions.names
        calls = definitions.names.nodes.get(ast.Call, [])
        self._imported = list(calls_of(calls, definitions.names, _IMPORTING))
        self.made = [*savers.made_savers(definitions.names), *self._imported]
        places = {place for place, held in definitions.assigned.items() if any(v in self.made for v, _ in held)}
        self.methods = [
            node
            for node in walk(definitions.names.tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in savers.OPTIONS
            if definitions.place(node.func.value) in places
        ]

    def variables(self, call: ast.Call) -> tuple[str, ...]:
        """Returns the names of the variables that a saver saves.

        Raises:
            NotNativeError: The trace does not say it, or they have other names in checkpoints.
        """
        saved = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "var_list"), None)
        named = sorted({keyword.arg or "**" for keyword in call.keywords} - {*_OPTIONS})
        if call not in self._imported and (named or len(call.args) > 1 or isinstance(saved, (ast.Dict, ast.DictComp))):
            raise NotNativeError(call, "NAT001", f"this saver, with {named or 'a dict'}, has no counterpart here")
        span = self._located.span(call)
        saved_names = {
            tuple(self._saved(op, {other.name: other for other in graph}))
            for graph in self._located.facts.graphs
            for op in graph
            if op.type in _SAVING and span.holds(op.file, op.line)
        }
        if len(saved_names) != 1:
            raise NotNativeError(call, "NAT008", "the trace does not say which variables this saver saves")
        return saved_names.pop()

    def _saved(self, op: Operation, ops: dict[str, Operation]) -> Iterator[str]:
        for name in op.inputs[_SAVING[op.type] :]:
            source = ops.get(name)
            while source is not None and source.type not in _VARIABLES and source.inputs:
                source = ops.get(source.inputs[0])
            if source is not None:
                yield source.name

    def write(self, source: SourceText, model: str) -> tuple[str, ...]:
        """Writes the calls of savers. Returns the variables that the model must have for them.

        Raises:
            NotNativeError: One has no counterpart.
        """
        known = {call: self.variables(call) for call in self.made}
        everything = tuple(dict.fromkeys(name for names in known.values() for name in names))
        for call in sorted(self.methods, key=lambda node: -source.span(node)[0]):
            savers.write_method(source, call)
        for call, names in known.items():
            keep = next((k.value for k in call.keywords if k.arg == "max_to_keep"), None)
            option = f", max_to_keep={source.text_of(keep)}" if keep is not None else ""
            listed = ",".join(f'\n    "{name}"' for name in names)
            saved = f"{model}.saved" if set(names) == set(everything) else f"lambda: {model}.saved({listed},\n)"
            source.replace(source.span(call), f"Saver({saved}{option})")
        return everything

    def vanishing(self) -> Iterator[ast.AST]:
        """Yields what vanishes of the calls: sessions, and lists of variables."""
        for call in self.methods:
            yield from (keyword.value for keyword in call.keywords if keyword.arg == "sess")
            yield from call.args[:1]
        for call in self.made:
            yield call.func
            yield from call.args
            yield from (keyword.value for keyword in call.keywords if keyword.arg == "var_list")
