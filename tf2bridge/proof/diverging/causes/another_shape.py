"""A variable has another shape, as a layer has other units or is given a tensor of another size.

Look at the sizes that both lines give; for a layer behind a convolution or a pooling, at padding, strides and windows.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.ops_seen import Evidence

RANK = 96


def likely(evidence: Evidence) -> str | None:
    """Speaks where the graphs were told apart by shapes alone."""
    return evidence.shapes or None
