"""Only the old program has an op on the way: the general case."""

from __future__ import annotations

from tf2bridge.proof.diverging.ops_seen import Evidence

RANK = 95


def likely(evidence: Evidence) -> str | None:
    """Speaks where nothing of the new graph stands against an op."""
    if evidence.theirs is None or evidence.ours is not None or evidence.added is not None:
        return None
    return f"nothing in the new graph does what {evidence.theirs.name} ({evidence.theirs.type}) does"
