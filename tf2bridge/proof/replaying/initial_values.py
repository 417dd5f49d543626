"""Takes initial values from the trace if the program sets no seed: its own differ in every run."""

from __future__ import annotations

import functools
from typing import Any

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.patching import put
from tf2bridge.proof.traces.reader import Trace


class InitialValues:
    """Assigns recorded values to variables that an unseeded random op initialises, as soon as they have a value.

    A random op with both seeds 0 draws other numbers in each run (python/framework/random_seed.py). Only variables
    whose initializer depends on such an op are touched: every other initial value is still the program's own.
    """

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._recorded = {
            modern(variable.name): variable.initial
            for graph in trace.graphs
            for variable in graph.variables
            if variable.initial is not None
        }
        self._looked_at: set[Any] = set()
        self._pending: list[Any] = []
        self.taken: list[str] = []

    def install(self) -> None:
        """Checks after each run of any session in this process whether variables have their first values."""
        from tf2bridge.internals.sessions import session

        original = session.BaseSession.run

        @functools.wraps(original)
        def run(this: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(this, *args, **kwargs)
            self._look(this, functools.partial(original, this))
            return result

        put(session.BaseSession, "run", run)

    def _look(self, session: Any, run: Any) -> None:
        for variable in session.graph.get_collection("variables"):
            if variable.op not in self._looked_at:
                self._looked_at.add(variable.op)
                if modern(variable.op.name) in self._recorded and _draws_unseeded(variable.initializer):
                    self._pending.append(variable)
        made = [variable for variable in self._pending if variable.graph is session.graph]
        for variable in made:
            if _is_initialized(variable, run):
                self._pending.remove(variable)
                self._take(variable, run)

    def _take(self, variable: Any, run: Any) -> None:
        ref = self._recorded[modern(variable.op.name)]
        assert ref is not None
        value = self._trace.value(ref)
        if value.shape != tuple(variable.shape):
            return  # the comparison will say so
        run(variable.initializer, {variable.initializer.inputs[1]: value})
        self.taken.append(variable.op.name)


def _is_initialized(variable: Any, run: Any) -> bool:
    from tf2bridge.internals.framework import FailedPreconditionError

    try:
        run(variable)
    except FailedPreconditionError:
        return False
    return True


def _draws_unseeded(op: Any) -> bool:
    """Returns True if an op depends on a random op without a seed."""
    waiting, seen = [op], {op}
    while waiting:
        current = waiting.pop()
        attributes = current.node_def.attr
        if "seed" in attributes and "seed2" in attributes and not attributes["seed"].i and not attributes["seed2"].i:
            return True
        above = {tensor.op for tensor in current.inputs} | set(current.control_inputs)
        waiting.extend(above - seen)
        seen |= above
    return False
