"""Channels last for channels first, or images laid out in another order.

TensorFlow's images are [batch, height, width, channels] unless data_format says "NCHW"; a reshape does not move
channels, a transpose does.
"""

from __future__ import annotations

import numpy as np

from tf2bridge.proof.diverging.ops_seen import Evidence
from tf2bridge.proof.diverging.unequal import unequal_attributes

RANK = 30
_LAYING = ("Reshape", "Transpose")


def likely(evidence: Evidence) -> str | None:
    """Speaks where data_format differs, or where an op that lays images out gives the same numbers at other places."""
    different = unequal_attributes(evidence)
    if "data_format" in different:
        return "data_format is {} there and {} here".format(*different["data_format"])
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or theirs.type not in _LAYING or theirs.output is None or ours.output is None:
        return None
    old, new = theirs.output, ours.output
    if old.ndim not in (4, 5) or old.ndim != new.ndim or old.size != new.size:
        return None
    if not np.array_equal(np.sort(old, axis=None), np.sort(new, axis=None)):
        return None
    return f"the same numbers lie as {list(old.shape)} there and as {list(new.shape)} here, channels moved"
