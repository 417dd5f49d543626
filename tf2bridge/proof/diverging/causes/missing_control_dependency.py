"""A variable is read before it is changed, where the recorded graph waits for the change, or the other way round.

`tf.control_dependencies` says which comes first: put the reading op below it, or read the variable again there with
`variable.read_value()`.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.ops_seen import VARIABLE, Evidence, InputSeen, OpSeen

RANK = 6


def likely(evidence: Evidence) -> str | None:
    """Speaks where one side reads a variable before an update and the other after it, or where only this one may."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None:
        return None
    if evidence.unordered_here and not evidence.unordered and _is_one(evidence, theirs, ours):
        return (
            f"{ours.name} follows from {evidence.unordered_here}, which the same call changes: nothing says here which "
            "comes first; in the recorded graph one waits for the other"
        )
    for there, here in zip(theirs.inputs, ours.inputs, strict=False):
        for late, early, sides in ((there, here, ("there", "here")), (here, there, ("here", "there"))):
            variable = early.name.partition(":")[0]
            if early.kind == VARIABLE and _updates(late, variable):
                update = late.name.partition(":")[0]
                return f"{theirs.name} takes {variable} after {update} {sides[0]}, and before it {sides[1]}"
    return None


def _is_one(evidence: Evidence, theirs: OpSeen, ours: OpSeen) -> bool:
    """Whether the new op takes what the recorded op takes, and gives what it gives."""
    pairs = zip(theirs.inputs, ours.inputs, strict=False)
    alike = all(not there.unused and there.counterpart in ("", here.name) for there, here in pairs)
    return alike and evidence.local is not None and evidence.local.verdict.passed


def _updates(late: InputSeen, variable: str) -> bool:
    """Whether an input is what an update gave this variable."""
    return late.updates == variable and late.kind != VARIABLE
