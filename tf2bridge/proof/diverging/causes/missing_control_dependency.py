"""A variable is read before it is changed, where the recorded graph waits for the change, or the other way round.

`tf.control_dependencies` says which comes first: put the reading op below it, or read the variable again there with
`variable.read_value()`.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.ops_seen import VARIABLE, Evidence, InputSeen

RANK = 6


def likely(evidence: Evidence) -> str | None:
    """Speaks where an input is a variable before the call on one side, and after an update of it on the other."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None:
        return None
    for there, here in zip(theirs.inputs, ours.inputs, strict=False):
        for late, early, sides in ((there, here, ("there", "here")), (here, there, ("here", "there"))):
            variable = early.name.partition(":")[0]
            if early.kind == VARIABLE and _updates(late, variable):
                update = late.name.partition(":")[0]
                return f"{theirs.name} takes {variable} after {update} {sides[0]}, and before it {sides[1]}"
    return None


def _updates(late: InputSeen, variable: str) -> bool:
    """Whether an input is what an update gave this variable."""
    return late.updates == variable and late.kind != VARIABLE
