"""A bias is added on one side alone.

Layers of contrib and slim leave it out where a normalizer_fn is given; tf.layers and Keras do not unless told
use_bias=False. The LSTM cells of TensorFlow 1.x add forget_bias=1.0 to what the kernel holds.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.alike import plain
from tf2bridge.proof.diverging.ops_seen import CONSTANT, VARIABLE, Evidence, InputSeen, OpSeen

RANK = 35


def likely(evidence: Evidence) -> str | None:
    """Speaks where an op that adds a vector or a constant has nothing against it."""
    if evidence.ours is None or plain(evidence.ours.type) not in ("BiasAdd", "Add"):
        added = _added(evidence.theirs)
        if added is not None and evidence.added is None:
            return f"{added.name} is added there, and not here"
    added = _added(evidence.added)
    return f"{added.name} is added here, and not there" if added is not None else None


def _added(op: OpSeen | None) -> InputSeen | None:
    """The bias that an op adds."""
    if op is None or plain(op.type) not in ("BiasAdd", "Add"):
        return None
    floating = [each for each in op.inputs if each.value is None or each.value.dtype.kind == "f"]
    return next((each for each in floating[::-1] if each.kind in (VARIABLE, CONSTANT)), None)
