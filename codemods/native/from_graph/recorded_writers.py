"""Writers of summaries of a program whose model comes from its recorded graph: it returns summaries as they were."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemods.native.from_graph.definitions import Definitions
from codemods.native.kinds import calls_of
from codemods.native.places import named_arguments
from codemods.native.refusals import NotNativeError
from codemods.native.source_text import SourceText
from codemods.tree import walk

ADD_SUMMARY = '''\
def add_summary(writer, summary, global_step=None):
    """Writes a summary that a function of the model returned."""
    with writer.as_default(global_step or 0):
        tf.summary.experimental.write_raw_pb(summary)
'''
"""The function that a program with writers gets once."""

_MAKING = ("summary.FileWriter", "train.SummaryWriter")
_METHODS = frozenset(("add_summary", "flush", "close"))


class RecordedWriters:
    """The writers of summaries of one text.

    Attributes:
        made: The calls that make writers.
        methods: The calls of their methods.
    """

    def __init__(self, definitions: Definitions) -> None:
        names = definitions.names
        self.made = list(calls_of(names.nodes.get(ast.Call, []), names, _MAKING))
        places = {place for place, held in definitions.assigned.items() if any(v in self.made for v, _ in held)}
        self.methods = [
            node
            for node in walk(names.tree)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS
            if definitions.place(node.func.value) in places
        ]

    def write(self, source: SourceText) -> None:
        """Writes the calls of writers.

        Raises:
            NotNativeError: One has an option without a counterpart.
        """
        for call in self.made:
            given = named_arguments(call, ("logdir", "graph"))
            if set(given) - {"logdir", "graph"} or "logdir" not in given or len(call.args) > len(given):
                raise NotNativeError(call, "NAT001", "this writer of summaries has options without a counterpart")
            source.replace(source.span(call), f"tf.summary.create_file_writer({source.text_of(given['logdir'])})")
        for call in sorted(self.methods, key=lambda node: -source.span(node)[0]):
            assert isinstance(call.func, ast.Attribute)
            if call.func.attr == "add_summary":
                arguments = [source.text_of(part) for part in (call.func.value, *call.args, *call.keywords)]
                source.replace(source.span(call), f"add_summary({', '.join(arguments)})")

    def vanishing(self) -> Iterator[ast.AST]:
        """Yields what vanishes of the calls that make writers."""
        for call in self.made:
            yield call.func
            yield from call.args[1:]
            yield from (keyword.value for keyword in call.keywords if keyword.arg == "graph")
