"""Causes about when a call reads and changes variables."""

from __future__ import annotations

from tf2bridge.proof.diverging.alike import plain
from tf2bridge.proof.diverging.ops_seen import CONSTANT, VARIABLE, Evidence, InputSeen, OpSeen, number


def race(evidence: Evidence) -> str | None:
    """Tells that the op reads a variable in no fixed order with its change, and computes the same otherwise."""
    if not evidence.unordered or evidence.theirs is None or evidence.ours is None:
        return None
    if evidence.local is not None and not evidence.local.verdict.passed:
        return None
    return (
        f"{evidence.theirs.name} follows from {evidence.unordered}, which the same call changes; nothing says which "
        "comes first, nor did it in genuine TensorFlow"
    )


def missing_update(evidence: Evidence) -> str | None:
    """Tells that an op of the old program changes a variable that no op of the new program changes."""
    if evidence.theirs is not None and evidence.theirs.changes and evidence.ours is None:
        return f"{evidence.theirs.changes} is updated there by {evidence.theirs.name}, and by nothing here"
    return None


def missing_control_dependency(evidence: Evidence) -> str | None:
    """Tells that one side reads a variable before an update and the other after it, or that only the new one may."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None:
        return None
    if evidence.unordered_here and not evidence.unordered and _computes_the_same(evidence, theirs, ours):
        return (
            f"{ours.name} follows from {evidence.unordered_here}, which the same call changes: nothing says here which "
            "comes first; in the recorded graph one waits for the other"
        )
    for old, new in zip(theirs.inputs, ours.inputs, strict=False):
        for late, early, sides in ((old, new, ("there", "here")), (new, old, ("here", "there"))):
            variable = early.name.partition(":")[0]
            if early.kind == VARIABLE and _is_update_of(late, variable):
                update = late.name.partition(":")[0]
                return f"{theirs.name} takes {variable} after {update} {sides[0]}, and before it {sides[1]}"
    return None


def _computes_the_same(evidence: Evidence, theirs: OpSeen, ours: OpSeen) -> bool:
    """Returns True if both ops take the same inputs and the new op gives the recorded output for them."""
    pairs = zip(theirs.inputs, ours.inputs, strict=False)
    same_inputs = all(not old.unused and old.counterpart in ("", new.name) for old, new in pairs)
    return same_inputs and evidence.local is not None and evidence.local.verdict.passed


def _is_update_of(late: InputSeen, variable: str) -> bool:
    """Returns True if an input is the result of an update of this variable."""
    return late.updates == variable and late.kind != VARIABLE


def decay_off_by_one(evidence: Evidence) -> str | None:
    """Tells that one program alone adds 1 to a whole number, such as the step, or subtracts 1 from it."""
    for op, side in ((evidence.added, "here"), (evidence.theirs if evidence.ours is None else None, "there")):
        amount = _amount_added_to_step(op)
        if op is not None and amount:
            step = next(operand.name for operand in op.inputs if operand.kind != CONSTANT)
            return f"{op.name} makes {step} {amount:+d} {side} alone"
    return None


def _amount_added_to_step(op: OpSeen | None) -> int:
    """1 or -1 for an op that adds that constant to a whole number; 0 for all other ops."""
    if op is None or plain(op.type) not in ("Add", "Sub") or len(op.inputs) != 2:
        return 0
    constants = [operand for operand in op.inputs if operand.kind == CONSTANT]
    steps = [operand for operand in op.inputs if operand.kind != CONSTANT]
    if len(constants) != 1:
        return 0
    value, step = number(constants[0].value), number(steps[0].value)
    if value is None or step is None or abs(value) != 1 or step % 1:
        return 0
    return int(value) * (-1 if plain(op.type) == "Sub" else 1)
