"""The lines of the program that made the ops of a graph, if a trace holds them."""

from __future__ import annotations

from collections.abc import Callable

from tf2bridge.proof.traces.reader import Trace


def line_of(trace: Trace, graph: int) -> Callable[[str], str]:
    """Returns a function: name of a node -> "model.py:45", or "" if the trace does not say it."""
    lines = trace.lines(graph)
    return lambda name: lines.get(name, "")
