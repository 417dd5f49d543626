"""Finds the constant inputs and attributes in which two ops differ; most causes look at these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tf2bridge.proof.diverging.alike import same
from tf2bridge.proof.diverging.ops_seen import CONSTANT, Evidence, InputSeen

_OF_THE_GRAPH = {"T", "dtype", "Tidx", "Tshape", "seed", "seed2", "container", "shared_name", "N", "use_locking"}


def unequal_constants(evidence: Evidence) -> list[tuple[InputSeen, InputSeen]]:
    """Returns the pairs of constant inputs, at the same places of both ops, whose values differ.

    Returns [] for different ops with different numbers of inputs: then the places have other meanings.
    """
    theirs, ours = evidence.theirs, evidence.ours
    if theirs is None or ours is None:
        return []
    if not same(theirs.type, ours.type) and len(theirs.inputs) != len(ours.inputs):
        return []
    return [
        (old, new)
        for old, new in zip(theirs.inputs, ours.inputs, strict=False)
        if CONSTANT in (old.kind, new.kind) and old.kind == new.kind and not _same(old, new)
    ]


def unequal_attributes(evidence: Evidence) -> dict[str, tuple[Any, Any]]:
    """Returns name -> (old, new) of the differing attributes that both ops have and that change the result."""
    if evidence.theirs is None or evidence.ours is None:
        return {}
    return differing(evidence.theirs.attributes, evidence.ours.attributes)


def differing(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Returns name -> (old, new) of the differing attributes that both have and that change the result."""
    shared = [name for name in old if name in new and not name.startswith("_") and name not in _OF_THE_GRAPH]
    return {name: (old[name], new[name]) for name in shared if old[name] != new[name]}


def _same(old: InputSeen, new: InputSeen) -> bool:
    if old.value is None or new.value is None:
        return old.value is new.value
    return old.value.shape == new.value.shape and bool(np.array_equal(old.value, new.value))
