"""Variables that a recorded program gave their first values again when it had used them for the last time."""

from __future__ import annotations

from tf2bridge.native.counterparts import Counterparts
from tf2bridge.proof.comparing.unordered import Unordered
from tf2bridge.proof.traces.reader import Trace

_INITIALIZER = "initializer"


def restarted(recorded: Trace, known: Counterparts) -> set[tuple[int, str]]:
    """Returns the graph and name of each variable that an initializer of a later session was the last to change.

    A program of several parts runs `tf.global_variables_initializer()` for each part, which also starts the variables
    of earlier parts again. The native program initializes nothing again: their last values are those of their own part.
    """
    initializing = {call.index for call, row in known.dropped if row.kind == _INITIALIZER}
    if len(initializing) < 2:
        return set()
    unordered = Unordered(recorded)
    changes: dict[tuple[int, str], list[bool]] = {}
    known_changes: dict[object, list[str]] = {}
    for call in recorded.program_calls:
        leaves = tuple(leaf.name for leaf in call.fetches), tuple(leaf.name for leaf in call.feeds)
        if (call.graph, leaves) not in known_changes:
            known_changes[call.graph, leaves] = list(unordered.changes(call))
        for name in known_changes[call.graph, leaves]:
            changes.setdefault((call.graph, name), []).append(call.index in initializing)
    return {variable for variable, made in changes.items() if len(made) > 1 and made[-1]}
