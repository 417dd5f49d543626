"""An op works along another axis.

The argument was `dimension` or `reduction_indices` before it was `axis`, and changed its place in tf.split, tf.concat
and tf.reverse.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.divergence import shown
from tf2bridge.proof.diverging.ops_seen import Evidence
from tf2bridge.proof.diverging.unequal import unequal_attributes, unequal_constants

RANK = 22
_WHERE = {
    "ArgMax": 1, "ArgMin": 1, "Sum": 1, "Mean": 1, "Max": 1, "Min": 1, "Prod": 1, "All": 1, "Any": 1, "Cumsum": 1,
    "Cumprod": 1, "ReverseV2": 1, "Transpose": 1, "GatherV2": 2, "ConcatV2": -1, "Split": 0, "SplitV": 2,
    "ExpandDims": 1, "Concat": 0,
}  # fmt: skip
"""Which input says the axis."""
_ATTRIBUTES = ("axis", "squeeze_dims", "batch_dim", "seq_dim", "batch_dims")


def likely(evidence: Evidence) -> str | None:
    """Speaks where the input, or attribute, that says the axis differs."""
    theirs = evidence.theirs
    if theirs is None:
        return None
    for there, here in unequal_constants(evidence):
        if theirs.type in _WHERE and there is theirs.inputs[_WHERE[theirs.type]]:
            return f"{theirs.name} works along {shown(there.value)} there and along {shown(here.value)} here"
    for name, (old, new) in unequal_attributes(evidence).items():
        if name in _ATTRIBUTES:
            return f"{name} is {old} there and {new} here"
    return None
