"""A schedule is one step ahead or behind.

TF 1.x reads global_step before the train op adds to it: the first step has 0. Keras counts `iterations` likewise, but
not every loop does.
"""

from __future__ import annotations

from tf2bridge.proof.diverging.alike import plain
from tf2bridge.proof.diverging.ops_seen import CONSTANT, Evidence, OpSeen, number

RANK = 7


def likely(evidence: Evidence) -> str | None:
    """Speaks where the new program adds 1 to a whole number, as a step, or takes it away, or the old one did."""
    for op, side in ((evidence.added, "here"), (evidence.theirs if evidence.ours is None else None, "there")):
        by = _moves(op)
        if op is not None and by:
            step = next(each.name for each in op.inputs if each.kind != CONSTANT)
            return f"{op.name} makes {step} {by:+d} {side} alone"
    return None


def _moves(op: OpSeen | None) -> int:
    """By how much an op moves a whole number, 0 where it does not."""
    if op is None or plain(op.type) not in ("Add", "Sub") or len(op.inputs) != 2:
        return 0
    constant = [each for each in op.inputs if each.kind == CONSTANT]
    other = [each for each in op.inputs if each.kind != CONSTANT]
    if len(constant) != 1:
        return 0
    value, step = number(constant[0].value), number(other[0].value)
    if value is None or step is None or abs(value) != 1 or step % 1:
        return 0
    return int(value) * (-1 if plain(op.type) == "Sub" else 1)
