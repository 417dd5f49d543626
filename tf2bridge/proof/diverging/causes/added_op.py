"""Only the new program has an op on the way: the general case."""

from __future__ import annotations

from tf2bridge.proof.diverging.ops_seen import Evidence

RANK = 80


def likely(evidence: Evidence) -> str | None:
    """Speaks where an op of the new graph alone lies between points that agree and what differs."""
    if evidence.added is None:
        return None
    return f"only the new graph has {evidence.added.name} ({evidence.added.type})"
