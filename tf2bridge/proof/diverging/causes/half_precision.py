"""Numbers pass through float16 or bfloat16 on one side: three digits are left of seven.

Mixed precision, or a cast; compare in float32 first.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.ops_seen import Evidence, OpSeen

RANK = 6
_HALVES = {19: "float16", 14: "bfloat16"}
"""Their numbers in types.proto."""
_TYPES = ("T", "DstT", "SrcT", "dtype")


def likely(evidence: Evidence) -> str | None:
    """Speaks where the op, or the cast before it, is of a half-precision type on one side alone."""
    here = next(filter(None, map(_half, (evidence.added, evidence.ours))), "")
    there = _half(evidence.theirs)
    if here and not there:
        return f"{here} here, not there"
    return f"{there} there, not here" if there and not here else None


def _half(op: OpSeen | None) -> str:
    found = [_HALVES[op.attributes[name]] for name in _TYPES if op.attributes.get(name) in _HALVES] if op else []
    return found[0] if found else ""
