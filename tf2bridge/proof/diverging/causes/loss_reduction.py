"""A loss or gradient is summed on one side and averaged on the other, or averaged over another number.

`reduce_mean` of TensorFlow 1.x losses divides by all elements, tf.losses by those whose weight is not zero, Keras by
the batch.
"""

from __future__ import annotations

import numpy as np

from tf2bridge.proof.diverging.ops_seen import Evidence, OpSeen

RANK = 40
_REDUCTIONS = {"Mean", "Sum"}
_CLOSE = 1e-4


def likely(evidence: Evidence) -> str | None:
    """Speaks where a sum stands against a mean, or a count against another count of the same elements."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None:
        return None
    if {theirs.type, ours.type} == _REDUCTIONS:
        ratio = _ratio(theirs, ours)
        by = "" if ratio is None else f": {ratio:g} times as much"
        return f"{theirs.name} is a {theirs.type.lower()} there and a {ours.type.lower()} here{by}"
    return _counts(theirs, ours)


def _ratio(theirs: OpSeen, ours: OpSeen) -> float | None:
    """What all elements are multiplied by, where that is one number."""
    if theirs.output is None or ours.output is None or theirs.output.shape != ours.output.shape:
        return None
    old, new = (np.asarray(each.output, np.float64).ravel() for each in (theirs, ours))
    if not old.size or not np.abs(old).max():
        return None
    ratio = float(new[np.argmax(np.abs(old))] / old[np.argmax(np.abs(old))])
    return round(ratio, 4) if np.allclose(new, ratio * old, rtol=_CLOSE, atol=_CLOSE * np.abs(new).max()) else None


def _counts(theirs: OpSeen, ours: OpSeen) -> str | None:
    """One side counts what a mask leaves, the other everything."""
    if theirs.type != "Sum" or theirs.output is None or theirs.output.size != 1 or not theirs.inputs:
        return None
    mask = theirs.inputs[0].value
    if mask is None or mask.size < 2 or not np.isin(mask, (0, 1)).all() or ours.output is None:
        return None
    if ours.output.size == 1 and float(ours.output.ravel()[0]) == mask.size != int(mask.sum()):
        return f"it is divided by the {int(mask.sum())} that the mask leaves there and by all {mask.size} here"
    return None
