"""Batch norm by the batch on one side, by its moving averages on the other.

`is_training` (slim), `training` (tf.layers, Keras) decide; in Keras 3 a model that is called without training=True
normalises by the averages.
"""

from __future__ import annotations

from collections.abc import Iterable

from tf2bridge.formats.checkpoints.names import role
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.proof.diverging.ops_seen import VARIABLE, Evidence, OpSeen
from tf2bridge.proof.diverging.unequal import unequal_attributes

RANK = 10
_AVERAGES = ("moving_mean", "moving_variance")
_OF_BATCH = ("moments", "bn_mean", "batchnorm_mean")


def likely(evidence: Evidence) -> str | None:
    """Speaks where is_training differs, or one side takes moments of the batch and the other reads moving averages."""
    different = unequal_attributes(evidence)
    if "is_training" in different:
        return "is_training is {} there and {} here".format(*different["is_training"])
    by_batch = [_takes_moments(ops) for ops in (evidence.only_theirs, evidence.only_ours)]
    reads = [_reads_averages(ops) for ops in (evidence.only_theirs, evidence.only_ours)]
    if by_batch[0] and not by_batch[1] and reads[1]:
        return f"normalised by the batch there, by {reads[1]} here (training)"
    if by_batch[1] and not by_batch[0] and reads[0]:
        return f"normalised by {reads[0]} there, by the batch here (training)"
    return None


def _takes_moments(ops: Iterable[OpSeen]) -> bool:
    return any(f"/{part}" in f"/{op.name}" for op in ops for part in _OF_BATCH if "grad" not in op.name)


def _reads_averages(ops: Iterable[OpSeen]) -> str:
    for op in ops:
        for each in op.inputs:
            if each.kind == VARIABLE and role(node_of(each.name)) in _AVERAGES and "Assign" not in op.name:
                return node_of(each.name)
    return ""
