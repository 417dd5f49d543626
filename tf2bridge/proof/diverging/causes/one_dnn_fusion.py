"""The kernels are fused: one by one, the same ops give the same numbers.

Grappler's remapper joins convolution, bias and activation into one kernel of oneDNN, which rounds otherwise. Set
TF_ENABLE_ONEDNN_OPTS=0 before TensorFlow is imported to see the numbers without it.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.ops_seen import Evidence

RANK = 1


def likely(evidence: Evidence) -> str | None:
    """Speaks where the difference is gone once every tensor on the way is fetched, which no fused kernel gives."""
    if evidence.alone:
        return "the difference is gone when each op runs by itself (TF_ENABLE_ONEDNN_OPTS=0)"
    return None
