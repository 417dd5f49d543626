"""Dropout with another share, a rate given for a keep_prob, another mask, or none.

`tf.nn.dropout(x, keep_prob)` kept that share; `rate` of TensorFlow 2 and Keras is what is dropped: rate = 1 -
keep_prob.
"""

from __future__ import annotations

import numpy as np

from tf2bridge.proof.diverging.ops_seen import Evidence, OpSeen

RANK = 12


def likely(evidence: Evidence) -> str | None:
    """Speaks where the op lies in a scope that draws random numbers, and scales or masks by them."""
    theirs, ours = evidence.theirs, evidence.added or evidence.ours
    here = _draws(ours, evidence.random_ours)
    if _draws(theirs, evidence.random_theirs):
        scope = evidence.scope
        if not any(each.startswith(f"{scope}/") for each in evidence.random_ours):
            return f"{scope} drops there; nothing is dropped here"
        shares = _share(evidence.only_theirs), _share(evidence.only_ours)
        if None not in shares:
            return f"{scope} keeps {shares[0]:.3g} of the elements there and {shares[1]:.3g} here"
        return f"{scope} drops another share, or other elements"
    if here and theirs is not None:
        return f"{here} drops here; nothing is dropped there"
    return None


def _draws(op: OpSeen | None, random: tuple[str, ...]) -> str:
    """The scope of an op that draws random numbers in it, "" for others."""
    if op is None:
        return ""
    scope = op.name.rpartition("/")[0]
    inside = scope and any(each.startswith(f"{scope}/random_uniform") for each in random)
    return scope if inside else ""


def _share(ops: tuple[OpSeen, ...]) -> float | None:
    """How much is kept, as the mask says."""
    for op in ops:
        if op.type in ("Floor", "GreaterEqual") and op.output is not None:
            return float(np.mean(op.output.astype(np.float64)))
    return None
