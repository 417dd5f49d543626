"""Fetches every value of the call that differs, in runs of bounded size.

A run fetches as many points as fit into AT_ONCE bytes. For more points the session is opened and played again, so that
random numbers and variables are the same in every run. The values of a run go into `Values` before the next run.
Besides what the program's own calls take, the search holds at most AT_ONCE bytes of a run (or the largest value of
either side, if that is more), IN_MEMORY bytes of stored values, the variables of both sides, and the values of the
operation that it looks at.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import prod
from typing import Any

import tensorflow as tf

from tf2bridge.formats.graphs.called import functions_of
from tf2bridge.formats.graphs.nodes import node_of
from tf2bridge.proof.diverging.counterparts import counterparts
from tf2bridge.proof.diverging.lines import line_of
from tf2bridge.proof.diverging.lockstep import Lockstep, Parting, Side
from tf2bridge.proof.diverging.refusals import NoSearchError
from tf2bridge.proof.diverging.spooled_values import Spool, Values
from tf2bridge.proof.diverging.structure import Structure
from tf2bridge.proof.diverging.view import View
from tf2bridge.proof.replaying.playing import Array, Playing

AT_ONCE = 1 << 27
"""Bytes of values that one run returns, of both sides together."""
IN_MEMORY = 1 << 27
"""Bytes of the first values of both sides, which stay in memory. All values of small models fit."""
_OF_A_TEXT = 64
"""Bytes that a text takes besides its characters."""


@dataclass(frozen=True)
class Looked:
    """A call with all its values: its differences, both sides, and the new side's session after the call."""

    parting: Parting
    theirs: View
    ours: View
    player: Playing


@contextlib.contextmanager
def looking_into(steps: Lockstep, number: int) -> Iterator[Looked]:
    """Runs one call of the program on both sides, as often as its values need, without fusion of ops.

    Raises NoSearchError if the call fails when its tensors are fetched.
    """
    with steps.playing(exact=True) as (old, new):
        structures = structure(old, steps.theirs, number), structure(new, steps.ours, number)
        sizes = _sizes(steps, (old, new), number, structures)
    spool = Spool(IN_MEMORY)
    values = Values(spool), Values(spool)
    runs = list(
        zip_longest(*(_runs(run.fetchable(), of, AT_ONCE // 2) for run, of in zip(structures, sizes, strict=True)))
    )
    for place, (old_points, new_points) in enumerate(runs or [((), ())]):
        with steps.playing(exact=True) as (old, new):
            parting = _played(steps, (old, new), number, (old_points or (), new_points or ()))
            if not place:
                _begin(values, parting, structures, steps)
            values[0].add(parting.theirs.more)
            values[1].add(parting.ours.more)
            parting = replace(parting, theirs=replace(parting.theirs, more={}), ours=replace(parting.ours, more={}))
            if place + 1 >= len(runs):
                yield Looked(parting, *_views(steps, number, structures, values), new)


def structure(player: Playing, side: Side, number: int) -> Structure:
    """Returns the part of the graph that one call of a side runs."""
    call = side.at[number]
    names = [leaf.name for leaf in call.fetches if node_of(leaf.name) in player.recorded.nodes]
    functions = functions_of(player.recorded.part.library)
    return Structure(player.recorded.nodes, player.graph, names, [leaf.name for leaf in call.feeds], functions)


def _played(
    steps: Lockstep, players: tuple[Playing, Playing], number: int, asked: tuple[Sequence[str], Sequence[str]]
) -> Parting:
    """Plays both sessions up to the call, and returns the call with the values that are asked for."""
    steps.before(*players, number)
    parting = steps.parting(*players, number, (list(asked[0]), list(asked[1])))
    if parting.theirs.error or parting.ours.error:
        error = parting.theirs.error or parting.ours.error
        raise NoSearchError(
            f"{steps.theirs.at[number].step} gives an error when every tensor is asked for ({error})", ""
        )
    return parting


def _runs(points: Sequence[str], sizes: Mapping[str, int], most: int) -> Iterator[list[str]]:
    """Yields the points in their order, in groups of at most `most` bytes."""
    run: list[str] = []
    room = most
    for point in points:
        if run and sizes[point] > room:
            yield run
            run, room = [], most
        run.append(point)
        room -= sizes[point]
    if run:
        yield run


def _sizes(
    steps: Lockstep, players: tuple[Playing, Playing], number: int, structures: tuple[Structure, Structure]
) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """Returns the bytes of each point, from its shape or from a run of the call that fetches only sizes."""
    known, open_sizes = [], []
    for player, run in zip(players, structures, strict=True):
        tensors_here = {point: player.graph.get_tensor_by_name(point) for point in run.fetchable()}
        known.append({point: size for point, tensor in tensors_here.items() if (size := _static(tensor)) is not None})
        with player.graph.as_default():
            open_sizes.append(
                {point: _size(tensor) for point, tensor in tensors_here.items() if point not in known[-1]}
            )
    if any(open_sizes):
        asked = [[tensor.name for tensor in tensors.values()] for tensors in open_sizes]
        parting = _played(steps, players, number, (asked[0], asked[1]))
        for sizes, tensors, played in zip(known, open_sizes, (parting.theirs, parting.ours), strict=True):
            sizes |= {point: int(played.more[tensor.name]) for point, tensor in tensors.items()}
    return known[0], known[1]


def _static(tensor: Any) -> int | None:
    if tensor.dtype == tf.string or not tensor.shape.is_fully_defined():
        return None
    return int(prod(tensor.shape.as_list()) * tensor.dtype.size)


def _size(tensor: Any) -> Any:
    """Returns a tensor whose value is the number of bytes of another tensor."""
    count = tf.size(tensor, out_type=tf.int64)
    if tensor.dtype != tf.string:
        return count * tensor.dtype.size
    return count * _OF_A_TEXT + tf.reduce_sum(tf.cast(tf.strings.length(tensor), tf.int64))


def _begin(
    values: tuple[Values, Values], parting: Parting, structures: tuple[Structure, Structure], steps: Lockstep
) -> None:
    """Adds the values that no run fetches: feeds, and variables before and after the call."""
    renamed = {b: a for a, b in steps.variables.items()}
    ours = {name: parting.before.get(renamed.get(name, "")) for name in parting.after_ours}
    for kept, before, after, run, side in (
        (values[0], parting.before, parting.after_theirs, structures[0], steps.theirs),
        (values[1], ours, parting.after_ours, structures[1], steps.ours),
    ):
        kept.add({f"{name}:0": value for name, value in before.items()})
        kept.add({f"{update}:0": after.get(variable) for update, variable in run.updates.items()})
        kept.add(_fed_values(side, parting.call))


def _fed_values(side: Side, number: int) -> dict[str, Array | None]:
    return {leaf.name: side.trace.value(leaf.value) for leaf in side.at[number].feeds if leaf.value is not None}


def _views(
    steps: Lockstep, number: int, structures: tuple[Structure, Structure], values: tuple[Values, Values]
) -> tuple[View, View]:
    known = {f"{a}:0": f"{b}:0" for a, b in steps.variables.items()}
    known |= _fed(steps.theirs, steps.ours, number) | steps.drawn_in(number)
    theirs, ours = zip(structures, values, strict=True)
    pairs = counterparts(theirs, ours, known, steps.tolerance)
    back = {b: a for a, b in pairs.here.items()} | {point: point for point in pairs.there - set(pairs.here.values())}
    return (
        View(*theirs, pairs.here, line_of(steps.theirs.trace, steps.theirs.recorded.number)),
        View(*ours, back, line_of(steps.ours.trace, steps.ours.recorded.number)),
    )


def _fed(theirs: Side, ours: Side, number: int) -> dict[str, str]:
    """Returns the feeds of both calls, by name, else by their order."""
    old = [leaf.name for leaf in theirs.at[number].feeds]
    new = [leaf.name for leaf in ours.at[number].feeds]
    return {name: name for name in old} if set(old) == set(new) else dict(zip(sorted(old), sorted(new), strict=False))
