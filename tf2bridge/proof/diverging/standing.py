"""Finds the op of one graph that has the place of an op of the other: by name, by inputs, or by kind."""

from __future__ import annotations

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.formats.graphs.nodes import Nodes, node_of
from tf2bridge.proof.diverging.alike import akin, loose_name, same
from tf2bridge.proof.diverging.view import View

PLUMBING = (
    "Cast",
    "Identity",
    "Reshape",
    "Shape",
    "Const",
    "Squeeze",
    "ExpandDims",
    "Pack",
    "ConcatV2",
    "StridedSlice",
)
"""Types of ops that occur anywhere, and therefore are no counterpart of an op of another type."""


class Standing:
    """The ops of both sides of a call. held: all nodes of the new graph."""

    def __init__(self, theirs: View, ours: View, nodes: Nodes) -> None:
        self._theirs, self._ours = theirs, ours
        ran = {modern(name).lower() for name in ours.structure.nodes}
        known = {modern(name).lower(): node.op for name, node in nodes.items()}
        self._idle = {name: kind for name, kind in known.items() if name not in ran}

    def is_idle(self, point: str) -> bool:
        """Returns True if the new graph has a recorded op, by name and type, and its call does not run it."""
        return same(self._idle.get(modern(node_of(point)).lower(), ""), self._theirs.structure.op(point))

    def against(self, head: str, open_ours: list[str], our_heads: list[str]) -> str | None:
        """Returns the point of the new graph in the place of an op: with its name, its inputs, or its kind."""
        structure = self._ours.structure
        kind = self._theirs.structure.op(head)
        loose = modern(node_of(head)).lower(), head.rpartition(":")[2]
        given = {
            self._theirs.agreeing[source]
            for source in self._theirs.structure.sources(head)
            if source in self._theirs.agreeing
        }
        named = [
            point for point in structure.points if (modern(node_of(point)).lower(), point.rpartition(":")[2]) == loose
        ]
        named = [point for point in named if node_of(point) == node_of(head) or not self._is_expected(point)]
        named = [
            point
            for point in named
            if point in open_ours or point in structure.constant or given & set(structure.sources(point))
        ]
        for point in named:
            if akin(kind, structure.op(point)):
                return point
        beside = [point for point in our_heads if given & set(structure.sources(point))]
        changing = self._theirs.structure.updates.get(node_of(head))
        if changing is not None:
            variables = {variable: f"{update}:0" for update, variable in structure.updates.items()}
            update = variables.get(node_of(self._theirs.agreeing.get(f"{changing}:0", "")))
            return update if update in open_ours else None
        for fits in (same, akin):
            for point in beside:
                if fits(kind, structure.op(point)):
                    return point
        if named:
            return named[0]
        left = [point for point in beside if not self._is_expected(point) and structure.op(point) not in PLUMBING]
        return left[0] if left else None

    def namesake_there(self, point: str) -> str | None:
        """Returns the recorded point with the name and type of a point that only seems to be new.

        A value that many tensors have can hide it: a clipping that changes nothing agrees with its input.
        """
        for other in self._theirs.structure.points:
            if loose_name(other) == loose_name(point):
                return other if same(self._theirs.structure.op(other), self._ours.structure.op(point)) else None
        return None

    def namesake_here(self, point: str) -> str | None:
        """Returns the point of the new call with the name and type of a recorded point."""
        named = (other for other in self._ours.structure.points if loose_name(other) == loose_name(point))
        return next(
            (other for other in named if same(self._ours.structure.op(other), self._theirs.structure.op(point))), None
        )

    def follows(self, head: str, added: str) -> bool:
        """Returns True if a point of the new graph has the type of a consumer of the recorded op."""
        kinds = {self._theirs.structure.op(point) for point in self._theirs.structure.consumers.get(head, ())}
        return any(same(kind, self._ours.structure.op(added)) for kind in kinds)

    def before(self, match: str, our_heads: list[str]) -> str | None:
        """Returns the first op that the new graph alone has before a point."""
        seen = self._ours.structure.before(match)
        before = [head for head in our_heads if head in seen]
        return before[0] if before else None

    def taker(self, head: str, open_theirs: list[str]) -> tuple[str, str] | None:
        """Returns the recorded op behind a missing op, and its namesake in the new graph, which takes something
        unrelated.

        None if the namesake takes the inputs of the missing op: then that op was left out. Also None if the new graph
        lacks the ops behind the missing op.
        """
        structure, beyond = self._theirs.structure, {head}
        before = structure.before(head)
        for point in open_theirs:
            if not beyond & set(structure.sources(point)):
                continue
            other = self.namesake_here(point)
            if other is None:
                beyond.add(point)
                continue
            pairs = zip(self._theirs.seen(point).inputs, self._ours.seen(other).inputs, strict=False)
            taken = [b.counterpart for a, b in pairs if a.name in beyond]
            unrelated = all(counterpart and counterpart not in before for counterpart in taken)
            if taken and unrelated and any(map(self.is_idle, beyond)):
                self._theirs.unused.update(beyond)
                return point, other
        return None

    def updater(self, head: str) -> tuple[str, str] | None:
        """Returns the update that uses a variable that the new graph lacks, such as a slot, and its counterpart."""
        structure = self._theirs.structure
        updates = {modern(variable): f"{update}:0" for update, variable in self._ours.structure.updates.items()}
        for point in structure.consumers.get(head, ()) if structure.is_variable(head) else ():
            variable = structure.updates.get(node_of(point))
            other = updates.get(modern(variable)) if variable and variable != node_of(head) else None
            if other is not None and not same(structure.op(point), self._ours.structure.op(other)):
                return point, other
        return None

    def _is_expected(self, point: str) -> bool:
        """Returns True if an op of the new graph has the name of another recorded op."""
        return any(node_of(other_point) == node_of(point) for other_point in self._theirs.structure.points)
