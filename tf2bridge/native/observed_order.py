"""Whether a fetched variable had its value from before or after the change of the same call, by the recorded values.

Where the graph leaves an order open, each run of TensorFlow 1 took one of both. The recorded values say which, if the
change is seen in them: the value before a call is the first value, or the one that the last call left.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tf2bridge.formats.graphs.nodes import HANDLES, VARIABLES, Nodes, data_inputs, node_of
from tf2bridge.proof.comparing.unordered import AFTER, BEFORE, Unordered
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import CallRecord

_SAME = ("Identity", "ReadVariableOp")
_UNCHANGED = (*VARIABLES, *HANDLES, *_SAME)


def variable_read_by(nodes: Nodes, fetch: str) -> str:
    """Returns the variable whose value a fetched tensor is; "" if it is computed from more than that."""
    name = node_of(fetch)
    for _ in range(len(_UNCHANGED)):
        node = nodes.get(name)
        if node is None or node.op not in _UNCHANGED:
            return ""
        sources = data_inputs(node)
        if not sources:
            return name
        name = node_of(sources[0])
    return ""


def observed_order(trace: Trace, calls: Sequence[CallRecord], place: int, variable: str, unordered: Unordered) -> str:
    """Returns BEFORE or AFTER if all of these calls that can tell say so; "" if none can, or they differ.

    Args:
        trace: The trace.
        calls: Calls of one line with the same fetches, in their order.
        place: Which of their fetches gives the value of the variable.
        variable: The variable, which these calls change.
        unordered: Tells what each call changes.
    """
    record = next(row for row in trace.graphs[calls[0].graph].variables if row.name == variable)
    changing = [c for c in trace.calls if c.graph == calls[0].graph and variable in unordered.changes(c)]
    # Only calls that initialize come before the first value; those after it, of these lines alone, can be judged.
    later = [c for c in changing if record.initial_after_call is None or c.index > record.initial_after_call]
    if record.initial is None or record.final is None or not later:
        return ""
    seen: set[str] = set()
    first, last = later[0], later[-1]
    if first in calls:
        seen.add(_told(trace, first, place, record.initial, BEFORE, AFTER))
    if last in calls:
        seen.add(_told(trace, last, place, record.final, AFTER, BEFORE))
    return seen.pop() if len(seen) == 1 else ""


def _told(trace: Trace, call: CallRecord, place: int, known: int, equal: str, unequal: str) -> str:
    ref = call.fetches[place].value
    if ref is None or call.error is not None:
        return ""
    same = ref == known or np.array_equal(trace.value(ref), trace.value(known))
    return equal if same else unequal


def orders(
    trace: Trace, calls: Sequence[CallRecord], unordered: Unordered, nodes: Nodes
) -> Mapping[str, tuple[str, str]]:
    """Returns fetched tensor -> its variable and the observed order, for those that are the value of a variable."""
    changes: Mapping[str, Any] = unordered.changes(calls[0])
    order_of: dict[str, tuple[str, str]] = {}
    for place, leaf in enumerate(calls[0].fetches):
        variable = variable_read_by(nodes, leaf.name) if ":" in leaf.name else ""
        if variable in changes and variable in {row.name for row in trace.graphs[calls[0].graph].variables}:
            order_of[leaf.name] = variable, observed_order(trace, calls, place, variable, unordered)
    return order_of
