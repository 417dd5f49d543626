"""What was recorded of runs with hooks: TensorFlow 1 fetched what the hooks asked for in the same call.

The recorded leaves do not say who asked. A leaf belongs to a fetch of the rewritten text if it alone was made at the
lines of the statement that the fetch names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from codemods.native.facts import Facts, Recorded, Span
from codemods.native.items import Body, Item
from codemods.native.kinds import Kind
from codemods.native.runs import Run


def without_hooks(
    run: Run, recorded: Sequence[Recorded], facts: Facts, body: Body, span: Callable[[Item], Span]
) -> Iterator[Recorded]:
    """Yields the recorded calls that a run stands for, with the leaves of its own fetches alone, in their order.

    A summary, whose leaf TensorFlow may have made itself, has the leaf that is a summary.
    """
    for known in recorded:
        ops = {op.name: op for op in facts.graphs[known.graph]}
        summaries = {name for name in known.leaves if ops[_node(name)].type.endswith("Summary")}
        wanted = sum(fetch.kind is Kind.SUMMARY for fetch in run.fetches)
        leaves: list[str] = []
        for fetch in run.fetches:
            spans = [span(item) for item in body.definitions(fetch.place or "")]
            made = (ops[_node(name)] for name in known.leaves if (":" in name) == fetch.gives)
            at = {op.name for op in made if any(where.holds(op.file, op.line) for where in spans)}
            own = [name for name in dict.fromkeys(known.leaves) if _node(name) in at]
            if fetch.kind is Kind.SUMMARY:
                own = sorted(summaries)
            leaves.append(own[0] if len(own) == 1 else "")  # a hook may not have asked for it in this call
        if wanted == len(summaries) and any(leaves) and all(leaves[n] or f.gives for n, f in enumerate(run.fetches)):
            # summaries tell calls of one line apart, and are no results in the map
            asked = dict.fromkeys(name for name in known.leaves if name not in leaves or name in summaries)
            yield replace(known, leaves=tuple(leaves), of_hooks=tuple(asked))


def _node(name: str) -> str:
    return name.partition(":")[0]
