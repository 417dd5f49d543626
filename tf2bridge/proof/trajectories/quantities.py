"""The quantities to compare between runs with different random numbers, such as last values of fetched numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from tf2bridge.proof.traces.reader import Trace

WEIGHTS = "size of all trainable variables at the end"
_SHARE = 10


def of_trace(trace: Trace) -> dict[str, float]:
    """Returns the quantities of one run.

    Each floating single number that the program fetched: its mean over the last tenth of the calls that fetched it, or
    over its one call; and the root of the sum of squares of all trainable variables' last values.
    """
    numbers: dict[str, list[float]] = {}
    for call in trace.program_calls:
        for leaf in call.fetches:
            if leaf.value is None:
                continue
            row = trace.manifest["values"][leaf.value]
            if math.prod(row["shape"]) == 1 and row["dtype"] in ("float16", "bfloat16", "float32", "float64"):
                numbers.setdefault(leaf.name, []).append(float(trace.value(leaf.value).reshape(())))
    quantities = {_named(name, values): _last(values) for name, values in numbers.items()}
    finals = [v.final for graph in trace.graphs for v in graph.variables if v.trainable and v.final is not None]
    if finals:
        squares = sum(float(np.square(trace.value(ref).astype(np.float64)).sum()) for ref in finals)
        quantities[WEIGHTS] = math.sqrt(squares)
    return quantities


def over_runs(runs: Sequence[Mapping[str, float]]) -> dict[str, list[float]]:
    """Returns name -> one number for each run, of the quantities that all runs have."""
    names = [name for name in (runs[0] if runs else {}) if all(name in run for run in runs)]
    return {name: [run[name] for run in runs] for name in names}


def _named(name: str, values: Sequence[float]) -> str:
    return f"{name}, last tenth" if len(values) >= _SHARE else name if len(values) == 1 else f"{name}, last call"


def _last(values: Sequence[float]) -> float:
    return float(np.mean(values[-max(1, len(values) // _SHARE) :]))
