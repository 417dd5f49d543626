"""An op within a loop or a branch is another: of another type, or with another constant.

Values within loops cannot be fetched; the bodies are held against each other by the names of their ops.
"""

from __future__ import annotations

from tf2bridge.checkpoint.names import modern
from tf2bridge.graph.constants import value_of
from tf2bridge.proof.diverging.alike import same
from tf2bridge.proof.diverging.divergence import shown
from tf2bridge.proof.diverging.ops_seen import Evidence, OpSeen

RANK = 50


def likely(evidence: Evidence) -> str | None:
    """Speaks where ops of one name differ, or one side has ops of a type that the other has not."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not theirs.inner or not ours.inner:
        return None
    here = {modern(name): node for name, node in ours.inner.items()}
    for name, node in theirs.inner.items():
        other = here.get(modern(name))
        if other is not None and node.op == other.op == "Const" and node.attr["value"] != other.attr["value"]:
            old, new = value_of(node), value_of(other)
            if old.dtype == new.dtype and (old.shape != new.shape or (old != new).any()):
                return f"within {theirs.loop or theirs.name}, {name} is {shown(old)} there and {shown(new)} here"
    return _other_types(theirs, ours)


def _other_types(theirs: OpSeen, ours: OpSeen) -> str | None:
    types = [{node.op for node in op.inner.values()} for op in (theirs, ours)]
    gone = [one for one in types[0] if not any(same(one, other) for other in types[1])]
    new = [one for one in types[1] if not any(same(one, other) for other in types[0])]
    if not gone and not new:
        return None
    said = [", ".join(sorted(each)) or "nothing" for each in (gone, new)]
    return f"within {theirs.loop or theirs.name}, {said[0]} there stands against {said[1]} here"
