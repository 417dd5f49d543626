"""Tags of summaries that TensorFlow 1 numbered, because an op had their name: `loss_1` beside a scope `loss`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from codemods import scopes
from codemods.native.facts import Facts, span_of
from codemods.native.kinds import v1_name
from codemods.native.source_text import SourceText
from codemods.tree import walk

_OPS = {"summary.scalar": "ScalarSummary", "summary.histogram": "HistogramSummary"}


def with_tags(text: str, facts: Facts, line: Callable[[int], int], file: Callable[[int], str]) -> str:
    """Returns a text whose summaries have the numbers that their tags had; see `recorded_names.with_names`."""
    tree = ast.parse(text)
    names, source = scopes.resolve(tree), SourceText(text, tree)
    for call in (node for node in walk(tree) if isinstance(node, ast.Call)):
        kind = _OPS.get(v1_name(names, call.func) or "")
        tag = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "name"), None)
        if kind is None or not isinstance(tag, ast.Constant) or not isinstance(tag.value, str):
            continue
        span = span_of(call, line, file)
        made = [op.name for graph in facts.graphs for op in graph if op.type == kind and span.holds(op.file, op.line)]
        number = re.search(rf"(?:^|/){re.escape(tag.value.replace(' ', '_'))}(_\d+)$", made[0]) if made else None
        if len(made) == 1 and number:
            source.replace(source.span(tag), repr(tag.value + number[1]))
    return source.result()
