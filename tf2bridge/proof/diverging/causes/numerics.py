"""Causes about how numbers are computed: types, rounding, division and reduction."""

from __future__ import annotations

import numpy as np

from tf2bridge.proof.diverging.ops_seen import Evidence, OpSeen

_HALF_TYPES = {19: "float16", 14: "bfloat16"}
"""The numbers of the types in types.proto."""
_TYPE_ATTRIBUTES = ("T", "DstT", "SrcT", "dtype")
_NEAR = 4
"""The most ops between a cast and the division that follows it."""
_DIVISION_RULES = {
    "FloorDiv": "rounds down", "TruncateDiv": "truncates", "Div": "truncates integers", "RealDiv": "gives real numbers",
    "FloorMod": "rounds down", "TruncateMod": "truncates", "Mod": "truncates",
}  # fmt: skip
_REDUCTIONS = {"Mean", "Sum"}
_CLOSE = 1e-4


def fusion(evidence: Evidence) -> str | None:
    """Tells that the difference is gone when every tensor on the way is fetched, since no fused kernel gives those."""
    if evidence.alone:
        return (
            "the difference is gone when each op runs by itself; config.graph_options.rewrite_options."
            "disable_meta_optimizer = True has them run so (TF_ENABLE_ONEDNN_OPTS=0 turns off oneDNN's part alone)"
        )
    return None


def half_precision(evidence: Evidence) -> str | None:
    """Tells that the op, or the cast before it, has a half-precision type on one side alone."""
    new = next(filter(None, map(_half_type, (evidence.added, evidence.ours))), "")
    old = _half_type(evidence.theirs)
    if new and not old:
        return f"{new} here, not there"
    return f"{old} there, not here" if old and not new else None


def _half_type(op: OpSeen | None) -> str:
    """Returns the half-precision type of an op; "" for none."""
    if op is None:
        return ""
    numbers = (op.attributes.get(name) for name in _TYPE_ATTRIBUTES)
    return next((_HALF_TYPES[number] for number in numbers if number in _HALF_TYPES), "")


def integer_division(evidence: Evidence) -> str | None:
    """Tells that both ops divide by different rules, and that one side divides integers."""
    theirs = evidence.theirs
    divides = evidence.added is not None and evidence.added.type in _DIVISION_RULES
    ours = evidence.added if divides else evidence.ours
    if theirs is None or ours is None or theirs.type == ours.type:
        return None
    real = next((op for op in evidence.only_theirs[:_NEAR] if op.type in ("RealDiv", "Div")), None)
    if theirs.type == "Cast" and real is not None and ours.type in ("FloorDiv", "TruncateDiv") and _of_integers(ours):
        return f"{real.name} divides as real numbers there, {ours.name} {_DIVISION_RULES[ours.type]} here"
    rules = _DIVISION_RULES.get(theirs.type), _DIVISION_RULES.get(ours.type)
    if None in rules or rules[0] == rules[1] or not (_of_integers(theirs) or _of_integers(ours)):
        return None
    return f"{theirs.type} {rules[0]} there, {ours.type} {rules[1]} here"


def _of_integers(op: OpSeen) -> bool:
    return any(operand.value is not None and operand.value.dtype.kind in "iu" for operand in op.inputs)


def arg_max_ties(evidence: Evidence) -> str | None:
    """Tells that both sides name other places, and that these hold the same largest or smallest number."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or theirs.type not in ("ArgMax", "ArgMin") or theirs.output is None:
        return None
    new = ours.output if ours is not None else None
    values, axis = (operand.value for operand in theirs.inputs[:2])
    if new is None or values is None or axis is None or new.shape != theirs.output.shape:
        return None
    if new.dtype.kind not in "iu" or new.min() < 0 or new.max() >= values.shape[int(axis)]:
        return None
    chosen = [
        np.take_along_axis(values, np.expand_dims(places, int(axis)), int(axis)) for places in (theirs.output, new)
    ]
    if not np.array_equal(chosen[0], chosen[1]):
        return None
    return f"{int((theirs.output != new).sum())} of {new.size} places are of equal elements, another one is taken"


def loss_reduction(evidence: Evidence) -> str | None:
    """Tells that one side sums where the other averages, or that both count other elements of a mask."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None:
        return None
    if {theirs.type, ours.type} == _REDUCTIONS:
        ratio = _ratio(theirs, ours)
        factor = "" if ratio is None else f": {ratio:g} times as much"
        return f"{theirs.name} is a {theirs.type.lower()} there and a {ours.type.lower()} here{factor}"
    return _other_counts(theirs, ours)


def _ratio(theirs: OpSeen, ours: OpSeen) -> float | None:
    """Returns the one number that all elements are multiplied by; None if there is no such number."""
    if theirs.output is None or ours.output is None or theirs.output.shape != ours.output.shape:
        return None
    old, new = (np.asarray(op.output, np.float64).ravel() for op in (theirs, ours))
    if not old.size or not np.abs(old).max():
        return None
    ratio = float(new[np.argmax(np.abs(old))] / old[np.argmax(np.abs(old))])
    return round(ratio, 4) if np.allclose(new, ratio * old, rtol=_CLOSE, atol=_CLOSE * np.abs(new).max()) else None


def _other_counts(theirs: OpSeen, ours: OpSeen) -> str | None:
    """Tells that the old side counts the elements that a mask leaves, and the new side counts all elements."""
    if theirs.type != "Sum" or theirs.output is None or theirs.output.size != 1 or not theirs.inputs:
        return None
    mask = theirs.inputs[0].value
    if mask is None or mask.size < 2 or not np.isin(mask, (0, 1)).all() or ours.output is None:
        return None
    if ours.output.size == 1 and float(ours.output.ravel()[0]) == mask.size != int(mask.sum()):
        return f"it is divided by the {int(mask.sum())} that the mask leaves there and by all {mask.size} here"
    return None
