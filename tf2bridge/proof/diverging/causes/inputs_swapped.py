"""The inputs stand in another order: labels for logits, or a subtraction the other way round.

TensorFlow 0.x took (logits, labels) by position; give them by name.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.alike import same
from tf2bridge.proof.diverging.ops_seen import Evidence

RANK = 8


def likely(evidence: Evidence) -> str | None:
    """Speaks where an op of the same type takes what agrees with the recorded op's inputs, in another order."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not same(theirs.type, ours.type):
        return None
    old = [each.counterpart for each in theirs.inputs]
    new = [each.name for each in ours.inputs]
    if len(old) < 2 or len(old) != len(new) or old == new or not all(old) or len(set(old)) < 2:
        return None
    if sorted(old) != sorted(new):
        return None
    return (
        f"{theirs.name} takes {', '.join(each.name for each in theirs.inputs)} there, and these in another order here"
    )
