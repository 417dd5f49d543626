"""The new program computes with another op, as another activation: the general case.

Look at the lines of both programs that make it.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.alike import same
from tf2bridge.proof.diverging.ops_seen import Evidence

RANK = 85


def likely(evidence: Evidence) -> str | None:
    """Speaks where both ops take what agrees, and are of different types."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or evidence.added is not None or same(theirs.type, ours.type):
        return None
    return f"{theirs.type} there, {ours.type} here"
