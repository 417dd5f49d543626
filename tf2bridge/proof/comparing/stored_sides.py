"""Sides that are stored: checkpoints of every format, traces, and arrays in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from tf2bridge.checkpoint.writing.object_graph import path_of
from tf2bridge.checkpoint.writing.written_names import BOOKKEEPING
from tf2bridge.formats.checkpoints.stored import Checkpoint, TensorInfo
from tf2bridge.formats.dtypes import STRING, item_bytes, numpy_type
from tf2bridge.proof.comparing.sides import Side, Value
from tf2bridge.proof.comparing.traces import why_cut
from tf2bridge.proof.numbers.pieces import Array, Lazy
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import VariableRecord


def of_checkpoint(held: Checkpoint, name: str = "") -> Side:
    """Returns the side of a checkpoint that is open; its tensors are read when they are judged."""
    left_out = [info.name for info in held.tensors.values() if info.dtype != STRING and item_bytes(info.dtype) is None]
    values = {
        info.name: Value(info.name, partial(_tensor, held, info), _aliases(info), info.name in BOOKKEEPING)
        for info in held.tensors.values()
        if info.name not in left_out
    }
    state = f"{len(left_out)} states of objects of TensorFlow are not compared ({', '.join(left_out[:3])})"
    return Side(
        name or str(held.path),
        f"{held.format} checkpoint" if held.format != "objects" else "object-based checkpoint",
        values,
        ordered=held.format not in ("V1", "V2", "objects"),
        checkpoint=held,
        notes=(state,) if left_out else (),
        close=held.close,
    )


def _aliases(info: TensorInfo) -> tuple[str, ...]:
    further = (info.full_name, path_of(info.name))
    return tuple(dict.fromkeys(each for each in further if each and each != info.name))


def _tensor(held: Checkpoint, info: TensorInfo) -> Array | Lazy:
    if info.dtype == STRING:
        return held[info.name]
    dtype = numpy_type(info.dtype)
    return Lazy(info.shape, dtype, lambda: _numbers(held.pieces(info.name), dtype))


def _numbers(pieces: Iterator[bytes | memoryview], dtype: np.dtype[Any]) -> Iterator[Array]:
    """The pieces as arrays; a number may begin in one and end in the next."""
    waiting = b""
    for piece in pieces:
        content = b"".join((waiting, piece)) if waiting else piece
        whole = len(content) // dtype.itemsize
        if whole:
            yield np.frombuffer(content, dtype, whole)
        waiting = bytes(content[whole * dtype.itemsize :])


def of_trace(trace: Trace, initial: bool = False) -> Side:
    """Returns the side of a trace: what its calls fed and fetched, and the last, or first, values of its variables."""
    values: dict[str, Value] = {}
    for graph in trace.graphs:
        for variable in graph.variables:
            ref = variable.initial if initial else variable.final
            if ref is not None and variable.name not in values:
                values[variable.name] = Value(variable.name, partial(_variable, trace, variable, ref))
    which = "initial" if initial else "final"
    notes = [f"of the trace the {which} values of its variables are taken"] if values else []
    notes += [f"{trace.path}: {cut}"] if (cut := why_cut(trace)) else []
    kind = f"trace of TensorFlow {trace.release}"
    return Side(str(trace.path), kind, values, trace=trace, notes=tuple(notes), close=trace.close)


def _variable(trace: Trace, variable: VariableRecord, ref: int) -> Array:
    """The value in the type of the variable: older recorders' bfloat16 is read as the float32 of the same number."""
    value = trace.value(ref)
    return value if variable.dtype == STRING else value.astype(numpy_type(variable.dtype), copy=False)


def of_arrays(arrays: Mapping[str, Any], name: str = "arrays") -> Side:
    """Returns the side of arrays by name, in memory."""
    return Side(
        name, "arrays", {key: Value(key, partial(np.asarray, each)) for key, each in arrays.items()}, ordered=True
    )
