"""Where several elements are the largest, another of them is taken.

TensorFlow's arg max takes the first on a CPU; which one other code takes is its own matter, so a difference here may
be none.
"""

from __future__ import annotations

import numpy as np

from tf2bridge.proof.diverging.ops_seen import Evidence

RANK = 18


def likely(evidence: Evidence) -> str | None:
    """Speaks where all places that both sides name hold the same largest number."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or theirs.type not in ("ArgMax", "ArgMin") or theirs.output is None:
        return None
    here = ours.output if ours is not None else None
    values, axis = (each.value for each in theirs.inputs[:2])
    if here is None or values is None or axis is None or here.shape != theirs.output.shape:
        return None
    if here.dtype.kind not in "iu" or here.min() < 0 or here.max() >= values.shape[int(axis)]:
        return None
    chosen = [np.take_along_axis(values, np.expand_dims(each, int(axis)), int(axis)) for each in (theirs.output, here)]
    if not np.array_equal(chosen[0], chosen[1]):
        return None
    return f"{int((theirs.output != here).sum())} of {here.size} places are of equal elements, another one is taken"
