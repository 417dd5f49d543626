"""The gates of a cell lie in another order in its kernel.

BasicLSTMCell and LSTMCell have input, new input, forget, output (i, j, f, o); Keras and PyTorch i, f, c, o; GRUCell
reset, update, Keras update, reset. Rearrange the columns: `tf2bridge convert` does.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.alike import same
from tf2bridge.proof.diverging.ops_seen import Evidence

RANK = 9
_PARTS = {"StridedSlice", "Slice", "Split", "SplitV", "Unpack"}


def likely(evidence: Evidence) -> str | None:
    """Speaks where an op takes another part of a tensor that agrees."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not same(theirs.type, ours.type) or len(theirs.inputs) != len(ours.inputs):
        return None
    for there, here in zip(theirs.inputs, ours.inputs, strict=True):
        parts = there.op in _PARTS and here.op in _PARTS and there.counterpart and here.counterpart
        if parts and there.counterpart != here.name:
            return f"{theirs.name} takes the part {there.name} there, and what is {here.counterpart} there here"
    return None
