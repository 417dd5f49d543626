"""Causes about layers: batch norm, dropout, biases, and the layout of images."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tf2bridge.formats.checkpoints.names import role
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.proof.diverging.alike import plain
from tf2bridge.proof.diverging.ops_seen import CONSTANT, VARIABLE, Evidence, InputSeen, OpSeen
from tf2bridge.proof.diverging.unequal import unequal_attributes

_AVERAGES = ("moving_mean", "moving_variance")
_MOMENTS = ("moments", "bn_mean", "batchnorm_mean")
"""Parts of the names of ops that compute the mean and variance of a batch."""
_LAYOUT_OPS = ("Reshape", "Transpose")


def batch_norm_mode(evidence: Evidence) -> str | None:
    """Tells that is_training differs, or that only one side normalises by the moments of the batch."""
    different = unequal_attributes(evidence)
    if "is_training" in different:
        return "is_training is {} there and {} here".format(*different["is_training"])
    by_batch = [_takes_moments(ops) for ops in (evidence.only_theirs, evidence.only_ours)]
    averages = [_average_read(ops) for ops in (evidence.only_theirs, evidence.only_ours)]
    if by_batch[0] and not by_batch[1] and averages[1]:
        return f"normalised by the batch there, by {averages[1]} here (training)"
    if by_batch[1] and not by_batch[0] and averages[0]:
        return f"normalised by {averages[0]} there, by the batch here (training)"
    return None


def _takes_moments(ops: Iterable[OpSeen]) -> bool:
    return any(f"/{part}" in f"/{op.name}" for op in ops for part in _MOMENTS if "grad" not in op.name)


def _average_read(ops: Iterable[OpSeen]) -> str:
    """Returns the moving average that one of the ops reads; "" for none."""
    for op in ops:
        for operand in op.inputs:
            is_average = operand.kind == VARIABLE and role(node_of(operand.name)) in _AVERAGES
            if is_average and "Assign" not in op.name:
                return node_of(operand.name)
    return ""


def dropout(evidence: Evidence) -> str | None:
    """Tells that the op scales or masks by random numbers, which its scope draws, on one side or on both."""
    theirs, ours = evidence.theirs, evidence.added or evidence.ours
    new_scope = _drawing_scope(ours, evidence.random_ours)
    if _drawing_scope(theirs, evidence.random_theirs):
        scope = evidence.scope
        if not any(name.startswith(f"{scope}/") for name in evidence.random_ours):
            return f"{scope} drops there; nothing is dropped here"
        shares = _share_kept(evidence.only_theirs), _share_kept(evidence.only_ours)
        if None not in shares:
            return f"{scope} keeps {shares[0]:.3g} of the elements there and {shares[1]:.3g} here"
        return f"{scope} drops another share, or other elements"
    if new_scope and theirs is not None:
        return f"{new_scope} drops here; nothing is dropped there"
    return None


def _drawing_scope(op: OpSeen | None, random_ops: tuple[str, ...]) -> str:
    """Returns the scope of an op, if random numbers are drawn in that scope; else ""."""
    if op is None:
        return ""
    scope = op.name.rpartition("/")[0]
    draws = scope and any(name.startswith(f"{scope}/random_uniform") for name in random_ops)
    return scope if draws else ""


def _share_kept(ops: tuple[OpSeen, ...]) -> float | None:
    """Returns the share of elements that the mask keeps; None if there is no mask."""
    for op in ops:
        if op.type in ("Floor", "GreaterEqual") and op.output is not None:
            return float(np.mean(op.output.astype(np.float64)))
    return None


def data_format(evidence: Evidence) -> str | None:
    """Tells that data_format differs, or that an op lays out the same numbers of images in another order."""
    different = unequal_attributes(evidence)
    if "data_format" in different:
        return "data_format is {} there and {} here".format(*different["data_format"])
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None or theirs.type not in _LAYOUT_OPS:
        return None
    old, new = theirs.output, ours.output
    if old is None or new is None or old.ndim not in (4, 5) or old.ndim != new.ndim or old.size != new.size:
        return None
    if not np.array_equal(np.sort(old, axis=None), np.sort(new, axis=None)):
        return None
    return f"the same numbers lie as {list(old.shape)} there and as {list(new.shape)} here, channels moved"


def bias(evidence: Evidence) -> str | None:
    """Tells that one side alone has an op that adds a vector or a constant."""
    if evidence.ours is None or plain(evidence.ours.type) not in ("BiasAdd", "Add"):
        old = _bias_added(evidence.theirs)
        if old is not None and evidence.added is None:
            return f"{old.name} is added there, and not here"
    new = _bias_added(evidence.added)
    return f"{new.name} is added here, and not there" if new is not None else None


def _bias_added(op: OpSeen | None) -> InputSeen | None:
    """Returns the bias that an op adds; None if it adds none."""
    if op is None or plain(op.type) not in ("BiasAdd", "Add"):
        return None
    floating = [operand for operand in op.inputs if operand.value is None or operand.value.dtype.kind == "f"]
    return next((operand for operand in floating[::-1] if operand.kind in (VARIABLE, CONSTANT)), None)
