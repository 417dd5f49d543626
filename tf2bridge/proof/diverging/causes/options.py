"""Causes about the arguments of ops: epsilons, axes, momentums and other constants."""

from __future__ import annotations

import re

from tf2bridge.proof.diverging.divergence import shown
from tf2bridge.proof.diverging.ops_seen import Evidence, number
from tf2bridge.proof.diverging.unequal import unequal_attributes, unequal_constants

_SMALL = 0.02
"""Constants below this number may be an epsilon."""
_EPSILON_NAMES = ("eps", "batchnorm/add", "l2_normalize", "normalize")
_PADDING_OPS = ("Pad", "PadV2", "MirrorPad")
_AXIS_INPUTS = {
    "ArgMax": 1, "ArgMin": 1, "Sum": 1, "Mean": 1, "Max": 1, "Min": 1, "Prod": 1, "All": 1, "Any": 1, "Cumsum": 1,
    "Cumprod": 1, "ReverseV2": 1, "Transpose": 1, "GatherV2": 2, "ConcatV2": -1, "Split": 0, "SplitV": 2,
    "ExpandDims": 1, "Concat": 0,
}  # fmt: skip
"""Type of an op -> the number of the input that gives the axis."""
_AXIS_ATTRIBUTES = ("axis", "squeeze_dims", "batch_dim", "seq_dim", "batch_dims")
_MOMENTUM_NAMES = re.compile(r"(momentum|rho|beta\d?|AssignMovingAvg)[^/]*(/[^/]*)?$", re.I)
_DECAY_NAMES = re.compile(r"decay[^/]*(/[^/]*)?$", re.I)
"""A constant named so is a momentum if an optimizer takes it; else it may be the decay of weights or of a rate."""


def epsilon(evidence: Evidence) -> str | None:
    """Tells that the attribute epsilon differs, or a small constant that is named like an epsilon."""
    if evidence.theirs is None or evidence.ours is None:
        return None
    old, new = evidence.theirs.attributes.get("epsilon"), evidence.ours.attributes.get("epsilon")
    if old is not None and new is not None and old != new:
        return f"epsilon is {old:.6g} there and {new:.6g} here"
    for old_input, new_input in unequal_constants(evidence):
        numbers = [number(operand.value) for operand in (old_input, new_input)]
        small = all(value is not None and 0 < value < _SMALL for value in numbers)
        if small and any(name in old_input.name.lower() for name in _EPSILON_NAMES):
            values = f"{shown(old_input.value)} there and {shown(new_input.value)} here"
            return f"the small constant {old_input.name} is {values}"
    return None


def padding(evidence: Evidence) -> str | None:
    """Tells that the attribute padding differs, or an argument of an op that pads."""
    pads = evidence.theirs is not None and evidence.theirs.type in _PADDING_OPS
    different = unequal_attributes(evidence)
    for name in ("padding", "explicit_paddings", *(("mode",) if pads else ())):
        if name in different:
            return "{} is {} there and {} here".format(name, *different[name])
    if pads:
        for old, new in unequal_constants(evidence):
            return f"{old.name} is {shown(old.value)} there and {shown(new.value)} here"
    return None


def wrong_axis(evidence: Evidence) -> str | None:
    """Tells that the input, or the attribute, that gives the axis differs."""
    theirs = evidence.theirs
    if theirs is None:
        return None
    for old, new in unequal_constants(evidence):
        if theirs.type in _AXIS_INPUTS and old is theirs.inputs[_AXIS_INPUTS[theirs.type]]:
            return f"{theirs.name} works along {shown(old.value)} there and along {shown(new.value)} here"
    for name, values in unequal_attributes(evidence).items():
        if name in _AXIS_ATTRIBUTES:
            return "{} is {} there and {} here".format(name, *values)
    return None


def momentum_definition(evidence: Evidence) -> str | None:
    """Tells that use_nesterov differs, or a constant between 0 and 1 that is named like a momentum or decay."""
    different = unequal_attributes(evidence)
    if "use_nesterov" in different:
        return "use_nesterov is {} there and {} here".format(*different["use_nesterov"])
    for old_input, new_input in unequal_constants(evidence):
        old, new = number(old_input.value), number(new_input.value)
        if old is None or new is None:
            continue
        if _is_momentum(old_input.name.rpartition(":")[0], evidence) and 0 <= old <= 1 and 0 <= new <= 1:
            complement = ", which is 1 minus it" if abs(old + new - 1) < 1e-6 else ""
            return f"{old_input.name} is {shown(old_input.value)} there and {shown(new_input.value)} here{complement}"
    return None


def _is_momentum(name: str, evidence: Evidence) -> bool:
    """Returns True if a constant of this name says how much of an average, or of a step, is kept."""
    taken_by = evidence.theirs.type if evidence.theirs is not None else ""
    return bool(_MOMENTUM_NAMES.search(name)) or (bool(_DECAY_NAMES.search(name)) and "Apply" in taken_by)


def resize(evidence: Evidence) -> str | None:
    """Tells that both ops resize images, by different rules or kernels."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not theirs.type.startswith("Resize"):
        return None
    if not ours.type.startswith(("Resize", "ScaleAndTranslate")):
        return None
    if theirs.type != ours.type:
        return f"{theirs.type} there, {ours.type} here"
    rules = ("align_corners", "half_pixel_centers")  # the second is of 1.14 and later: absent is False
    old, new = ([bool(op.attributes.get(rule, False)) for rule in rules] for op in (theirs, ours))
    if old == new:
        return None
    return ", ".join(f"{rule} is {a} there and {b} here" for rule, a, b in zip(rules, old, new, strict=True) if a != b)


def another_constant(evidence: Evidence) -> str | None:
    """Tells that any constant input, or any attribute, of both ops differs."""
    for old, new in unequal_constants(evidence):
        return f"the constant input {old.name} is {shown(old.value)} there and {shown(new.value)} here"
    for name, values in unequal_attributes(evidence).items():
        return "{} is {} there and {} here".format(name, *values)
    return None
