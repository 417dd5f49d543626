"""A momentum or decay is another number, often 1 minus the old one, or is used in another way.

TensorFlow's decay of averages is what is kept (0.99); PyTorch's momentum of batch norm what is added (0.01).
Nesterov's momentum is an option of its own.
"""

from __future__ import annotations

import re

from tf2bridge.proof.diverging.divergence import shown
from tf2bridge.proof.diverging.ops_seen import Evidence, number
from tf2bridge.proof.diverging.unequal import unequal_attributes, unequal_constants

RANK = 25
_NAMED = re.compile(r"(momentum|rho|beta\d?|AssignMovingAvg)[^/]*(/[^/]*)?$", re.I)
_DECAY = re.compile(r"decay[^/]*(/[^/]*)?$", re.I)
"""What is named so is a momentum where an optimizer takes it; else it may be the decay of weights or of a rate."""


def likely(evidence: Evidence) -> str | None:
    """Speaks where use_nesterov, or a constant named as a momentum or decay between 0 and 1, differs."""
    different = unequal_attributes(evidence)
    if "use_nesterov" in different:
        return "use_nesterov is {} there and {} here".format(*different["use_nesterov"])
    for there, here in unequal_constants(evidence):
        old, new = number(there.value), number(here.value)
        if old is None or new is None:
            continue
        if _is_momentum(there.name.rpartition(":")[0], evidence) and 0 <= old <= 1 and 0 <= new <= 1:
            turned = ", which is 1 minus it" if abs(old + new - 1) < 1e-6 else ""
            return f"{there.name} is {shown(there.value)} there and {shown(here.value)} here{turned}"
    return None


def _is_momentum(name: str, evidence: Evidence) -> bool:
    """Whether a constant of this name is what is kept of an average or a step."""
    taken_by = evidence.theirs.type if evidence.theirs is not None else ""
    return bool(_NAMED.search(name)) or (bool(_DECAY.search(name)) and "Apply" in taken_by)
