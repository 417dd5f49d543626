"""The points from which the search starts, and how their inputs are searched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tf2bridge.graph.example_inputs import for_inference
from tf2bridge.proof.comparing.inputs import Batch, batches, given_batch, is_random, seed_of
from tf2bridge.proof.comparing.ports import Paired
from tf2bridge.proof.numbers.pieces import Array
from tf2bridge.proof.worst.outcome import SearchedInput, Way
from tf2bridge.proof.worst.ranges import Range, check_type, spanned, within

_EXAMPLES = 16
"""Examples of further made-up starts, if the first dimension of every input is open: they climb side by side."""
_APART = 1000
"""Between the seeds of two made-up starts, which count up by inputs."""


@dataclass(frozen=True)
class Start:
    """A starting input: the feeds of both sides, and whether it was asked for or is a further one."""

    batch: Batch
    is_asked: bool = True


def starts(inputs: Any, ports: Sequence[Paired], stated: Mapping[str, Range]) -> Iterator[Start]:
    """Yields the starting inputs; to made-up ones it adds a further one, with more examples if sizes are open.

    Args:
        inputs: what `compare` takes, or a sequence of mappings.
        ports: the inputs of both sides.
        stated: input -> stated range; numbers outside are moved to its ends.

    Raises:
        InputsError: the inputs do not fit.
        RangeError: a range does not fit the type of an input.
    """
    for batch in _batches(inputs, ports):
        yield Start(_inside(batch, ports, stated))
    if is_random(inputs) and ports:
        more = batches(f"random:{seed_of(inputs) + _APART}", _widened(ports))
        note = f"one more start is made up with seed {seed_of(inputs) + _APART}"
        for batch in more:
            yield Start(_inside(replace(batch, notes=(note,)), ports, stated), is_asked=False)


def _batches(inputs: Any, ports: Sequence[Paired]) -> Iterator[Batch]:
    for part in inputs if isinstance(inputs, list | tuple) else [inputs]:
        yield from batches(part, ports)


def _inside(batch: Batch, ports: Sequence[Paired], stated: Mapping[str, Range]) -> Batch:
    """Returns the feeds with the numbers of inputs with stated ranges inside; a note names the inputs that changed."""
    point = point_of(batch, ports)
    for port in ports:
        if port.label in point and port.label in stated:
            dtype = point[port.label].dtype
            is_whole_float = dtype.kind not in "iub" and _is_whole(port, point[port.label])
            check_type(port.label, np.dtype(np.int64) if is_whole_float else dtype, stated[port.label])
    moved = {name: within(point[name], ends, point[name].dtype) for name, ends in stated.items() if name in point}
    changed = [name for name, array in moved.items() if not np.array_equal(array, point[name])]
    if not changed:
        return batch
    inside = given_batch({**point, **moved}, ports)
    note = f"numbers of {', '.join(changed)} lay outside the stated range, and were moved to its ends"
    return replace(batch, a=inside.a, b=inside.b, notes=(*batch.notes, note))


def _is_whole(port: Paired, array: Array) -> bool:
    """Returns True if an input takes whole numbers, whatever its type."""
    return array.dtype.kind in "iub" or port.limit > 0 or any("int" in end.dtype for end in (port.a, port.b) if end)


def _widened(ports: Sequence[Paired]) -> list[Paired]:
    searched = [port for port in ports if port.shape != ()]
    if not all(port.shape and port.shape[0] is None for port in searched):
        return list(ports)
    return [port if port.shape == () else _wide(port) for port in ports]


def _wide(port: Paired) -> Paired:
    assert port.shape is not None
    shape = (_EXAMPLES, *port.shape[1:])
    return Paired(*(end and replace(end, shape=shape) for end in (port.a, port.b)))


def point_of(batch: Batch, ports: Sequence[Paired]) -> dict[str, Array]:
    """Returns the inputs by the names of their `Paired`, as the expected side takes them."""
    point: dict[str, Array] = {}
    for port in ports:
        for end, feeds in ((port.a, batch.a), (port.b, batch.b)):
            if end is not None and end.name in feeds:
                point.setdefault(port.label, np.asarray(feeds[end.name]))
    return point


def searched(
    ports: Sequence[Paired],
    points: Sequence[Mapping[str, Array]],
    stated: Mapping[str, Range],
    is_made_up: bool,
) -> dict[str, SearchedInput]:
    """Returns input -> how it is searched.

    Args:
        ports: the inputs of both sides.
        points: the starting inputs.
        stated: input -> stated range.
        is_made_up: True if the starting inputs were made up.
    """
    present = {port.label: port for port in ports if any(port.label in point for point in points)}
    return {
        name: _searched(port, [point[name] for point in points if name in point], stated.get(name), is_made_up)
        for name, port in present.items()
    }


def _searched(port: Paired, values: Sequence[Array], stated: Range | None, is_made_up: bool) -> SearchedInput:
    first, dtype = values[0], values[0].dtype
    is_whole = _is_whole(port, first)
    how = SearchedInput(port.label, "string" if dtype.kind in "OSU" else dtype.name, None, Way.SAMPLED, "", is_whole)
    end = port.a or port.b
    assert end is not None
    if stated is None and for_inference(end.name, end.dtype, port.shape) is not None:
        return replace(how, way=Way.FIXED, why=f"{first.item()}, as in inference; a range makes it searched")
    ends = stated or spanned(values, port.limit, is_made_up)
    if ends is None and dtype.kind in "OSU":
        return replace(how, why="the texts of the starts")
    if ends is None or ends.low == ends.high:
        return replace(how, range=ends, way=Way.FIXED, why="nothing lies between the ends of its range")
    if is_whole or dtype.kind == "c":
        return replace(how, range=ends, why="whole numbers" if is_whole else "complex numbers")
    return replace(how, range=ends, way=Way.GRADIENT)


def texts_of(points: Sequence[Mapping[str, Array]]) -> dict[str, list[Any]]:
    """Returns the distinct texts of each input that takes texts, sorted."""
    texts: dict[str, set[Any]] = {}
    for point in points:
        for name, array in point.items():
            if array.dtype.kind in "OSU":
                texts.setdefault(name, set()).update(array.reshape(-1).tolist())
    return {name: sorted(distinct, key=repr) for name, distinct in texts.items()}
