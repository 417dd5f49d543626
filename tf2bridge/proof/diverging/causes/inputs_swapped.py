"""The inputs stand in another order: labels for logits, or a subtraction the other way round.

TensorFlow 0.x took (logits, labels) by position; give them by name.
"""

from __future__ import annotations

import numpy as np

from tf2bridge.proof.diverging.alike import same
from tf2bridge.proof.diverging.ops_seen import Evidence
from tf2bridge.proof.replaying.playing import Array

RANK = 8


def likely(evidence: Evidence) -> str | None:
    """Speaks where an op of the same type takes what agrees with the recorded op's inputs, in another order."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not same(theirs.type, ours.type):
        return None
    old, new = [each.value for each in theirs.inputs], [each.value for each in ours.inputs]
    if len(old) != 2 or len(new) != 2 or not (_alike(old[0], new[1]) and _alike(old[1], new[0])):
        return None
    if _alike(old[0], new[0]):
        return None
    names = [each.name for each in theirs.inputs]
    return f"{theirs.name} takes {names[0]} first and {names[1]} second there, and the other way round here"


def _alike(one: Array | None, other: Array | None) -> bool:
    if one is None or other is None or one.shape != other.shape or one.dtype.kind not in "fiu":
        return False
    return bool(np.allclose(one, other, rtol=1e-4, atol=1e-6))
