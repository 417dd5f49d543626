"""Ops are joined or reordered before they run: one by one, the same ops give the same numbers.

Grappler multiplies constants beforehand and joins convolution, bias, batch norm and activation into one kernel, which
rounds otherwise; with oneDNN it joins more. To see the numbers without that, set disable_meta_optimizer in the
session's config, or TF_ENABLE_ONEDNN_OPTS=0 before TensorFlow is imported: the latter leaves what Grappler does anyway.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.ops_seen import Evidence

RANK = 1


def likely(evidence: Evidence) -> str | None:
    """Speaks where the difference is gone once every tensor on the way is fetched, which no fused kernel gives."""
    if evidence.alone:
        return (
            "the difference is gone when each op runs by itself; config.graph_options.rewrite_options."
            "disable_meta_optimizer = True has them run so (TF_ENABLE_ONEDNN_OPTS=0 turns off oneDNN's part alone)"
        )
    return None
