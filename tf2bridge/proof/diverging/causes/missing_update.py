"""A variable that the old program updates in this call stays as it is: averages of batch norm or of weights, a counter.

TF 1.x kept such updates in the collection UPDATE_OPS, and ran them only if the train op depended on them; so must the
new program run them: `with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS))`, or `ema.apply`.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.ops_seen import Evidence

RANK = 5


def likely(evidence: Evidence) -> str | None:
    """Speaks where an op that changes a variable has no op against it that changes that variable."""
    if evidence.theirs is not None and evidence.theirs.changes and evidence.ours is None:
        return f"{evidence.theirs.changes} is updated there by {evidence.theirs.name}, and by nothing here"
    return None
