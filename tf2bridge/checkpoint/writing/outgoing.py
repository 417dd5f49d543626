"""The tensors that are written, one at a time: unchanged, or as a plan makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from tf2bridge.checkpoint.planning.refusals import MissingTensorError
from tf2bridge.checkpoint.writing.object_graph import key_of, path_of
from tf2bridge.checkpoint.writing.refusals import UnplannedTensorError
from tf2bridge.formats.checkpoints.stored import PIECE, Checkpoint, TensorInfo
from tf2bridge.formats.dtypes import STRING, item_bytes, tensorflow_type

if TYPE_CHECKING:  # NumPy takes longer to import than a thousand names to be changed
    from numpy.typing import NDArray

    from tf2bridge.checkpoint.mapping import Plan
    from tf2bridge.checkpoint.moves import Move, TargetVariable

OBJECTS = "objects"
"""The format of a checkpoint whose names are keys of objects."""
Pieces = Iterator[bytes | memoryview]


@dataclass(frozen=True)
class Outgoing:
    """A tensor to be written.

    At most PIECE bytes of unchanged data are in memory at once; a few times that if steps work by rows. The result of
    other steps is in memory completely, with its sources.
    """

    info: TensorInfo
    """Its `full_name` is the name for a Saver, as objects have it."""
    pieces: Callable[[], Pieces]
    """Returns its bytes as `Checkpoint.pieces` does; not for texts."""
    texts: Callable[[], list[bytes]]
    """Returns the texts of a tensor of texts, the last dimension fastest."""
    origin: str = ""
    """The tensor of the source with the same bytes."""
    key: str = ""
    """The key under which `tf.train.Checkpoint` looks for it."""


def outgoing(source: Checkpoint, plan: Plan | None = None) -> list[Outgoing]:
    """Returns what is to be written, in the order of the source or plan.

    Raises:
        IncompletePlanError: The plan has open questions.
        MissingTensorError: The source lacks a tensor of the plan.
        UnplannedTensorError: The source has a tensor that the plan does not mention.
    """
    if plan is None:
        return [_as_it_is(source, name, info) for name, info in source.tensors.items()]
    plan.require_complete()
    used = {name: None for move in plan.moves for name in move.sources}
    if absent := [name for name in used if name not in source]:
        raise MissingTensorError(source.path, absent, list(source.tensors))
    known = plan.drops.keys() | used.keys()
    if unknown := [name for name in source if name not in known]:
        raise UnplannedTensorError(source.path, unknown)
    return [_moved(source, move, plan.variables[move.target]) for move in plan.moves]


def of_text(name: str, text: bytes) -> Outgoing:
    """Returns a scalar of text that is in no source."""
    return Outgoing(TensorInfo(name, (), STRING, len(text), name), lambda: iter(()), lambda: [text], key=name)


def of_number(name: str, number: int) -> Outgoing:
    """Returns a scalar of int64 that is in no source."""
    data = number.to_bytes(8, "little", signed=True)
    return Outgoing(TensorInfo(name, (), "int64", 8, name), lambda: iter((data,)), list, key=key_of(name))


def of_array(name: str, array: NDArray[Any]) -> Outgoing:
    """Returns a tensor that is in no source. Raises UnsupportedTypeError."""
    info = TensorInfo(name, array.shape, tensorflow_type(array.dtype), array.nbytes, name)
    return Outgoing(info, partial(pieces_of, array), partial(_texts, array), key=key_of(name))


def _as_it_is(source: Checkpoint, name: str, info: TensorInfo) -> Outgoing:
    plain = path_of(name) if source.format == OBJECTS else name
    key = name if source.format == OBJECTS else key_of(name)
    named = TensorInfo(plain, info.shape, info.dtype, info.nbytes, info.full_name or plain)
    return _unchanged(source, name, named, key)


def _unchanged(source: Checkpoint, origin: str, made: TensorInfo, key: str) -> Outgoing:
    return Outgoing(made, partial(source.pieces, origin), lambda: _texts(source[origin]), origin, key)


def _texts(array: NDArray[Any]) -> list[bytes]:
    return [text.encode("utf-8") if isinstance(text, str) else bytes(text) for text in array.ravel().tolist()]


def _moved(source: Checkpoint, move: Move, variable: TargetVariable) -> Outgoing:
    first = source.tensors[move.sources[0]] if len(move.sources) == 1 and not move.steps else None
    name, key = variable.name, variable.key or key_of(variable.name)
    if first and (first.shape, first.dtype) == (variable.shape, variable.dtype):
        # A variable whose object has another name keeps its old name for a Saver, because its values are the old ones.
        full_name = (first.full_name or first.name) if variable.key else name
        return _unchanged(source, first.name, replace(first, name=name, full_name=full_name), key)
    size = prod(variable.shape) * (item_bytes(variable.dtype) or 0)
    made = TensorInfo(name, variable.shape, variable.dtype, size, name)
    compute = partial(_computed, move, source, variable)
    return Outgoing(made, compute, lambda: _texts(_value(move, source, variable)), key=key)


def _value(move: Move, source: Checkpoint, variable: TargetVariable) -> NDArray[Any]:
    from tf2bridge.checkpoint.planning.applying import value

    return value(move, source, variable)


def _computed(move: Move, source: Checkpoint, variable: TargetVariable) -> Pieces:
    from tf2bridge.checkpoint.writing.by_rows import values_by_rows

    for array in values_by_rows(move, source, variable):
        yield from pieces_of(array)


def pieces_of(array: NDArray[Any]) -> Pieces:
    """Yields the bytes of an array in the order of its values, last dimension fastest, whatever its order in memory."""
    import numpy as np

    if array.nbytes <= PIECE:
        yield np.ascontiguousarray(array).reshape(-1).view(np.uint8).data
        return
    row = array.nbytes // len(array)
    rows = max(1, PIECE // row)
    for first in range(0, len(array), rows):
        yield from pieces_of(array[first] if row > PIECE else array[first : first + rows])
