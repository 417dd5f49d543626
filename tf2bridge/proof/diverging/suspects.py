"""Finds the first op at fault among the points between those that agree and those that differ."""

from __future__ import annotations

from collections.abc import Mapping

import tensorflow as tf

from tf2bridge.formats.checkpoints.names import modern
from tf2bridge.formats.graphs.nodes import data_inputs, node_of
from tf2bridge.proof.diverging.lockstep import agree
from tf2bridge.proof.diverging.ops_seen import CONSTANT, Evidence, OpSeen
from tf2bridge.proof.diverging.settling import Settling
from tf2bridge.proof.diverging.standing import PLUMBING, Standing
from tf2bridge.proof.diverging.view import View
from tf2bridge.proof.numbers.distance import Distance, distance
from tf2bridge.proof.numbers.tolerance import Tolerance
from tf2bridge.proof.replaying.playing import Array, Playing

_MOST = 200
"""The most operations of each side that a cause may see, and how often ops without a fault are passed over."""
_INNOCENT = 3
"""The doubt about an op that gives the recorded output of the recorded inputs."""
_MOVES = {"Transpose", "Reshape", "Squeeze", "ExpandDims", "Identity", "Snapshot"}
"""Types of ops that only move what they are given."""


_MAKERS = ("Fill", "Const", "ZerosLike", "OnesLike")
"""Types of ops that fill a tensor with one number."""


class Suspects:
    """Both sides of a call. `player`: the new side's session. alone: see `Evidence`."""

    def __init__(self, theirs: View, ours: View, player: Playing, tolerance: Tolerance, alone: bool) -> None:
        self._theirs, self._ours = theirs, ours
        self._player = player
        self._tolerance = tolerance
        self._alone = alone
        self._standing = Standing(theirs, ours, player.recorded.nodes)
        self._settling = Settling(theirs, ours, self._made)
        self._passed_over: dict[str, str] = {}

    def evidence(self, ends: list[tuple[str | None, str | None]]) -> Evidence:
        """Returns what is known of the first op that differs. ends: pairs of points that differ.

        Of several ends, the one with the fewest points before it is used: then fewer points have to be compared.
        """
        return self._settling.settled(self._first_at(ends))

    def _first_at(self, ends: list[tuple[str | None, str | None]]) -> Evidence:
        both = [(old, new) for old, new in ends if old is not None and new is not None]
        if not both:  # one side changes a variable that the other leaves
            return self._made(*ends[0], None, [], [], None)
        if self._alone:
            return self._made(*both[0], None, [], [], None)
        regions = [(self._theirs.open_points([a]), self._ours.open_points([b]), a, b) for a, b in both]
        open_theirs, open_ours, end, our_end = min(regions, key=lambda region: len(region[0]) + len(region[1]))
        left = self._without_makers(self._without_plumbing(open_theirs), end)
        left = self._without_unused(left, end)
        if self._theirs.unused:  # what only hands these on is not the op either
            left = self._without_plumbing(left, with_counts=True)
        return self._first_of(left, open_ours, end, our_end)

    def _without_plumbing(self, open_theirs: list[str], with_counts: bool = False) -> list[str]:
        """Returns the open points without ops that only one release puts between two others, such as transpositions.

        An op stays if the new graph has its name, or if it takes what differs. If nothing else is open, all stay.
        with_counts: whether all ops that give integers are left out, since they work on shapes.
        """
        names = {modern(node_of(point)).lower() for point in self._ours.structure.points}
        passed: set[str] = set()
        for point in open_theirs:
            kind = self._theirs.structure.op(point)
            is_plumbing = kind in (*PLUMBING, "Transpose", "Range", "TensorArraySizeV3") and not (
                kind == "Cast" and self._tells(point)
            )
            is_plumbing = is_plumbing or (with_counts and self._is_count(point))
            if not is_plumbing or modern(node_of(point)).lower() in names:
                continue
            if all(self._theirs.agrees(source) or source in passed for source in self._theirs.structure.sources(point)):
                passed.add(point)
        left = [point for point in open_theirs if point not in passed]
        if not left:
            return open_theirs
        self._theirs.passing.update(passed)
        return left

    def _without_makers(self, open_theirs: list[str], end: str) -> list[str]:
        """Returns the open points without ops that fill a tensor with one number, as the new graph does, too.

        The value of a state of zeros identifies nothing, and releases make it by other ops.
        """
        run = self._ours.structure
        made = [self._ours.values.get(point) for point in run.points if run.op(point) in _MAKERS]
        passed = {
            point
            for point in open_theirs
            if self._theirs.structure.op(point) in _MAKERS
            and point != end
            and self._standing.namesake_here(point) is None
            and any(_is_uniform(value, self._theirs.values.get(point)) for value in made)
        }
        self._theirs.passing.update(passed)
        return [point for point in open_theirs if point not in passed]

    def _without_unused(self, open_theirs: list[str], end: str) -> list[str]:
        """Returns the open points without those that the new graph has and its call does not run.

        The op at fault is then their consumer, which takes another input in the new graph.
        """
        left = []
        for point in open_theirs:
            if self._standing.is_idle(point) and point != end and self._takes_what_agrees(point):
                self._theirs.passing.add(point)
                self._theirs.unused.add(point)
            else:
                left.append(point)
        return left

    def _first_of(self, open_theirs: list[str], open_ours: list[str], end: str, our_end: str) -> Evidence:
        """Returns the first op that is at fault; if none is, the first op that differs.

        Ops that differ without a fault are passed over: they magnify rounding, or read a variable in no fixed order
        with its change.
        """
        without: Evidence | None = None
        for _ in range(_MOST):
            suspected, innocent = self._judged(open_theirs, open_ours)
            sure = [judged for judged in suspected if judged[0] < _INNOCENT]
            if sure:
                return min(sure, key=lambda judged: judged[:2])[2]
            named = self._by_new_heads(open_theirs, open_ours, end, our_end)
            if named is not None:
                return named
            if without is None:
                at_end = not suspected or our_end in self._ours.heads(open_ours)
                without = self._made(end, our_end, None, open_theirs, open_ours, None) if at_end else suspected[0][2]
            if not innocent or end in innocent:
                break
            self._pass_over(innocent)
            open_theirs = [point for point in open_theirs if point not in innocent]
            open_ours = [point for point in open_ours if point not in innocent.values()]
        assert without is not None
        return without

    def _judged(
        self, open_theirs: list[str], open_ours: list[str]
    ) -> tuple[list[tuple[int, int, Evidence]], dict[str, str]]:
        """(doubt, place, evidence) for each first op; and the ops without a fault, with their counterparts."""
        our_heads = self._ours.heads(open_ours)
        judged: list[tuple[int, int, Evidence]] = []
        innocent: dict[str, str] = {}
        for place, first in enumerate(self._theirs.heads(open_theirs)):
            candidate = self._candidate(first, open_ours, our_heads)
            if candidate is None:
                continue
            head, match, added = candidate
            taker = None
            if match is None and added is None:
                taker = self._standing.updater(head) or self._standing.taker(head, open_theirs)
            head, match = taker or (head, match)
            local = self._local(head, match) if match is not None and added is None else None
            doubt = 0 if match is not None else 1 if self._tells(head) else 2
            if match is not None and self._draws_another_shape(head, match):
                doubt = 2
            if local is not None and match is not None and not taker and self._is_innocent(head, match, local):
                doubt = _INNOCENT
                innocent[head] = match
            judged.append((doubt, place, self._made(head, match, added, open_theirs, open_ours, local)))
        return judged, innocent

    def _draws_another_shape(self, head: str, match: str) -> bool:
        """Returns True if a random op draws another number of values: then the op that asks for them is at fault."""
        old, new = self._theirs.values.get(head), self._ours.values.get(match)
        is_random = "seed2" in self._theirs.seen(head).attributes
        return is_random and old is not None and new is not None and old.shape != new.shape

    def _by_new_heads(self, open_theirs: list[str], open_ours: list[str], end: str, our_end: str) -> Evidence | None:
        """Returns the evidence of the first op of the new graph that is added or at fault; None for none."""
        for our_head in self._ours.heads(open_ours):
            if our_head == our_end:
                return None
            namesake = self._standing.namesake_there(our_head)
            if namesake is None or self._takes_others(namesake, our_head):
                return self._made(end, our_end, our_head, open_theirs, open_ours, None)
            if self._takes_what_agrees(namesake) and not self._reproduces(namesake, our_head):
                local = self._local(namesake, our_head)
                return self._made(namesake, our_head, None, open_theirs, open_ours, local)
        return None

    def _pass_over(self, innocent: Mapping[str, str]) -> None:
        self._passed_over.update(innocent)
        self._theirs.passing.update(innocent)
        self._ours.passing.update(innocent.values())

    def _candidate(
        self, head: str, open_ours: list[str], our_heads: list[str]
    ) -> tuple[str, str | None, str | None] | None:
        """Returns an op, its counterpart, and the op before it that only the new graph has; None if inputs differ."""
        match = self._standing.against(head, open_ours, our_heads)
        if match is None or match in our_heads:
            return head, match, None
        added = self._standing.before(match, our_heads)
        added = None if added == match else added
        if added is not None and self._standing.follows(head, added):
            return head, None, None  # the op that follows is there: this one is not
        namesake = self._standing.namesake_there(added) if added is not None else None
        is_other = added is not None and namesake is not None and self._takes_others(namesake, added)
        if added is not None and namesake is not None and not is_other:
            if not self._takes_what_agrees(namesake):
                is_gone = head in self._theirs.structure.before(namesake)  # nothing stands for it before the namesake
                return (head, None, None) if is_gone else None
            if not self._reproduces(namesake, added):
                return namesake, added, None
            added = None
        if added is not None and self._theirs.structure.inner(head) and not self._is_floating(added):
            added = None  # later releases count the turns of loops, and ask for branches, otherwise
        return head, match, added

    def _takes_others(self, head: str, match: str) -> bool:
        """Returns True if two ops of one name are different ops: their inputs agree with other points, and not with
        each other.

        Constants are not compared, since they may be the difference.
        """
        if not self._takes_what_agrees(head):
            return False
        pairs = zip(self._theirs.seen(head).inputs, self._ours.seen(match).inputs, strict=False)
        computed = [
            (a.value, b.value)
            for a, b in pairs
            if CONSTANT not in (a.kind, b.kind) and self._passed_over.get(a.name) != b.name
        ]
        return any(a is not None and b is not None and not agree(b, a, self._tolerance) for a, b in computed)

    def _reproduces(self, head: str, match: str) -> bool:
        """Returns True if the new op takes the counterparts, and computes the recorded output from recorded inputs."""
        local = self._local(head, match)
        return local is not None and self._errs_not(head, match, local)

    def _is_floating(self, point: str) -> bool:
        value = self._ours.values.get(point)
        return value is None or value.dtype.kind == "f"

    def _is_count(self, point: str) -> bool:
        value = self._theirs.values.get(point)
        return value is not None and value.dtype.kind in "iu"

    def _takes_what_agrees(self, point: str) -> bool:
        return all(map(self._theirs.agrees, self._theirs.structure.sources(point)))

    def _tells(self, point: str) -> bool:
        value = self._theirs.values.get(point)
        return value is None or value.dtype.kind == "f"

    def _errs_not(self, head: str, match: str, local: Distance) -> bool:
        """Returns True if the op is right by itself and only magnifies the rounding of its inputs."""
        return local.verdict.passed and self._wired_alike(head, match)

    def _is_innocent(self, head: str, match: str, local: Distance) -> bool:
        return self._errs_not(head, match, local) or self._moves_alike(head, match)

    def _moves_alike(self, head: str, match: str) -> bool:
        """Returns True if both only move equal inputs.

        Then one reads a variable before its change, and the other one after it.
        """
        types = {self._theirs.seen(head).type, self._ours.seen(match).type}
        return len(types) == 1 and types <= _MOVES and self._wired_alike(head, match)

    def _wired_alike(self, head: str, match: str) -> bool:
        """Returns True if both take counterparts, in the same order."""
        theirs, ours = self._theirs.seen(head).inputs, self._ours.seen(match).inputs
        if len(theirs) != len(ours):
            return False
        return all(
            self._passed_over.get(a.name) == b.name
            or (not a.unused and (a.value is None or b.value is None or agree(b.value, a.value, self._tolerance)))
            for a, b in zip(theirs, ours, strict=True)
        )

    def _local(self, head: str, match: str | None) -> Distance | None:
        """Returns the distance of the new op from the recorded one if both get the recorded inputs."""
        theirs = self._theirs.seen(head)
        if match is None or theirs.output is None or node_of(match) in self._ours.structure.updates:
            return None
        ours = self._ours.seen(match)
        if ours.loop or len(ours.inputs) != len(theirs.inputs) or not ours.inputs or "seed2" in ours.attributes:
            return None
        given = self._given(theirs, ours, match)
        if given is None:
            return None
        try:
            (output,) = self._player.run([match], given)
        except (tf.errors.OpError, ValueError, TypeError):
            return None
        return distance(output, theirs.output, self._tolerance)

    def _given(self, theirs: OpSeen, ours: OpSeen, match: str) -> Mapping[str, Array] | None:
        """Returns the recorded inputs at the places of the new op; constants stay its own."""
        node = self._ours.structure.nodes[node_of(match)]
        given = {}
        for name, old, new in zip(data_inputs(node), theirs.inputs, ours.inputs, strict=False):
            if new.kind == "constant":
                continue
            if old.value is None or new.value is None or old.value.dtype != new.value.dtype:
                return None
            if (
                "Ref" in self._ours.structure.op(new.name)
                or self._player.graph.get_tensor_by_name(name).dtype._is_ref_dtype
            ):
                return None
            given[name] = old.value
        return given

    def _made(
        self,
        head: str | None,
        match: str | None,
        added: str | None,
        open_theirs: list[str],
        open_ours: list[str],
        local: Distance | None,
    ) -> Evidence:
        theirs = self._theirs.seen(head) if head is not None else None
        ours = self._ours.seen(match) if match is not None else None
        output = None
        if theirs is not None and ours is not None and theirs.output is not None and ours.output is not None:
            output = distance(ours.output, theirs.output, self._tolerance)
        return Evidence(
            theirs,
            ours,
            self._ours.seen(added) if added is not None else None,
            tuple(map(self._theirs.seen, open_theirs[:_MOST])),
            tuple(map(self._ours.seen, open_ours[:_MOST])),
            local,
            output,
            self._alone,
            self._theirs.random,
            self._ours.random,
        )


def _is_uniform(value: Array | None, other: Array | None) -> bool:
    """Returns True if both values have the same shape and consist of one number, the same in both."""
    if value is None or other is None or not value.size or value.dtype != other.dtype or value.shape != other.shape:
        return False
    return bool((value == other).all() and (value == value.flat[0]).all())


def input_distances(evidence: Evidence, tolerance: Tolerance) -> tuple[tuple[str, str, Distance | None], ...]:
    """Returns (recorded name, new name at the same place, distance) for each input of the op."""
    theirs = evidence.theirs.inputs if evidence.theirs is not None else ()
    ours = evidence.ours.inputs if evidence.ours is not None else ()
    distances = []
    for place, old in enumerate(theirs):
        new = ours[place] if place < len(ours) else None
        apart = None
        if new is not None and new.value is not None and old.value is not None:
            apart = distance(new.value, old.value, tolerance)
        distances.append((old.name, new.name if new is not None else "", apart))
    return tuple(distances)
