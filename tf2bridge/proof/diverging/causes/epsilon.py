"""The small number that keeps a division or a root from zero is another one.

Batch norm's epsilon is 0.001 in slim and tf.layers, 1e-5 in others; that of Adam is 1e-8 in TensorFlow 1.x, 1e-7 in
Keras; RMSProp's is 1e-10 there. Write the old number out: `epsilon=0.001`.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.divergence import shown
from tf2bridge.proof.diverging.ops_seen import Evidence, number
from tf2bridge.proof.diverging.unequal import unequal_constants

RANK = 20
_SMALL = 0.02
_ROLES = ("eps", "batchnorm/add", "l2_normalize", "normalize")
_TAKING = {"FusedBatchNorm", "ApplyAdam", "ApplyRMSProp", "ApplyCenteredRMSProp", "ApplyAdadelta", "Maximum"}


def likely(evidence: Evidence) -> str | None:
    """Speaks where a small constant beside a sum, or an attribute named epsilon, differs."""
    if evidence.theirs is None or evidence.ours is None:
        return None
    old, new = evidence.theirs.attributes.get("epsilon"), evidence.ours.attributes.get("epsilon")
    if old is not None and new is not None and old != new:
        return f"epsilon is {old:.6g} there and {new:.6g} here"
    for there, here in unequal_constants(evidence):
        numbers = [number(each.value) for each in (there, here)]
        small = all(value is not None and 0 < value < _SMALL for value in numbers)
        if small and any(role in there.name.lower() for role in _ROLES):
            return f"the small constant {there.name} is {shown(there.value)} there and {shown(here.value)} here"
    return None
