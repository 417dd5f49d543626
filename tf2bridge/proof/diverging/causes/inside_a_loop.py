"""An op within a loop or a branch is another: of another type, with another constant or attribute.

Values within loops cannot be fetched: look at the op that is named.
"""

from __future__ import annotations

from tf2bridge.proof.comparing.changing import TAKES
from tf2bridge.proof.diverging.bodies import unlike
from tf2bridge.proof.diverging.ops_seen import Evidence

RANK = 50


def likely(evidence: Evidence) -> str | None:
    """Speaks where ops of one name differ, or one side has ops that the other has not."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not theirs.inner or not ours.inner or TAKES.search(theirs.type):
        return None
    said = unlike(theirs.inner, ours.inner)
    return f"within {theirs.loop or theirs.name}, {said}" if said else None
