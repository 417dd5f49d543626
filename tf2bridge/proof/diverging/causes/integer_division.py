"""Integers are divided by another rule: truncated, rounded down, or as real numbers.

`/` of integers truncated in Python 2 and in tf.div, `//` rounds down, tf.truediv gives real numbers; they part below
zero, or everywhere.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.ops_seen import Evidence, OpSeen

RANK = 15
_NEAR = 4
"""How many ops on a cast may be followed by its division."""
_RULES = {
    "FloorDiv": "rounds down", "TruncateDiv": "truncates", "Div": "truncates integers", "RealDiv": "gives real numbers",
    "FloorMod": "rounds down", "TruncateMod": "truncates", "Mod": "truncates",
}  # fmt: skip


def likely(evidence: Evidence) -> str | None:
    """Speaks where both ops divide, of different types, and integers are divided on one side."""
    theirs = evidence.theirs
    ours = evidence.added if evidence.added is not None and evidence.added.type in _RULES else evidence.ours
    if theirs is None or ours is None or theirs.type == ours.type:
        return None
    real = next((each for each in evidence.only_theirs[:_NEAR] if each.type in ("RealDiv", "Div")), None)
    if theirs.type == "Cast" and real is not None and ours.type in ("FloorDiv", "TruncateDiv") and _of_integers(ours):
        return f"{real.name} divides as real numbers there, {ours.name} {_RULES[ours.type]} here"
    if theirs.type not in _RULES or ours.type not in _RULES or _RULES[theirs.type] == _RULES[ours.type]:
        return None
    if not (_of_integers(theirs) or _of_integers(ours)):
        return None
    return f"{theirs.type} {_RULES[theirs.type]} there, {ours.type} {_RULES[ours.type]} here"


def _of_integers(op: OpSeen) -> bool:
    return any(each.value is not None and each.value.dtype.kind in "iu" for each in op.inputs)
