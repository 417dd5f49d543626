"""Another padding: SAME for VALID, other edges, or other numbers of them.

PyTorch and Keras 3 pad strided convolutions on other sides than SAME does; write the old program's padding out.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.divergence import shown
from tf2bridge.proof.diverging.ops_seen import Evidence
from tf2bridge.proof.diverging.unequal import unequal_attributes, unequal_constants

RANK = 20
_PADS = ("Pad", "PadV2", "MirrorPad")


def likely(evidence: Evidence) -> str | None:
    """Speaks where the attribute padding differs, or what an op that pads is told."""
    different = unequal_attributes(evidence)
    for name in ("padding", "explicit_paddings", *(("mode",) if _is_pad(evidence) else ())):
        if name in different:
            return "{} is {} there and {} here".format(name, *different[name])
    if _is_pad(evidence):
        for there, here in unequal_constants(evidence):
            return f"{there.name} is {shown(there.value)} there and {shown(here.value)} here"
    return None


def _is_pad(evidence: Evidence) -> bool:
    return evidence.theirs is not None and evidence.theirs.type in _PADS
