"""The inputs stand in another order: labels for logits, or a subtraction the other way round.

TensorFlow 0.x took (logits, labels) by position; give them by name.
"""

from __future__ import annotations

import itertools

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
    names = [each.name for each in theirs.inputs]
    for first, second in itertools.combinations(range(min(len(old), len(new))), 2):
        crossed = _alike(old[first], new[second]) and _alike(old[second], new[first])
        others = [at for at in range(len(old)) if at not in (first, second)]
        if len(old) != len(new) or not crossed or _alike(old[first], new[first]):
            continue
        if all(_alike(old[at], new[at]) for at in others):
            return f"{theirs.name} takes {names[first]} before {names[second]} there, and the other way round here"
    return None


def _alike(one: Array | None, other: Array | None) -> bool:
    if one is None or other is None or one.shape != other.shape or one.dtype.kind not in "fiu":
        return False
    return bool(np.allclose(one, other, rtol=1e-4, atol=1e-6))
