"""What is written of a checkpoint, a tensor at a time: as it is, or as a plan makes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tf2bridge.checkpoint.dtypes import item_bytes, tensorflow_type
from tf2bridge.checkpoint.mapping import Plan
from tf2bridge.checkpoint.moves import Move, TargetVariable
from tf2bridge.checkpoint.object_graph import key_of, path_of
from tf2bridge.checkpoint.refusals import UnplannedTensorError
from tf2bridge.checkpoint.stored import PIECE, Checkpoint, TensorInfo

OBJECTS = "objects"
"""The format of a checkpoint whose names are keys."""
Pieces = Iterator[bytes | memoryview]


@dataclass(frozen=True)
class Outgoing:
    """A tensor to be written.

    Of its bytes at most PIECE are in memory at once where they are those of the source. What steps compute is there
    whole, with the tensors that it is made from: the largest of these bounds what a conversion takes.
    """

    info: TensorInfo
    """Its `full_name` is what objects say that a Saver calls it."""
    pieces: Callable[[], Pieces]
    """Gives its bytes as `Checkpoint.pieces` does; not of texts."""
    array: Callable[[], NDArray[Any]]
    """Gives its values whole."""
    origin: str = ""
    """The tensor of the source whose bytes these are, unchanged."""
    key: str = ""
    """Under which `tf.train.Checkpoint` looks for it."""


def outgoing(source: Checkpoint, plan: Plan | None = None) -> list[Outgoing]:
    """Returns what is to be written, in the order of the source or plan.

    Raises IncompletePlanError, MissingTensorError for what the source does not hold, and UnplannedTensorError for what
    it holds beside.
    """
    if plan is None:
        return [_as_it_is(source, name, info) for name, info in source.tensors.items()]
    from tf2bridge.checkpoint.applying import source_of

    plan.require_complete()
    source_of(plan, source)
    known = plan.drops.keys() | {name for move in plan.moves for name in move.sources}
    if unknown := [name for name in source if name not in known]:
        raise UnplannedTensorError(source.path, unknown)
    return [_moved(source, move, plan.variables[move.target]) for move in plan.moves]


def of_array(name: str, array: NDArray[Any]) -> Outgoing:
    """Returns a tensor of values that no source has."""
    info = TensorInfo(name, array.shape, tensorflow_type(array.dtype), array.nbytes, name)
    return Outgoing(info, partial(pieces_of, array), lambda: array, key=key_of(name))


def _as_it_is(source: Checkpoint, name: str, info: TensorInfo) -> Outgoing:
    plain = path_of(name) if source.format == OBJECTS else name
    named = replace(info, name=plain, full_name=info.full_name or plain)
    key = name if source.format == OBJECTS else key_of(name)
    return Outgoing(named, partial(source.pieces, name), partial(source.__getitem__, name), name, key)


def _moved(source: Checkpoint, move: Move, variable: TargetVariable) -> Outgoing:
    from tf2bridge.checkpoint.applying import value

    first = source.tensors[move.sources[0]] if len(move.sources) == 1 and not move.steps else None
    name, key = variable.name, variable.key or key_of(variable.name)
    if first and (first.shape, first.dtype) == (variable.shape, variable.dtype):
        # What has another name by its object still goes by the old one with a Saver, as its values are the old ones.
        full_name = (first.full_name or first.name) if variable.key else name
        made = replace(first, name=name, full_name=full_name)
        read = partial(source.pieces, first.name), partial(source.__getitem__, first.name)
        return Outgoing(made, *read, first.name, key)
    size = prod(variable.shape) * (item_bytes(variable.dtype) or 0)
    made = TensorInfo(name, variable.shape, variable.dtype, size, name)
    compute = partial(value, move, source, variable)
    return Outgoing(made, lambda: pieces_of(compute()), compute, key=key)


def pieces_of(array: NDArray[Any]) -> Pieces:
    """The bytes of an array in the order of its values, last dimension fastest, whatever their order in memory."""
    if array.nbytes <= PIECE:
        yield memoryview(np.ascontiguousarray(array).reshape(-1).view(np.uint8))
        return
    row = array.nbytes // len(array)
    rows = max(1, PIECE // row)
    for first in range(0, len(array), rows):
        yield from pieces_of(array[first] if row > PIECE else array[first : first + rows])
