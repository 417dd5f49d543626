"""A variable read while the same call changes it, with nothing that says which comes first.

TensorFlow gives either value, then and now, and may give the other in the next run. To be sure of one, make the change
wait for the read with `tf.control_dependencies`, or fetch it in a call of its own.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.ops_seen import Evidence

RANK = 0


def likely(evidence: Evidence) -> str | None:
    """Speaks where the op reads such a variable, and does nothing else from the same inputs."""
    if not evidence.unordered or evidence.theirs is None or evidence.ours is None:
        return None
    if evidence.local is not None and not evidence.local.verdict.passed:
        return None
    return (
        f"{evidence.theirs.name} follows from {evidence.unordered}, which the same call changes; nothing says which "
        "comes first, nor did it in genuine TensorFlow"
    )
