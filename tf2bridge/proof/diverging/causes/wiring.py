"""Causes about which ops a graph has, and which tensors they take."""

from __future__ import annotations

import itertools

import numpy as np

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.proof.comparing.changing import TAKES
from tf2bridge.proof.diverging.alike import plain, same
from tf2bridge.proof.diverging.bodies import FRAME, Body, unlike
from tf2bridge.proof.diverging.ops_seen import Evidence
from tf2bridge.proof.diverging.unequal import unequal_constants
from tf2bridge.proof.replaying.playing import Array

_SLICING_OPS = {"StridedSlice", "Slice", "Split", "SplitV", "Unpack"}


def inputs_swapped(evidence: Evidence) -> str | None:
    """Tells that an op of the same type takes the recorded op's inputs in another order."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not same(theirs.type, ours.type) or len(theirs.inputs) != len(ours.inputs):
        return None
    old, new = [operand.value for operand in theirs.inputs], [operand.value for operand in ours.inputs]
    names = [operand.name for operand in theirs.inputs]
    for first, second in itertools.combinations(range(len(old)), 2):
        crossed = _close(old[first], new[second]) and _close(old[second], new[first])
        if not crossed or _close(old[first], new[first]):
            continue
        if all(_close(old[at], new[at]) for at in range(len(old)) if at not in (first, second)):
            return f"{theirs.name} takes {names[first]} before {names[second]} there, and the other way round here"
    return None


def _close(old: Array | None, new: Array | None) -> bool:
    if old is None or new is None or old.shape != new.shape or old.dtype.kind not in "fiu":
        return False
    return bool(np.allclose(old, new, rtol=1e-4, atol=1e-6))


def gate_order(evidence: Evidence) -> str | None:
    """Tells that an op takes another part of a tensor that agrees."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not same(theirs.type, ours.type) or len(theirs.inputs) != len(ours.inputs):
        return None
    for old, new in zip(theirs.inputs, ours.inputs, strict=True):
        are_parts = old.op in _SLICING_OPS and new.op in _SLICING_OPS and old.counterpart and new.counterpart
        if are_parts and old.counterpart != new.name:
            return f"{theirs.name} takes the part {old.name} there, and what is {new.counterpart} there here"
    return None


def other_elements(evidence: Evidence) -> str | None:
    """Tells that both ops take the next element of a pipeline or queue, and that these are made in different ways."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not TAKES.search(theirs.type) or not TAKES.search(ours.type):
        return None
    if unequal_constants(evidence):
        return None  # the ops take elements in different ways
    if not theirs.inner or not ours.inner:
        return None
    text = unlike(theirs.inner, ours.inner) or _other_order(_datasets(theirs.inner), _datasets(ours.inner))
    return f"in what gives {theirs.name} its elements, {text}" if text else None


def _datasets(body: Body) -> list[str]:
    """Returns the types of the datasets, in the order in which they were made."""
    return [plain(node.op) for node in body.values() if "Dataset" in node.op and plain(node.op) not in FRAME]


def _other_order(old: list[str], new: list[str]) -> str:
    if old == new or sorted(old) != sorted(new):
        return ""
    place = next(place for place, (a, b) in enumerate(zip(old, new, strict=True)) if a != b)
    return f"the step {old[place]} there comes where {new[place]} comes here"


def inside_a_loop(evidence: Evidence) -> str | None:
    """Tells that the bodies of a loop or branch have different ops, or ops with different constants."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not theirs.inner or not ours.inner or TAKES.search(theirs.type):
        return None
    text = unlike(theirs.inner, ours.inner)
    return f"within {theirs.loop or theirs.name}, {text}" if text else None


def other_wiring(evidence: Evidence) -> str | None:
    """Tells that the new op takes another tensor of the old graph, or that the recorded op's input is not run here."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or not same(theirs.type, ours.type):
        return None
    for old, new in zip(theirs.inputs, ours.inputs, strict=False):  # later releases add an input for the axis
        if old.unused and modern(node_of(new.name)) != modern(node_of(old.name)):
            taken = new.counterpart or new.name
            return f"{theirs.name} takes {old.name} there, which this call does not need here, and {taken} here"
        known = old.value is not None and new.value is not None and old.counterpart and new.counterpart
        if known and old.counterpart != new.name and new.counterpart != old.name:
            return f"{theirs.name} takes {old.name} there, and what is {new.counterpart} there here"
    return None


def added_op(evidence: Evidence) -> str | None:
    """Tells that an op of the new graph alone lies between points that agree and the point that differs."""
    if evidence.added is None:
        return None
    return f"only the new graph has {evidence.added.name} ({evidence.added.type})"


def another_op(evidence: Evidence) -> str | None:
    """Tells that both ops take inputs that agree, and are of different types."""
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or evidence.added is not None or same(theirs.type, ours.type):
        return None
    return f"{theirs.type} there, {ours.type} here"


def missing_op(evidence: Evidence) -> str | None:
    """Tells that the new graph has no counterpart of an op."""
    if evidence.theirs is None or evidence.ours is not None or evidence.added is not None:
        return None
    return f"nothing in the new graph does what {evidence.theirs.name} ({evidence.theirs.type}) does"


def another_shape(evidence: Evidence) -> str | None:
    """Tells that the graphs differ in shapes alone."""
    return evidence.shapes or None
