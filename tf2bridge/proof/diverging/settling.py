"""Replaces the first op that differs by the op that a person has to look at, if no value leads to it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.proof.diverging.alike import same
from tf2bridge.proof.diverging.ops_seen import CONSTANT, Evidence, InputSeen
from tf2bridge.proof.diverging.standing import PLUMBING
from tf2bridge.proof.diverging.view import View


class Settling:
    """The two sides of a call. made: returns the evidence of two points, as `Suspects` does."""

    def __init__(self, theirs: View, ours: View, made: Callable[..., Evidence]) -> None:
        self._theirs, self._ours, self._made = theirs, ours, made

    def settled(self, evidence: Evidence) -> Evidence:
        """Returns the evidence to show."""
        return self._unstopped(self._behind_constants(evidence))

    def _unstopped(self, evidence: Evidence) -> Evidence:
        """Returns the evidence of a StopGradient that the new graph lacks, if it has an additional gradient or update.

        A StopGradient gives its input unchanged, so that no value differs.
        """
        more = evidence.added or (evidence.ours if evidence.theirs is None else None)
        if more is None or not (more.changes or "gradients" in more.name.split("/")):
            return evidence
        kept = {modern(name) for name, node in self._ours.structure.nodes.items() if node.op == "StopGradient"}
        gone = [
            point
            for point in self._theirs.structure.points
            if self._theirs.structure.op(point) == "StopGradient" and modern(node_of(point)) not in kept
        ]
        if not gone or len(kept) >= sum(node.op == "StopGradient" for node in self._theirs.structure.nodes.values()):
            return evidence
        return self._made(gone[0], None, None, [gone[0]], [], None)

    def _behind_constants(self, evidence: Evidence) -> Evidence:
        """Returns the evidence of the first op that differs among those computed from constants alone."""
        theirs, ours = evidence.theirs, evidence.ours
        while theirs is not None and ours is not None and evidence.added is None and same(theirs.type, ours.type):
            pairs = zip(theirs.inputs, ours.inputs, strict=False)
            computed = ((a, b) for a, b in pairs if a.kind == b.kind == CONSTANT and "Const" not in (a.op, b.op))
            apart = (pair for pair in computed if _differ(*pair))
            pair = next(((a.name, b.name) for a, b in apart if a.name in self._theirs.structure.known), None)
            if pair is None or pair[1] not in self._ours.structure.known:
                break
            theirs, ours = self._theirs.seen(pair[0]), self._ours.seen(pair[1])
            if theirs.type not in PLUMBING:
                evidence = self._made(*pair, None, [], [], None)
        return evidence


def _differ(old: InputSeen, new: InputSeen) -> bool:
    if old.value is None or new.value is None:
        return False
    return old.value.shape != new.value.shape or not np.array_equal(old.value, new.value)
