"""A constant of the program is another number: the general case, when no cause knows what the number means.

Look at the lines of both programs that make it.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.divergence import shown
from tf2bridge.proof.diverging.ops_seen import Evidence
from tf2bridge.proof.diverging.unequal import unequal_attributes, unequal_constants

RANK = 90


def likely(evidence: Evidence) -> str | None:
    """Speaks where a constant input, or an attribute, of both ops differs."""
    for there, here in unequal_constants(evidence):
        return f"the constant input {there.name} is {shown(there.value)} there and {shown(here.value)} here"
    for name, (old, new) in unequal_attributes(evidence).items():
        return f"{name} is {old} there and {new} here"
    return None
