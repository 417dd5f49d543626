"""The same op takes another tensor, which the old graph computes, too: a layer applied to what another one gave.

Look at what is passed in at both lines.
"""

from __future__ import annotations

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.proof.diverging.alike import same
from tf2bridge.proof.diverging.ops_seen import Evidence

RANK = 60


def likely(evidence: Evidence) -> str | None:
    """Speaks where an input of the new op agrees with another point, or the recorded op's input is not run here."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not same(theirs.type, ours.type):
        return None
    for there, here in zip(theirs.inputs, ours.inputs, strict=False):  # later releases give an axis besides
        if there.unused and modern(node_of(here.name)) != modern(node_of(there.name)):
            taken = here.counterpart or here.name
            return f"{theirs.name} takes {there.name} there, which this call does not need here, and {taken} here"
        known = there.value is not None and here.value is not None and there.counterpart and here.counterpart
        if known and there.counterpart != here.name and here.counterpart != there.name:
            return f"{theirs.name} takes {there.name} there, and what is {here.counterpart} there here"
    return None
