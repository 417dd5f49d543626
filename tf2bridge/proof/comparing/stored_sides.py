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
from tf2bridge.proof.comparing.two_traces import why_cut
from tf2bridge.proof.numbers.pieces import Array, Lazy
from tf2bridge.proof.traces.reader import Trace
from tf2bridge.proof.traces.records import VariableRecord


def of_checkpoint(checkpoint: Checkpoint, name: str = "") -> Side:
    """Returns the side of a checkpoint that is open; its tensors are read when they are judged."""
    left_out = [
        info.name for info in checkpoint.tensors.values() if info.dtype != STRING and item_bytes(info.dtype) is None
    ]
    values = {
        info.name: Value(info.name, partial(_tensor, checkpoint, info), _aliases(info), info.name in BOOKKEEPING)
        for info in checkpoint.tensors.values()
        if info.name not in left_out
    }
    state = f"{len(left_out)} states of objects of TensorFlow are not compared ({', '.join(left_out[:3])})"
    return Side(
        name or str(checkpoint.path),
        f"{checkpoint.format} checkpoint" if checkpoint.format != "objects" else "object-based checkpoint",
        values,
        ordered=checkpoint.format not in ("V1", "V2", "objects"),
        checkpoint=checkpoint,
        notes=(state,) if left_out else (),
        close=checkpoint.close,
    )


def _aliases(info: TensorInfo) -> tuple[str, ...]:
    further = (info.full_name, path_of(info.name))
    return tuple(dict.fromkeys(alias for alias in further if alias and alias != info.name))


def _tensor(checkpoint: Checkpoint, info: TensorInfo) -> Array | Lazy:
    if info.dtype == STRING:
        return checkpoint[info.name]
    dtype = numpy_type(info.dtype)
    return Lazy(info.shape, dtype, lambda: _numbers(checkpoint.pieces(info.name), dtype))


def _numbers(pieces: Iterator[bytes | memoryview], dtype: np.dtype[Any]) -> Iterator[Array]:
    """Yields the pieces as arrays; a number may begin in one and end in the next."""
    waiting = b""
    for piece in pieces:
        content = b"".join((waiting, piece)) if waiting else piece
        complete = len(content) // dtype.itemsize
        if complete:
            yield np.frombuffer(content, dtype, complete)
        waiting = bytes(content[complete * dtype.itemsize :])


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
    """Returns the value in the type of the variable: older recorders' bfloat16 is read as the float32 of the same
    number.
    """
    value = trace.value(ref)
    return value if variable.dtype == STRING else value.astype(numpy_type(variable.dtype), copy=False)


def of_arrays(arrays: Mapping[str, Any], name: str = "arrays") -> Side:
    """Returns the side of arrays by name, in memory."""
    return Side(
        name, "arrays", {key: Value(key, partial(np.asarray, array)) for key, array in arrays.items()}, ordered=True
    )
